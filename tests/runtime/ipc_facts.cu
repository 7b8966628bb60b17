// nvcc: -lcuda
// Facts about memory and events that two processes share by handles, one a line, as facts.cu has them about the rest.
// The same program runs on a real GPU and on softgpu, and the two outputs are compared (ipc_facts.gpu.txt).
//
//   nvcc -arch=sm_90 -cudart shared -o ipc_facts ipc_facts.cu -lcuda && ./ipc_facts
//
// "owner" makes and exports, "guest" is its child, forked before either has called CUDA. They take turns: each line of
// main() is one turn of one of them.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#define INTS 1024
static int to_guest[2], to_owner[2];
static bool is_guest;

// What the owner hands over, once, at the first turn.
struct handed {
    cudaIpcMemHandle_t whole, middle, small, freed, kept;
    cudaIpcEventHandle_t event;
};
static handed h;
static int *p, *small, *opened, *again, *kept;
static cudaEvent_t event;

static void fact(const char *name, cudaError_t e)
{
    printf("%s: %s: %s\n", is_guest ? "guest" : "owner", name, cudaGetErrorName(e));
    cudaGetLastError();
}
static void fact(const char *name, long long v) { printf("%s: %s: %lld\n", is_guest ? "guest" : "owner", name, v); }
#define FACT(call) fact(#call, call)

__global__ void add(int *p, int v) { p[threadIdx.x] += v; }
__global__ void spin(int *p, int v)
{
    for (int i = 0; i < 100000; i++)
        __nanosleep(100);
    p[0] = v;
}

static int first(const int *from)
{
    int v = -1;
    cudaError_t e = cudaMemcpy(&v, from, 4, cudaMemcpyDeviceToHost);
    cudaGetLastError();
    return e ? -(int)e : v;
}

