// Many launches on memory of which each writes little: what the runs that are made beside them find is the same as before, whoever has written it
// meanwhile, and whatever becomes of the program's handlers of faults.
#include "check.cuh"
#include <csignal>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORDS (1 << 20)

__global__ void step(int *x, int at)
{
    atomicAdd(&x[at + threadIdx.x], 1); // run again for another schedule: memory is to be what it was
}

static int *x, *expected;

static void launch(int at)
{
    step<<<1, 32>>>(x, at);
    for (int i = 0; i < 32; i++)
        expected[at + i]++;
}

static void compare()
{
    int *now = (int *)malloc(WORDS * sizeof(int));
    OK(cudaMemcpy(now, x, WORDS * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(!memcmp(now, expected, WORDS * sizeof(int)));
    free(now);
}

static void rows(int at)
{
    int row[4] = {at, at + 1, at + 2, at + 3}; // two ints each in rows that are a page and more apart
    OK(cudaMemcpy2D(x + at, 8192, row, 8, 8, 2, cudaMemcpyHostToDevice));
    memcpy(expected + at, row, 8);
    memcpy(expected + at + 2048, row + 2, 8);
    OK(cudaMemset2D(x + at + 5, 8192, 0, 4, 3));
    expected[at + 5] = expected[at + 5 + 2048] = expected[at + 5 + 4096] = 0;
}

static void some(int from)
{
    for (int i = 0; i < 8; i++)
        launch((from + i * 77777) % (WORDS - 32));
    rows(from + 100000);
    for (int i = 0; i < 8; i++)
        launch((from + i * 33333) % (WORDS - 32));
    compare();
}

static void *with_all_blocked(void *)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    rows(200000);
    some(40);
    return NULL;
}

static void ours(int) { _exit(3); }

int main()
{
    expected = (int *)calloc(WORDS, sizeof(int));
    OK(cudaMalloc(&x, WORDS * sizeof(int)));
    OK(cudaMemset(x, 0, WORDS * sizeof(int)));
    some(0);
    pthread_t thread;
    CHECK(!pthread_create(&thread, NULL, with_all_blocked, NULL) && !pthread_join(thread, NULL));
    some(3);
    signal(SIGSEGV, ours);
    rows(300000);
    some(5);
    signal(SIGSEGV, SIG_DFL);
    some(9);
    // Past the C library nobody hears of it.
    struct { void (*handler)(int); unsigned long flags; void (*restorer)(); unsigned long mask; } raw = {ours, 0, NULL, 0};
    CHECK(!syscall(SYS_rt_sigaction, SIGSEGV, &raw, NULL, 8));
    rows(310000);
    some(11);
    OK(cudaFree(x));
    puts("as expected");
}
