// A launch that fails because it did not wait for a copy or a fill: the race is told beside the fault. What the launch had waited for,
// and what waits for it, is not.
//
// case table_by_cudamemcpy expect=stream-race also=out-of-bounds
// case table_by_copy expect=stream-race also=out-of-bounds
// case table_by_fill expect=stream-race also=out-of-bounds
// case second_table expect=stream-race also=out-of-bounds
// case table_waited_for expect=out-of-bounds
// case other_table expect=out-of-bounds
// case copied_behind expect=out-of-bounds
#include <cstring>
#include <cuda_runtime.h>

enum { N = 32, BYTES = N * sizeof(int), WILD = 1 << 24 };

__global__ void gather(int *out, const int *data, const int *table)
{
    out[threadIdx.x] = data[table[threadIdx.x]];
}

int main(int, char **argv)
{
    const char *name = argv[1];
    int host[N], *table, *other, *data, *out, *pinned;
    cudaStream_t one, two;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaMalloc(&table, BYTES);
    cudaMalloc(&other, BYTES);
    cudaMalloc(&data, BYTES);
    cudaMalloc(&out, 2 * BYTES);
    cudaMallocHost(&pinned, BYTES);
    cudaMemset(data, 0, BYTES);
    for (int i = 0; i < N; i++)
        host[i] = WILD, pinned[i] = i;
    cudaMemcpy(table, host, BYTES, cudaMemcpyHostToDevice);
    cudaMemcpy(other, host, BYTES, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; i++)
        host[i] = i;

    if (!strcmp(name, "table_by_cudamemcpy")) {
        cudaMemcpy(table, host, BYTES, cudaMemcpyHostToDevice); // table_by_cudamemcpy
    } else if (!strcmp(name, "table_by_copy")) {
        cudaMemcpyAsync(table, pinned, BYTES, cudaMemcpyHostToDevice, two); // table_by_copy
    } else if (!strcmp(name, "table_by_fill")) {
        cudaMemsetAsync(table, 0, BYTES, two); // table_by_fill
    } else if (!strcmp(name, "second_table")) {
        cudaMemcpyAsync(other, pinned, BYTES, cudaMemcpyHostToDevice, two);
        cudaMemcpyAsync(table, pinned, BYTES, cudaMemcpyHostToDevice, two); // second_table
    } else if (!strcmp(name, "table_waited_for")) {
        cudaMemsetAsync(table, 127, BYTES, two);
        cudaStreamSynchronize(two);
        cudaMemcpyAsync(other, pinned, BYTES, cudaMemcpyHostToDevice, two);
    } else if (!strcmp(name, "other_table")) {
        cudaMemcpyAsync(other, pinned, BYTES, cudaMemcpyHostToDevice, two);
    }
    gather<<<1, N, 0, one>>>(out, data, table);
    if (!strcmp(name, "copied_behind")) {
        cudaMemcpyAsync(out + N, out, BYTES, cudaMemcpyDeviceToDevice, one);
        cudaMemcpyAsync(table, pinned, BYTES, cudaMemcpyHostToDevice, one);
    }
    cudaStreamSynchronize(one);
    return 0;
}
