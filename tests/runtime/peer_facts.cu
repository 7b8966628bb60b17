// Facts about two devices of one program, one a line, as facts.cu has them about the rest: the same program
// runs on a machine with two GPUs and on softgpu with two devices, and the two outputs are compared
// (peer_facts.gpu.txt: recorded on the devices named in its first line). Each part runs in a process of its own.
// With a number only that part runs.
//
//   nvcc -arch=compute_75 -cudart shared -o peer_facts peer_facts.cu && ./peer_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static void fact(const char *name, cudaError_t e) { printf("%s: %s\n", name, cudaGetErrorName(e)); }
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v); }
#define FACT(call) fact(#call, call)
static cudaError_t launched() { return cudaGetLastError(); }

__global__ void store(int *p, int v) { *p = v; }
__global__ void copy(int *to, const int *from, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[i] = from[i];
}
__global__ void count(int *p, int n)
{
    for (int i = 0; i < n; i++)
        atomicAdd_system(p, 1);
}
// Two kernels of two devices take turns: whose turn it is stands in `turn`.
__global__ void take_turns(int *turn, int me, int rounds, int *out)
{
    volatile int *t = turn;
    for (int i = 0; i < rounds; i++) {
        while (*t != 2 * i + me) {
        }
        __threadfence_system();
        *out = *out * 3 % 1000003 + me + 1;
        __threadfence_system();
        *t = 2 * i + me + 1;
    }
}
__device__ int variable = 5;
__constant__ int constant = 7;
__managed__ int managed_variable = 9;
__global__ void read_variables(int *out)
{
    out[0] = variable;
    out[1] = constant;
    out[2] = managed_variable;
    variable = 50 + out[3];
}

static int *mem[2];
static cudaStream_t stream[2];
static cudaEvent_t event[2];

static void set_up()
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&mem[d], 4096);
        cudaMemset(mem[d], 0, 4096);
        cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking);
        cudaEventCreate(&event[d]);
        cudaDeviceSynchronize();
    }
    cudaSetDevice(0);
}

static void devices()
{
    int n = 0, d = -1;
    FACT(cudaGetDevice(&d));
    fact("device at first", d);
    FACT(cudaGetDeviceCount(&n));
    fact("at least two", n >= 2);
    fact("set device -1", cudaSetDevice(-1));
    fact("set device 64", cudaSetDevice(64));
    FACT(cudaSetDevice(1));
    cudaGetDevice(&d);
    fact("device now", d);
    std::thread([&] {
        cudaGetDevice(&d);
        fact("device of a new thread", d);
        cudaSetDevice(0);
    }).join();
    cudaGetDevice(&d);
    fact("device after another thread has chosen", d);
    cudaDeviceProp p, q;
    FACT(cudaGetDeviceProperties(&p, 1));
    cudaGetDeviceProperties(&q, 0);
    fact("bus ids differ", p.pciBusID != q.pciBusID || p.pciDomainID != q.pciDomainID || p.pciDeviceID != q.pciDeviceID);
    fact("uuids differ", memcmp(&p.uuid, &q.uuid, sizeof p.uuid) != 0);
    fact("properties of device 64", cudaGetDeviceProperties(&p, 64));
    int v;
    fact("attribute of device 1", cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 1));
    fact("attribute of device 64", cudaDeviceGetAttribute(&v, cudaDevAttrWarpSize, 64));
    char id[32] = "";
    FACT(cudaDeviceGetPCIBusId(id, sizeof id, 1));
    FACT(cudaDeviceGetByPCIBusId(&d, id));
    fact("its device", d);
    fact("bus id of device 64", cudaDeviceGetPCIBusId(id, sizeof id, 64));
    int list[2] = {1, 0};
    FACT(cudaSetValidDevices(list, 2));
    FACT(cudaInitDevice(1, 0, 0));
    fact("init device 64", cudaInitDevice(64, 0, 0));
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
            int can = -1;
            cudaError_t e = cudaDeviceCanAccessPeer(&can, a, b);
            printf("can %d access %d: %s %d\n", a, b, cudaGetErrorName(e), can);
        }
    fact("can 0 access 64", cudaDeviceCanAccessPeer(&v, 0, 64));
    for (auto attr : {cudaDevP2PAttrAccessSupported, cudaDevP2PAttrNativeAtomicSupported}) {
        cudaError_t e = cudaDeviceGetP2PAttribute(&v, attr, 0, 1);
        printf("P2P attribute %d: %s %d\n", (int)attr, cudaGetErrorName(e), v);
    }
    fact("P2P attribute of 0 and 0", cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 0));
    fact("P2P attribute of 0 and 64", cudaDeviceGetP2PAttribute(&v, cudaDevP2PAttrAccessSupported, 0, 64));
}

