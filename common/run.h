/**
 * @file run.h
 * Inside of the harness library: the run and its buffers. Labs include harness.h only.
 */
#ifndef COMMON_RUN_H
#define COMMON_RUN_H

#include "harness.h"

#define MAX_PARAMS 64
#define MAX_BUFFERS 96
#define MAX_INPUTS 64
#define MAX_GUARD (1 << 20)

struct param {
    char name[48];
    int64_t value;
};

/** `data` lies `guard` bytes after `base`; as many guard bytes follow it. */
struct buffer {
    char name[32];
    uint8_t *base;
    size_t guard, bytes;
};

struct harness {
    const char *kernel_path, *case_name, *output_path, *distribution;
    const char *reference_path, *times_path, *about_path; /**< timing; NULL: not asked for */
    unsigned rounds;                                      /**< of timing; 0: none */
    bool timed;                                           /**< this is one of many timed runs */
    uint64_t seed;
    size_t guard;
    struct param params[MAX_PARAMS];
    int param_count;
    cudaLibrary_t library;
    struct buffer buffers[MAX_BUFFERS];
    int buffer_count;
    int32_t *inputs[MAX_INPUTS];
    int input_count;
    struct result result;
};

/** Bytes of guard zone where `--guard` says nothing: 256 on a real GPU, 0 on softgpu. */
size_t buffer_default_guard(void);
/** Ends the process with HARNESS_CUDA_ERROR if a guard zone was written to. */
void buffers_check(const struct harness *h);
/** Frees all buffers. In a timed run each is overwritten first: the next run must not find in them
 *  what this one computed. */
void buffers_free(struct harness *h);

/* timing.c */

/** Runs main() for every round and kernel, writes the times and ends the process. */
void timing_run_all(const struct harness *asked, int argc, char **argv) __attribute__((noreturn));
/** Within timing_run_all(): makes `h`, which has the command line's options, the run at hand (its
 *  kernel, input and result file). False where nothing is timed. */
bool timing_begin_run(struct harness *h);
/** Around a launch: starts a stretch unless one is open; marks its end so far. */
void timing_before_launch(const struct harness *h, cudaStream_t stream);
void timing_after_launch(const struct harness *h);
/** Whatever is not a launch ends a stretch: waits for it and adds its time. */
void timing_end_stretch(void);
/** Writes one JSON object: device, driver, l2_bytes, bandwidth (bytes a second at most; 0 unknown),
 *  host_reachable (1: kernels can reach the host's ordinary memory). */
void timing_describe_device(const char *path);

#endif
