// The host's own loads and stores of memory that it shares with a kernel which it has not waited for,
// page-locked, and managed where the second argument says so.
//
// also --remote
//
// case right expect=silent
// case right expect=silent args=managed
// case no_fence expect=missing-release
// case no_fence expect=missing-release args=managed
// case device_fence expect=missing-release
// case device_fence expect=missing-release args=managed
// case block expect=silent
// case block expect=silent args=managed
// case block_no_fence expect=missing-release
// case block_no_fence expect=missing-release args=managed
// case release expect=silent
// case release expect=silent args=managed
// case release_device expect=stream-race
// case release_device expect=stream-race args=managed
// case plain_flag expect=stream-race
// case plain_flag expect=stream-race args=managed
// case count_system expect=silent
// case count_system expect=silent args=managed
// case count_device expect=stream-race
// case count_device expect=stream-race args=managed
// case receive expect=silent
// case receive expect=silent args=managed
// case receive_no_fence expect=missing-acquire
// case receive_no_fence expect=missing-acquire args=managed
// case receive_device_fence expect=missing-acquire
// case receive_device_fence expect=missing-acquire args=managed
// case receive_acquire expect=silent
// case receive_acquire expect=silent args=managed
// case waited expect=silent
// case waited expect=silent args=managed
// case ask expect=silent
// case ask_unwaited expect=stream-race says=let.the.kernel.raise.a.flag.by.a.volatile.store.behind
// case not_waited expect=stream-race says=cudaStreamSynchronize.for.the.default.stream.before
// case not_waited expect=stream-race args=managed
// case event_waited expect=silent
// case event_waited expect=silent args=managed
// case overwritten expect=stream-race
// case overwritten expect=stream-race args=managed
// case elsewhere expect=silent
// case elsewhere expect=silent args=managed
// case other_bytes expect=silent
// case other_bytes expect=silent args=managed
// case wide_look expect=stream-race
// case wide_look expect=stream-race args=managed
// case look_beside expect=silent
// case look_beside expect=silent args=managed
// case past_end expect=silent
// case past_end expect=silent args=managed
// case copy_waited expect=silent
// case copy_not_waited expect=stream-race
// case source_reused expect=stream-race
// case source_read expect=silent
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#define VOL(p) (*(volatile int *)(p))

__global__ void send(int *data, int *flag)
{
    data[0] = 42;
    __threadfence_system();
    VOL(flag) = 1;
}
__global__ void send_no_fence(int *data, int *flag)
{
    data[0] = 42; // no_fence
    VOL(flag) = 1;
}
__global__ void send_device_fence(int *data, int *flag)
{
    data[0] = 42; // device_fence
    __threadfence();
    VOL(flag) = 1;
}
__global__ void send_block(int *data, int *flag)
{
    data[threadIdx.x] = 42;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        VOL(flag) = 1;
    }
}
__global__ void send_block_no_fence(int *data, int *flag)
{
    data[threadIdx.x] = 42; // block_no_fence
    __syncthreads();
    if (threadIdx.x == 0)
        VOL(flag) = 1;
}
__global__ void send_release(int *data, int *flag)
{
    data[0] = 42;
    asm volatile("st.release.sys.global.s32 [%0], 1;" ::"l"(flag) : "memory");
}
__global__ void send_release_device(int *data, int *flag)
{
    data[0] = 42;
    asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory"); // release_device
}
__global__ void send_plain(int *data, int *flag)
{
    data[0] = 42;
    __threadfence_system();
    *flag = 1; // plain_flag
}
__global__ void count_system(int *data, int *flag)
{
    atomicAdd_system(flag, 1);
}
__global__ void count_device(int *data, int *flag)
{
    atomicAdd(flag, 1); // count_device
}
__global__ void receive(int *data, int *flag)
{
    while (VOL(flag) == 0)
        ;
    __threadfence_system();
    data[1] = data[0] + 1;
}
__global__ void receive_no_fence(int *data, int *flag)
{
    while (VOL(flag) == 0)
        ;
    data[1] = data[0] + 1; // receive_no_fence
}
__global__ void receive_device_fence(int *data, int *flag)
{
    while (VOL(flag) == 0)
        ;
    __threadfence();
    data[1] = data[0] + 1; // receive_device_fence
}
__global__ void receive_acquire(int *data, int *flag)
{
    int up;
    do
        asm volatile("ld.acquire.sys.global.s32 %0, [%1];" : "=r"(up) : "l"(flag) : "memory");
    while (!up);
    data[1] = data[0] + 1;
}
__global__ void ask(int *data, int *flag)
{
    data[0] = 42; // ask_unwaited
    __threadfence_system();
    VOL(flag) = 1;
    while (VOL(&flag[1]) == 0)
        ;
}
__global__ void fill(int *data, int *flag)
{
    data[threadIdx.x] = (int)threadIdx.x; // not_waited
}
__global__ void sum(int *data, int *flag)
{
    int s = 0;
    for (int i = 0; i < 32; i++)
        s += data[i]; // overwritten
    flag[0] = s;
}
__global__ void upper_halves(int *data, int *flag)
{
    ((short *)data)[2 * threadIdx.x + 1] = 1; // wide_look
}
__global__ void low_bytes(int *data, int *flag)
{
    ((char *)data)[4 * threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_system();
        VOL(flag) = 1;
    }
}

