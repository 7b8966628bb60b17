/**
 * @file check.h
 * How a harness ends when something is wrong: one line on stderr and an exit status.
 */
#ifndef COMMON_CHECK_H
#define COMMON_CHECK_H

#include <cuda_runtime_api.h>
#include <stddef.h>

enum harness_exit { HARNESS_OK = 0, HARNESS_CUDA_ERROR = 3, HARNESS_USAGE = 4 };

/** Prints "file:line: cudaErrorName: what it means (call)" and ends the process unless `status` is
 *  cudaSuccess. */
void harness_check(cudaError_t status, const char *call, const char *file, int line);
#define CUDA_CHECK(call) harness_check((call), #call, __FILE__, __LINE__)

/** Prints one line on stderr and ends the process with HARNESS_USAGE. */
void harness_usage(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/** malloc() that ends the process when there is no memory; never NULL, also for 0 bytes. */
void *harness_malloc(size_t bytes);

#endif
