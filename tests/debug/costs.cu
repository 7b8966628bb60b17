// What the debugger costs (costs.py): `costs BLOCKS N` adds up N numbers, with a race of the blocks at the end.
#include <cstdio>
#include <cstdlib>
__global__ void work(const int *in, int *out, int n)
{
    __shared__ int cache[256];
    int v = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        v += in[i] ^ v << 1;
    cache[threadIdx.x] = v;
    __syncthreads();
    for (int h = 128; h; h /= 2) {
        if (threadIdx.x < h)
            cache[threadIdx.x] += cache[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[0] += cache[0]; // race
}
int main(int argc, char **argv)
{
    int blocks = atoi(argv[1]), n = atoi(argv[2]), *in, *out;
    cudaMalloc(&in, n * 4); cudaMalloc(&out, 4); cudaMemset(in, 1, n * 4); cudaMemset(out, 0, 4);
    work<<<blocks, 256>>>(in, out, n);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
