// What checkers tell must not depend on whether a kernel is interpreted or compiled: lanes that part, meet, leave and wait apart,
// what is undefined from somewhere on, and loops that nothing ends.
#include <cstdio>

#define N 64

__global__ void races_in_an_arm(int *out, int n) // behind a branch whose other arm comes first in the text
{
    __shared__ volatile int s[N];
    int t = threadIdx.x, v = t;
    s[t] = t;
    for (int i = 0; i < n; i++)
        v = v * 3 + (t & i);
    if (t & 1)
        s[t ^ 1] = v;
    else
        v += s[t];
    out[t] = v;
}

__global__ void arms(int *out) // each with a barrier
{
    int t = threadIdx.x, v = t;
    if (t & 1) {
        for (int i = 0; i < t; i++)
            v ^= v << 1;
        out[t] = v;
        __syncthreads();
        out[t] += 2;
    } else {
        out[t] = 7;
        __syncthreads();
        out[t] += 4;
    }
}

__global__ void goes_apart(int *out) // lanes leave a loop one by one, and the kernel before the others
{
    int t = threadIdx.x, v = t;
    if (t % 5 == 4)
        return;
    while (v < 1000)
        v += v / 2 + 1;
    out[t] = v;
    if (t > 40)
        return;
    __syncwarp();
    out[t] += __shfl_xor_sync(__activemask(), v, 1);
}

__global__ void undefined_from_there_on(int *out, const int *in, int n)
{
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < n; i++)
        sum += i ^ t;
    out[t] = sum;
    sum += in[t]; // nobody has written it
    for (int i = 0; i < n; i++)
        sum = sum * 5 + i;
    if (sum & 1)
        out[t] = sum;
}

__global__ void parted_words(int *out, const int *in, int n) // plain accesses by some lanes: racing ones, and of what nobody has written
{
    __shared__ int s[2 * N];
    int t = threadIdx.x, v = 0;
    s[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        if ((t + i) % 3 == 0) {
            if (t & 4)
                s[t ^ 1] += i; // lanes i and i ^ 1
            else
                v += s[t] + s[(t + 5) % N];
        } else if (t > 50)
            v += in[t];
        if (i == 7 && t == 9)
            v += s[N + t] & 1;
    }
    if (v & 1)
        out[t] = v;
    out[(t + 1) % N] = v;
}

__global__ void read_by_all(float4 *out, int n) // words side by side, which all lanes read, while one writes some of them
{
    __shared__ float4 s[N + 1];
    int t = threadIdx.x;
    float4 sum = {0, 0, 0, 0};
    s[t] = {1.f * t, 2, 3, 4};
    __syncthreads();
    for (int i = 0; i < n; i++) {
        float4 v = s[i];
        sum.x += v.x * v.w, sum.y += v.y * v.z;
        if (i == 20 && t == 33)
            s[2].z = 7;
    }
    __syncthreads();
    for (int i = n / 2; i < n; i++)
        sum.z += s[i].x;
    if (t < 20)
        sum.w = s[N].y; // nobody has written it
    out[t] = sum.w > 2 ? sum : s[t];
}

__global__ void outside(int *out, int n) // one lane of some
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t & 1)
        out[t] = s[t == 37 ? n : t];
}

__global__ void waits(volatile int *flag, int *out)
{
    int i = 0;
    if (threadIdx.x == 3)
        while (*flag == 0)
            i++;
    out[threadIdx.x] = i;
}

int main()
{
    int *out, *in;
    cudaMalloc(&out, N * sizeof *out);
    cudaMemset(out, 0, N * sizeof *out);
    cudaMalloc(&in, N * sizeof *in);
    races_in_an_arm<<<2, N>>>(out, 20);
    goes_apart<<<2, N>>>(out);
    undefined_from_there_on<<<1, N>>>(out, in, 10);
    parted_words<<<2, N>>>(out, in, 12);
    float4 *four;
    cudaMalloc(&four, N * sizeof *four);
    read_by_all<<<2, N>>>(four, 40);
    cudaError_t before = cudaDeviceSynchronize();
    arms<<<1, N>>>(out);
    cudaError_t parted = cudaDeviceSynchronize();
    printf("%s, %s\n", cudaGetErrorName(before), cudaGetErrorName(parted));
    cudaMemset(in, 0, N * sizeof *in);
    waits<<<1, 32>>>(in, out);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaDeviceReset();
    cudaMalloc(&out, N * sizeof *out);
    outside<<<1, N>>>(out, 1 << 20);
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
