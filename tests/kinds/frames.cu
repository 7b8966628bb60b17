// frames.cu: an index leads out of a function's local arrays into what belongs to another function, or to a call. A GPU goes on.
//
// case own_array expect=out-of-bounds says=offset.32.of.the.local.variables.of.own,.which.hold.32
// case own_array_fits expect=silent
// case before_own expect=out-of-bounds says=4.bytes.before.the.local.variables.of.own
// case handed_array expect=out-of-bounds says=offset.32.of.the.local.variables.of.hand
// case handed_array_fits expect=silent
// case read_handed expect=out-of-bounds also=uninitialized-read
// case read_handed_fits expect=silent
// case wide expect=out-of-bounds says=writes.16.bytes.at.offset.32
// case wide_fits expect=silent
// case recursive expect=out-of-bounds
// case recursive_fits expect=silent
// case odd_size expect=out-of-bounds says=offset.36.of.the.local.variables.of.odd
// case odd_size_fits expect=silent
// case large_arguments_fits expect=silent
// case returned expect=out-of-bounds says=variable.of.a.function.that.has.returned
// case returned_fits expect=silent
#include <cstring>
#include <cuda_runtime.h>

struct Large {
    int values[12];
};

__device__ __noinline__ int own(int n, int at)
{
    int a[8];
    for (int i = 0; i < 8; i++)
        a[i] = i * n;
    a[at] = 5; // own_array before_own
    return a[n & 7];
}

__device__ __noinline__ void fill(int *a, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = i; // handed_array
}

__device__ __noinline__ int total(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i]; // read_handed
    return s;
}

__global__ void hand(int *out, int n, int reads)
{
    int a[8];
    fill(a, reads ? 8 : n);
    out[threadIdx.x] = total(a, reads ? n : 8);
}

__device__ __noinline__ int quad(int n, int at)
{
    int4 b[2];
    for (int i = 0; i < 2; i++)
        b[i] = make_int4(i, n, i, n);
    b[at] = make_int4(n, 2, 3, 4); // wide
    return b[n & 1].y;
}

__device__ __noinline__ int deep(int n, int *above, int at)
{
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[i] = n + i;
    above[at] = n; // recursive
    return n <= 0 ? mine[-n & 3] : deep(n - 1, mine, at) + mine[n & 3];
}

__device__ __noinline__ int sum(Large l, int at)
{
    int s = 0;
    for (int i = 0; i < at; i++)
        s += l.values[i];
    return s;
}

__device__ __noinline__ Large made(int n)
{
    Large l;
    for (int i = 0; i < 12; i++)
        l.values[i] = i + n;
    return l;
}

__global__ void call(int *out, int which, int n, int at)
{
    int first[4] = {n, 1, 2, at};
    out[threadIdx.x] = which == 0 ? own(n, at) : which == 1 ? quad(n, at) : which == 2 ? deep(n & 7, first, at) : sum(made(n), at);
}

__global__ void odd(int *out, int n, int at)
{
    int a[9];
    for (int i = 0; i < 9; i++)
        a[i] = i * n;
    a[at] = 4; // odd_size
    out[threadIdx.x] = a[n];
}

__device__ __noinline__ int *kept(int n, int *own)
{
    int mine[4];
    int *volatile p = own ? own : mine;
    for (int i = 0; i < 4; i++)
        p[i] = i + n;
    return p;
}

__global__ void returned_pointer(int *out, int n, bool owned)
{
    int a[4];
    int *p = kept(n, owned ? a : nullptr);
    out[threadIdx.x] = p[n & 3]; // returned
}

int main(int argc, char **argv)
{
    int *out;
    const char *name = argc > 1 ? argv[1] : "";
    bool fits = strstr(name, "_fits");
    cudaMalloc(&out, 128);
    if (strstr(name, "returned"))
        returned_pointer<<<1, 32>>>(out, 5, fits);
    else if (strstr(name, "odd"))
        odd<<<1, 32>>>(out, 5, fits ? 8 : 9);
    else if (strstr(name, "before"))
        call<<<1, 32>>>(out, 0, 3, -1);
    else if (strstr(name, "own"))
        call<<<1, 32>>>(out, 0, 3, fits ? 7 : 8);
    else if (strstr(name, "handed"))
        hand<<<1, 32>>>(out, fits ? 8 : 9, strstr(name, "read") != nullptr);
    else if (strstr(name, "wide"))
        call<<<1, 32>>>(out, 1, 3, fits ? 1 : 2);
    else if (strstr(name, "recursive"))
        call<<<1, 32>>>(out, 2, 3, fits ? 3 : 4);
    else
        call<<<1, 32>>>(out, 3, 3, 12);
    cudaError_t end = cudaDeviceSynchronize();
    cudaFree(out);
    return end != cudaSuccess && strcmp(name, "returned");
}
