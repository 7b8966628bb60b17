// Variables that nobody sets: told where they decide, or are part of a result; not where they are passed over.
//
// case sum_unset expect=uninitialized-read says=has.not.set
// case sum_set expect=silent
// case branch_unset expect=uninitialized-read says=branches
// case branch_set expect=silent
// case index_unset expect=uninitialized-read says=address
// case index_set expect=silent
// case stored_unset expect=uninitialized-read says=stores.a.variable
// case stored_overwritten expect=silent
// case shuffled_unset expect=uninitialized-read says=that.thread
// case shuffled_left_out expect=silent
// case added_by_block expect=uninitialized-read
// case added_as_far_as_set expect=silent
// case taken_off_again expect=silent
// case passed_on_in_shared expect=silent
// case chosen expect=silent
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 128 };

// What nvcc knows to be undefined it may take for anything, or leave out. It does not know what this makes of it.
__device__ void keep(int &v)
{
    asm volatile("" : "+r"(v));
}

template <bool SET>
__global__ void sum(int *out, const int *in, int n)
{
    int total;
    if (SET)
        total = 0;
    keep(total);
    for (int i = 0; i < n; i++)
        total += in[i];
    out[threadIdx.x] = total;                           // sum_unset
}

template <bool SET>
__global__ void branch(int *out, const int *in)
{
    int kind;
    if (SET || in[threadIdx.x] > 3)
        kind = in[threadIdx.x + 1];
    keep(kind);
    if (kind == 8)                                      // branch_unset
        out[threadIdx.x] = 1;
    __syncthreads();
}

template <bool SET>
__global__ void by_index(int *out, const int *in, int n)
{
    int last;
    if (SET)
        last = 0;
    for (int i = 0; i < n; i++)
        if (in[i] > 100)
            last = in[i] & 3;
    keep(last);
    out[last & 63] = 1;                                 // index_unset
}

__global__ void stored(int *out, const int *in, int n)
{
    int found;
    for (int i = 0; i < n; i++)
        if (in[i] == 200)
            found = in[i + 1];
    keep(found);
    out[threadIdx.x] = found;                           // stored_unset
}

__global__ void overwrite(int *out)
{
    out[threadIdx.x] = 3;
}

template <bool ALL>
__global__ void shuffled(int *out, const int *in, int n)
{
    int v;
    if (threadIdx.x < n)
        v = in[threadIdx.x];
    for (int o = 16; o; o /= 2) {
        int other = __shfl_down_sync(0xffffffff, v, o);
        if (ALL || threadIdx.x + o < n)
            v += other;
    }
    if (threadIdx.x == 0)
        out[0] = v;                                     // shuffled_unset
}

template <bool ALL>
__global__ void added_by_block(int *out, const int *in, int n)
{
    __shared__ int part[N / 32];
    int v;
    if (threadIdx.x < n)
        v = in[threadIdx.x];
    for (int o = 16; o; o /= 2)
        v += __shfl_xor_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int i = 0; i < (ALL ? N : n) / 32; i++)
            total += part[i];
        out[0] = total;
    }
}

// The exclusive sum is the inclusive one without the thread's own items, of which the last ones are not there.
__global__ void exclusive(int *out, const int *in, int n)
{
    int item[2];
    for (int i = 0; i < 2; i++)
        if (2 * threadIdx.x + i < n)
            item[i] = in[2 * threadIdx.x + i];
    int own = item[0] + item[1], all = own;
    for (int o = 1; o < 32; o *= 2) {
        int below = __shfl_up_sync(0xffffffff, all, o);
        if (threadIdx.x >= o)
            all += below;
    }
    int before = all - own;
    for (int i = 0; i < 2; i++) {
        before += item[i];
        if (2 * threadIdx.x + i < n)
            out[2 * threadIdx.x + i] = before;
    }
}

// Items that are not there are exchanged, too, and looked at, but do not come out.
__global__ void exchange(int *out, const int *in, int n)
{
    __shared__ int all[N];
    int v, larger = 0;
    if (threadIdx.x < n)
        v = in[threadIdx.x];
    all[threadIdx.x] = v;
    __syncthreads();
    for (int i = 0; i < N; i++)
        if (all[i] > 50)
            larger += i < n;
    out[threadIdx.x] = larger;
}

__global__ void choose(int *out, const int *in, int n)
{
    int v;
    if (threadIdx.x < n)
        v = in[threadIdx.x];
    int twice = 2 * v + 1;
    out[threadIdx.x] = threadIdx.x < n ? twice : 0;
}

static int *p, *in, host[2 * N];

#define CASE(name) else if (!strcmp(way, name))
static bool run(const char *way)
{
    if (!*way) return false;
    CASE("sum_unset") sum<false><<<1, 32>>>(p, in, 9);
    CASE("sum_set") sum<true><<<1, 32>>>(p, in, 9);
    CASE("branch_unset") branch<false><<<1, 32>>>(p, in);
    CASE("branch_set") branch<true><<<1, 32>>>(p, in);
    CASE("index_unset") by_index<false><<<1, 1>>>(p, in, 9);
    CASE("index_set") by_index<true><<<1, 1>>>(p, in, 9);
    CASE("stored_unset") {
        stored<<<1, 32>>>(p, in, 9);
        cudaMemcpy(host, p, N, cudaMemcpyDeviceToHost);
    }
    CASE("stored_overwritten") {
        stored<<<1, 32>>>(p, in, 9);
        overwrite<<<1, 32>>>(p);
        cudaMemcpy(host, p, N, cudaMemcpyDeviceToHost);
    }
    CASE("shuffled_unset") shuffled<true><<<1, 32>>>(p, in, 20);
    CASE("shuffled_left_out") shuffled<false><<<1, 32>>>(p, in, 20);
    CASE("added_by_block") added_by_block<true><<<1, N>>>(p, in, 64);
    CASE("added_as_far_as_set") added_by_block<false><<<1, N>>>(p, in, 64);
    CASE("taken_off_again") exclusive<<<1, 32>>>(p, in, 33);
    CASE("passed_on_in_shared") exchange<<<1, N>>>(p, in, 100);
    CASE("chosen") choose<<<1, N>>>(p, in, 100);
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < 2 * N; i++)
        host[i] = i;
    cudaMalloc(&p, sizeof host);
    cudaMemset(p, 0, sizeof host);
    cudaMalloc(&in, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(in);
    return 0;
}
