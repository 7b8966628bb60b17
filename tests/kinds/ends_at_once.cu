// Programs that end without their exit handlers: what they have not waited for is run, judged and told all the same. A child of theirs that
// ends so is none of it.
// case at_once expect=not-waited level=warning
// case at_once_posix expect=not-waited level=warning
// case at_once_quick expect=not-waited level=warning
// case at_once_wrong expect=out-of-bounds also=not-waited says=its.errors.are.not.seen
// case at_once_quick_wrong expect=out-of-bounds also=not-waited says=its.errors.are.not.seen
// case at_once_failed_call expect=failed-call
// case at_once_status expect=not-waited level=warning status=7
// case at_once_waited expect=silent
// case at_once_quick_waited expect=silent
// case at_once_quick_handled expect=silent
// case at_once_by_child expect=silent
// case at_once_by_lent_child expect=silent
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#define CASE(name) if (!strcmp(argv[1], name))

enum { N = 32 };

__device__ int variable[N];

__global__ void fill()
{
    variable[threadIdx.x] = 1;
}

__global__ void fill_behind(int *out)
{
    out[threadIdx.x] = 1; // at_once_wrong at_once_quick_wrong
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 1;
    CASE("at_once") {
        fill<<<1, N>>>(); // at_once
        _Exit(0);
    }
    CASE("at_once_posix") {
        fill<<<1, N>>>(); // at_once_posix
        _exit(0);
    }
    CASE("at_once_quick") {
        fill<<<1, N>>>(); // at_once_quick
        quick_exit(0);
    }
    CASE("at_once_wrong") {
        int *p;
        cudaMalloc(&p, N * sizeof *p);
        fill_behind<<<1, N>>>(p + 1);
        _exit(0);
    }
    CASE("at_once_quick_wrong") {
        int *p;
        cudaMalloc(&p, N * sizeof *p);
        fill_behind<<<1, N>>>(p + 1);
        quick_exit(0);
    }
    CASE("at_once_failed_call") {
        int *p, host[N];
        cudaMalloc(&p, sizeof host / 2);
        cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice); // at_once_failed_call
        _exit(0);
    }
    CASE("at_once_status") {
        fill<<<1, N>>>(); // at_once_status
        _exit(7);
    }
    CASE("at_once_waited") {
        fill<<<1, N>>>();
        cudaDeviceSynchronize();
        _exit(0);
    }
    CASE("at_once_quick_waited") {
        fill<<<1, N>>>();
        cudaDeviceSynchronize();
        quick_exit(0);
    }
    CASE("at_once_quick_handled") { // a handler waits
        fill<<<1, N>>>();
        at_quick_exit([] { cudaDeviceSynchronize(); });
        quick_exit(0);
    }
    CASE("at_once_by_child") {
        fill<<<1, N>>>();
        pid_t child = fork();
        if (child == 0)
            _exit(0);
        waitpid(child, nullptr, 0);
        cudaDeviceSynchronize();
    }
    CASE("at_once_by_lent_child") { // it has this process's memory
        fill<<<1, N>>>();
        pid_t child = vfork();
        if (child == 0)
            _exit(0);
        waitpid(child, nullptr, 0);
        cudaDeviceSynchronize();
    }
    return 0;
}
