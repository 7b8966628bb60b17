// processes.cu: device memory and events that two processes share (cudaIpcGetMemHandle and its like).
//
// case process_writes expect=silent incomplete=another.process
// case process_own_race expect=data-race incomplete=another.process
// case process_event expect=silent incomplete=another.process
// case process_polls expect=silent incomplete=another.process
// case process_adds expect=silent incomplete=another.process
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#define N 256
#define ADDS 1000 /* by each of 32 threads; */
#define QUICK 200 /* and so often as many by the other process at the same time: it has no checks */
static int to_guest[2], to_owner[2];
static int *p;

__global__ void fill(int *p, int v) { p[threadIdx.x] = v; }
__global__ void sum(int *p, int *out) { *out = p[threadIdx.x] + threadIdx.x; } // process_own_race
__global__ void total(const int *p, int *out)
{
    int t = 0;
    for (int i = 0; i < N; i++)
        t += p[i];
    *out = t;
}
__global__ void add(int *p, int times)
{
    for (int i = 0; i < times; i++)
        atomicAdd_system(p, 1);
}
__global__ void await(int *p)
{
    while (atomicAdd_system(p, 0) == 0)
        ;
}

static void ok(cudaError_t e)
{
    if (e)
        fprintf(stderr, "%s\n", cudaGetErrorName(e)), exit(2);
}
static void tell(int *pipe, char c = 'x') { if (write(pipe[1], &c, 1) != 1) exit(3); }
static void hear(int *pipe) { char c; if (read(pipe[0], &c, 1) != 1) exit(3); }

struct handed {
    cudaIpcMemHandle_t memory;
    cudaIpcEventHandle_t event;
};

// The other process: opens, does its half, closes. It runs without checks of its own being looked at.
static int guest(const char *name)
{
    handed h;
    int *q;
    cudaEvent_t event;
    if (read(to_guest[0], &h, sizeof h) != sizeof h)
        return 3;
    ok(cudaIpcOpenMemHandle((void **)&q, h.memory, cudaIpcMemLazyEnablePeerAccess));
    ok(cudaIpcOpenEventHandle(&event, h.event));
    if (!strcmp(name, "process_event")) {
        int got = 0;
        ok(cudaStreamWaitEvent(0, event, 0));
        ok(cudaMemcpy(&got, q + 1, 4, cudaMemcpyDeviceToHost));
        if (got != 7)
            return 4;
    }
    if (!strcmp(name, "process_adds")) {
        tell(to_owner);
        add<<<1, 32>>>(q, QUICK * ADDS);
    } else {
        fill<<<1, N>>>(q, 1);
    }
    ok(cudaDeviceSynchronize());
    ok(cudaIpcCloseMemHandle(q));
    tell(to_owner);
    return 0;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    handed h;
    cudaEvent_t event;
    int *out, got = 0, status = 0;
    if (pipe(to_guest) || pipe(to_owner))
        return 3;
    pid_t child = fork();
    if (!child) {
        setenv("SOFTGPU_CHECK", "none", 1); // what is judged here is the other one
        unsetenv("SOFTGPU_JSON");
        exit(guest(name));
    }
    ok(cudaMalloc(&p, N * sizeof *p));
    ok(cudaMalloc(&out, sizeof *out));
    ok(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
    if (strcmp(name, "process_writes")) // there the other process is the only one that writes
        ok(cudaMemset(p, 0, N * sizeof *p));
    ok(cudaDeviceSynchronize());
    ok(cudaIpcGetMemHandle(&h.memory, p));
    ok(cudaIpcGetEventHandle(&h.event, event));
    if (!strcmp(name, "process_event")) {
        fill<<<1, N>>>(p, 7);
        ok(cudaEventRecord(event, 0));
    }
    if (write(to_guest[1], &h, sizeof h) != sizeof h)
        return 3;
    bool polls = !strcmp(name, "process_polls"), adds = !strcmp(name, "process_adds");
    if (polls)
        await<<<1, 1>>>(p);
    else
        hear(to_owner);
    if (adds)
        add<<<1, 32>>>(p, ADDS);
    ok(cudaDeviceSynchronize());
    if (polls || adds)
        hear(to_owner);
    if (!strcmp(name, "process_own_race"))
        sum<<<1, N>>>(p, out);
    else
        total<<<1, 1>>>(p, out);
    ok(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    ok(cudaFree(p));
    ok(cudaFree(out));
    if (waitpid(child, &status, 0) != child || status)
        return 5;
    return strcmp(name, "process_own_race") && got != (adds ? (1 + QUICK) * 32 * ADDS : N);
}
