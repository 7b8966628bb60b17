// Streams that end early, that another thread uses, constants that one of them changes, and many of them.
//
// also --remote
//
// case destroyed_early expect=stream-race
// case destroyed_then_reused expect=stream-race
// case destroyed_waited expect=silent
// case destroyed_device_waited expect=silent
// case event_destroyed expect=silent
// case freed_in_use expect=silent
// case freed_async_elsewhere expect=stream-race
// case freed_async_after expect=silent
// case freed_pool_in_use expect=stream-race says=does.not.where.cudaMallocAsync
// case freed_pool_other_waited expect=stream-race says=cudaStreamSynchronize.for.stream.2
// case freed_pool_waited expect=silent
// case freed_pool_event expect=silent
// case freed_pool_unused expect=silent
// case freed_pool_default expect=stream-race
// case freed_pool_then_launch expect=use-after-free
// case freed_before_launch expect=use-after-free
// case thread_joined expect=stream-race
// case thread_waited expect=silent
// case thread_event expect=silent
// case thread_same_stream expect=silent
// case thread_host_reads expect=stream-race
// case constant_after expect=silent
// case constant_changed expect=stream-race
// case constant_changed_waited expect=silent
// case constant_changed_elsewhere expect=silent
// case constant_not_yet expect=stream-race
// case constant_again expect=silent
// case heard expect=silent
// case heard expect=silent options=--schedules=8
// case heard_unfenced expect=missing-release
// case heard_unfenced expect=missing-release options=--schedules=8
// case heard_twice expect=silent options=--schedules=8
// case heard_at_odds expect=data-race
// case heard_at_odds expect=data-race options=--schedules=8
// case full_queue expect=stream-race
// case full_queue_waited expect=silent
// case full_queue_copies expect=silent incomplete=remembered
// case full_queue_copies_waited expect=silent
// case many_right expect=silent
// case many_one_missing expect=stream-race
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <thread>

enum { N = 64, BYTES = N * sizeof(int), STREAMS = 64, OPERATIONS = 1000 };

__global__ void fill(int *x, int v)
{
    x[threadIdx.x] = v;
}
__global__ void add(int *x, int v)
{
    x[threadIdx.x] += v; // many_one_missing
}

__constant__ int table[2 * N];
/** The first half of the constants. */
__global__ void look_up(int *x)
{
    x[threadIdx.x] = table[threadIdx.x]; // constant_changed
}

/** One launch signals, another beside it waits for that and takes the signal back. */
__global__ void signal(int *x, int *flag, bool fenced)
{
    x[0] = 5;
    if (fenced)
        __threadfence();
    atomicAdd(flag, 1);
}
__global__ void listen(int *x, int *flag)
{
    if (threadIdx.x)
        return;
    while (atomicAdd(flag, 0) == 0)
        ;
    __threadfence();
    x[1] = x[0]; // heard_unfenced
    *flag = 0;
}

/** Two blocks take the signal in turn; the second looks only after the first, or whenever it comes. */
__global__ void pass_on(int *x, int *flag, bool in_turn)
{
    while (atomicAdd(flag, 0) < 1 + (in_turn ? (int)blockIdx.x : 0))
        ;
    __threadfence();
    x[0] = x[0] + 1; // heard_at_odds
    __threadfence();
    atomicAdd(flag, 1);
}

static int *host, *device;
static cudaStream_t first, second;
static volatile int sink;

static void fetch(cudaStream_t s)
{
    fill<<<1, N, 0, s>>>(device, 7);
    cudaMemcpyAsync(host, device, BYTES, cudaMemcpyDeviceToHost, s);
}

/** A thread of its own does `work`, and has ended when this returns. */
template <typename Work> static void in_thread(Work work)
{
    std::thread(work).join();
}

/** Each stream adds to its part of the buffer in turn; every 20th operation one stream waits for another by
 *  an event and adds to the other's part. `forget`: the operation whose wait is left out. */
static void many(int forget)
{
    cudaStream_t stream[STREAMS];
    cudaEvent_t event;
    int *parts;
    cudaMalloc(&parts, STREAMS * BYTES);
    cudaMemset(parts, 0, STREAMS * BYTES);
    cudaDeviceSynchronize();
    cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
    for (int i = 0; i < STREAMS; i++)
        cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking);
    for (int i = 0; i < OPERATIONS; i++) {
        int s = i % STREAMS, from = (i * 7 + 1) % STREAMS, part = s;
        if (i % 20 == 19 && from != s) {
            part = from;
            cudaEventRecord(event, stream[from]);
            if (i != forget)
                cudaStreamWaitEvent(stream[s], event, 0);
        }
        add<<<1, N, 0, stream[s]>>>(parts + part * N, i);
        if (part != s) { // and the part is its own stream's again
            cudaEventRecord(event, stream[s]);
            cudaStreamWaitEvent(stream[part], event, 0);
        }
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < STREAMS; i++)
        cudaStreamDestroy(stream[i]);
    cudaEventDestroy(event);
    cudaFree(parts);
}

