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

static unsigned *place_of(const program *p, const range *r)
{
    return r->buffer < 0 ? nullptr : p->buffer[r->buffer] + r->from;
}

static void take(program *p, const step *s, unsigned number, duty *d)
{
    const range *r = s->writes.buffer >= 0 ? &s->writes : &s->reads;
    cudaStream_t stream = p->stream[s->stream];
    switch (s->kind) {
    case STEP_KERNEL:
        work<<<1, 32, 0, stream>>>(place_of(p, &s->reads), s->reads.count, place_of(p, &s->writes), s->writes.count, number);
        break;
    case STEP_COPY:
        cudaMemcpyAsync(place_of(p, &s->writes), place_of(p, &s->reads), s->writes.count * sizeof(unsigned), cudaMemcpyDefault, stream);
        break;
    case STEP_COPY_NOW:
        cudaMemcpy(place_of(p, &s->writes), place_of(p, &s->reads), s->writes.count * sizeof(unsigned), cudaMemcpyDefault);
        break;
    case STEP_FILL:
        cudaMemsetAsync(place_of(p, &s->writes), (int)number + 1, s->writes.count * sizeof(unsigned), stream);
        break;
    case STEP_HOST_FUNCTION:
        *d = {place_of(p, r), r->count, number, s->writes.buffer >= 0};
        cudaLaunchHostFunc(stream, do_duty, d);
        break;
    case STEP_HOST_READS:
    case STEP_HOST_WRITES:
        touch(place_of(p, r), r->count, s->kind == STEP_HOST_WRITES, number);
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

static int run(const scene *s)
{
    static duty duties[MAX_STEPS];
    program p = {};
    for (int i = 1; i < STREAMS; i++)
        cudaStreamCreateWithFlags(&p.stream[i], i == NOT_BLOCKING ? cudaStreamNonBlocking : cudaStreamDefault);
    for (int i = 0; i < EVENTS; i++)
        cudaEventCreate(&p.event[i]);
    for (int i = 0; i < BUFFERS; i++) {
        if (i < DEVICE_BUFFERS)
            cudaMalloc(&p.buffer[i], WORDS * sizeof(unsigned));
        else
            cudaMallocHost(&p.buffer[i], WORDS * sizeof(unsigned));
        cudaMemset(p.buffer[i], 0, WORDS * sizeof(unsigned));
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < s->count; i++)
        take(&p, &s->step[i], (unsigned)i + 1, &duties[i]);
    bool well = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < BUFFERS; i++)
        i < DEVICE_BUFFERS ? cudaFree(p.buffer[i]) : cudaFreeHost(p.buffer[i]);
    for (int i = 0; i < EVENTS; i++)
        cudaEventDestroy(p.event[i]);
    for (int i = 1; i < STREAMS; i++)
        cudaStreamDestroy(p.stream[i]);
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
