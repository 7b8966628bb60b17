/**
 * @file timing.c
 * Timing: the lab's program again and again in one process, for one kernel file or for two in turn.
 *
 * `--rounds N --times FILE` makes N rounds (and two more, which are not counted) out of one. In each
 * the lab's own main() runs once for `--kernel` and once for `--reference`, in an order drawn from
 * the seed, on the round's own input, and leaves its own result file (OUTPUT.ROUND.kernel,
 * OUTPUT.ROUND.reference): whoever judges compares every one of them.
 *
 * What is measured is the device's time from before the first launch to after the last one of each
 * uninterrupted stretch of launches. No host code of a student's runs here. What a kernel could
 * leave behind for a later run is taken away: its module is loaded afresh for each run (so device
 * variables start anew), every buffer is overwritten before it is freed, buffers start at a
 * shuffled address, persisting cache lines are reset, and twice the L2 cache's size is written before
 * a stretch starts. That write also keeps the device busy while the host queues the launches.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

#define WARM_UP 2
#define MAX_ROUNDS 1000
#define MAX_SHUFFLE 4096 /* of 256 bytes */

extern int main(int argc, char **argv);

enum { KERNEL, REFERENCE };
static const char *const names[] = {[KERNEL] = "kernel", [REFERENCE] = "reference"};

struct sample {
    unsigned round;
    int which;
    double us;
};

static struct {
    const struct harness *asked; /**< the command line's; NULL: nothing is timed */
    unsigned round;
    int which;
    uint8_t *flush, *shuffle;
    size_t flush_bytes;
    cudaEvent_t start, stop;
    bool open; /**< a stretch of launches is under way */
    cudaStream_t stream;
    double us; /**< of the present run's stretches */
    bool launched;
    struct sample *samples;
    unsigned count;
} timing;

static int attribute(enum cudaDeviceAttr what)
{
    int value = 0;
    if (cudaDeviceGetAttribute(&value, what, 0) != cudaSuccess)
        cudaGetLastError();
    return value;
}

/** Bytes a second that the device's memory can move at most: two transfers a clock. */
static double peak_bandwidth(void)
{
    return 2e3 * attribute(cudaDevAttrMemoryClockRate) *
           (attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0);
}

static void put_text(FILE *f, const char *key, const char *s)
{
    fprintf(f, "\"%s\":\"", key);
    for (; *s; s++)
        if (*s != '"' && *s != '\\' && (unsigned char)*s >= 0x20)
            fputc(*s, f);
    fputs("\",", f);
}

void timing_describe_device(const char *path)
{
    struct cudaDeviceProp device;
    int driver = 0;
    FILE *f = fopen(path, "w");
    if (!f)
        harness_usage("cannot write %s", path);
    CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
    CUDA_CHECK(cudaDriverGetVersion(&driver));
    fputs("{", f);
    put_text(f, "device", device.name);
    fprintf(f, "\"driver\":%d,\"l2_bytes\":%d,\"bandwidth\":%.0f,\"host_reachable\":%d}\n", driver,
            attribute(cudaDevAttrL2CacheSize), peak_bandwidth(),
            attribute(cudaDevAttrPageableMemoryAccess));
    if (fclose(f))
        harness_usage("cannot write %s", path);
}

static void write_times(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        harness_usage("cannot write %s", path);
    fputs("{\"times\":[", f);
    for (unsigned i = 0; i < timing.count; i++)
        fprintf(f, "%s\n {\"round\":%u,\"which\":\"%s\",\"us\":%.3f}", i ? "," : "",
                timing.samples[i].round, names[timing.samples[i].which], timing.samples[i].us);
    fputs("]}\n", f);
    if (fclose(f))
        harness_usage("cannot write %s", path);
}

static void prepare(void)
{
    int l2 = attribute(cudaDevAttrL2CacheSize);
    timing.flush_bytes = 2 * (size_t)(l2 > 0 ? l2 : 32 << 20);
    CUDA_CHECK(cudaMalloc((void **)&timing.flush, timing.flush_bytes));
    CUDA_CHECK(cudaEventCreate(&timing.start));
    CUDA_CHECK(cudaEventCreate(&timing.stop));
    CUDA_CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
}

/** One run of the lab's program, its time and its result. */
static void run_once(unsigned round, int which, int argc, char **argv)
{
    struct random r = random_seeded(timing.asked->seed, (uint64_t)round << 1 | (unsigned)which);
    timing.round = round;
    timing.which = which;
    timing.us = 0;
    timing.launched = false;
    CUDA_CHECK(cudaMalloc((void **)&timing.shuffle, 256 * (1 + random_below(&r, MAX_SHUFFLE))));
    if (main(argc, argv) != HARNESS_OK)
        harness_usage("round %u did not end as it should", round);
    CUDA_CHECK(cudaFree(timing.shuffle));
    if (!timing.launched)
        harness_usage("nothing was launched, so there is nothing to time");
    if (round >= WARM_UP)
        timing.samples[timing.count++] = (struct sample){round - WARM_UP, which, timing.us};
}

void timing_run_all(const struct harness *asked, int argc, char **argv)
{
    unsigned rounds = asked->rounds + WARM_UP;
    struct random order = random_seeded(asked->seed, UINT64_C(0x6f72646572)); /* "order" */
    if (asked->rounds > MAX_ROUNDS)
        harness_usage("--rounds is at most %d", MAX_ROUNDS);
    timing.asked = asked;
    timing.samples = harness_malloc(2 * (size_t)rounds * sizeof *timing.samples);
    prepare();
    for (unsigned round = 0; round < rounds; round++) {
        int first = asked->reference_path ? (int)random_below(&order, 2) : KERNEL;
        run_once(round, first, argc, argv);
        if (asked->reference_path)
            run_once(round, !first, argc, argv);
    }
    write_times(asked->times_path);
    exit(HARNESS_OK);
}

bool timing_begin_run(struct harness *h)
{
    static char output[4096];
    if (!timing.asked)
        return false;
    const char *path = timing.which == REFERENCE ? h->reference_path : h->kernel_path;
    struct random r = random_seeded(h->seed, UINT64_C(0x726f756e64) + timing.round); /* "round" */
    snprintf(output, sizeof output, "%s.%u.%s", h->output_path, timing.round, names[timing.which]);
    h->kernel_path = path;
    h->output_path = output;
    h->seed = random_u64(&r);
    h->timed = true;
    return true;
}

void timing_before_launch(const struct harness *h, cudaStream_t stream)
{
    if (!h->timed)
        return;
    timing.launched = true;
    if (timing.open && stream != timing.stream)
        harness_usage("launches that are timed must be in one stream");
    if (timing.open)
        return;
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaCtxResetPersistingL2Cache());
    CUDA_CHECK(cudaMemsetAsync(timing.flush, (int)timing.round, timing.flush_bytes, stream));
    CUDA_CHECK(cudaEventRecord(timing.start, stream));
    timing.open = true;
    timing.stream = stream;
}

void timing_after_launch(const struct harness *h)
{
    if (h->timed)
        CUDA_CHECK(cudaEventRecord(timing.stop, timing.stream));
}

void timing_end_stretch(void)
{
    float ms;
    if (!timing.open)
        return;
    timing.open = false;
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaEventElapsedTime(&ms, timing.start, timing.stop));
    timing.us += ms * 1e3;
}