/** The host runs so far ahead that its queue is full and it has to wait for room: by the rules it has waited for nothing. */
static void run_ahead(cudaStream_t own, cudaEvent_t event, bool wait)
{
    cudaStream_t other;
    cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    add<<<1, N, 0, other>>>(device, 1);
    cudaEventRecord(event, other);
    for (int i = 0; i < 3000; i++)
        cudaMemsetAsync(device + 1, 0, 0, own);
    if (wait)
        cudaStreamWaitEvent(own, event, 0);
    fill<<<1, N, 0, own>>>(device, 5);
    cudaDeviceSynchronize();
    cudaStreamDestroy(other);
}

/** Fills more places than are remembered; what it has not waited for, it then adds to. */
static void fill_many(cudaStream_t own, bool wait)
{
    enum { MANY = 5000 };
    unsigned char *bytes;
    cudaMalloc(&bytes, MANY + BYTES);
    for (int i = 0; i < MANY; i++) {
        cudaMemsetAsync(bytes + BYTES + i, 1, 1, own);
        if (wait && i == MANY / 2)
            cudaStreamSynchronize(own);
    }
    cudaDeviceSynchronize();
    cudaFree(bytes);
}

static bool run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    cudaStream_t own;
    cudaEvent_t event;
    cudaStreamCreate(&own);
    cudaEventCreate(&event);
    if (!*name)
        return false;
    CASE("destroyed_early") {            // its work goes on; nobody has waited for it
        fetch(own);
        cudaStreamDestroy(own);
        sink = host[3]; // destroyed_early
        own = NULL;
    }
    CASE("destroyed_then_reused") {      // a new stream at the same place is another one
        fill<<<1, N, 0, own>>>(device, 7);
        cudaStreamDestroy(own);
        cudaStreamCreate(&own);
        add<<<1, N, 0, own>>>(device, 1);
    }
    CASE("destroyed_waited") {
        fetch(own);
        cudaEventRecord(event, own);
        cudaStreamDestroy(own);
        cudaEventSynchronize(event);
        sink = host[3];
        own = NULL;
    }
    CASE("destroyed_device_waited") {
        fetch(own);
        cudaStreamDestroy(own);
        cudaDeviceSynchronize();
        sink = host[3];
        own = NULL;
    }
    CASE("event_destroyed") {            // a wait that has been issued keeps its meaning
        fill<<<1, N, 0, first>>>(device, 7);
        cudaEventRecord(event, first);
        cudaStreamWaitEvent(second, event, 0);
        cudaEventDestroy(event);
        cudaEventCreate(&event);
        add<<<1, N, 0, second>>>(device, 1);
    }
    CASE("freed_in_use") {               // cudaFree waits for the device
        int *p;
        cudaMalloc(&p, BYTES);
        fill<<<1, N, 0, first>>>(p, 7);
        cudaFree(p);
    }
    CASE("freed_async_elsewhere") {
        int *p;
        cudaMallocAsync(&p, BYTES, first);
        fill<<<1, N, 0, first>>>(p, 7);
        cudaFreeAsync(p, second); // freed_async_elsewhere
    }
    CASE("freed_async_after") {
        int *p;
        cudaMallocAsync(&p, BYTES, first);
        fill<<<1, N, 0, first>>>(p, 7);
        cudaEventRecord(event, first);
        cudaStreamWaitEvent(second, event, 0);
        cudaFreeAsync(p, second);
    }
    CASE("freed_pool_in_use") {          // but not where the memory is a pool's
        int *p;
        cudaMallocAsync(&p, BYTES, first);
        fill<<<1, N, 0, first>>>(p, 7);
        cudaFree(p); // freed_pool_in_use
        cudaDeviceSynchronize();
    }
    CASE("freed_pool_other_waited") {
        int *p;
        cudaMallocAsync(&p, BYTES, first);
        cudaStreamSynchronize(first);
        fill<<<1, N, 0, second>>>(p, 7);
        cudaStreamSynchronize(first);
        cudaFree(p); // freed_pool_other_waited
        cudaDeviceSynchronize();
    }
    CASE("freed_pool_waited") {
        int *p;
        cudaMallocAsync(&p, BYTES, first);
        fill<<<1, N, 0, first>>>(p, 7);
        cudaStreamSynchronize(first);
        cudaFree(p);
    }
    CASE("freed_pool_event") {
        int *p;
        cudaMallocAsync(&p, BYTES, first);
        fill<<<1, N, 0, first>>>(p, 7);
        cudaEventRecord(event, first);
        add<<<1, N, 0, first>>>(device, 1);
        cudaEventSynchronize(event);
        cudaFree(p);
        cudaDeviceSynchronize();
    }
    CASE("freed_pool_unused") {          // allocating is no access
        int *p;
        cudaMallocAsync(&p, BYTES, first);
        cudaFree(p);
    }
    CASE("freed_pool_default") {
        int *p;
        cudaMallocAsync(&p, BYTES, 0);
        fill<<<1, N>>>(p, 7);
        cudaFree(p); // freed_pool_default
        cudaDeviceSynchronize();
    }
    CASE("freed_pool_then_launch") {
        int *p;
        cudaMallocAsync(&p, BYTES, first);
        cudaStreamSynchronize(first);
        cudaFree(p);
        fill<<<1, N, 0, first>>>(p, 7);
        cudaDeviceSynchronize();
        exit(0);
    }
    CASE("freed_before_launch") {
        int *p;
        cudaMalloc(&p, BYTES);
        cudaFree(p);
        fill<<<1, N, 0, first>>>(p, 7);
        cudaDeviceSynchronize();
        exit(0);
    }
    CASE("thread_joined") {              // the thread has ended, its stream's work has not
        in_thread([] { fill<<<1, N, 0, first>>>(device, 7); });
        add<<<1, N, 0, second>>>(device, 1);
    }
    CASE("thread_waited") {
        in_thread([] {
            fill<<<1, N, 0, first>>>(device, 7);
            cudaStreamSynchronize(first);
        });
        add<<<1, N, 0, second>>>(device, 1);
    }
    CASE("thread_event") {
        in_thread([=] {
            fill<<<1, N, 0, first>>>(device, 7);
            cudaEventRecord(event, first);
        });
        cudaStreamWaitEvent(second, event, 0);
        add<<<1, N, 0, second>>>(device, 1);
    }
    CASE("thread_same_stream") {
        in_thread([] { fill<<<1, N, 0, first>>>(device, 7); });
        add<<<1, N, 0, first>>>(device, 1);
    }
    CASE("thread_host_reads") {
        in_thread([] { fetch(first); });
        sink = host[3]; // thread_host_reads
    }
    CASE("constant_after") {             // a copy that the host waits for comes before every launch
        cudaMemcpyToSymbol(table, host, BYTES);
        look_up<<<1, N, 0, first>>>(device);
    }
    CASE("constant_changed") {
        cudaMemcpyToSymbol(table, host, BYTES);
        look_up<<<1, N, 0, first>>>(device);
        cudaMemcpyToSymbolAsync(table, host, BYTES, 0, cudaMemcpyHostToDevice, second);
    }
    CASE("constant_changed_waited") {
        cudaMemcpyToSymbol(table, host, BYTES);
        look_up<<<1, N, 0, first>>>(device);
        cudaEventRecord(event, first);
        cudaStreamWaitEvent(second, event, 0);
        cudaMemcpyToSymbolAsync(table, host, BYTES, 0, cudaMemcpyHostToDevice, second);
    }
    CASE("constant_changed_elsewhere") {
        cudaMemcpyToSymbol(table, host, BYTES);
        look_up<<<1, N, 0, first>>>(device);
        cudaMemcpyToSymbolAsync(table, host, BYTES, BYTES, cudaMemcpyHostToDevice, second);
    }
    CASE("constant_not_yet") {
        cudaMemcpyToSymbolAsync(table, host, BYTES, 0, cudaMemcpyHostToDevice, second);
        look_up<<<1, N, 0, first>>>(device);
    }
    CASE("constant_again") {             // launches that read it earlier are done
        for (int i = 0; i < 3; i++) {
            cudaMemcpyToSymbolAsync(table, host, BYTES, 0, cudaMemcpyHostToDevice, i % 2 ? first : second);
            look_up<<<1, N, 0, i % 2 ? first : second>>>(device);
            cudaDeviceSynchronize();
        }
    }
    CASE("heard") {
        signal<<<1, 1, 0, first>>>(device, device + 2, true);
        listen<<<1, 2, 0, second>>>(device, device + 2);
    }
    CASE("heard_unfenced") {
        signal<<<1, 1, 0, first>>>(device, device + 2, false);
        listen<<<1, 2, 0, second>>>(device, device + 2);
    }
    CASE("heard_twice") {
        signal<<<1, 1, 0, first>>>(device, device + 2, true);
        pass_on<<<2, 1, 0, second>>>(device, device + 2, true);
    }
    CASE("heard_at_odds") {
        signal<<<1, 1, 0, first>>>(device, device + 2, true);
        pass_on<<<2, 1, 0, second>>>(device, device + 2, false);
    }
    CASE("full_queue") run_ahead(own, event, false);
    CASE("full_queue_waited") run_ahead(own, event, true);
    CASE("full_queue_copies") fill_many(own, false);
    CASE("full_queue_copies_waited") fill_many(own, true);
    CASE("many_right") many(-1);
    CASE("many_one_missing") many(519);
    else return false;
    cudaDeviceSynchronize();
    if (own)
        cudaStreamDestroy(own);
    cudaEventDestroy(event);
    return true;
}

int main(int argc, char **argv)
{
    cudaMallocHost(&host, BYTES);
    cudaMalloc(&device, BYTES);
    cudaMemset(device, 0, BYTES);
    memset(host, 0, BYTES);
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaDeviceSynchronize();
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    cudaError_t e = cudaDeviceSynchronize();
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(device);
    cudaFreeHost(host);
    return e != cudaSuccess;
}
