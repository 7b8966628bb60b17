/**
 * @file driver_fill.c
 * Driver API: fills, of elements of 1, 2 or 4 bytes; counts and widths are in elements.
 */
#include "runtime/driver/driver.h"
#include "runtime/memory/copy.h"
#include "runtime/state/capture.h"

struct fill {
    CUdeviceptr dst;
    size_t pitch, width, height;   /**< width in elements */
    uint32_t value;
    unsigned element;
};

static cudaError_t fill(struct fill f, CUstream stream, bool async)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, async, &s);
    if (e)
        return e;
    if (f.dst % f.element || f.width > SIZE_MAX / f.element ||
        (f.height > 1 && (f.pitch % f.element || f.pitch < f.width * f.element)))
        return cudaErrorInvalidValue;
    if (!f.width || !f.height)
        return cudaSuccess;
    return set_box("cudaMemset", (struct box_set){.dst = f.dst, .pitch = f.pitch, .width = f.width * f.element,
                                                  .height = f.height, .depth = 1, .value = f.value,
                                                  .element = f.element},
                   s, async);
}

/* The two forms of each width, in one line and in rows, waiting and in a stream. */
#define FILLS(bits, type)                                                                                              \
    CUresult cuMemsetD##bits(CUdeviceptr dst, type value, size_t n)                                                    \
    {                                                                                                                  \
        DRIVER_LOCKED(fill((struct fill){dst, 0, n, 1, value, bits / 8}, NULL, false));                                       \
    }                                                                                                                  \
    CUresult cuMemsetD##bits##Async(CUdeviceptr dst, type value, size_t n, CUstream s)                                 \
    {                                                                                                                  \
        DRIVER_LOCKED(fill((struct fill){dst, 0, n, 1, value, bits / 8}, s, true));                                           \
    }                                                                                                                  \
    CUresult cuMemsetD2D##bits(CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height)                 \
    {                                                                                                                  \
        DRIVER_LOCKED(fill((struct fill){dst, pitch, width, height, value, bits / 8}, NULL, false));                          \
    }                                                                                                                  \
    CUresult cuMemsetD2D##bits##Async(CUdeviceptr dst, size_t pitch, type value, size_t width, size_t height,          \
                                      CUstream s)                                                                      \
    {                                                                                                                  \
        DRIVER_LOCKED(fill((struct fill){dst, pitch, width, height, value, bits / 8}, s, true));                              \
    }

FILLS(8, unsigned char)
FILLS(16, unsigned short)
FILLS(32, unsigned)
