/**
 * @file harness.h
 * What every lab's harness shares: options, seeded inputs, device buffers, launches, result file.
 *
 * A harness is the trusted host program of a kernel lab. It loads the student's PTX, gives it
 * inputs that a seed determines, launches it and writes the outputs to a result file; it never
 * judges. The grader runs the same harness with the reference's PTX and compares the two files.
 *
 *     harness --kernel FILE.ptx --case NAME --seed N --output FILE
 *             [--distribution NAME] [--param NAME=VALUE]... [--guard BYTES]
 *             [--about FILE] [--rounds N --times FILE [--reference FILE.ptx]]
 *
 * `--about` describes the device as JSON. `--rounds` times the launches: main() is then called many
 * times in one process, so it keeps nothing in static variables (timing.c says what happens).
 *
 * In a host-code lab the student's functions are linked with the harness, which calls them, and there
 * is no --kernel. Such a process is not trusted: docs/sandbox.md.
 *
 * The binary is linked with libcudart.so.13 and no rpath, so that the same file runs on softgpu
 * and on a real GPU, by library path alone.
 *
 * Exit status: 0 complete result written, 3 a CUDA call failed or a guard zone was overwritten,
 * 4 wrong usage or a file that cannot be read or written. Nothing here returns an error: a harness
 * is a straight line, and whatever goes wrong ends it with one line on stderr.
 */
#ifndef COMMON_HARNESS_H
#define COMMON_HARNESS_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"
#include "random.h"
#include "result.h"

/** The run at hand. One a process. */
struct harness;

/**
 * Parses the command line and loads the kernels, if any. Nothing is allocated on the device yet.
 * @return the run; owned by harness_close()
 */
struct harness *harness_open(int argc, char **argv);

/**
 * Waits for the device, checks every buffer's guard zones, writes the result file and frees all.
 * @return HARNESS_OK; does not return when something is wrong
 */
int harness_close(struct harness *h);

/** The case's name, as in lab.yaml. */
const char *harness_case(const struct harness *h);
/** `--distribution`, "uniform" if none was given. */
const char *harness_distribution(const struct harness *h);
/** A parameter that the case must give. Ends the process with HARNESS_USAGE if it does not. */
int64_t harness_param(struct harness *h, const char *name);
/** A parameter that the case may give. */
int64_t harness_param_or(struct harness *h, const char *name, int64_t fallback);
/** Random numbers for one purpose: the same seed and `purpose` give the same stream, whatever else
 *  the harness draws. */
struct random harness_random(const struct harness *h, uint64_t purpose);

/** `count` ints from the case's distribution (random.h); owned by the run. */
int32_t *harness_input_i32(struct harness *h, uint64_t purpose, size_t count);

/**
 * Memory on the device, freed by harness_close().
 *
 * On a real GPU each buffer is poisoned and lies between two guard zones which harness_close()
 * checks. On softgpu neither is done: it knows which bytes were never written and where each
 * allocation ends, and poison would hide both from it.
 * @param name   for findings; of structs with their fields, "items{slot first count}" (four bytes each, or "next:8")
 * @param bytes  0 gives a valid pointer that must not be accessed
 */
void *harness_alloc(struct harness *h, const char *name, size_t bytes);
/** As harness_alloc(), filled with zeros. */
void *harness_zeros(struct harness *h, const char *name, size_t bytes);
/** As harness_alloc(), filled from host memory. */
void *harness_upload(struct harness *h, const char *name, const void *host, size_t bytes);
/** Copies from the device, after everything launched so far. */
void harness_download(void *host, const void *device, size_t bytes);

/** What softgpu's findings call memory that the harness itself allocated, on the device or page-locked: "desk" for what
    would be "alloc1". harness_alloc() does so. */
void harness_name_memory(const void *memory, const char *name);
/** What softgpu's findings call a stream: the handout's name for it, or several words. */
void harness_name_stream(cudaStream_t stream, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** One launch. `args` are pointers to the arguments, in order, as cudaLaunchKernel() takes them. */
struct harness_launch {
    unsigned blocks, threads;
    size_t shared; /**< bytes of dynamic shared memory */
    cudaStream_t stream;
    bool cooperative; /**< all blocks run at the same time, or the launch fails */
};

/** Launches by the kernel's name. A name that the PTX lacks is a CUDA error. */
void harness_launch(struct harness *h, const char *kernel, struct harness_launch shape,
                    void **args);
/** Argument list for harness_launch(): HARNESS_ARGS(&in, &n, &out). */
#define HARNESS_ARGS(...)                                                                          \
    (void *[])                                                                                     \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/** How many blocks of that shape the device runs at the same time; `blocks` is not looked at. */
unsigned harness_fit(struct harness *h, const char *kernel, struct harness_launch shape);

/** Waits for the device. */
void harness_synchronize(void);

/** Adds one array to the result file; the data are copied. Order and names are the lab's own. */
void harness_result(struct harness *h, const char *name, enum result_type type, const void *data,
                    size_t count);

#endif
