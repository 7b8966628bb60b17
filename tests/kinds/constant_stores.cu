// Kernels and constant memory: PTX calls it read-only (5.1.3), so a store there is a finding, whoever the address is from. It lies in
// global memory, and a GPU carries the store out; so does this, and what follows finds the value (hashcat clears a constant table so).
//
// nvcc: -w
//
// case from_host expect=out-of-bounds says=writes.4.bytes
// case own_address expect=out-of-bounds says=writes.4.bytes
// case by_atomic expect=out-of-bounds says=writes.4.bytes
// case past_table expect=out-of-bounds status=3
// case read_through expect=silent
// case copied expect=silent
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

__constant__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

__global__ void store(int *p) { p[threadIdx.x] = 40; } // from_host past_table
__global__ void store_own()
{
    int *p = const_cast<int *>(table);
    asm volatile("" : "+l"(p)); // else nvcc makes a trap of the store
    p[threadIdx.x] = 40; // own_address
}
__global__ void add(int *p) { atomicAdd(&p[threadIdx.x], 35); } // by_atomic
__global__ void read(int *out) { out[threadIdx.x] = table[threadIdx.x]; }
__global__ void read_by(const int *p, int *out) { out[threadIdx.x] = p[threadIdx.x]; }

int main(int argc, char **argv)
{
    const char *name = argv[1];
    int *p, *out, got[8];
    CHECK(!cudaGetSymbolAddress((void **)&p, table) && !cudaMalloc(&out, sizeof got));
    bool changes = true;
    if (!strcmp(name, "from_host"))
        store<<<1, 8>>>(p);
    else if (!strcmp(name, "own_address"))
        store_own<<<1, 8>>>();
    else if (!strcmp(name, "by_atomic"))
        add<<<1, 8>>>(p);
    else if (!strcmp(name, "past_table"))
        store<<<1, 64>>>(p);
    else
        changes = false;
    CHECK(!cudaDeviceSynchronize());
    if (!strcmp(name, "copied")) {
        for (int i = 0; i < 8; i++)
            got[i] = 9;
        CHECK(!cudaMemcpyToSymbol(table, got, sizeof got));
    }
    if (!strcmp(name, "read_through"))
        read_by<<<1, 8>>>(p, out);
    else
        read<<<1, 8>>>(out);
    CHECK(!cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[4] == (changes ? 40 : strcmp(name, "copied") ? 5 : 9));
    CHECK(!cudaMemcpyFromSymbol(got, table, sizeof got) && (!changes || got[4] == 40));
    CHECK(!cudaFree(out));
    return 0;
}
