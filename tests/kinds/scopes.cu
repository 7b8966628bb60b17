// Scopes between two devices: what is strong, released and acquired at gpu scope does not reach the other device.
// test_kinds.sh says what the list means.
//
// case message expect=silent options=--devices=2
// case message_gpu_release expect=missing-release options=--devices=2 says=gpu.scope,.which.does.not.reach
// case message_gpu_release expect=missing-release options=--devices=2 says=__threadfence_system
// case message_no_release expect=missing-release options=--devices=2 says=without.a.release
// case message_gpu_acquire expect=missing-acquire options=--devices=2 says=at.gpu.scope,.which.does.not.reach
// case message_no_acquire expect=missing-acquire options=--devices=2 says=__threadfence_system
// case message_one_device expect=silent options=--devices=2
// case message_gpu_one_device expect=silent options=--devices=2
// case flag_gpu expect=data-race also=stream-race options=--devices=2 says=system.scope
// case flag_gpu_read expect=data-race also=stream-race options=--devices=2 says=system.scope
// case flag_gpu_one_device expect=silent options=--devices=2
// case flag_ref expect=silent options=--devices=2
// case flag_ref_device expect=data-race also=stream-race options=--devices=2
// case count expect=silent options=--devices=2
// case count_gpu expect=data-race options=--devices=2 says=atomicAdd_system
// case count_gpu expect=data-race options=--devices=2 says=not.both.at.system.scope
// case count_cta expect=data-race options=--devices=2 says=not.both.at.system.scope
// case count_gpu_one_device expect=silent options=--devices=2
// case count_cta_one_device expect=data-race options=--devices=2
// case count_two_streams expect=silent options=--devices=2
// case count_cta_two_streams expect=data-race options=--devices=2 says=kernel.add_up's
// case count_cta_two_streams expect=data-race options=--devices=2 says=device.scope.on.line
// case one_cta_two_streams expect=data-race options=--devices=2 says=on.line.[0-9]+.[(]cuda
// case last_of_both expect=silent options=--devices=2
// case last_of_both_gpu_fence expect=missing-release options=--devices=2
// case last_of_both_gpu_acquire expect=missing-acquire options=--devices=2
// case relay expect=silent options=--devices=2
// case relay_gpu_first expect=silent options=--devices=2
// case relay_gpu_last expect=missing-release options=--devices=2
// case block_then_peer expect=silent options=--devices=2
// case pinned expect=silent options=--devices=2
// case pinned_gpu_release expect=missing-release options=--devices=2
// case exchange expect=silent options=--devices=2
// case exchange_gpu expect=missing-release also=missing-acquire options=--devices=2
// case store_buffering expect=silent options=--devices=2
// case same_kernel_volatile expect=silent options=--devices=2
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda/atomic>

#define N 32
static cudaStream_t stream[2];
static int *mem[2], *pinned;

enum fence { NONE, GPU, SYS };
__device__ void fence(int f)
{
    if (f == GPU)
        __threadfence();
    else if (f == SYS)
        __threadfence_system();
}

