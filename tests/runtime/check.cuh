// check.cuh: what the runtime's test programs share. A failed check prints its line and ends with 1.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

// The call returns exactly this error.
#define GIVES(call, error)                                                                         \
    do {                                                                                           \
        cudaError_t got_ = (call);                                                                 \
        if (got_ != (error)) {                                                                     \
            fprintf(stderr, "%s:%d: %s gives %s, not %s\n", __FILE__, __LINE__, #call,             \
                    cudaGetErrorName(got_), #error);                                               \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define OK(call) GIVES(call, cudaSuccess)
