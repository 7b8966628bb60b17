/**
 * @file run.h
 * Inside of the harness library: the run and its buffers. Labs include harness.h only.
 */
#ifndef COMMON_RUN_H
#define COMMON_RUN_H

#include "harness.h"

#define MAX_PARAMS 64
#define MAX_BUFFERS 64
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
void buffers_free(struct harness *h);

#endif