static void peers()
{
    set_up();
    fact("disable before enable", cudaDeviceDisablePeerAccess(1));
    fact("enable with flags", cudaDeviceEnablePeerAccess(1, 1));
    fact("enable oneself", cudaDeviceEnablePeerAccess(0, 0));
    fact("enable 64", cudaDeviceEnablePeerAccess(64, 0));
    fact("enable -1", cudaDeviceEnablePeerAccess(-1, 0));
    fact("disable oneself", cudaDeviceDisablePeerAccess(0));
    fact("disable 64", cudaDeviceDisablePeerAccess(64));
    FACT(cudaDeviceEnablePeerAccess(1, 0));
    fact("enable again", cudaDeviceEnablePeerAccess(1, 0));
    (void)cudaGetLastError();
    store<<<1, 1>>>(mem[1], 11);
    fact("store to the peer", launched());
    fact("synchronise", cudaDeviceSynchronize());
    int v = 0;
    FACT(cudaMemcpy(&v, mem[1], 4, cudaMemcpyDefault));
    fact("stored", v);
    int *late;
    cudaSetDevice(1);
    cudaMalloc(&late, 4);
    cudaSetDevice(0);
    store<<<1, 1>>>(late, 12);
    fact("to memory made since", cudaDeviceSynchronize());
    FACT(cudaDeviceDisablePeerAccess(1));
    fact("disable again", cudaDeviceDisablePeerAccess(1));
    FACT(cudaDeviceEnablePeerAccess(1, 0));
    fact("free of the peer's memory", cudaFree(late));
}

static void no_access()
{
    set_up();
    store<<<1, 1>>>(mem[1], 11);
    fact("store without access", launched());
    fact("synchronise 0", cudaDeviceSynchronize());
    cudaSetDevice(1);
    fact("synchronise 1", cudaDeviceSynchronize());
    int v;
    fact("copy of 1", cudaMemcpy(&v, mem[1], 4, cudaMemcpyDefault));
}

static void one_way()
{
    set_up();
    cudaDeviceEnablePeerAccess(1, 0);
    store<<<1, 1>>>(mem[1], 11);
    fact("0 to 1", cudaDeviceSynchronize());
    cudaSetDevice(1);
    store<<<1, 1>>>(mem[0], 11);
    fact("1 to 0", cudaDeviceSynchronize());
}

static void after_disable()
{
    set_up();
    cudaDeviceEnablePeerAccess(1, 0);
    store<<<1, 1>>>(mem[1], 11);
    cudaDeviceSynchronize();
    cudaDeviceDisablePeerAccess(1);
    store<<<1, 1>>>(mem[1], 12);
    fact("after disabling", cudaDeviceSynchronize());
}

