/**
 * @file random_streams.cu
 * Random host programs (scene.h) on softgpu, and what it finds beside what is so by definition.
 *
 *   random_streams run SEED NUMBER        runs the scene; under softgpu
 *   random_streams right SEED NUMBER      exit status: enum scene_verdict
 *   random_streams print SEED NUMBER      says what it is, and what conflicts
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

extern "C" {
#include "scene.h"
}

__global__ void work(const unsigned *from, unsigned reads, unsigned *to, unsigned writes, unsigned number)
{
    unsigned sum = number * 1000;
    for (unsigned i = threadIdx.x; i < reads; i += 32)
        sum += from[i];
    for (unsigned i = threadIdx.x; i < writes; i += 32)
        to[i] = sum + i;
}

struct program {
    cudaStream_t stream[STREAMS];
    cudaEvent_t event[EVENTS];
    unsigned *buffer[BUFFERS];
};

/** What a host function does. */
struct duty {
    unsigned *place, count, number;
    bool writes;
};

static volatile unsigned sink;

static void touch(unsigned *place, unsigned count, bool writes, unsigned number)
{
    volatile unsigned *at = place;
    for (unsigned i = 0; i < count; i++)
        if (writes)
            at[i] = number * 1000 + i;
        else
            sink = sink + at[i];
}

static void do_duty(void *data)
{
    const duty *d = (const duty *)data;
    touch(d->place, d->count, d->writes, d->number);
}

static unsigned pageable[MAX_STEPS + 1][WORDS]; /* of each step */

static unsigned *place_of(const program *p, const range *r, unsigned number)
{
    return r->buffer < 0 ? pageable[number] : p->buffer[r->buffer] + r->from;
}

static void take(program *p, const step *s, unsigned number, duty *d, cudaStream_t stream)
{
    const range *r = s->writes.buffer >= 0 ? &s->writes : &s->reads;
    switch (s->kind) {
    case STEP_KERNEL:
        work<<<1, 32, 0, stream>>>(place_of(p, &s->reads, number), s->reads.count, place_of(p, &s->writes, number), s->writes.count, number);
        break;
    case STEP_COPY:
        cudaMemcpyAsync(place_of(p, &s->writes, number), place_of(p, &s->reads, number), r->count * sizeof(unsigned), cudaMemcpyDefault, stream);
        break;
    case STEP_COPY_NOW:
        cudaMemcpy(place_of(p, &s->writes, number), place_of(p, &s->reads, number), s->writes.count * sizeof(unsigned), cudaMemcpyDefault);
        break;
    case STEP_FILL:
        cudaMemsetAsync(place_of(p, &s->writes, number), (int)number + 1, s->writes.count * sizeof(unsigned), stream);
        break;
    case STEP_ALLOC:
        cudaMallocAsync(&p->buffer[POOLED], WORDS * sizeof(unsigned), stream);
        cudaMemsetAsync(p->buffer[POOLED], 0, WORDS * sizeof(unsigned), stream);
        break;
    case STEP_FREE:
        cudaFreeAsync(p->buffer[POOLED], stream);
        p->buffer[POOLED] = nullptr;
        break;
    case STEP_HOST_FUNCTION:
        *d = {place_of(p, r, number), r->count, number, s->writes.buffer >= 0};
        cudaLaunchHostFunc(stream, do_duty, d);
        break;
    case STEP_HOST_READS:
    case STEP_HOST_WRITES:
        touch(place_of(p, r, number), r->count, s->kind == STEP_HOST_WRITES, number);
        break;
    case STEP_RECORD:
        cudaEventRecord(p->event[s->event], stream);
        break;
    case STEP_WAIT_EVENT:
        cudaStreamWaitEvent(stream, p->event[s->event], 0);
        break;
    case STEP_JOIN_EVENT:
        cudaEventSynchronize(p->event[s->event]);
        break;
    case STEP_ASK_EVENT:
        while (cudaEventQuery(p->event[s->event]) == cudaErrorNotReady) {
        }
        break;
    case STEP_JOIN_STREAM:
        cudaStreamSynchronize(stream);
        break;
    case STEP_ASK_STREAM:
        while (cudaStreamQuery(stream) == cudaErrorNotReady) {
        }
        break;
    case STEP_JOIN_ALL:
        cudaDeviceSynchronize();
        break;
    }
}

/* ---- Graphs ---- */

static cudaGraph_t capture(program *p, const step *s, int count, unsigned number)
{
    cudaStream_t lane[2];
    cudaEvent_t parts, joins;
    cudaGraph_t g = nullptr;
    bool parted = false;
    for (cudaStream_t &l : lane)
        cudaStreamCreateWithFlags(&l, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&parts, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&joins, cudaEventDisableTiming);
    cudaStreamBeginCapture(lane[0], cudaStreamCaptureModeThreadLocal);
    for (int i = 0; i < count; i++) {
        if (s[i].lane && !parted) {
            cudaEventRecord(parts, lane[0]);
            cudaStreamWaitEvent(lane[1], parts, 0);
            parted = true;
        }
        take(p, &s[i], number + (unsigned)i, nullptr, lane[s[i].lane]);
    }
    if (parted) {
        cudaEventRecord(joins, lane[1]);
        cudaStreamWaitEvent(lane[0], joins, 0);
    }
    cudaStreamEndCapture(lane[0], &g);
    for (cudaStream_t l : lane)
        cudaStreamDestroy(l);
    cudaEventDestroy(parts);
    cudaEventDestroy(joins);
    return g;
}

