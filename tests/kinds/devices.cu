// Two devices: whose memory a kernel may use, and what orders work of one before work of the other. test_kinds.sh says
// what the list means.
//
// case store_to_peer expect=peer-access options=--devices=2 says=memory.of.device.1 status=1
// case store_to_peer expect=peer-access options=--devices=2 says=cudaDeviceEnablePeerAccess status=1
// case store_with_access expect=silent options=--devices=2
// case access_one_way expect=peer-access options=--devices=2 says=device.1.has.no.access status=1
// case access_taken_back expect=peer-access options=--devices=2 status=1
// case pool_of_peer expect=peer-access options=--devices=2 says=cudaMemPoolSetAccess status=1
// case pool_with_access expect=silent options=--devices=2
// case pinned_for_both expect=silent options=--devices=2
// case kernel_then_kernel expect=stream-race options=--devices=2 says=device.1
// case kernel_event_kernel expect=silent options=--devices=2
// case kernel_host_kernel expect=silent options=--devices=2
// case other_device_waited expect=stream-race options=--devices=2
// case default_streams expect=stream-race options=--devices=2 says=default.stream.of.device.1
// case copy_then_kernel expect=stream-race options=--devices=2 says=cudaMemcpyPeerAsync
// case copy_event_kernel expect=silent options=--devices=2
// case copy_in_its_stream expect=silent options=--devices=2
// case default_copy_serialises expect=silent options=--devices=2
// case async_copy_does_not expect=stream-race options=--devices=2
// case reader_of_old_halo expect=stream-race options=--devices=2
// case spins expect=silent options=--devices=2
// case spins_one_device expect=silent
// case mail_in_one_place expect=data-race options=--devices=2 says=a.wait.for.that.one:.all.that.device.1.has.received.of.device.0
// case mail_in_two_places expect=silent options=--devices=2
// case meet_by_volatile expect=silent options=--devices=2
// case meet_by_ldcv expect=stream-race options=--devices=2 nor=who.is.to.change status=86
// case spins_for_nobody expect=deadlock options=--devices=2 status=1
// case no_second_device expect=failed-call level=warning
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define N 64
static cudaStream_t stream[2];
static cudaEvent_t event[2];
static int *mem[2], *pinned;

__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void add(int *p, const int *q) { p[threadIdx.x] += q[threadIdx.x]; }
__global__ void turns(int *turn, int me, int *out)
{
    volatile int *t = turn;
    for (int i = 0; i < 3; i++) {
        while (*t != 2 * i + me) {
        }
        __threadfence_system();
        *out += me + 1;
        __threadfence_system();
        *t = 2 * i + me + 1;
    }
}
__global__ void wait_for(int *flag, int *out)
{
    while (*(volatile int *)flag == 0) {
    }
    *out = 1;
}

// A barrier of two devices. A load that fetches again (.cv) is weak: it races with what it waits for, yet it waits for the other kernel.
__global__ void meet_by_ldcv(int *mine, int *theirs, int *out)
{
    atomicAdd_system(theirs, 1);
    while (__ldcv(mine) < 1) { // meet_by_ldcv
    }
    *out = 1;
}
__global__ void meet_by_volatile(int *mine, int *theirs, int *out)
{
    atomicAdd_system(theirs, 1);
    while (*(volatile int *)mine < 1) {
    }
    *out = 1;
}

// Who writes into a place again has to know that what stood there has been read; with two, the other's next message says so.
__global__ void mail(int *mine, int *theirs, int places, int *out)
{
    for (int i = 0; i < 6; i++) {
        theirs[i % places] = i;
        __threadfence_system();
        *(volatile int *)&theirs[2] = i + 1;
        while (*(volatile int *)&mine[2] < i + 1) {
        }
        __threadfence_system();
        *out += mine[i % places];
    }
}

static void device(int d) { cudaSetDevice(d); }
static void both_reach()
{
    for (int d = 0; d < 2; d++) {
        device(d);
        cudaDeviceEnablePeerAccess(1 - d, 0);
    }
    device(0);
}
static void both_wait()
{
    for (int d = 0; d < 2; d++) {
        device(d);
        cudaDeviceSynchronize();
    }
    device(0);
}