static void streams()
{
    set_up();
    store<<<1, 1, 0, stream[1]>>>(mem[1], 1);
    fact("launch in a stream of device 1", launched());
    FACT(cudaMemsetAsync(mem[1], 1, 16, stream[1]));
    fact("fill of 1's memory in a stream of device 0", cudaMemsetAsync(mem[1], 1, 16, stream[0]));
    fact("fill of 0's memory in a stream of device 1", cudaMemsetAsync(mem[0], 1, 16, stream[1]));
    FACT(cudaMemcpyAsync(mem[1], mem[0], 16, cudaMemcpyDefault, stream[1]));
    fact("record of 0's event in 1's stream", cudaEventRecord(event[0], stream[1]));
    fact("record of 1's event in 0's stream", cudaEventRecord(event[1], stream[0]));
    fact("record of 1's event in the default stream", cudaEventRecord(event[1]));
    (void)cudaGetLastError();
    fact("record of 1's event in 1's stream", cudaEventRecord(event[1], stream[1]));
    FACT(cudaEventRecord(event[0], stream[0]));
    FACT(cudaStreamWaitEvent(stream[0], event[1], 0));
    FACT(cudaEventSynchronize(event[1]));
    FACT(cudaEventQuery(event[1]));
    FACT(cudaStreamSynchronize(stream[1]));
    FACT(cudaStreamQuery(stream[1]));
    FACT(cudaDeviceSynchronize());
    float ms;
    fact("time between events of two devices", cudaEventElapsedTime(&ms, event[0], event[1]));
    int d = -1;
    FACT(cudaStreamGetDevice(stream[1], &d));
    fact("stream's device", d);
    cudaSetDevice(1);
    FACT(cudaStreamGetDevice(0, &d));
    fact("default stream's device", d);
    FACT(cudaStreamGetDevice(cudaStreamPerThread, &d));
    fact("thread's stream's device", d);
    store<<<1, 1>>>(mem[1], 31);
    fact("launch in the default stream of 1", launched());
    int v = 0;
    FACT(cudaMemcpy(&v, mem[1], 4, cudaMemcpyDeviceToHost));
    fact("stored", v);
    FACT(cudaLaunchHostFunc(stream[0], [](void *) {}, nullptr));
    cudaEvent_t fresh;
    cudaEventCreate(&fresh);
    fact("a new event in 0's stream", cudaEventRecord(fresh, stream[0]));
    (void)cudaGetLastError();
    FACT(cudaEventDestroy(event[0]));
    FACT(cudaStreamDestroy(stream[0]));
}

static void whose_launch()
{
    set_up();
    store<<<1, 1, 0, stream[1]>>>(mem[0], 1); // with device 0 current
    fact("launch in a stream of device 1", launched());
    fact("it ran on device 1, which has no access to 0's memory", cudaStreamSynchronize(stream[1]));
}

