// Arrays of functions that are called: each call has its own, undefined until it writes them, wherever an earlier call's have stood. What the callers
// have written stays.
//
// case same_unset expect=uninitialized-read
// case same_set expect=silent
// case others_unset expect=uninitialized-read
// case others_set expect=silent
// case first_lanes_unset expect=uninitialized-read says=[Tt]hread.9.of
// case first_lanes_set expect=silent
// case deeper_unset expect=uninitialized-read
// case deeper_set expect=silent
// case callers_own expect=silent
// case callers_own_recursive expect=silent
// case argument_by_value expect=silent
// case grown expect=silent
// case alloca_unset expect=uninitialized-read
// case alloca_set expect=silent
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64 };

__device__ __noinline__ int last_of(int n, int at)
{
    int a[8];
    for (int i = 0; i < n; i++)
        a[i] = i + (int)threadIdx.x;
    return a[at & 7]; // same_unset, first_lanes_unset, deeper_unset
}

__global__ void same(int *out, int first, int second)
{
    int v = last_of(first, 7);
    out[threadIdx.x] = v + last_of(second, 7);
}

/* Lane 9 alone has its second call write less. */
__global__ void first_lanes(int *out, int less)
{
    int v = last_of(8, 7);
    if (threadIdx.x % 2)
        v += last_of(threadIdx.x == 9 ? less : 8, 7);
    out[threadIdx.x] = v;
}

__device__ __noinline__ int sum_of(int n)
{
    int a[16], sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = i * n;
    for (int i = 0; i < n; i++)
        sum += a[(i * 5) % n];
    return sum;
}

__device__ __noinline__ int other_of(int n, int at)
{
    long long a[6];
    for (int i = 0; i < n; i++)
        a[i] = i;
    return (int)a[at % 6]; // others_unset
}

__global__ void others(int *out, int n)
{
    int v = sum_of(16);
    out[threadIdx.x] = v + other_of(n, 5);
}

__device__ __noinline__ int through(int n, int at)
{
    int b[4];
    for (int i = 0; i < 4; i++)
        b[i] = n + i;
    return last_of(n, at) + b[at & 3];
}

__global__ void deeper(int *out, int n)
{
    int v = through(8, 7);
    out[threadIdx.x] = v + through(n, 7);
}

/* The caller's array is not the callee's. */
__global__ void callers(int *out, int n)
{
    int a[8];
    for (int i = 0; i < n; i++)
        a[i] = i;
    int v = 0;
    for (int i = 0; i < n; i++)
        v += last_of(8, i) + a[(i * 3) & 7];
    out[threadIdx.x] = v;
}

__device__ __noinline__ int recursive(int depth)
{
    int a[4];
    for (int i = 0; i < 4; i++)
        a[i] = depth + i;
    int v = depth ? recursive(depth - 1) : 0;
    return v + a[(v + depth) & 3];
}

__global__ void callers_recursive(int *out)
{
    int v = recursive(5);
    out[threadIdx.x] = v + recursive(3);
}

struct many {
    int of[12];
};

__device__ __noinline__ int pick(many m, int at)
{
    m.of[at % 12] += 1;
    return m.of[(at + 1) % 12] + m.of[at % 12];
}

__global__ void by_value(int *out, int n)
{
    many m;
    for (int i = 0; i < 12; i++)
        m.of[i] = i * n;
    int v = pick(m, n);
    out[threadIdx.x] = v + pick(m, n + 3);
}

/* The second call's frame needs more room than there was. */
__device__ __noinline__ int large_of(int n, int at)
{
    int a[600];
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a[at % 600];
}

__global__ void grown(int *out)
{
    int v = last_of(8, 7);
    v += large_of(600, 599);
    out[threadIdx.x] = v + last_of(8, 6);
}

__device__ __noinline__ int in_room(int count, int n)
{
    int *a = (int *)alloca(count * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a[count - 1]; // alloca_unset
}

__global__ void by_alloca(int *out, int n)
{
    int v = in_room(8, 8);
    out[threadIdx.x] = v + in_room(8, n);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    auto is = [&](const char *s) { return strcmp(name, s) == 0; };
    int *out, host[N];
    cudaMalloc(&out, sizeof host);
    if (is("same_unset") || is("same_set"))
        same<<<1, N>>>(out, 8, is("same_set") ? 8 : 4);
    else if (is("others_unset") || is("others_set"))
        others<<<1, N>>>(out, is("others_set") ? 6 : 3);
    else if (is("first_lanes_unset") || is("first_lanes_set"))
        first_lanes<<<1, N>>>(out, is("first_lanes_set") ? 8 : 5);
    else if (is("deeper_unset") || is("deeper_set"))
        deeper<<<1, N>>>(out, is("deeper_set") ? 8 : 5);
    else if (is("callers_own"))
        callers<<<1, N>>>(out, 8);
    else if (is("callers_own_recursive"))
        callers_recursive<<<1, N>>>(out);
    else if (is("argument_by_value"))
        by_value<<<1, N>>>(out, 7);
    else if (is("grown"))
        grown<<<1, N>>>(out);
    else if (is("alloca_unset") || is("alloca_set"))
        by_alloca<<<1, N>>>(out, is("alloca_set") ? 8 : 5);
    if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 2;
    printf("%d\n", host[9]);
    cudaFree(out);
    return 0;
}
