// Kinds of findings that depend on what the host does, or on limits: each mistake beside its right twin.
//
// case freed expect=silent
// case not_freed expect=leak level=warning
// case managed_freed expect=silent
// case managed_not_freed expect=leak level=warning
// case failed_and_not_freed expect=out-of-bounds
// case pool_freed expect=silent
// case used_after_free expect=use-after-free
// case freed_after_use expect=silent
// case heap_after_free expect=use-after-free
// case heap_before_free expect=silent
// case heap_never_freed expect=leak level=warning
// case wrong_warp_mask expect=data-race also=warp-mask
// case right_warp_mask expect=silent
// case read_only_cache expect=data-race
// case cached_as_it_was expect=data-race says=was.there.already
// case cached_changed expect=data-race says=is.between.them."
// case plain_as_it_was expect=data-race says=was.there.already
// case plain_changed expect=data-race says=get.either.value."
// case cached_elsewhere expect=silent
// case new_memory expect=silent
// case host_after_free expect=use-after-free
// case endless expect=step-limit options=--step-limit=100000
// case long_but_ends expect=silent
// case long_with_limit expect=silent options=--step-limit=100000000
// case past_the_end expect=out-of-bounds
// case to_the_end expect=silent
// case before_the_start expect=out-of-bounds
// case shared_past_the_end expect=out-of-bounds
// case shared_to_the_end expect=silent
// case local_past_the_end expect=out-of-bounds
// case null_pointer expect=out-of-bounds
// case odd_address expect=misaligned
// case even_address expect=silent
// case vector_at_four expect=misaligned
// case vector_at_sixteen expect=silent
// case false_assert expect=assert
// case true_assert expect=silent
// case reached_trap expect=trap
// case passed_trap expect=silent
// case stored_uninitialized expect=uninitialized-read
// case branched_uninitialized expect=uninitialized-read
// case indexed_uninitialized expect=uninitialized-read
// case copied_padding expect=silent
// case read_not_used expect=silent
// case shared_copied expect=silent
// case initialized expect=silent
// case shared_uninitialized expect=uninitialized-read
// case local_uninitialized expect=uninitialized-read
// case heard_too_much expect=ordering level=warning incomplete=seen.too.much
// case heard_all expect=silent complete
// case many_races expect=data-race options=--max-findings=3 incomplete=findings
#include <cassert>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__global__ void fill(int *p)
{
    p[threadIdx.x] = (int)threadIdx.x;
}
/** Tickets, and a count of those done that lags behind: who reads that has seen what everybody has done so far. Who takes another ticket, without a fence,
 *  is behind his own part of the count for those alone who take theirs later. */