static void fills()
{
    set_up();
    cudaDeviceEnablePeerAccess(1, 0);
    fact("fill of the peer's memory", cudaMemset(mem[1], 1, 16));
    fact("fill of the peer's memory in a stream", cudaMemsetAsync(mem[1], 2, 16, stream[0]));
    fact("the other way", cudaMemsetAsync(mem[0], 2, 16, stream[1]));
    FACT(cudaDeviceSynchronize());
    int v = 0;
    FACT(cudaMemcpy(&v, mem[1], 4, cudaMemcpyDefault));
    fact("filled", v);
    fact("2D fill of the peer's memory", cudaMemset2D(mem[1], 64, 3, 16, 2));
    cudaMemcpy3DPeerParms p = {};
    p.dstDevice = 1;
    p.dstPtr = make_cudaPitchedPtr(mem[1], 64, 64, 1);
    p.srcDevice = 0;
    p.srcPtr = make_cudaPitchedPtr(mem[0], 64, 64, 1);
    p.extent = make_cudaExtent(16, 1, 1);
    FACT(cudaMemcpy3DPeer(&p));
    p.dstDevice = 64;
    fact("3D copy to device 64", cudaMemcpy3DPeer(&p));
    cudaEvent_t e;
    cudaEventCreate(&e);
    fact("time since a record of none", cudaEventElapsedTime(nullptr, e, e));
    unsigned flags = 99;
    FACT(cudaSetDeviceFlags(cudaDeviceScheduleYield));
    cudaSetDevice(1);
    FACT(cudaGetDeviceFlags(&flags));
    fact("1's flags", flags & cudaDeviceScheduleMask);
    size_t stack = 0;
    FACT(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
    cudaSetDevice(0);
    FACT(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
    fact("0's stack is as it was", stack < 4096);
}

static void copies()
{
    set_up();
    int h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8] = {};
    FACT(cudaMemcpy(mem[0], h, sizeof h, cudaMemcpyHostToDevice));
    FACT(cudaMemcpyPeer(mem[1], 1, mem[0], 0, 16));
    FACT(cudaMemcpy(back, mem[1], 16, cudaMemcpyDeviceToHost));
    fact("copied", back[3]);
    fact("peer copy with the devices exchanged", cudaMemcpyPeer(mem[1], 0, mem[0], 1, 16));
    fact("peer copy to device 64", cudaMemcpyPeer(mem[1], 64, mem[0], 0, 16));
    fact("peer copy from device -1", cudaMemcpyPeer(mem[1], 1, mem[0], -1, 16));
    fact("peer copy of the same device", cudaMemcpyPeer(mem[0] + 64, 0, mem[0], 0, 16));
    fact("peer copy of nothing", cudaMemcpyPeer(mem[1], 1, mem[0], 0, 0));
    fact("peer copy to pageable memory", cudaMemcpyPeer(back, 1, mem[0], 0, 16));
    FACT(cudaMemcpy(mem[1], mem[0] + 4, 16, cudaMemcpyDeviceToDevice));
    FACT(cudaMemcpy(back, mem[1], 16, cudaMemcpyDefault));
    fact("copied device to device", back[3]);
    FACT(cudaMemcpyPeerAsync(mem[1] + 8, 1, mem[0], 0, 32, stream[0]));
    FACT(cudaMemcpyPeerAsync(mem[1] + 16, 1, mem[0], 0, 32, stream[1]));
    cudaStreamSynchronize(stream[0]);
    cudaStreamSynchronize(stream[1]);
    FACT(cudaMemcpy(back, mem[1] + 8, 32, cudaMemcpyDefault));
    fact("copied in a stream of 0", back[7]);
    FACT(cudaMemcpy(back, mem[1] + 16, 32, cudaMemcpyDefault));
    fact("copied in a stream of 1", back[7]);
    FACT(cudaMemcpy2D(mem[1], 64, mem[0], 32, 16, 2, cudaMemcpyDefault));
    FACT(cudaMemset(mem[1], 0, 64));
    cudaPointerAttributes a;
    for (int d = 0; d < 2; d++) {
        FACT(cudaPointerGetAttributes(&a, mem[d]));
        printf("type %d device %d host %d\n", a.type, a.device, a.hostPointer != nullptr);
    }
    int *pinned, *managed, *portable;
    cudaSetDevice(1);
    FACT(cudaMallocHost(&pinned, 64));
    FACT(cudaHostAlloc(&portable, 64, cudaHostAllocMapped));
    FACT(cudaMallocManaged(&managed, 64));
    for (int *p : {pinned, portable, managed}) {
        FACT(cudaPointerGetAttributes(&a, p));
        printf("type %d device %d\n", a.type, a.device);
    }
    cudaSetDevice(0);
    store<<<1, 1>>>(pinned, 41);
    store<<<1, 1>>>(portable, 42);
    store<<<1, 1>>>(managed, 43);
    fact("0 stores to 1's pinned memory", cudaDeviceSynchronize());
    printf("%d %d %d\n", *pinned, *portable, *managed);
    FACT(cudaHostGetDevicePointer(&managed, portable, 0));
    size_t free0, free1, total;
    cudaSetDevice(1);
    cudaMemGetInfo(&free1, &total);
    int *big;
    FACT(cudaMalloc(&big, 1 << 30));
    cudaMemGetInfo(&free0, &total);
    fact("1's memory shrinks", free1 - free0 >= 1 << 30);
    cudaSetDevice(0);
    FACT(cudaFree(big));
    cudaSetDevice(1);
    cudaMemGetInfo(&free0, &total);
    fact("and is there again", free0 >= free1);
}

static void variables()
{
    set_up();
    int out[8];
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        int id = 10 * d;
        cudaMemcpy(mem[d] + 3, &id, 4, cudaMemcpyDefault);
        read_variables<<<1, 1>>>(mem[d]);
        cudaMemcpy(out, mem[d], 16, cudaMemcpyDefault);
        printf("device %d reads %d %d %d\n", d, out[0], out[1], out[2]);
    }
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        int v = 0;
        cudaMemcpyFromSymbol(&v, variable, 4);
        printf("variable of device %d: %d\n", d, v);
    }
    void *a, *b;
    cudaSetDevice(0);
    cudaGetSymbolAddress(&a, variable);
    cudaSetDevice(1);
    cudaGetSymbolAddress(&b, variable);
    fact("addresses differ", a != b);
    cudaGetSymbolAddress(&b, managed_variable);
    fact("a managed variable has one", b == &managed_variable);
    int set = 77;
    cudaMemcpyToSymbol(constant, &set, 4);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        read_variables<<<1, 1>>>(mem[d]);
        cudaMemcpy(out, mem[d], 16, cudaMemcpyDefault);
        printf("device %d reads constant %d\n", d, out[1]);
    }
}