// data[0..N): the payload, data[N]: the flag
__global__ void send(int *data, int f)
{
    data[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        fence(f);
        *(volatile int *)&data[N] = 1;
    }
}
__global__ void receive(int *data, int f, int *out)
{
    if (threadIdx.x == 0) {
        while (*(volatile int *)&data[N] == 0) {
        }
        fence(f);
    }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
}
__global__ void send_atomic(int *data, bool system)
{
    data[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        if (system)
            atomicExch_system(&data[N], 1);
        else
            atomicExch(&data[N], 1); // flag_gpu
    }
}
__global__ void receive_atomic(int *data, bool system, int *out)
{
    if (threadIdx.x == 0) {
        if (system)
            while (atomicAdd_system(&data[N], 0) == 0) {
            }
        else
            while (atomicAdd(&data[N], 0) == 0) {
            }
        __threadfence_system();
    }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
}
template <cuda::thread_scope Scope> __global__ void send_ref(int *data)
{
    data[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0)
        cuda::atomic_ref<int, Scope>(data[N]).store(1, cuda::memory_order_release);
}
template <cuda::thread_scope Scope> __global__ void receive_ref(int *data, int *out)
{
    if (threadIdx.x == 0)
        while (cuda::atomic_ref<int, Scope>(data[N]).load(cuda::memory_order_acquire) == 0) {
        }
    __syncthreads();
    out[threadIdx.x] = data[threadIdx.x];
}
__global__ void add_up(int *p, int scope)
{
    for (int i = 0; i < 4; i++)
        if (scope == 2)
            atomicAdd_system(p, 1);
        else if (scope == 1)
            atomicAdd(p, 1); // count_gpu
        else
            atomicAdd_block(p, 1); // one_cta_two_streams
}
// Each device leaves its part; who comes last adds both.
__global__ void last(int *data, int me, int release, int acquire, int *out)
{
    data[me] = me + 1;
    fence(release);
    int ticket = atomicAdd_system(&data[N], 1);
    fence(acquire);
    if (ticket == 1)
        *out = data[0] + data[1];
}
// Device 0's first block to its second one, which tells device 1.
__global__ void relay(int *data, int first, int second)
{
    if (blockIdx.x == 0) {
        data[0] = 7;
        fence(first);
        *(volatile int *)&data[N] = 1;
    } else {
        while (*(volatile int *)&data[N] == 0) {
        }
        fence(first);
        fence(second);
        *(volatile int *)&data[N + 1] = 1;
    }
}
__global__ void relayed(int *data, int *out)
{
    while (*(volatile int *)&data[N + 1] == 0) {
    }
    __threadfence_system();
    *out = data[0];
}
// All threads of a block store, one releases for them all.
__global__ void exchange(int *mine, int *theirs, int f, int rounds)
{
    for (int r = 1; r <= rounds; r++) {
        theirs[threadIdx.x] = r;
        __syncthreads();
        if (threadIdx.x == 0) {
            fence(f);
            *(volatile int *)&theirs[N] = r;
            while (*(volatile int *)&mine[N] < r) {
            }
            fence(f);
        }
        __syncthreads();
        mine[2 * N + threadIdx.x] += mine[threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) { // the place may be written again
            fence(f);
            *(volatile int *)&theirs[N + 1] = r;
            while (*(volatile int *)&mine[N + 1] < r) {
            }
            fence(f);
        }
        __syncthreads();
    }
}
// Dekker's: who sees that the other has not begun may touch what both share.
__global__ void dekker(int *data, int me)
{
    *(volatile int *)&data[me] = 1;
    __threadfence_system();
    if (*(volatile int *)&data[1 - me] == 0)
        data[N] = me;
}

static void device(int d) { cudaSetDevice(d); }

#define CASE(name) else if (!strcmp(which, name))

static void send_and_receive(int release, int acquire, int one = 0, int *data = nullptr)
{
    data = data ? data : mem[0];
    device(!one);
    receive<<<1, N, 0, stream[one ? 0 : 1]>>>(data, acquire, mem[!one] + 4 * N);
    device(0);
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    send<<<1, N, 0, s>>>(data, release);
    cudaStreamDestroy(s);
}
static void atomics(bool first, bool second, int one = 0)
{
    send_atomic<<<1, N, 0, stream[0]>>>(mem[0], first);
    cudaStream_t s;
    device(!one);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    receive_atomic<<<1, N, 0, s>>>(mem[0], second, mem[!one] + 4 * N);
    cudaStreamDestroy(s);
}
template <cuda::thread_scope Scope> static void refs()
{
    send_ref<Scope><<<1, N, 0, stream[0]>>>(mem[0]);
    device(1);
    receive_ref<Scope><<<1, N, 0, stream[1]>>>(mem[0], mem[1] + 4 * N);
}
static void counts(int scope, int one = 0, int blocks = 2)
{
    add_up<<<blocks, N, 0, stream[0]>>>(mem[0], scope);
    if (one)
        return;
    device(1);
    add_up<<<blocks, N, 0, stream[1]>>>(mem[0], scope);
}
/** Two kernels of one device that may run at the same time. */
static void counts_of_two_streams(int first, int second)
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    add_up<<<1, 1, 0, stream[0]>>>(mem[0], first);
    add_up<<<1, 1, 0, s>>>(mem[0], second);
    cudaStreamDestroy(s);
}
static void lasts(int release, int acquire)
{
    for (int d = 0; d < 2; d++) {
        device(d);
        last<<<1, 1, 0, stream[d]>>>(mem[0], d, release, acquire, mem[d] + 4 * N);
    }
}
static void relays(int first, int second)
{
    device(1);
    relayed<<<1, 1, 0, stream[1]>>>(mem[0], mem[1] + 4 * N);
    device(0);
    relay<<<2, 1, 0, stream[0]>>>(mem[0], first, second);
}
static void exchanges(int f)
{
    for (int d = 0; d < 2; d++) {
        device(d);
        exchange<<<1, N, 0, stream[d]>>>(mem[d], mem[1 - d], f, 3);
    }
}

