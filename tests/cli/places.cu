// Where findings say that things are: elements and fields, callers of inlined functions, allocations, streams. Each
// mistake has its line marked; tests/cli/test_places.sh looks for what is said of it.
#include <cstdio>
#include <cstring>
#include <dlfcn.h>

struct item {
    unsigned slot, first, count;
};

__device__ void add(int *p, int i, int k)
{
    p[i] += p[i + k]; // a comment that makes this line longer than any terminal of eighty columns is wide, to its last word: whole
}
__device__ void add_some(int *p, int i)
{
    if (i < 32)
        add(p, i, 16); // MIDDLE
}
__global__ void tree(int *out)
{
    __shared__ int s[64];
    int i = (int)threadIdx.x;
    s[i] = i;
    __syncthreads();
    add_some(s, i); // OUTER
    __syncthreads();
    if (i == 0)
        *out = s[0];
}
__global__ void sum(int *out)
{
    __shared__ int last;
    last = (int)threadIdx.x; // PLAIN
    __syncthreads();
    *out = last;
}
__global__ void fill(item *items)
{
    items[3].count = threadIdx.x; // FIELD
}
__global__ void past(int *p)
{
    p[8] = 1; // PAST
}

__device__ int table[64];
__global__ void last_written()
{
    table[0] = 1;
}
static void *table_address()
{
    void *p = nullptr;
    cudaGetSymbolAddress(&p, table);
    return p;
}
static cudaError_t wrapped(cudaStream_t stream)
{
    return cudaMemsetAsync(table_address(), 0, 4, stream); // WRAPPED
}

static void name(const char *function, void *what, const char *with)
{
    auto tell = (void (*)(void *, const char *))dlsym(RTLD_DEFAULT, function);
    if (tell)
        tell(what, with);
}

static int *from_elsewhere();

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    int *p;
    item *items;
    cudaStream_t first, second;
    if (!strcmp(which, "callers") && !cudaMalloc(&p, 256))
        tree<<<1, 64>>>(p);
    if (!strcmp(which, "plain") && !cudaMalloc(&p, 256))
        sum<<<1, 64>>>(p);
    if (!strcmp(which, "field") && !cudaMalloc(&items, 10 * sizeof *items)) {
        name("softgpu_name_allocation", items, "items{slot first count}");
        fill<<<1, 64>>>(items);
    }
    if (!strcmp(which, "typed")) {
        cudaError_t e = cudaMalloc(&p, 32); // TYPED
        if (!e)
            past<<<1, 1>>>(p);
    }
    if (!strcmp(which, "elsewhere") && (p = from_elsewhere()))
        past<<<1, 1>>>(p);
    if (!strcmp(which, "cast")) {
        cudaError_t e = cudaMalloc((void **)&p, 32); // CAST
        if (!e)
            past<<<1, 1>>>(p);
    }
    if (!strcmp(which, "host")) {
        cudaError_t e = cudaMallocHost(&p, 32); // HOST
        if (!e)
            past<<<1, 1>>>(p);
    }
    if (!strcmp(which, "streams") && !cudaMalloc(&p, 256)) {
        cudaStreamCreate(&first);
        cudaStreamCreate(&second);
        name("softgpu_name_stream", first, "other");
        name("softgpu_name_stream", second, "stream 1");
        past<<<1, 1, 0, first>>>(p);
        past<<<1, 1, 0, second>>>(p);
    }
    if (!strcmp(which, "configured") && !cudaMalloc(&p, 256)) {
        cudaStreamCreate(&first);
        cudaStreamCreate(&second);
        cudaLaunchConfig_t c = {};
        c.gridDim = c.blockDim = dim3(1), c.stream = first;
        cudaLaunchKernelEx(&c, past, p); // CONFIGURED
        past<<<1, 1, 0, second>>>(p);
    }
    if (!strcmp(which, "symbol") && !cudaMalloc(&p, 256)) {
        static int seven[64];
        cudaStreamCreate(&first);
        cudaStreamCreate(&second);
        last_written<<<1, 1, 0, second>>>();
        cudaError_t e = cudaMemcpyToSymbolAsync(table, seven, sizeof seven, 0, cudaMemcpyHostToDevice, first); // SYMBOL
        wrapped(second);
        if (e)
            return 1;
    }
    if (!strcmp(which, "launched") && !cudaMalloc(&p, 256)) { // arguments on the stack, which who called takes off again
        void *arguments[] = {&p};
        cudaLaunchKernel(past, dim3(1), dim3(5000), arguments, 0, nullptr); // LAUNCHED
        cudaLaunchCooperativeKernel(past, dim3(1), dim3(5000), arguments, 0, nullptr); // COOPERATIVE
    }
    cudaDeviceSynchronize();
    return 0;
}

// As a header's function does that is not inlined.
#line 63 "elsewhere.h"
__attribute__((noinline)) static int *from_elsewhere() { int *p; return cudaMalloc(&p, 32) ? NULL : p; }
