// Device memory that the host uses as if it were its own, through the C and C++ libraries, too: what dies of it is told,
// with the program's line.
//
// also --remote
//
// case frees expect=host-access status=139 says=cudaFree
// case frees_pinned expect=host-access status=139 says=cudaFreeHost
// case frees_managed expect=host-access status=139 says=cudaFree
// case frees_own expect=silent
// case deletes expect=host-access status=139 says=cudaFree
// case resizes expect=host-access status=139 says=cudaFree
// case sorts expect=host-access status=139 says=alloc0
// case sorts_managed expect=silent
// case writes_freed expect=host-access status=139 says=has.been.freed
// case reads_freed_pinned expect=host-access status=139 says=has.been.freed
// case reads_before expect=host-access status=139 says=8.bytes.before
// case member_on_device expect=host-access status=139 says=host.copy
// case member_of_copy expect=silent
// case prints expect=host-access status=139 says=alloc0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CASE(name) if (!strcmp(argv[1], name))

enum { N = 32, BYTES = N * sizeof(int) };

struct row {
    int *cells;
};

__global__ void fill(int *out)
{
    out[threadIdx.x] = (int)threadIdx.x;
}

__global__ void fill_row(row *r)
{
    r->cells[threadIdx.x] = 1;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    int *p;
    cudaMalloc(&p, BYTES);
    fill<<<1, N>>>(p);
    cudaDeviceSynchronize();
    CASE("frees") free(p); // frees
    CASE("frees_pinned") {
        int *pinned;
        cudaMallocHost((void **)&pinned, BYTES);
        free(pinned); // frees_pinned
    }
    CASE("frees_managed") {
        int *managed;
        cudaMallocManaged((void **)&managed, BYTES);
        free(managed); // frees_managed
    }
    CASE("frees_own") free(malloc(BYTES));
    CASE("deletes") delete[] p; // deletes
    CASE("resizes") p = (int *)realloc(p, 2 * BYTES); // resizes
    CASE("sorts") std::sort(p, p + N); // sorts
    CASE("sorts_managed") {
        int *managed;
        cudaMallocManaged((void **)&managed, BYTES);
        fill<<<1, N>>>(managed);
        cudaDeviceSynchronize();
        std::sort(managed, managed + N);
        cudaFree(managed);
    }
    CASE("writes_freed") {
        int *gone;
        cudaMalloc(&gone, BYTES);
        cudaFree(gone);
        gone[3] = 1; // writes_freed
    }
    CASE("reads_freed_pinned") {
        int *pinned;
        cudaMallocHost((void **)&pinned, BYTES);
        cudaFreeHost(pinned);
        printf("%d\n", pinned[3]); // reads_freed_pinned
    }
    CASE("reads_before") printf("%d\n", p[-2]); // reads_before
    CASE("member_on_device") {
        row *r;
        cudaMalloc(&r, sizeof *r);
        cudaMalloc(&r->cells, BYTES); // member_on_device
    }
    CASE("member_of_copy") {
        row copy, *r;
        cudaMalloc(&copy.cells, BYTES);
        cudaMalloc(&r, sizeof *r);
        cudaMemcpy(r, &copy, sizeof *r, cudaMemcpyHostToDevice);
        fill_row<<<1, N>>>(r);
        cudaFree(copy.cells);
        cudaFree(r);
    }
    CASE("prints") printf("%s\n", (char *)p); // prints
    cudaFree(p);
    return 0;
}
