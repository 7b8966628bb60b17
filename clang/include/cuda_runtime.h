/**
 * @file cuda_runtime.h
 * CUDA C++ for clang, without NVIDIA's headers: what a .cu file has before its first line.
 *
 * Written from the CUDA C++ Programming Guide and the PTX ISA. Where CUDA promises a word of the memory model (a fence, an
 * atomic, a barrier), the function here is the PTX instruction that nvcc 13 makes of the same call: verdicts rest on it.
 */
#ifndef FENCEPOST_CUDA_RUNTIME_H
#define FENCEPOST_CUDA_RUNTIME_H

#include "device/qualifiers.h"

/* What nvcc's own includes leave behind, so that programs count on it. */
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "cuda_runtime_api.h"
#include "device/indices.h"
#include "device/synchronize.h"
#include "device/scoped.h"
#include "device/atomics.h"
#include "device/warp.h"
#include "device/memory.h"
#include "device/integer.h"
#include "device/math.h"
#include "device/elementary.h"
#include "device/process.h"
#include "device/launch.h"

#endif
