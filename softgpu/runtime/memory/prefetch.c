/**
 * @file prefetch.c
 * Advice on managed memory, and prefetches: they move pages about, and change no result but what range.c answers.
 */
#include "runtime/memory/copy.h"
#include "runtime/memory/range.h"
#include "runtime/state/capture.h"
#include "runtime/state/entry.h"
#include "runtime/state/runtime.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

static bool location_known(struct cudaMemLocation l)
{
    return (l.type == cudaMemLocationTypeDevice && device_exists(l.id)) ||
           l.type == cudaMemLocationTypeHost || l.type == cudaMemLocationTypeHostNuma ||
           l.type == cudaMemLocationTypeHostNumaCurrent;
}

/* Advice and prefetches move pages about; they change no result. */
cudaError_t cudaMemAdvise(const void *p, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    API_ENTER();
    bool placed = advice != cudaMemAdviseSetReadMostly && advice != cudaMemAdviseUnsetReadMostly &&
                  advice != cudaMemAdviseUnsetPreferredLocation;
    if (!bytes || place_of(ADDRESS(p), bytes) != PLACE_MANAGED ||
        advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        API_RETURN(cudaErrorInvalidValue);
    if (placed && !location_known(location))
        API_RETURN(cudaErrorInvalidDevice);
    range_advise(ADDRESS(p), bytes, advice, location);
    API_RETURN(cudaSuccess);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, struct cudaMemLocation location,
                                 unsigned flags, cudaStream_t stream)
{
    API_ENTER();
    struct stream *s;
    cudaError_t e = stream_for_work(stream, true, &s);
    if (!e && s->capture)
        e = capture_allows_stream_wait(s);
    if (e)
        API_RETURN(e);
    if (!bytes || flags || place_of(ADDRESS(p), bytes) != PLACE_MANAGED)
        API_RETURN(cudaErrorInvalidValue);
    if (!location_known(location))
        API_RETURN(cudaErrorInvalidDevice);
    range_prefetched(ADDRESS(p), bytes, location);
    operation_issue(operation_new(OP_MARK, "cudaMemPrefetchAsync"), s, NULL);
    API_RETURN(cudaSuccess);
}

static bool is_managed(void *p, size_t bytes)
{
    return bytes && place_of(ADDRESS(p), bytes) == PLACE_MANAGED;
}

/* Discarded contents may be anything: keeping them is one of the allowed outcomes. */
static cudaError_t batch(const char *name, void **pointers, size_t *sizes, size_t count,
                         unsigned long long flags, cudaStream_t stream)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, true, &s);
    if (!e && s->capture)
        e = capture_allows_stream_wait(s);
    if (e)
        return e;
    if (!pointers || !sizes || !count || flags)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!is_managed(pointers[i], sizes[i]))
            return cudaErrorInvalidValue;
    operation_issue(operation_new(OP_MARK, name), s, NULL);
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchBatchAsync(void **pointers, size_t *sizes, size_t count,
                                      struct cudaMemLocation *locations, size_t *indices,
                                      size_t location_count, unsigned long long flags,
                                      cudaStream_t stream)
{
    API_ENTER();
    if (!locations || !indices || !location_count)
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(batch("cudaMemPrefetchBatchAsync", pointers, sizes, count, flags, stream));
}

cudaError_t cudaMemDiscardBatchAsync(void **pointers, size_t *sizes, size_t count,
                                     unsigned long long flags, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(batch("cudaMemDiscardBatchAsync", pointers, sizes, count, flags, stream));
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **pointers, size_t *sizes, size_t count,
                                                struct cudaMemLocation *locations,
                                                size_t *indices, size_t location_count,
                                                unsigned long long flags, cudaStream_t stream)
{
    API_ENTER();
    if (!locations || !indices || !location_count)
        API_RETURN(cudaErrorInvalidValue);
    API_RETURN(batch("cudaMemDiscardAndPrefetchBatchAsync", pointers, sizes, count, flags,
                     stream));
}