static bool run(const char *which)
{
    if (!strcmp(which, "message"))
        send_and_receive(SYS, SYS);
    CASE("message_gpu_release") send_and_receive(GPU, SYS);
    CASE("message_no_release") send_and_receive(NONE, SYS);
    CASE("message_gpu_acquire") send_and_receive(SYS, GPU);
    CASE("message_no_acquire") send_and_receive(SYS, NONE);
    CASE("message_one_device") send_and_receive(SYS, SYS, 1);
    CASE("message_gpu_one_device") send_and_receive(GPU, GPU, 1);
    CASE("flag_gpu") atomics(false, false);
    CASE("flag_gpu_read") atomics(true, false);
    CASE("flag_gpu_one_device") atomics(false, false, 1);
    CASE("flag_ref") refs<cuda::thread_scope_system>();
    CASE("flag_ref_device") refs<cuda::thread_scope_device>();
    CASE("count") counts(2);
    CASE("count_gpu") counts(1);
    CASE("count_cta") counts(0, 0, 1);
    CASE("count_gpu_one_device") counts(1, 1);
    CASE("count_cta_one_device") counts(0, 1);
    CASE("count_two_streams") counts_of_two_streams(1, 1);
    CASE("count_cta_two_streams") counts_of_two_streams(0, 0);
    CASE("one_cta_two_streams") counts_of_two_streams(0, 1);
    CASE("last_of_both") lasts(SYS, SYS);
    CASE("last_of_both_gpu_fence") lasts(GPU, SYS);
    CASE("last_of_both_gpu_acquire") lasts(SYS, GPU);
    CASE("relay") relays(SYS, NONE);
    CASE("relay_gpu_first") relays(GPU, SYS); // gpu scope is enough on one device, and what is acquired goes on
    CASE("relay_gpu_last") relays(GPU, NONE);
    CASE("block_then_peer") exchanges(SYS);
    CASE("pinned") send_and_receive(SYS, SYS, 0, pinned);
    CASE("pinned_gpu_release") send_and_receive(GPU, SYS, 0, pinned);
    CASE("exchange") exchanges(SYS);
    CASE("exchange_gpu") exchanges(GPU);
    CASE("store_buffering") {
        for (int d = 0; d < 2; d++) {
            device(d);
            dekker<<<1, 1, 0, stream[d]>>>(mem[0], d);
        }
    }
    CASE("same_kernel_volatile") {
        send_and_receive(SYS, SYS, 1);
    }
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    cudaError_t e = cudaSuccess;
    for (int d = 0; d < 2; d++) {
        device(d);
        cudaMalloc(&mem[d], 8 * N * 4);
        cudaMemset(mem[d], 0, 8 * N * 4);
        cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking);
        cudaDeviceEnablePeerAccess(1 - d, 0);
        cudaDeviceSynchronize();
    }
    device(0);
    cudaMallocHost(&pinned, 8 * N * 4);
    memset(pinned, 0, 8 * N * 4);
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    for (int d = 0; d < 2; d++) {
        device(d);
        e = cudaDeviceSynchronize() != cudaSuccess ? cudaErrorUnknown : e;
    }
    for (int d = 0; d < 2; d++) {
        cudaFree(mem[d]);
        cudaStreamDestroy(stream[d]);
    }
    cudaFreeHost(pinned);
    return e != cudaSuccess;
}
