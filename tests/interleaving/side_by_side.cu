// Launches whose drawn runs may go side by side, each in a copy of the process, and programs that would notice.
//   side_by_side silent | drawn | printed | two | handler | thread
// On stderr `copies`, if copies of the process were made.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

// Right whichever block comes first.
__global__ void silent(int *data, unsigned *count)
{
    unsigned ticket = atomicAdd(count, 1);
    data[ticket] = (int)blockIdx.x;
}

// Two blocks race if the first of 256 comes in the middle: neither in order nor backward.
__global__ void drawn(int *data, unsigned *count)
{
    unsigned ticket = atomicAdd(count, 1);
    if (threadIdx.x == 0 && (blockIdx.x == 1 || (blockIdx.x == 0 && ticket / 32 > 100 && ticket / 32 < 150)))
        data[0] = (int)blockIdx.x; // race
}

__global__ void printed(int *data, unsigned *count)
{
    unsigned ticket = atomicAdd(count, 1);
    data[ticket] = 1;
    if (ticket == 0)
        printf("first\n");
}

static void handler(int)
{
}

static void *wait_for_ever(void *)
{
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    const char *task = argc > 1 ? argv[1] : "silent";
    int *data, host[4];
    unsigned *count;
    pthread_t thread;
    struct rusage children;
    if (!strcmp(task, "handler"))
        signal(SIGCHLD, handler);
    if (!strcmp(task, "thread"))
        pthread_create(&thread, NULL, wait_for_ever, NULL);
    cudaMalloc(&data, 4 * sizeof *data);
    cudaMalloc(&count, sizeof *count);
    for (int launch = 0; launch < 1 + !strcmp(task, "two"); launch++) {
        cudaMemset(data, 0, 4 * sizeof *data);
        cudaMemset(count, 0, sizeof *count);
        if (!strcmp(task, "drawn") || !strcmp(task, "two"))
            drawn<<<256, 32>>>(data, count);
        else if (!strcmp(task, "printed"))
            printed<<<4, 1>>>(data, count);
        else
            silent<<<4, 1>>>(data, count);
        cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
        printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    }
    cudaFree(data);
    cudaFree(count);
    getrusage(RUSAGE_CHILDREN, &children);
    if (children.ru_minflt)
        fprintf(stderr, "copies\n");
    return 0;
}