__global__ void take_tickets(unsigned *p, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        unsigned ticket = atomicAdd(&p[0], 1u);
        p[2 + ticket] = *(volatile unsigned *)&p[1];
        atomicAdd(&p[1], 1u);
    }
}
void with_tickets(unsigned blocks, int rounds)
{
    size_t bytes = (2 + rounds * blocks * 256) * sizeof(unsigned);
    unsigned *p;
    cudaMalloc(&p, bytes);
    cudaMemset(p, 0, bytes);
    take_tickets<<<blocks, 256>>>(p, rounds);
    cudaFree(p);
}
__global__ void fill_from(int *p, long long first)
{
    p[first + threadIdx.x] = (int)threadIdx.x; // past_the_end before_the_start
}
__global__ void fill_freed(int *p)
{
    p[threadIdx.x] = 1; // used_after_free host_after_free
}
__global__ void heap(int *out, bool early)
{
    int *mine = (int *)malloc(16);
    mine[0] = 5;
    if (early)
        free(mine);
    out[0] = mine[0]; // heap_after_free
    if (!early)
        free(mine);
}
__global__ void keep_heap(int *out)
{
    int *mine = (int *)malloc(16);
    mine[0] = 5;
    out[0] = mine[0];
}
// Who is not in the mask that it names is not ordered by it.
__global__ void swap_lanes(int *p, unsigned mask)
{
    __shared__ int s[32];
    s[threadIdx.x] = (int)threadIdx.x; // wrong_warp_mask
    __syncwarp(mask);
    p[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void cached(const int *__restrict__ in, int *out)
{
    if (threadIdx.x < 32)
        out[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x >= 32)
        out[0] = in[threadIdx.x - 32]; // read_only_cache
}
/** In place: one block reads what the other stores. */
__global__ void cached_in_place(const int *__restrict__ in, int *out, int value)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[5] = value;
    if (blockIdx.x == 1 && threadIdx.x == 0)
        out[6] = __ldg(in + 5);
}
__global__ void in_place(int *in, int *out, int value)
{
    if (blockIdx.x == 0 && threadIdx.x == 0)
        out[5] = value;
    if (blockIdx.x == 1 && threadIdx.x == 0)
        out[6] = in[5];
}
__global__ void spin(volatile int *p)
{
    while (p[0] >= 0)
        p[1]++; // endless
}
__global__ void count(int *out, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 3 + i;
    out[0] = sum;
}
__global__ void shared_at(int *out, int last)
{
    __shared__ int s[32];
    s[threadIdx.x + last] = 1; // shared_past_the_end
    out[threadIdx.x] = s[threadIdx.x + last];
}
__global__ void local_at(int *out, int i)
{
    int a[8];
    for (int k = 0; k < 8; k++)
        a[k] = k;
    a[i] = 9; // local_past_the_end
    out[0] = a[out[1] & 7];
}
__global__ void at_byte(char *p, int byte)
{
    *(int *)(p + byte) = 1; // odd_address
}
__global__ void vector_at(float *p, int i)
{
    *(float4 *)(p + i) = make_float4(1, 2, 3, 4); // vector_at_four
}
__global__ void check(int *p)
{
    assert(p[0] == 0); // false_assert
}
__global__ void stop(int *p)
{
    if (p[0])
        __trap(); // reached_trap
    p[1] = 1;
}
__global__ void store_plus_one(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x] + 1; // stored_uninitialized
}
__global__ void branch_on(int *out, const int *in)
{
    if (in[threadIdx.x] > 3) // branched_uninitialized
        out[threadIdx.x] = 1;
}
__global__ void index_by(int *out, const int *in)
{
    out[in[threadIdx.x] & 31] = 1; // indexed_uninitialized
}
struct padded {
    char c;
    int i;
};
__global__ void copy_padded(padded *out, const padded *in)
{
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void set_padded(padded *p)
{
    p[threadIdx.x].c = 1;
    p[threadIdx.x].i = 2;
}
__global__ void read_not_used(int *out, const volatile int *in)
{
    int v = in[threadIdx.x];
    out[threadIdx.x] = 0 * v;
}
__global__ void shared_uninitialized(int *out)
{
    __shared__ int s[32];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x] + 1; // shared_uninitialized
}
__global__ void shared_copied(int *out)
{
    __shared__ int s[32];
    if (threadIdx.x < 16)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void local_uninitialized(int *out, int i)
{
    volatile int a[8];
    a[i] = 1;
    out[0] = a[i + 1] + 1; // local_uninitialized
}
__global__ void races(int *p)
{
    p[0] += 1;
    p[1] += 2;
    p[2] += 3;
    p[3] += 4;
    p[4] += 5;
}

static int *p, *q;

static bool run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return false;
    CASE("freed") fill<<<1, 32>>>(p);
    CASE("not_freed") {
        int *more;
        cudaMalloc(&more, 64);
    }
    CASE("managed_freed") {
        int *more;
        cudaMallocManaged(&more, 64);
        cudaFree(more);
    }
    CASE("managed_not_freed") {
        int *more;
        cudaMallocManaged(&more, 64);
    }
    CASE("failed_and_not_freed") {
        int *more;
        cudaMalloc(&more, 64);
        fill_from<<<1, 32>>>(p, 32);
    }
    CASE("pool_freed") {
        int *more;
        cudaMallocAsync(&more, 128, 0);
        fill<<<1, 32>>>(more);
        cudaFreeAsync(more, 0);
    }
    CASE("used_after_free") {
        int *more;
        cudaMalloc(&more, 128);
        cudaFree(more);
        fill_freed<<<1, 32>>>(more);
    }
    CASE("freed_after_use") {
        int *more;
        cudaMalloc(&more, 128);
        fill<<<1, 32>>>(more);
        cudaFree(more);
    }
    CASE("heap_after_free") heap<<<1, 1>>>(p, true);
    CASE("heap_before_free") heap<<<1, 1>>>(p, false);
    CASE("heap_never_freed") keep_heap<<<1, 1>>>(p);
    CASE("wrong_warp_mask") swap_lanes<<<1, 32>>>(p, 0x0000ffffu);
    CASE("right_warp_mask") swap_lanes<<<1, 32>>>(p, 0xffffffffu);
    CASE("read_only_cache") cached<<<1, 64>>>(p, p);
    CASE("cached_as_it_was") cached_in_place<<<2, 32>>>(p, p, 0);
    CASE("cached_changed") cached_in_place<<<2, 32>>>(p, p, 1);
    CASE("plain_as_it_was") in_place<<<2, 32>>>(p, p, 0);
    CASE("plain_changed") in_place<<<2, 32>>>(p, p, 1);
    CASE("cached_elsewhere") cached_in_place<<<2, 32>>>(p + 16, p, 0);
    CASE("new_memory") {
        for (int i = 0; i < 3; i++) {
            int *more;
            cudaMalloc(&more, 128);
            fill<<<1, 32>>>(more);
            cudaFree(more);
        }
    }
    CASE("host_after_free") {
        int *more;
        cudaMallocAsync(&more, 128, 0);
        cudaFreeAsync(more, 0);
        fill_freed<<<1, 32>>>(more);
    }
    CASE("endless") spin<<<1, 1>>>(p);
    CASE("long_but_ends") count<<<1, 1>>>(p, 3000000);
    CASE("long_with_limit") count<<<1, 1>>>(p, 300000);
    CASE("past_the_end") fill_from<<<1, 32>>>(p, 1);
    CASE("to_the_end") fill_from<<<1, 32>>>(p, 0);
    CASE("before_the_start") fill_from<<<1, 32>>>(p, -1);
    CASE("shared_past_the_end") shared_at<<<1, 32>>>(p, 1);
    CASE("shared_to_the_end") shared_at<<<1, 32>>>(p, 0);
    CASE("local_past_the_end") local_at<<<1, 1>>>(p, 1 << 20);
    CASE("null_pointer") fill<<<1, 32>>>(NULL);
    CASE("odd_address") at_byte<<<1, 1>>>((char *)p, 5);
    CASE("even_address") at_byte<<<1, 1>>>((char *)p, 8);
    CASE("vector_at_four") vector_at<<<1, 1>>>((float *)p, 1);
    CASE("vector_at_sixteen") vector_at<<<1, 1>>>((float *)p, 4);
    CASE("false_assert") {
        fill_from<<<1, 1>>>(p + 1, 0);
        cudaMemset(p, 1, 4);
        check<<<1, 1>>>(p);
    }
    CASE("true_assert") check<<<1, 1>>>(p);
    CASE("reached_trap") {
        cudaMemset(p, 1, 4);
        stop<<<1, 1>>>(p);
    }
    CASE("passed_trap") stop<<<1, 1>>>(p);
    CASE("stored_uninitialized") store_plus_one<<<1, 32>>>(p, q);
    CASE("branched_uninitialized") branch_on<<<1, 32>>>(p, q);
    CASE("indexed_uninitialized") index_by<<<1, 1>>>(p, q);
    CASE("copied_padding") {
        padded *a, *b;
        cudaMalloc(&a, 32 * sizeof *a);
        cudaMalloc(&b, 32 * sizeof *b);
        set_padded<<<1, 32>>>(a);
        copy_padded<<<1, 32>>>(b, a);
        cudaDeviceSynchronize();
        cudaFree(a);
        cudaFree(b);
    }
    CASE("read_not_used") read_not_used<<<1, 32>>>(p, q);
    CASE("initialized") store_plus_one<<<1, 32>>>(q, p);
    CASE("shared_uninitialized") shared_uninitialized<<<1, 32>>>(p);
    CASE("shared_copied") shared_copied<<<1, 32>>>(p);
    CASE("local_uninitialized") local_uninitialized<<<1, 1>>>(p, 2);
    CASE("heard_too_much") with_tickets(10, 4);
    CASE("heard_all") with_tickets(4, 1);
    CASE("many_races") races<<<2, 1>>>(p);
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    cudaMalloc(&p, 128);
    cudaMalloc(&q, 128);
    cudaMemset(p, 0, 128);
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(q);
    return 0;
}
