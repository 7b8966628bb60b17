/**
 * @file copy.h
 * What the asynchronous copies of cooperative_groups, cuda::barrier and cuda::pipeline are made of: cp.async from
 * compute_80 on, for pieces of 4, 8 and 16 bytes from global to shared memory; loads and stores otherwise.
 */
#ifndef FENCEPOST_GROUPS_COPY_H
#define FENCEPOST_GROUPS_COPY_H

#include <type_traits>
#include <cuda_pipeline.h>

FENCEPOST_DEVICE bool fencepost_from_global_to_shared(const void *to, const void *from)
{
    return __isShared(to) && __isGlobal(from);
}

/** Thread `rank` of `threads` copies its pieces. True where they are asynchronous. */
template <size_t aligned>
FENCEPOST_DEVICE bool fencepost_copy(char *to, const char *from, size_t bytes, size_t rank, size_t threads)
{
    constexpr size_t piece = aligned > 16 ? 16 : aligned;
    typedef typename std::conditional<piece == 16, uint4, typename std::conditional<piece == 8, unsigned long long,
            typename std::conditional<piece == 4, unsigned, typename std::conditional<piece == 2, unsigned short,
            unsigned char>::type>::type>::type>::type part;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    if (piece >= 4 && fencepost_from_global_to_shared(to, from)) {
        for (size_t at = rank * piece; at < bytes; at += threads * piece)
            __pipeline_memcpy_async(to + at, from + at, piece);
        return true;
    }
#endif
    for (size_t at = rank * piece; at < bytes; at += threads * piece)
        *(part *)(to + at) = *(const part *)(from + at);
    return false;
}
FENCEPOST_DEVICE void fencepost_commit() { __pipeline_commit(); }
template <unsigned groups> FENCEPOST_DEVICE void fencepost_wait() { __pipeline_wait_prior(groups); }

#endif
