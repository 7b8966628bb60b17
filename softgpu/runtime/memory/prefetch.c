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
    bool users = advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy; /* no part of the host uses it alone */
    bool part = location.type == cudaMemLocationTypeHostNuma || location.type == cudaMemLocationTypeHostNumaCurrent;
    if ((placed && !location_known(location)) || (users && part))
        API_RETURN(cudaErrorInvalidValue);
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
        API_RETURN(location.type == cudaMemLocationTypeDevice ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    range_prefetched(ADDRESS(p), bytes, location);
    operation_issue(operation_new(OP_MARK, "cudaMemPrefetchAsync"), s, NULL);
    API_RETURN(cudaSuccess);
}

static bool is_managed(void *p, size_t bytes)
{
    return bytes && place_of(ADDRESS(p), bytes) == PLACE_MANAGED;
}

/* Where a batch's pieces go: each location is that of the pieces from its index on, up to the next one's. */
struct places {
    const struct cudaMemLocation *list;
    const size_t *first;
    size_t count;
};

static bool are_places(const struct places *at, size_t count)
{
    bool good = at->list && at->first && at->count && at->count <= count && !at->first[0];
    for (size_t i = 0; good && i < at->count; i++)
        good = location_known(at->list[i]) && at->first[i] < count && (!i || at->first[i] >= at->first[i - 1]);
    return good;
}

static void move_to(const struct places *at, void **pointers, const size_t *sizes, size_t count)
{
    for (size_t i = 0, place = 0; i < count; i++) {
        while (place + 1 < at->count && at->first[place + 1] <= i)
            place++;
        range_prefetched(ADDRESS(pointers[i]), sizes[i], at->list[place]);
    }
}

/* Discarded contents may be anything: keeping them is one of the allowed outcomes. Without `at` they go nowhere. */
static cudaError_t batch(const char *name, void **pointers, size_t *sizes, size_t count, const struct places *at,
                         unsigned long long flags, cudaStream_t stream)
{
    struct stream *s;
    cudaError_t e = stream_for_work(stream, true, &s);
    if (!e && s->capture)
        e = capture_allows_stream_wait(s);
    if (e)
        return e;
    if (!pointers || !sizes || !count || flags || s->legacy || (at && !are_places(at, count)))
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!is_managed(pointers[i], sizes[i]))
            return cudaErrorInvalidValue;
    if (at)
        move_to(at, pointers, sizes, count);
    operation_issue(operation_new(OP_MARK, name), s, NULL);
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchBatchAsync(void **pointers, size_t *sizes, size_t count,
                                      struct cudaMemLocation *locations, size_t *indices,
                                      size_t location_count, unsigned long long flags,
                                      cudaStream_t stream)
{
    API_ENTER();
    const struct places at = {locations, indices, location_count};
    API_RETURN(batch("cudaMemPrefetchBatchAsync", pointers, sizes, count, &at, flags, stream));
}

cudaError_t cudaMemDiscardBatchAsync(void **pointers, size_t *sizes, size_t count,
                                     unsigned long long flags, cudaStream_t stream)
{
    API_ENTER();
    API_RETURN(batch("cudaMemDiscardBatchAsync", pointers, sizes, count, NULL, flags, stream));
}

cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void **pointers, size_t *sizes, size_t count,
                                                struct cudaMemLocation *locations,
                                                size_t *indices, size_t location_count,
                                                unsigned long long flags, cudaStream_t stream)
{
    API_ENTER();
    const struct places at = {locations, indices, location_count};
    API_RETURN(batch("cudaMemDiscardAndPrefetchBatchAsync", pointers, sizes, count, &at, flags, stream));
}