static void add_node(program *p, cudaGraph_t g, cudaGraphNode_t *node, const cudaGraphNode_t *after, size_t count, const step *s, unsigned number)
{
    const unsigned *from = place_of(p, &s->reads, number);
    unsigned *to = place_of(p, &s->writes, number), reads = s->reads.count, writes = s->writes.count;
    if (s->kind == STEP_KERNEL) {
        void *args[] = {&from, &reads, &to, &writes, &number};
        cudaKernelNodeParams k = {};
        k.func = (void *)work;
        k.gridDim = dim3(1);
        k.blockDim = dim3(32);
        k.kernelParams = args;
        cudaGraphAddKernelNode(node, g, after, count, &k);
    } else if (s->kind == STEP_COPY) {
        cudaGraphAddMemcpyNode1D(node, g, after, count, to, from, writes * sizeof(unsigned), cudaMemcpyDefault);
    } else {
        cudaMemsetParams m = {};
        m.dst = to;
        m.elementSize = 4;
        m.height = 1;
        m.width = writes;
        m.value = number;
        cudaGraphAddMemsetNode(node, g, after, count, &m);
    }
}

/** The graph whose nodes are the scene's steps from `first` on. */
static cudaGraph_t make_by_hand(program *p, const step *s, int count, int first)
{
    cudaGraphNode_t node[MAX_STEPS], after[MAX_STEPS];
    cudaGraph_t g;
    cudaGraphCreate(&g, 0);
    for (int i = 0; i < count; i++) {
        size_t n = 0;
        for (int k = 0; k < i; k++)
            if (s[i].after >> (first + k) & 1)
                after[n++] = node[k];
        add_node(p, g, &node[i], after, n, &s[i], (unsigned)(first + i + 1));
    }
    return g;
}

/** `graphs`: by their first node's step. */
static cudaGraphExec_t launch_graph(program *p, const scene *s, int last, const cudaGraphExec_t *graphs)
{
    int count = s->step[last].node, first = last + 1 - count;
    const step *nodes = &s->step[first];
    cudaGraphExec_t exec = nullptr;
    if (nodes->again) {
        cudaGraphLaunch(graphs[nodes->again - 1], p->stream[nodes->stream]);
        return graphs[nodes->again - 1];
    }
    cudaGraph_t g = nodes->lane < 0 ? make_by_hand(p, nodes, count, first) : capture(p, nodes, count, (unsigned)first + 1);
    cudaGraphInstantiate(&exec, g, 0);
    cudaGraphLaunch(exec, p->stream[nodes->stream]);
    cudaGraphDestroy(g);
    return exec;
}

static void make(program *p)
{
    for (int i = 1; i < STREAMS; i++)
        if (i == OF_THREAD)
            p->stream[i] = cudaStreamPerThread;
        else
            cudaStreamCreateWithPriority(&p->stream[i], i == NOT_BLOCKING || i == URGENT ? cudaStreamNonBlocking : cudaStreamDefault, i == URGENT ? -1 : 0);
    for (int i = 0; i < EVENTS; i++)
        cudaEventCreate(&p->event[i]);
    for (int i = 0; i < POOLED; i++) {
        if (i < DEVICE_BUFFERS)
            cudaMalloc(&p->buffer[i], WORDS * sizeof(unsigned));
        else if (i == MANAGED)
            cudaMallocManaged(&p->buffer[i], WORDS * sizeof(unsigned));
        else
            cudaMallocHost(&p->buffer[i], WORDS * sizeof(unsigned));
        cudaMemset(p->buffer[i], 0, WORDS * sizeof(unsigned));
    }
    cudaDeviceSynchronize();
}

static int run(const scene *s)
{
    static duty duties[MAX_STEPS];
    static cudaGraphExec_t graphs[MAX_STEPS];
    program p = {};
    make(&p);
    for (int i = 0; i < s->count; i++)
        if (!s->step[i].node)
            take(&p, &s->step[i], (unsigned)i + 1, &duties[i], p.stream[s->step[i].stream]);
        else if (s->step[i].last)
            graphs[i + 1 - s->step[i].node] = launch_graph(&p, s, i, graphs);
    bool well = cudaDeviceSynchronize() == cudaSuccess;
    if (p.buffer[POOLED])
        cudaFree(p.buffer[POOLED]);
    for (int i = 0; i < POOLED; i++)
        i < DEVICE_BUFFERS || i == MANAGED ? cudaFree(p.buffer[i]) : cudaFreeHost(p.buffer[i]);
    for (int i = 0; i < EVENTS; i++)
        cudaEventDestroy(p.event[i]);
    for (int i = 1; i < STREAMS; i++)
        if (i != OF_THREAD)
            cudaStreamDestroy(p.stream[i]);
    for (int i = 0; i < s->count; i++)
        if (graphs[i] && !s->step[i].again)
            cudaGraphExecDestroy(graphs[i]);
    return !well;
}

int main(int argc, char **argv)
{
    scene s;
    int pair[2];
    if (argc < 4)
        return 2;
    scene_make(&s, strtoull(argv[2], nullptr, 10), atoi(argv[3]));
    enum scene_verdict verdict = scene_verdict(&s, pair);
    if (!strcmp(argv[1], "run"))
        return run(&s);
    if (!strcmp(argv[1], "right"))
        return verdict;
    scene_print(&s);
    if (verdict)
        fprintf(stderr, "  %d and %d conflict%s\n", pair[0], pair[1], verdict == SCENE_EITHER ? ", which may pass" : "");
    return 0;
}