static void together()
{
    set_up();
    int *flags;
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceEnablePeerAccess(1 - d, 0);
        take_turns<<<1, 1>>>(mem[0], 9, 0, mem[0]); // loads the code before anybody waits
        cudaDeviceSynchronize();
    }
    cudaSetDevice(0);
    cudaMalloc(&flags, 4);
    cudaMemset(flags, 0, 4);
    cudaMemset(mem[0], 0, 64);
    cudaDeviceSynchronize();
    take_turns<<<1, 1, 0, stream[0]>>>(flags, 0, 100, mem[0]);
    cudaSetDevice(1);
    take_turns<<<1, 1, 0, stream[1]>>>(flags, 1, 100, mem[0]);
    fact("device 1 has had its turns", cudaDeviceSynchronize());
    cudaSetDevice(0);
    fact("device 0 has had its turns", cudaDeviceSynchronize());
    int v;
    cudaMemcpy(&v, mem[0], 4, cudaMemcpyDefault);
    fact("in turn", v);
    cudaMemset(mem[0], 0, 4);
    cudaDeviceSynchronize();
    count<<<4, 32, 0, stream[0]>>>(mem[0], 100);
    cudaSetDevice(1);
    count<<<4, 32, 0, stream[1]>>>(mem[0], 100);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    cudaMemcpy(&v, mem[0], 4, cudaMemcpyDefault);
    fact("counted by both", v);
}

static void pools()
{
    set_up();
    cudaMemPool_t pool[2], fresh;
    for (int d = 0; d < 2; d++)
        FACT(cudaDeviceGetDefaultMemPool(&pool[d], d));
    fact("pools differ", pool[0] != pool[1]);
    fact("pool of device 64", cudaDeviceGetDefaultMemPool(&fresh, 64));
    int *p, *q;
    FACT(cudaMallocAsync(&p, 64, stream[1]));
    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, p);
    fact("its device is the stream's", a.device);
    FACT(cudaMallocFromPoolAsync(&q, 64, pool[0], stream[1]));
    cudaPointerGetAttributes(&a, q);
    fact("its device is the pool's", a.device);
    cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
    cudaMemAccessFlags flags;
    cudaMemLocation one = {cudaMemLocationTypeDevice, 1};
    FACT(cudaMemPoolGetAccess(&flags, pool[0], &one));
    fact("access of 1 to 0's pool", (long long)flags);
    cudaDeviceEnablePeerAccess(1, 0);
    store<<<1, 1, 0, stream[0]>>>(mem[1], 1);
    fact("peer access", cudaStreamSynchronize(stream[0]));
    FACT(cudaMemPoolSetAccess(pool[0], &access, 1));
    FACT(cudaMemPoolGetAccess(&flags, pool[0], &one));
    fact("access of 1 to 0's pool now", (long long)flags);
    cudaSetDevice(1);
    store<<<1, 1, 0, stream[1]>>>(q, 1);
    fact("1 stores to memory of 0's pool", cudaStreamSynchronize(stream[1]));
    FACT(cudaFreeAsync(q, stream[1]));
    FACT(cudaFreeAsync(p, stream[0]));
    access.location.id = 0;
    access.flags = cudaMemAccessFlagsProtNone;
    fact("no access to one's own pool", cudaMemPoolSetAccess(pool[0], &access, 1));
    access.location.id = 64;
    fact("access of device 64", cudaMemPoolSetAccess(pool[0], &access, 1));
    fact("set 1's pool to one of 0", cudaDeviceSetMemPool(1, pool[0]));
}

