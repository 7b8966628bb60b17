// What becomes of stores to constant memory: by an address from the host, by the kernel's own, by an atomic; what the host, the next
// launch and the same launch see. One fact a line: the same program runs on a real GPU and on softgpu (constant_facts.gpu.txt).
//
//   nvcc -cudart shared -w -o constant_facts constant_facts.cu && ./constant_facts
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__constant__ int table[32];

__global__ void store(int *p) { p[threadIdx.x] = 40; }
__global__ void store_own()
{
    int *p = const_cast<int *>(table);
    asm volatile("" : "+l"(p)); // else nvcc makes a trap of the store
    p[threadIdx.x] = 41;
}
__global__ void add(int *p) { atomicAdd(&p[threadIdx.x], 42); }
__global__ void wide(int4 *p) { p[threadIdx.x] = make_int4(43, 43, 43, 43); }
__global__ void read(int *out) { out[threadIdx.x] = table[threadIdx.x]; }
__global__ void read_by(const volatile int *p, int *out) { out[threadIdx.x] = p[threadIdx.x]; }

static void tell(const char *what, int *out)
{
    int got[32], by[32], host[32], *p;
    cudaError_t e = cudaDeviceSynchronize();
    if (e) {
        printf("%s: %s\n", what, cudaGetErrorName(e));
        return;
    }
    read<<<1, 32>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaGetSymbolAddress((void **)&p, table);
    read_by<<<1, 32>>>(p, out);
    cudaMemcpy(by, out, sizeof by, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(host, table, sizeof host);
    printf("%s: the next launch reads %d, by a pointer %d, the host %d\n", what, got[5], by[5], host[5]);
}

int main()
{
    int *p, *out, zero[32] = {};
    cudaMalloc(&out, sizeof zero);
    cudaGetSymbolAddress((void **)&p, table);
    auto begin = [&] { cudaMemcpyToSymbol(table, zero, sizeof zero); read<<<1, 32>>>(out); cudaDeviceSynchronize(); };
    begin();
    store<<<1, 32>>>(p);
    tell("a store by an address from the host", out);
    begin();
    add<<<1, 32>>>(p);
    tell("an atomic by it", out);
    begin();
    wide<<<1, 8>>>((int4 *)p);
    tell("a store of 16 bytes by it", out);
    begin();
    cudaMemset(p, 44, sizeof zero);
    tell("a fill by it", out);
    begin();
    store_own<<<1, 32>>>();
    tell("a store by the kernel's own address", out);
    cudaFree(out);
    return 0;
}
