// Kernels of two devices, or of two streams, that communicate: they run beside each other in all schedules, and reads that
// nothing orders return older values. `one` puts both kernels onto one device. test_kinds.sh says what the list means.
//
// case count_both expect=silent options=--devices=2
// case count_late expect=ordering options=--devices=2
// case count_late expect=ordering args=one
// case count_swapped expect=silent options=--devices=2
// case exclusive expect=silent options=--devices=2
// case exclusive_gpu expect=stream-race options=--devices=2
// case exclusive_gpu expect=silent args=one
// case exclusive_unfenced expect=stream-race options=--devices=2
// case exclusive_unfenced expect=stream-race args=one
// case entered expect=silent options=--devices=2
// case entered expect=silent args=one
// case entered_gpu expect=ordering options=--devices=2 says=__threadfence_system
// case entered_gpu expect=silent args=one
// case entered_unfenced expect=ordering args=one says=kernel.enter_and_count
// case looks_once expect=silent options=--devices=2
// case looks_once_gpu expect=missing-release options=--devices=2
// case looks_once_unfenced expect=missing-release args=one
// case sequence expect=silent options=--devices=2
// case sequence expect=silent args=one
// case sequence_unfenced expect=ordering options=--devices=2
// case sequence_unfenced expect=ordering args=one
// case slots expect=silent options=--devices=2
// case slots_late expect=ordering options=--devices=2
// case three expect=silent
// case three_late expect=ordering
// case sums_beside expect=stream-race args=one
// case sums_behind expect=silent args=one
// case sum_if_added expect=silent args=one
// case waits_for_the_next expect=silent options=--devices=2
// case waits_for_the_next expect=silent args=one
#include <cstdio>
#include <cstring>

#define N 32
static cudaStream_t stream[3];
static int *mem;
static bool one;

enum fence { NONE, GPU, SYS };
__device__ void fence(int f)
{
    if (f == GPU)
        __threadfence();
    if (f == SYS)
        __threadfence_system();
}
__device__ int look(const int *p) { return *(volatile const int *)p; }

__global__ void add_one(int *count) { atomicAdd_system(count, 1); }
__global__ void add_late(int *count)
{
    int v = look(count);
    atomicExch_system(count, v + 1); // count_late three_late
}
__global__ void add_swapped(int *count)
{
    for (int v = look(count), got; (got = atomicCAS_system(count, v, v + 1)) != v; v = got) {
    }
}
// Whoever does not see the other's flag goes in: of two at most one, where the fences order each other.
__global__ void enter(int *mine, const int *other, int *inside, int f)
{
    atomicExch_system(mine, 1);
    fence(f);
    if (look(other) == 0)
        *inside = *inside + 1; // exclusive_gpu exclusive_unfenced
}
__global__ void enter_and_count(int *mine, const int *other, int *inside, int f)
{
    atomicExch_system(mine, 1);
    fence(f);
    if (look(other) == 0)
        atomicAdd_system(inside, 1);
}
__global__ void send(int *flag, int *data, int f)
{
    *data = 42; // looks_once_gpu looks_once_unfenced
    fence(f);
    atomicExch_system(flag, 1);
}
__global__ void look_once(int *flag, const int *data, int *out)
{
    if (look(flag)) {
        __threadfence_system();
        *out = *data;
    }
}
__global__ void write_twice(int *number, int *pair, int f)
{
    for (int i = 1; i <= 2; i++) {
        *(volatile int *)number = 2 * i - 1;
        __threadfence_system();
        *(volatile int *)&pair[0] = i;
        *(volatile int *)&pair[1] = -i;
        fence(f);
        *(volatile int *)number = 2 * i;
    }
}
__global__ void read_pair(int *number, int *pair, int *out)
{
    int first, second, a, b;
    do {
        first = look(number);
        __threadfence_system();
        a = look(&pair[0]);
        b = look(&pair[1]);
        __threadfence_system();
        second = look(number);
    } while (first != second || (first & 1));
    *out = a + b;
}
// Here each addition of one kernel comes before the other's last, or behind its reads.
__global__ void add_to_all(int *sums)
{
    atomicAdd(&sums[threadIdx.x], 1); // sums_beside
}
__global__ void add_thrice(int *sums, int *out)
{
    for (int i = 0; i < 3; i++) {
        int was;
        if (threadIdx.x)
            asm volatile("atom.global.add.u32 %0, [%1], 1000;" : "=r"(was) : "l"(&sums[threadIdx.x ^ 1]) : "memory");
        (void)was;
        __syncthreads();
    }
    out[threadIdx.x] = sums[threadIdx.x]; // sums_beside
}
// Who has seen the addition is behind it.
__global__ void add_and_look(int *sums, int *out)
{
    if (atomicAdd(&sums[threadIdx.x], 1000) % 1000)
        out[threadIdx.x] = sums[threadIdx.x];
}
// Takes a slot: the right one by one atomic, the wrong one looks first.
__global__ void take(int *head, int *slots, int me, bool late)
{
    for (int i = 0; i < 3; i++) {
        int at = late ? look(head) : atomicAdd_system(head, 1);
        if (late)
            atomicExch_system(head, at + 1); // slots_late
        atomicExch_system(&slots[at], me);
    }
}
__global__ void wait_for(int *flag)
{
    while (!look(flag)) {
    }
}
__global__ void set(int *flag) { atomicExch_system(flag, 1); }
__global__ void idle(int *flag) { atomicAdd_system(flag + 1, 1); }

