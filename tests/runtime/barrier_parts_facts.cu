// How a barrier with a count counts parts of a warp, and what a warp is told whose lanes wait at two barriers at once. The same program runs on
// a real GPU and on softgpu without checks, and the two outputs are compared (barrier_parts_facts.gpu.txt).
//
// Time has three stages: warp 1 comes LATE clocks after the others, and those lanes that take no part leave GONE clocks after the launch. Told is
// which lanes of warp 0 and of warp 1 passed in which stage. Each case has a process of its own, which is ended where its kernel never does.
//
//   nvcc -arch=compute_75 -cudart shared -o barrier_parts_facts barrier_parts_facts.cu && ./barrier_parts_facts
#include <cstdio>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

enum { SOON = 200000, LATE = 2000000, GONE = 4000000, LIMIT_MS = 2500 };

__device__ volatile int late, gone, flag;
__device__ unsigned passed[3][2];

__device__ void until(long long start, long long clocks)
{
    while (clock64() - start < clocks)
        ;
}
__device__ void come_late(long long start) { until(start, LATE), late = 1, __threadfence(); }
__device__ void stay(long long start) { until(start, GONE), gone = 1, __threadfence(); }
__device__ void sync(int number, int count) { asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(count) : "memory"); }
__device__ void sync_all(int number) { asm volatile("barrier.sync %0;" ::"r"(number) : "memory"); }
__device__ void arrive(int number, int count) { asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(count) : "memory"); }
__device__ void pass(unsigned warp, unsigned lane)
{
    if (warp < 2)
        atomicOr(&passed[gone ? 2 : late ? 1 : 0][warp], 1u << lane);
}

