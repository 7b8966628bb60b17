// patience.cu: kernels that wait for a host which has not waited for them, and does something else first.
//
// case asks_then_stores expect=silent
// case asks_then_waits expect=deadlock says=if.the.host.is.to.write.there
// case asks_a_stream_then_stores expect=silent
// case asks_for_ever expect=deadlock full
// case asks_then_launches expect=silent
// case asks_then_launches_other expect=deadlock
// case asks_then_copies expect=stream-race
// case copies_then_waits expect=stream-race
// case copies_elsewhere_then_waits expect=deadlock
// case function_stores expect=silent
// case function_stores_elsewhere expect=deadlock
// case function_behind_stores expect=deadlock
// case rests_then_stores expect=silent
// case rests_then_waits expect=deadlock
// case rests_in_another_thread expect=silent
// case leaves_it_waiting expect=deadlock
// case beside_stores expect=silent
// case beside_stores_elsewhere expect=deadlock
// case beside_rests expect=deadlock full
// case other_launches expect=silent
// case other_launches_elsewhere expect=deadlock
// case other_copies expect=stream-race
// case other_rests expect=deadlock full
// case other_prints expect=silent
// case other_rests_and_is_asked expect=missing-acquire
#include <cstdio>
#include <cstring>
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <thread>
#include <unistd.h>

#define TIMES 40

__global__ void await(int *flag)
{
    while (cuda::atomic_ref<int>(*flag).load(cuda::memory_order_acquire) == 0)
        ;
}
__global__ void prints(int *flag)
{
    printf("begins\n");
    while (cuda::atomic_ref<int>(*flag).load(cuda::memory_order_acquire) == 0)
        ;
}
__global__ void without_acquire(int *data, int *flag, int *out) /* no acquire: only runs in other schedules show the older value */
{
    if (blockIdx.x == 0) {
        cuda::atomic_ref<int>(*data).store(1, cuda::memory_order_relaxed);
        cuda::atomic_ref<int>(*flag).store(1, cuda::memory_order_release);
    } else {
        while (cuda::atomic_ref<int>(*flag).load(cuda::memory_order_relaxed) == 0)
            ;
        *out = *data; // other_rests_and_is_asked
    }
}
__global__ void signal(int *flag) { cuda::atomic_ref<int>(*flag).store(1, cuda::memory_order_release); }

static void store(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }

static const char *mktemp_file(char *name)
{
    int fd = mkstemp(name);
    return fd >= 0 && !close(fd) ? name : nullptr;
}

/** Does the file hold that text and no more? It is removed. */
static bool is_once(const char *name, const char *text)
{
    char held[100] = "";
    FILE *f = fopen(name, "r");
    size_t n = f ? fread(held, 1, sizeof held - 1, f) : 0;
    if (f)
        fclose(f), unlink(name);
    return n == strlen(text) && !strcmp(held, text);
}

int main(int argc, char **argv)
{
    auto is = [&](const char *name) { return argc > 1 && !strcmp(argv[1], name); };
    auto begins = [&](const char *name) { return argc > 1 && !strncmp(argv[1], name, strlen(name)); };
    bool of_device = begins("asks_then_launches") || begins("copies") || is("asks_then_copies") || begins("other");
    std::thread beside;
    int *flag, *other, one = 1;
    char printed[] = "/tmp/patience.XXXXXX";
    cudaStream_t waits, goes;
    cudaEvent_t e;
    cudaStreamCreateWithFlags(&waits, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&goes, cudaStreamNonBlocking);
    cudaEventCreate(&e);
    of_device ? cudaMalloc(&flag, sizeof *flag) : cudaMallocHost(&flag, sizeof *flag);
    cudaMalloc(&other, 2 * sizeof *other);
    cudaMemset(flag, 0, sizeof *flag);
    cudaMemset(other, 0, 2 * sizeof *other);
    cudaDeviceSynchronize();
    if (is("other_prints") && !freopen(mktemp_file(printed), "w", stdout))
        return 4;
    if (is("other_rests_and_is_asked"))
        without_acquire<<<2, 1, 0, waits>>>(other, flag, other + 1);
    else
        (is("other_prints") ? prints : await)<<<1, 1, 0, waits>>>(flag);
    cudaEventRecord(e, waits);
    for (int i = 0; begins("asks") && (i < TIMES || is("asks_for_ever")); i++) {
        cudaError_t r = is("asks_a_stream_then_stores") ? cudaStreamQuery(waits) : cudaEventQuery(e);
        if (r != cudaErrorNotReady)
            break;
        usleep(1000);
    }
    if (begins("rests"))
        usleep(TIMES * 5000);
    if (is("leaves_it_waiting"))
        return 0;
    if (begins("asks_then_launches"))
        signal<<<1, 1, 0, goes>>>(is("asks_then_launches") ? flag : other);
    else if (is("asks_then_copies") || begins("copies"))
        cudaMemcpyAsync(is("copies_elsewhere_then_waits") ? other : flag, &one, sizeof one, cudaMemcpyHostToDevice, goes);
    else if (is("rests_in_another_thread"))
        std::thread(store, flag).join();
    else if (begins("beside")) /* while this thread waits for the kernel */
        beside = std::thread([&] {
            usleep(is("beside_rests") ? 60000000 : 30000);
            store(is("beside_stores") ? flag : &one);
        });
    else if (begins("function"))
        cudaLaunchHostFunc(is("function_behind_stores") ? waits : goes, [](void *at) { store((int *)at); }, is("function_stores_elsewhere") ? &one : flag);
    else if (begins("other"))
        beside = std::thread([&] {
            usleep(begins("other_rests") ? 60000000 : 300000);
            if (is("other_copies"))
                cudaMemcpyAsync(flag, &one, sizeof one, cudaMemcpyHostToDevice, goes);
            else if (!begins("other_rests"))
                signal<<<1, 1, 0, goes>>>(is("other_launches_elsewhere") ? other : flag);
        });
    else if (!is("asks_then_waits") && !is("rests_then_waits"))
        store(flag);
    cudaError_t r = cudaStreamSynchronize(waits);
    if (is("beside_rests") || is("other_rests"))
        _exit(0);
    if (is("other_rests_and_is_asked"))
        beside.detach();
    else if (begins("beside") || begins("other"))
        beside.join();
    cudaDeviceSynchronize();
    if (r == cudaSuccess)
        of_device ? cudaFree(flag) : cudaFreeHost(flag), cudaFree(other);
    if (is("other_prints"))
        return fclose(stdout) || !is_once(printed, "begins\n");
    return 0;
}
