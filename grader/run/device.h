/**
 * @file device.h
 * The real GPU: whether there is one, its runtime, and what it says of itself.
 */
#ifndef GRADER_RUN_DEVICE_H
#define GRADER_RUN_DEVICE_H

#include "base/kit.h"
#include "options.h"

#define GPU_MAX_FOLDERS 4

/** What a run needs to reach the GPU. */
struct gpu {
    char *folders[GPU_MAX_FOLDERS + 1]; /**< of the runtime and the driver; NULL-terminated */
    char *search;                       /**< the same for LD_LIBRARY_PATH */
    bool stand_in;                      /**< FENCEPOST_GPU_LIBRARY's */
};

/**
 * Finds the GPU, unless --device softgpu: NVIDIA's device files and the toolkit's libcudart.so.13.
 *
 * FENCEPOST_GPU_LIBRARY, for tests: a folder whose libcudart.so.13 is taken for a real GPU's,
 * whatever there is. With softgpu's folder its virtual time is what is judged.
 * @return NULL where there is none, with `t` filled if --device gpu asked for it; gpu_free() is due
 */
struct gpu *gpu_find(const struct kit *k, enum device_choice choice, struct trouble *t);
void gpu_free(struct gpu *g);

/** What a harness's --about said. */
struct gpu_about {
    char *name;       /**< "NVIDIA H200, CUDA driver 13.0" */
    double bandwidth; /**< bytes a second that its memory moves at most; 0: unknown */
    bool host_reachable;
};

/** False if the file is not what a harness writes. The caller frees `name`. */
bool gpu_read_about(struct gpu_about *a, const char *path);

#endif
