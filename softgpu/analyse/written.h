/**
 * @file written.h
 * Through which of its arguments a kernel writes global memory. That is a guess to build on, not a proof: an index may lead from one allocation into another.
 */
#ifndef SOFTGPU_ANALYSE_WRITTEN_H
#define SOFTGPU_ANALYSE_WRITTEN_H

#include "code/image.h"

#define MOST_WRITTEN 64

struct written {
    bool known;                      /**< each store and atomic goes to where an argument says, or to a variable by its name; and nothing else writes */
    bool wrong;                      /**< a launch has shown that the guess does not hold: its caller's to set */
    int count;
    uint32_t param[MOST_WRITTEN];    /**< these may say where: bytes in the launch's parameters, each once */
};

/** Of a kernel. Kernels that call functions, copy asynchronously, use textures or whole warps' matrices, or launch others, are not known. */
struct written *written_of(const struct function *kernel);

#endif