static void owner_exports()
{
    cudaIpcMemHandle_t second;
    int *host, *managed, *pool;
    cudaEvent_t plain, timed;
    memset(&h, 0, sizeof h);
    FACT(cudaMalloc(&p, INTS * 4));
    FACT(cudaMemset(p, 0, INTS * 4));
    FACT(cudaIpcGetMemHandle(&h.whole, p));
    FACT(cudaIpcGetMemHandle(&second, p));
    fact("the same handle", memcmp(&second, &h.whole, sizeof second) == 0);
    FACT(cudaIpcGetMemHandle(&h.middle, p + 16));
    fact("the same handle in the middle", memcmp(&h.middle, &h.whole, sizeof second) == 0);
    cudaMalloc(&small, 64);
    cudaMemset(small, 1, 64);
    FACT(cudaIpcGetMemHandle(&h.small, small));
    FACT(cudaMallocHost(&host, 4096));
    FACT(cudaIpcGetMemHandle(&second, host));
    FACT(cudaMallocManaged(&managed, 4096));
    FACT(cudaIpcGetMemHandle(&second, managed));
    FACT(cudaMallocAsync(&pool, 4096, 0));
    FACT(cudaIpcGetMemHandle(&second, pool));
    FACT(cudaIpcGetMemHandle(&second, nullptr));
    FACT(cudaIpcOpenMemHandle((void **)&opened, h.whole, cudaIpcMemLazyEnablePeerAccess));
    FACT(cudaIpcCloseMemHandle(p));
    FACT(cudaMalloc(&again, 4 << 20));
    FACT(cudaIpcGetMemHandle(&h.freed, again));
    FACT(cudaFree(again));
    FACT(cudaIpcGetMemHandle(&second, again));
    FACT(cudaMalloc(&kept, 4 << 20));
    cudaMemset(kept, 0, 4 << 20);
    FACT(cudaIpcGetMemHandle(&h.kept, kept));
    FACT(cudaEventCreate(&plain));
    FACT(cudaIpcGetEventHandle(&h.event, plain));
    FACT(cudaEventCreateWithFlags(&timed, cudaEventInterprocess));
    FACT(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    FACT(cudaIpcGetEventHandle(&h.event, event));
    cudaEvent_t own;
    FACT(cudaIpcOpenEventHandle(&own, h.event));
    if (write(to_guest[1], &h, sizeof h) != sizeof h)
        exit(3);
}

static void guest_opens()
{
    int *middle, *little;
    cudaIpcMemHandle_t junk;
    cudaPointerAttributes a;
    if (read(to_guest[0], &h, sizeof h) != sizeof h)
        exit(3);
    memset(&junk, 0x5a, sizeof junk);
    FACT(cudaFree(0));
    FACT(cudaIpcOpenMemHandle((void **)&opened, h.whole, 0));
    FACT(cudaIpcOpenMemHandle((void **)&opened, h.whole, 2));
    FACT(cudaIpcOpenMemHandle((void **)&opened, junk, cudaIpcMemLazyEnablePeerAccess));
    memset(&junk, 0, sizeof junk);
    FACT(cudaIpcOpenMemHandle((void **)&opened, junk, cudaIpcMemLazyEnablePeerAccess));
    FACT(cudaIpcOpenMemHandle((void **)&opened, h.freed, cudaIpcMemLazyEnablePeerAccess));
    FACT(cudaIpcOpenMemHandle((void **)&opened, h.whole, cudaIpcMemLazyEnablePeerAccess));
    fact("it holds", first(opened));
    FACT(cudaIpcOpenMemHandle((void **)&again, h.whole, cudaIpcMemLazyEnablePeerAccess));
    fact("the same pointer", again == opened);
    FACT(cudaIpcOpenMemHandle((void **)&middle, h.middle, cudaIpcMemLazyEnablePeerAccess));
    fact("the middle's offset", middle - opened);
    FACT(cudaIpcOpenMemHandle((void **)&little, h.small, cudaIpcMemLazyEnablePeerAccess));
    fact("the small one holds", first(little));
    FACT(cudaPointerGetAttributes(&a, opened));
    fact("type", a.type);
    fact("device", a.device);
    FACT(cudaIpcGetMemHandle(&junk, opened));
    FACT(cudaFree(opened));
    add<<<1, 32>>>(opened, 5);
    FACT(cudaDeviceSynchronize());
}

static void owner_sees()
{
    fact("it holds", first(p));
    add<<<1, 32>>>(p, 2);
    FACT(cudaDeviceSynchronize());
}

static void guest_sees_and_closes()
{
    fact("it holds", first(opened));
    FACT(cudaIpcCloseMemHandle(opened + 1));
    FACT(cudaIpcCloseMemHandle(opened));
    fact("it holds", first(opened));
    FACT(cudaIpcCloseMemHandle(opened));
    fact("after the second close it holds", first(opened));
    FACT(cudaIpcCloseMemHandle(opened));
    fact("after the third close it holds", first(opened));
    FACT(cudaIpcCloseMemHandle(opened));
    FACT(cudaIpcCloseMemHandle(nullptr));
    FACT(cudaIpcOpenMemHandle((void **)&opened, h.whole, cudaIpcMemLazyEnablePeerAccess));
    fact("opened anew it holds", first(opened));
    FACT(cudaIpcOpenMemHandle((void **)&kept, h.kept, cudaIpcMemLazyEnablePeerAccess));
    add<<<1, 1>>>(kept, 9);
    FACT(cudaDeviceSynchronize());
}

static void owner_frees()
{
    fact("kept", first(kept));
    FACT(cudaFree(kept));
    FACT(cudaFree(p));
}

static void guest_after_free()
{
    fact("freed by its owner, it holds", first(kept));
    FACT(cudaIpcOpenMemHandle((void **)&again, h.kept, cudaIpcMemLazyEnablePeerAccess));
    FACT(cudaIpcCloseMemHandle(kept));
    FACT(cudaIpcCloseMemHandle(kept));
    FACT(cudaIpcOpenMemHandle((void **)&again, h.kept, cudaIpcMemLazyEnablePeerAccess));
    cudaEvent_t other;
    FACT(cudaIpcOpenEventHandle(&event, h.event));
    FACT(cudaIpcOpenEventHandle(&other, h.event));
    fact("the same event", other == event);
    FACT(cudaEventQuery(event));
    FACT(cudaEventSynchronize(event));
    cudaIpcEventHandle_t hand;
    FACT(cudaIpcGetEventHandle(&hand, event));
}

static void owner_records()
{
    spin<<<1, 1>>>(small, 77);
    FACT(cudaEventRecord(event, 0));
}

static void guest_waits()
{
    int *little;
    FACT(cudaEventQuery(event));
    FACT(cudaStreamWaitEvent(0, event, 0));
    FACT(cudaIpcOpenMemHandle((void **)&little, h.small, cudaIpcMemLazyEnablePeerAccess));
    fact("after the wait it holds", first(little));
    FACT(cudaEventQuery(event));
    FACT(cudaEventRecord(event, 0));
    FACT(cudaEventSynchronize(event));
    FACT(cudaEventDestroy(event));
}

static void owner_ends()
{
    FACT(cudaEventQuery(event));
    FACT(cudaEventSynchronize(event));
    FACT(cudaEventDestroy(event));
}

int main()
{
    if (pipe(to_guest) || pipe(to_owner))
        return 3;
    setvbuf(stdout, nullptr, _IONBF, 0);
    pid_t child = fork();
    is_guest = child == 0;
    alarm(60);
    char turn = 0;
    // Each takes its turns, and wakes the other one after each.
    void (*turns[])() = {owner_exports, guest_opens,      owner_sees,    guest_sees_and_closes, owner_frees,
                         guest_after_free, owner_records, guest_waits, owner_ends};
    int count = sizeof turns / sizeof *turns;
    for (int i = 0; i < count; i++) {
        if ((i % 2 == 1) != is_guest)
            continue;
        if (i > 1 && read(is_guest ? to_guest[0] : to_owner[0], &turn, 1) != 1)
            return 3;
        turns[i]();
        if (i > 0 && i + 1 < count && write(is_guest ? to_owner[1] : to_guest[1], &turn, 1) != 1)
            return 3;
    }
    int status = 0;
    if (!is_guest && (wait(&status) != child || status))
        printf("guest ended with %d\n", status);
    return 0;
}