#define CASE(name) else if (!strcmp(which, name))

static bool run(const char *which)
{
    if (!strcmp(which, "store_to_peer")) {
        fill<<<1, N>>>(mem[1], 1);
    }
    CASE("store_with_access") {
        cudaDeviceEnablePeerAccess(1, 0);
        fill<<<1, N>>>(mem[1], 1);
    }
    CASE("access_one_way") {
        cudaDeviceEnablePeerAccess(1, 0);
        device(1);
        fill<<<1, N>>>(mem[0], 1);
        cudaDeviceSynchronize();
    }
    CASE("access_taken_back") {
        cudaDeviceEnablePeerAccess(1, 0);
        fill<<<1, N>>>(mem[1], 1);
        cudaDeviceDisablePeerAccess(1);
        fill<<<1, N>>>(mem[1], 1);
    }
    else if (!strncmp(which, "pool_", 5)) {
        int *p;
        cudaMallocAsync(&p, N * 4, stream[1]);
        cudaStreamSynchronize(stream[1]);
        cudaDeviceEnablePeerAccess(1, 0);
        if (!strcmp(which, "pool_with_access")) {
            cudaMemPool_t pool;
            cudaDeviceGetDefaultMemPool(&pool, 1);
            cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
            cudaMemPoolSetAccess(pool, &access, 1);
        }
        fill<<<1, N>>>(p, 1);
        cudaDeviceSynchronize();
        cudaFreeAsync(p, stream[1]);
    }
    CASE("pinned_for_both") {
        fill<<<1, N, 0, stream[0]>>>(pinned, 1);
        cudaStreamSynchronize(stream[0]);
        device(1);
        fill<<<1, N, 0, stream[1]>>>(pinned, 2);
    }
    else if (!strncmp(which, "meet_by_", 8)) {
        both_reach();
        for (int d = 0; d < 2; d++) {
            device(d);
            cudaLaunchAttribute early = {};
            early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
            early.val.programmaticStreamSerializationAllowed = 1;
            cudaLaunchConfig_t config = {1, 1, 0, stream[d], &early, 1};
            cudaLaunchKernelEx(&config, strcmp(which, "meet_by_ldcv") ? meet_by_volatile : meet_by_ldcv, mem[d], mem[1 - d], mem[d] + 1);
        }
    }
    CASE("kernel_then_kernel") {
        both_reach();
        fill<<<1, N, 0, stream[0]>>>(mem[0], 1);
        device(1);
        add<<<1, N, 0, stream[1]>>>(mem[1], mem[0]);
    }
    CASE("kernel_event_kernel") {
        both_reach();
        fill<<<1, N, 0, stream[0]>>>(mem[0], 1);
        cudaEventRecord(event[0], stream[0]);
        cudaStreamWaitEvent(stream[1], event[0], 0);
        device(1);
        add<<<1, N, 0, stream[1]>>>(mem[1], mem[0]);
    }
    CASE("kernel_host_kernel") {
        both_reach();
        fill<<<1, N, 0, stream[0]>>>(mem[0], 1);
        cudaDeviceSynchronize();
        device(1);
        add<<<1, N, 0, stream[1]>>>(mem[1], mem[0]);
    }
    CASE("other_device_waited") {
        both_reach();
        fill<<<1, N, 0, stream[0]>>>(mem[0], 1);
        device(1);
        cudaDeviceSynchronize(); // waits for device 1 alone
        add<<<1, N, 0, stream[1]>>>(mem[1], mem[0]);
    }
    CASE("default_streams") {
        both_reach();
        fill<<<1, N>>>(mem[0], 1);
        device(1);
        add<<<1, N>>>(mem[1], mem[0]);
    }
    CASE("copy_then_kernel") {
        fill<<<1, N, 0, stream[0]>>>(mem[0], 1);
        cudaMemcpyPeerAsync(mem[1], 1, mem[0], 0, N * 4, stream[0]);
        device(1);
        add<<<1, N, 0, stream[1]>>>(mem[1] + N, mem[1]);
    }
    CASE("copy_event_kernel") {
        fill<<<1, N, 0, stream[0]>>>(mem[0], 1);
        cudaMemcpyPeerAsync(mem[1], 1, mem[0], 0, N * 4, stream[0]);
        cudaEventRecord(event[0], stream[0]);
        cudaStreamWaitEvent(stream[1], event[0], 0);
        device(1);
        add<<<1, N, 0, stream[1]>>>(mem[1] + N, mem[1]);
    }
    CASE("copy_in_its_stream") {
        fill<<<1, N, 0, stream[0]>>>(mem[0], 1);
        cudaEventRecord(event[0], stream[0]);
        cudaStreamWaitEvent(stream[1], event[0], 0);
        cudaMemcpyPeerAsync(mem[1], 1, mem[0], 0, N * 4, stream[1]);
        device(1);
        add<<<1, N, 0, stream[1]>>>(mem[1] + N, mem[1]);
    }
    CASE("default_copy_serialises") {
        fill<<<1, N>>>(mem[0], 1);
        cudaMemcpyPeer(mem[1], 1, mem[0], 0, N * 4);
        device(1);
        add<<<1, N>>>(mem[1] + N, mem[1]);
    }
    CASE("async_copy_does_not") {
        device(1);
        fill<<<1, N>>>(mem[1], 1);
        device(0);
        cudaMemcpyPeerAsync(mem[1], 1, mem[0], 0, N * 4, stream[0]);
    }
    CASE("reader_of_old_halo") { // the next round's copy overwrites what the other device still reads
        for (int round = 0; round < 2; round++) {
            cudaMemcpyPeerAsync(mem[1], 1, mem[0], 0, N * 4, stream[0]);
            cudaEventRecord(event[0], stream[0]);
            cudaStreamWaitEvent(stream[1], event[0], 0);
            add<<<1, N, 0, stream[1]>>>(mem[1] + N, mem[1]);
        }
    }
    else if (!strncmp(which, "mail", 4)) {
        int places = strcmp(which, "mail_in_one_place") ? 2 : 1;
        both_reach();
        for (int d = 0; d < 2; d++) {
            device(d);
            mail<<<1, 1, 0, stream[d]>>>(mem[d], mem[!d], places, mem[d] + 8);
        }
        both_wait();
    }
    else if (!strncmp(which, "spins", 5)) {
        int *out = mem[0] + 1, two = !strcmp(which, "spins");
        if (!strcmp(which, "spins_for_nobody")) {
            both_reach();
            wait_for<<<1, 1, 0, stream[0]>>>(mem[0], out);
            device(1);
            wait_for<<<1, 1, 0, stream[1]>>>(mem[0], mem[1]);
            both_wait();
            return true;
        }
        if (two)
            both_reach();
        for (int d = 1; d >= 0; d--) {
            device(two * d);
            turns<<<1, 1, 0, stream[d]>>>(mem[0], d, out);
        }
    }
    CASE("no_second_device") {
        cudaSetDevice(1); // no_second_device
    }
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    int devices = 0;
    cudaGetDeviceCount(&devices);
    for (int d = 0; d < 2; d++) {
        if (d < devices)
            device(d);
        cudaMalloc(&mem[d], 2 * N * 4);
        cudaMemset(mem[d], 0, 2 * N * 4);
        cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&event[d], cudaEventDisableTiming);
        cudaDeviceSynchronize();
    }
    device(0);
    cudaMallocHost(&pinned, N * 4);
    if (!run(which))
        return 2;
    if (devices > 1)
        both_wait();
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(mem[0]);
    cudaFree(mem[1]);
    cudaFreeHost(pinned);
    for (int d = 0; d < 2; d++) {
        cudaStreamDestroy(stream[d]);
        cudaEventDestroy(event[d]);
    }
    return e != cudaSuccess;
}