typedef void kernel(int *data, int *flag);

static int *data, *flag, *device;
static volatile int sink;

static int peek(const int *p)
{
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}
static void await_flag(void)
{
    while (peek(flag) == 0)
        ;
}
static void poll_then_read(kernel *k, unsigned threads)
{
    k<<<1, threads>>>(data, flag);
    await_flag();
    sink = data[threads - 1];
}
static void write_then_signal(kernel *k)
{
    k<<<1, 1>>>(data, flag);
    data[0] = 41;
    __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
}
static void poll_only(kernel *k)
{
    k<<<1, 1>>>(data, flag);
    await_flag();
}

static bool run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return false;
    CASE("right") poll_then_read(send, 1);
    CASE("no_fence") poll_then_read(send_no_fence, 1);
    CASE("device_fence") poll_then_read(send_device_fence, 1);
    CASE("block") poll_then_read(send_block, 64);
    CASE("block_no_fence") poll_then_read(send_block_no_fence, 64);
    CASE("release") poll_then_read(send_release, 1);
    CASE("release_device") poll_then_read(send_release_device, 1);
    CASE("plain_flag") poll_then_read(send_plain, 1);
    CASE("count_system") poll_only(count_system);
    CASE("count_device") poll_only(count_device);
    CASE("receive") write_then_signal(receive);
    CASE("receive_no_fence") write_then_signal(receive_no_fence);
    CASE("receive_device_fence") write_then_signal(receive_device_fence);
    CASE("receive_acquire") write_then_signal(receive_acquire);
    CASE("waited") {
        fill<<<1, 32>>>(data, flag);
        cudaDeviceSynchronize();
        sink = data[5];
    }
    CASE("not_waited") {
        fill<<<1, 32>>>(data, flag);
        sink = data[5];
    }
    CASE("event_waited") {
        cudaEvent_t e;
        cudaEventCreate(&e);
        fill<<<1, 32>>>(data, flag);
        cudaEventRecord(e);
        cudaEventSynchronize(e);
        sink = data[5];
        cudaEventDestroy(e);
    }
    CASE("overwritten") {
        sum<<<1, 1>>>(data, flag);
        sink = data[40];           // lets the kernel go on, and is nobody's business
        data[3] = 7;
    }
    CASE("elsewhere") {
        fill<<<1, 32>>>(data, flag);
        data[40] = 7;
        sink = data[41];
    }
    CASE("other_bytes") {
        low_bytes<<<1, 32>>>(data, flag);
        for (int i = 0; i < 32; i++)
            ((char *)data)[4 * i + 1] = 2;
        await_flag();
        sink = ((char *)data)[4];
    }
    CASE("wide_look") { // its upper half is the kernel's
        upper_halves<<<1, 32>>>(data, flag);
        sink = data[4];
    }
    CASE("look_beside") {
        upper_halves<<<1, 32>>>(data, flag);
        sink = ((volatile short *)data)[8];
    }
    CASE("past_end") {             // as a library's vector loads do, within the page
        fill<<<1, 32>>>(data, flag);
        sink = *(volatile int *)((uintptr_t)data + 1024);
        cudaDeviceSynchronize();
        sink = data[5];
    }
    CASE("copy_waited") {
        cudaMemcpyAsync(data, device, 256, cudaMemcpyDeviceToHost);
        cudaStreamSynchronize(0);
        sink = data[7];
    }
    CASE("ask") {
        ask<<<1, 1>>>(data, flag);
        await_flag();
        sink = data[0];
        __atomic_store_n(&flag[1], 1, __ATOMIC_RELEASE);
    }
    CASE("ask_unwaited") { /* cudaDeviceSynchronize() would wait for ever */
        ask<<<1, 1>>>(data, flag);
        sink = data[0];
        __atomic_store_n(&flag[1], 1, __ATOMIC_RELEASE);
    }
    CASE("copy_not_waited") {
        cudaMemcpyAsync(data, device, 256, cudaMemcpyDeviceToHost);
        sink = data[7];
    }
    CASE("source_reused") {
        cudaMemcpyAsync(device, data, 256, cudaMemcpyHostToDevice);
        data[7] = 1;
    }
    CASE("source_read") {
        cudaMemcpyAsync(device, data, 256, cudaMemcpyHostToDevice);
        sink = data[7];
    }
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    bool managed = argc > 2;
    if (managed) {
        cudaMallocManaged(&data, 256);
        cudaMallocManaged(&flag, 64);
    } else {
        cudaHostAlloc(&data, 256, cudaHostAllocMapped);
        cudaHostAlloc(&flag, 64, cudaHostAllocMapped);
    }
    cudaMalloc(&device, 256);
    cudaMemset(device, 0, 256);
    memset(data, 0, 256);
    memset(flag, 0, 64);
    cudaDeviceSynchronize();
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    cudaError_t e = cudaDeviceSynchronize();
    managed ? cudaFree(data) : cudaFreeHost(data);
    managed ? cudaFree(flag) : cudaFreeHost(flag);
    cudaFree(device);
    return e != cudaSuccess;
}
