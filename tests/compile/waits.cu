// A program that has a child, files and signals of its own: none of them may notice that its kernel becomes machine code.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] += i;
}

static volatile sig_atomic_t signals;
static void count(int) { signals = signals + 1; }

static int launch(int *x, int n)
{
    int last = -1;
    add<<<(n + 255) / 256, 256>>>(x, n);
    cudaMemcpy(&last, x + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    return last;
}

int main()
{
    const int n = 100000;
    int *x, found = 0, status;
    signal(SIGCHLD, count);
    cudaMalloc(&x, n * sizeof *x);
    cudaMemset(x, 0, n * sizeof *x);
    printf("%d\n", launch(x, n)); /* compiles */
    int low = open("/dev/null", O_RDONLY);
    int before = dup(0);
    printf("descriptors are low: %d\n", low < 64 && before < 64);
    pid_t mine = fork();
    if (mine == 0)
        _exit(7);
    for (pid_t pid; (pid = wait(&status)) > 0 || errno == EINTR;)
        found += pid == mine ? 1 : pid > 0 ? 100 : 0;
    printf("children %d, signals %d, then %s\n", found, (int)signals, errno == ECHILD ? "none" : "an error");
    for (int fd = 3; fd < 1024; fd++) /* as who becomes a daemon does */
        close(fd);
    FILE *own[40];
    for (int i = 0; i < 40; i++)
        own[i] = tmpfile();
    printf("%d\n", launch(x, n));
    long written = 0;
    for (int i = 0; i < 40; i++)
        if (own[i]) {
            fseek(own[i], 0, SEEK_END);
            written += ftell(own[i]);
        }
    printf("written into its files: %ld\n", written);
    return 0;
}
