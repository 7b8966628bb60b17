// Atomics whose operand is undefined: a sum in global memory is a result; what they leave in shared memory counts when it is
// used, and what an exchange has copied to global memory when the host takes it.
//
// also --remote
//
// case left_lanes expect=uninitialized-read
// case left_lanes_out expect=silent
// case left_lanes_kept expect=uninitialized-read
// case wide_sum expect=uninitialized-read
// case shared_sum expect=uninitialized-read
// case shared_sum_left_out expect=silent
// case shared_sum_set expect=silent
// case shared_exchange expect=uninitialized-read
// case exchange_taken expect=uninitialized-read
// case exchange_not_taken expect=silent
// case exchange_overwritten expect=silent
// case exchange_defines expect=silent
// case exchange_padded expect=silent
// case exchange_computed expect=uninitialized-read
// case swap_expects expect=uninitialized-read
// case swap_expects_set expect=silent
#include <cstring>
#include <cuda_runtime.h>

__global__ void sum_lanes(int *sum, int n, bool all_come)
{
    if (!all_come && (int)threadIdx.x >= n)
        return;
    int v = (int)threadIdx.x < n;
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0)
        atomicAdd(sum, v); // left_lanes
}

__global__ void sum_kept(int *sum, int n)
{
    if ((int)threadIdx.x >= n)
        return;
    int v = __shfl_down_sync(~0u, 1, 16);
    if (threadIdx.x == 0)
        sum[1] = atomicAdd(sum, v); // left_lanes_kept
}

__global__ void sum_wide(unsigned long long *sum)
{
    __shared__ unsigned long long unset[32];
    atomicAdd(sum, unset[threadIdx.x] * 3); // wide_sum
}

__global__ void sum_shared(int *out, const int *in, int shown)
{
    __shared__ int sum[32], set[32];
    sum[threadIdx.x] = 0;
    if ((int)threadIdx.x < 16)
        set[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    atomicAdd(&sum[threadIdx.x], set[threadIdx.x]); // shared_sum
    __syncthreads();
    if ((int)threadIdx.x < shown)
        out[threadIdx.x] = sum[threadIdx.x] + 1;
}

__global__ void exchange_shared(int *out)
{
    __shared__ int unset[32], slot[32];
    slot[threadIdx.x] = 1;
    out[32 + threadIdx.x] = atomicExch(&slot[threadIdx.x], unset[threadIdx.x]);
    out[threadIdx.x] = slot[threadIdx.x] + 1; // shared_exchange
}

__global__ void exchange(int *out, int times)
{
    __shared__ int unset[32];
    out[32 + threadIdx.x] = atomicExch(&out[threadIdx.x], times * unset[threadIdx.x]); // exchange_computed
}

__global__ void exchange_copied(int *out)
{
    __shared__ int unset[32];
    out[32 + threadIdx.x] = atomicExch(&out[threadIdx.x], unset[threadIdx.x]); // exchange_taken
}

__global__ void overwrite(int *out) { out[threadIdx.x] = 2; }

__global__ void exchange_set(int *out)
{
    __shared__ int unset[32];
    out[threadIdx.x] = unset[threadIdx.x];
    atomicExch(&out[threadIdx.x], 3);
}

struct item {
    int key;
    char tag;
};

__global__ void exchange_items(unsigned long long *out)
{
    __shared__ item items[32];
    items[threadIdx.x].key = 1;
    items[threadIdx.x].tag = 'a';
    unsigned long long whole;
    memcpy(&whole, &items[threadIdx.x], sizeof whole);
    out[32 + threadIdx.x] = atomicExch(&out[threadIdx.x], whole);
}

__global__ void swap(int *out, bool first_set)
{
    __shared__ int expected[32];
    if (first_set)
        expected[threadIdx.x] = 0;
    out[32 + threadIdx.x] = atomicCAS(&out[threadIdx.x], expected[threadIdx.x], 5); // swap_expects
}

int main(int argc, char **argv)
{
    enum { BYTES = 64 * sizeof(unsigned long long) };
    int *p, *in, host[BYTES / sizeof(int)];
    bool taken = true;
    const char *name = argc > 1 ? argv[1] : "";
    cudaMalloc(&p, BYTES);
    cudaMalloc(&in, BYTES);
    cudaMemset(p, 0, BYTES);
    cudaMemset(in, 0, BYTES);
#define CASE(word) else if (!strcmp(name, word))
    if (!*name) return 2;
    CASE("left_lanes") sum_lanes<<<1, 32>>>(p, 6, false);
    CASE("left_lanes_out") sum_lanes<<<1, 32>>>(p, 6, true);
    CASE("left_lanes_kept") sum_kept<<<1, 32>>>(p, 6);
    CASE("wide_sum") sum_wide<<<1, 32>>>((unsigned long long *)p);
    CASE("shared_sum") sum_shared<<<1, 32>>>(p, in, 32);
    CASE("shared_sum_left_out") sum_shared<<<1, 32>>>(p, in, 15);
    CASE("shared_sum_set") sum_shared<<<1, 16>>>(p, in, 16);
    CASE("shared_exchange") exchange_shared<<<1, 32>>>(p);
    CASE("exchange_taken") exchange_copied<<<1, 32>>>(p);
    CASE("exchange_not_taken") {
        exchange_copied<<<1, 32>>>(p);
        taken = false;
    }
    CASE("exchange_overwritten") {
        exchange_copied<<<1, 32>>>(p);
        overwrite<<<1, 32>>>(p);
    }
    CASE("exchange_defines") exchange_set<<<1, 32>>>(p);
    CASE("exchange_padded") exchange_items<<<1, 32>>>((unsigned long long *)p);
    CASE("exchange_computed") exchange<<<1, 32>>>(p, 3);
    CASE("swap_expects") swap<<<1, 32>>>(p, false);
    CASE("swap_expects_set") swap<<<1, 32>>>(p, true);
    else return 2;
    cudaDeviceSynchronize();
    if (taken)
        cudaMemcpy(host, p, BYTES, cudaMemcpyDeviceToHost);
    cudaFree(p);
    cudaFree(in);
    return 0;
}
