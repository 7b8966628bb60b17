/* The kernels of bench.cu, in OpenCL C. */
#define SORT_THREADS 256

__kernel void sum(__global const int *in, int n, __global int *out)
{
    __local int s[1024];
    int tid = get_local_id(0), v = 0;
    for (int i = get_group_id(0) * get_local_size(0) + tid; i < n;
         i += get_num_groups(0) * get_local_size(0))
        v += in[i];
    s[tid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_size(0) / 2; k > 0; k >>= 1) {
        if (tid < k)
            s[tid] += s[tid + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        out[get_group_id(0)] = s[0];
}

__kernel void bitonic(__global int *values)
{
    __local int s[SORT_THREADS];
    uint tid = get_local_id(0);
    s[tid] = values[get_group_id(0) * SORT_THREADS + tid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= SORT_THREADS; k <<= 1) {
        for (uint j = k / 2; j > 0; j >>= 1) {
            uint ixj = tid ^ j;
            if (ixj > tid) {
                if ((tid & k) == 0) {
                    if (s[tid] > s[ixj]) {
                        int t = s[tid];
                        s[tid] = s[ixj];
                        s[ixj] = t;
                    }
                } else {
                    if (s[tid] < s[ixj]) {
                        int t = s[tid];
                        s[tid] = s[ixj];
                        s[ixj] = t;
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    values[get_group_id(0) * SORT_THREADS + tid] = s[tid];
}