#define CASES                                                                                                                                        \
    CASE(odd_others_gone_before, 64, 64, if (w == 0 && !odd) return; if (w == 1) come_late(t); else until(t, SOON); sync(1, 64); pass(w, l))           \
    CASE(odd_others_go_after, 64, 64, if (w == 0 && !odd) { until(t, SOON); return; } if (w == 1) come_late(t); sync(1, 64); pass(w, l))               \
    CASE(odd_alone_others_stay, 32, 32, if (!odd) stay(t); else { sync(1, 32); pass(w, l); })                                                          \
    CASE(odd_alone_others_gone, 32, 32, if (!odd) return; sync(1, 32); pass(w, l))                                                                     \
    CASE(odd_of_two, 64, 32, if (!odd) stay(t); else { if (w == 1) come_late(t); sync(1, 32); pass(w, l); })                                           \
    CASE(odd_of_four, 128, 64, if (!odd) stay(t); else { if (w == 1) come_late(t); sync(1, 64); pass(w, l); })                                         \
    CASE(odd_of_four_others_wait_for_them, 128, 64, if (!odd) while (!flag) ; else { sync(1, 64); pass(w, l); flag = 1; })                             \
    CASE(lane_of_each_of_32, 1024, 32, if (l) stay(t); else { if (w == 1) come_late(t); sync(1, 32); pass(w, l); })                                    \
    CASE(odd_then_even, 64, 64, if (w == 1) come_late(t); if (odd || w) sync(1, 64); else { until(t, SOON); sync(1, 64); } pass(w, l))                 \
    CASE(by_parity, 64, 32, if (w == 1) come_late(t); sync(1 + l % 2, 32); pass(w, l))                                                                 \
    CASE(count_by_parity, 96, 64, if (w == 1) come_late(t); sync(1, w == 0 && odd ? 96 : 64); pass(w, l))                                              \
    CASE(even_elsewhere_while_odd_wait, 64, 64, if (w == 1) { come_late(t); sync(1, 64); sync(2, 64); } else if (odd) sync(1, 64); else { until(t, SOON); sync(2, 64); } pass(w, l)) \
    CASE(even_elsewhere_after_odd, 96, 64, if (w == 0 && odd) sync(1, 64); else if (w == 1) sync(1, 64); else { until(t, SOON); come_late(t); sync(2, 64); } pass(w, l)) \
    CASE(even_arrive_elsewhere_while_odd_wait, 64, 64, if (w == 1) { sync(2, 64); come_late(t); sync(1, 64); } else if (odd) sync(1, 64); else { until(t, SOON); arrive(2, 64); } pass(w, l)) \
    CASE(whole_elsewhere, 64, 64, if (w == 1) come_late(t); if (w == 1 || odd) sync_all(0); else { until(t, SOON); sync_all(0); } pass(w, l))          \
    CASE(no_count_two_numbers, 64, 64, if (w == 1) come_late(t); if (odd) sync_all(1); else { until(t, SOON); sync_all(2); } pass(w, l))               \
    CASE(odd_arrive_others_stay, 64, 64, if (w == 1) { come_late(t); sync(1, 64); } else if (odd) arrive(1, 64); else stay(t); pass(w, l))             \
    CASE(odd_of_two_arrive, 96, 64, if (w == 1) { come_late(t); sync(1, 64); pass(w, l); } else if (odd) arrive(1, 64); else stay(t))                   \
    CASE(odd_then_even_arrive, 64, 64, if (w == 1) { come_late(t); sync(1, 64); } else if (odd) arrive(1, 64); else { until(t, SOON); arrive(1, 64); } pass(w, l)) \
    CASE(odd_then_even_arrive_96, 64, 96, if (w == 1) { come_late(t); sync(1, 96); } else if (odd) arrive(1, 96); else { until(t, SOON); arrive(1, 96); } pass(w, l)) \
    CASE(odd_arrive_others_gone_before, 64, 64, if (w == 1) { come_late(t); sync(1, 64); } else if (!odd) return; else { until(t, SOON); arrive(1, 64); } pass(w, l)) \
    CASE(odd_arrive_others_go_after, 64, 64, if (w == 1) { come_late(t); sync(1, 64); } else if (odd) arrive(1, 64); else until(t, SOON); pass(w, l))   \
    CASE(odd_arrive_even_wait, 64, 64, if (w == 1) { come_late(t); sync(1, 64); } else if (odd) { arrive(1, 64); until(t, GONE); } else { until(t, SOON); sync(1, 64); } pass(w, l)) \
    CASE(odd_arrive_even_wait_96, 64, 96, if (w == 1) { come_late(t); sync(1, 96); } else if (odd) { arrive(1, 96); until(t, GONE); } else { until(t, SOON); sync(1, 96); } pass(w, l)) \
    CASE(odd_wait_even_arrive, 64, 64, if (w == 1) { come_late(t); sync(1, 64); } else if (odd) sync(1, 64); else { until(t, SOON); arrive(1, 64); until(t, GONE); } pass(w, l)) \
    CASE(odd_wait_even_arrive_96, 64, 96, if (w == 1) { come_late(t); sync(1, 96); } else if (odd) sync(1, 96); else { until(t, SOON); arrive(1, 96); until(t, GONE); } pass(w, l)) \
    CASE(both_halves_twice, 64, 64, for (int i = 0; i < 2; i++) if (w == 1) { if (i) come_late(t); sync(1, 64); } else if (odd) sync(1, 64); else { until(t, SOON * (i + 1)); sync(1, 64); } pass(w, l))

#define CASE(name, threads, count, ...) __global__ void name() { long long t = clock64(); unsigned w = threadIdx.x / 32, l = threadIdx.x % 32; bool odd = l % 2; (void)odd; __VA_ARGS__; }
CASES
#undef CASE

#define CASE(name, threads, count, ...) {#name, threads, name},
static struct {
    const char *name;
    int threads;
    void (*kernel)();
} cases[] = {CASES};

static void tell(int number)
{
    cases[number].kernel<<<1, cases[number].threads>>>();
    cudaError_t e = cudaDeviceSynchronize();
    unsigned p[3][2] = {};
    if (e == cudaErrorLaunchTimeout)
        pause(); // softgpu has seen that it never ends
    cudaMemcpyFromSymbol(p, passed, sizeof p);
    printf("%s: %s; at once %08x %08x, when warp 1 came %08x %08x, when the others left %08x %08x\n", cases[number].name, cudaGetErrorName(e), p[0][0],
           p[0][1], p[1][0], p[1][1], p[2][0], p[2][1]);
    fflush(stdout);
    _exit(0);
}

int main()
{
    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); i++) {
        fflush(stdout);
        int pid = fork(), ms = 0;
        if (!pid)
            tell(i);
        while (ms < LIMIT_MS && !waitpid(pid, NULL, WNOHANG))
            usleep(10000), ms += 10;
        if (ms < LIMIT_MS)
            continue;
        printf("%s: never ends\n", cases[i].name);
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
    }
}