static void device(int d)
{
    if (!one)
        cudaSetDevice(d);
}

#define CASE(name) else if (!strcmp(which, name))

static bool run(const char *which)
{
    int *a = mem, *b = mem + N, *c = mem + 2 * N;
    int f = strstr(which, "unfenced") ? NONE : strstr(which, "gpu") ? GPU : SYS;
    if (!strncmp(which, "count", 5)) {
        for (int d = 0; d < 2; d++) {
            device(d);
            if (!strcmp(which, "count_late"))
                add_late<<<1, 1, 0, stream[d]>>>(a);
            else if (!strcmp(which, "count_swapped"))
                add_swapped<<<1, 1, 0, stream[d]>>>(a);
            else
                add_one<<<1, 1, 0, stream[d]>>>(a);
        }
    } else if (!strncmp(which, "exclusive", 9)) {
        for (int d = 0; d < 2; d++) {
            device(d);
            enter<<<1, 1, 0, stream[d]>>>(d ? b : a, d ? a : b, c, f);
        }
    } else if (!strncmp(which, "entered", 7)) {
        for (int d = 0; d < 2; d++) {
            device(d);
            enter_and_count<<<1, 1, 0, stream[d]>>>(d ? b : a, d ? a : b, c, f);
        }
    } else if (!strncmp(which, "looks", 5)) {
        device(0);
        send<<<1, 1, 0, stream[0]>>>(a, b, f);
        device(1);
        look_once<<<1, 1, 0, stream[1]>>>(a, b, c);
    } else if (!strncmp(which, "sequence", 8)) {
        device(0);
        write_twice<<<1, 1, 0, stream[0]>>>(a, b, f);
        device(1);
        read_pair<<<1, 1, 0, stream[1]>>>(a, b, c);
    } else if (!strncmp(which, "slots", 5)) {
        for (int d = 0; d < 2; d++) {
            device(d);
            take<<<1, 1, 0, stream[d]>>>(a, b, d + 1, !strcmp(which, "slots_late"));
        }
    }
    CASE("three") {
        for (int s = 0; s < 3; s++)
            add_swapped<<<1, N, 0, stream[s]>>>(a);
    }
    CASE("three_late") {
        add_one<<<1, 1, 0, stream[0]>>>(a);
        add_late<<<1, 1, 0, stream[1]>>>(a);
        add_one<<<1, 1, 0, stream[2]>>>(a);
    }
    CASE("sums_beside") {
        add_to_all<<<1, 2 * N, 0, stream[0]>>>(c + 2);
        add_thrice<<<1, 4 * N, 0, stream[1]>>>(c, c + 4 * N);
    }
    CASE("sums_behind") {
        cudaEvent_t added;
        cudaEventCreate(&added);
        add_to_all<<<1, 2 * N, 0, stream[0]>>>(c + 2);
        cudaEventRecord(added, stream[0]);
        cudaStreamWaitEvent(stream[1], added, 0);
        add_thrice<<<1, 4 * N, 0, stream[1]>>>(c, c + 4 * N);
        cudaEventDestroy(added);
    }
    CASE("sum_if_added") {
        add_to_all<<<1, 2 * N, 0, stream[0]>>>(c + 2);
        add_and_look<<<1, 4 * N, 0, stream[1]>>>(c, c + 4 * N);
    }
    CASE("waits_for_the_next") { // what ends the wait is behind another kernel
        device(0);
        wait_for<<<1, 1, 0, stream[0]>>>(a);
        device(1);
        idle<<<1, 1, 0, stream[1]>>>(a);
        set<<<1, 1, 0, stream[1]>>>(a);
    }
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    int devices = 0;
    cudaGetDeviceCount(&devices);
    one = devices < 2 || (argc > 2 && !strcmp(argv[2], "one"));
    cudaMalloc(&mem, 12 * N * sizeof *mem);
    cudaMemset(mem, 0, 12 * N * sizeof *mem);
    for (int d = 0; d < 3; d++) {
        device(d % 2);
        if (!one)
            cudaDeviceEnablePeerAccess(1 - d % 2, 0);
        cudaGetLastError();
        cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking);
    }
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    if (!run(which))
        return 2;
    for (int d = 0; d < (one ? 1 : 2); d++) {
        device(d);
        cudaDeviceSynchronize();
    }
    cudaSetDevice(0);
    cudaFree(mem);
    for (int d = 0; d < 3; d++)
        cudaStreamDestroy(stream[d]);
    return 0;
}