static void pool_without_access()
{
    set_up();
    int *p;
    cudaMallocAsync(&p, 64, stream[1]);
    cudaStreamSynchronize(stream[1]);
    cudaDeviceEnablePeerAccess(1, 0);
    store<<<1, 1>>>(p, 1);
    fact("peer access, but none to the pool", cudaDeviceSynchronize());
}

static void graphs()
{
    set_up();
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaEvent_t fork, join;
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaSetDevice(1);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    cudaSetDevice(0);
    FACT(cudaStreamBeginCapture(stream[0], cudaStreamCaptureModeRelaxed));
    store<<<1, 1, 0, stream[0]>>>(mem[0], 61);
    FACT(cudaEventRecord(fork, stream[0]));
    FACT(cudaStreamWaitEvent(stream[1], fork, 0));
    cudaSetDevice(1);
    store<<<1, 1, 0, stream[1]>>>(mem[1], 62);
    fact("captured on device 1", launched());
    FACT(cudaEventRecord(join, stream[1]));
    cudaSetDevice(0);
    FACT(cudaStreamWaitEvent(stream[0], join, 0));
    FACT(cudaMemcpyAsync(mem[0] + 1, mem[1], 4, cudaMemcpyDefault, stream[0]));
    FACT(cudaStreamEndCapture(stream[0], &g));
    FACT(cudaGraphInstantiate(&x, g, 0));
    FACT(cudaGraphLaunch(x, stream[0]));
    FACT(cudaStreamSynchronize(stream[0]));
    int v[2];
    cudaMemcpy(v, mem[0], 8, cudaMemcpyDefault);
    printf("of the graph: %d %d\n", v[0], v[1]);
    cudaSetDevice(1);
    FACT(cudaGraphLaunch(x, stream[1]));
    FACT(cudaStreamSynchronize(stream[1]));
}

static void waiting()
{
    set_up();
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        take_turns<<<1, 1>>>(mem[d], 9, 0, mem[d]);
        cudaDeviceSynchronize();
    }
    // Device 1's kernel waits for the host; synchronising with device 0 does not wait for it.
    int *flag, *out;
    cudaMallocHost(&flag, 4);
    cudaMallocHost(&out, 4);
    *flag = -1;
    *out = 0;
    cudaSetDevice(1);
    take_turns<<<1, 1, 0, stream[1]>>>(flag, 1, 1, out);
    fact("launched on 1", launched());
    cudaSetDevice(0);
    store<<<1, 1>>>(mem[0], 3);
    FACT(cudaDeviceSynchronize());
    fact("1 still runs", cudaStreamQuery(stream[1]));
    fact("0's default stream is empty", cudaStreamQuery(0));
    __atomic_store_n((volatile int *)flag, 1, __ATOMIC_RELEASE);
    cudaSetDevice(1);
    FACT(cudaDeviceSynchronize());
    fact("1's result", *out);
}

static void reset()
{
    set_up();
    int v = 5;
    cudaMemcpy(mem[1], &v, 4, cudaMemcpyDefault);
    FACT(cudaDeviceReset()); // device 0 alone
    cudaSetDevice(1);
    v = 0;
    fact("copy of 1's memory after 0's reset", cudaMemcpy(&v, mem[1], 4, cudaMemcpyDefault));
    fact("holds", v);
    store<<<1, 1, 0, stream[1]>>>(mem[1], 6);
    fact("1's stream after 0's reset", launched());
    FACT(cudaDeviceSynchronize());
    cudaSetDevice(0);
    int *p;
    FACT(cudaMalloc(&p, 64));
    store<<<1, 1>>>(p, 8);
    FACT(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
    void (*const parts[])() = {devices, peers, no_access, one_way, after_disable, streams, whose_launch, fills, copies, variables,
                               together, pools, pool_without_access, graphs, waiting, reset};
    const int count = sizeof parts / sizeof *parts;
    for (int i = 0; i < count; i++) {
        if (argc > 1 && atoi(argv[1]) != i)
            continue;
        printf("-- part %d\n", i);
        fflush(stdout);
        if (fork() == 0) {
            alarm(60);
            parts[i]();
            fflush(stdout);
            _exit(0);
        }
        int status;
        wait(&status);
        if (status)
            printf("ended with status %d\n", status);
    }
    return 0;
}
