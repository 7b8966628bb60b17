/**
 * @file buffer.c
 * Device buffers between guard zones, poisoned.
 *
 * Poison differs from byte to byte and from zero, so that neither a kernel that writes nothing nor
 * one that copies its own output passes by luck.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static uint8_t poison_byte(size_t offset)
{
    return (uint8_t)(0xa5 ^ (offset * 29));
}

size_t buffer_default_guard(void)
{
    // softgpu tells itself apart by this symbol; see harness_alloc() for why it matters.
    return dlsym(RTLD_DEFAULT, "softgpu_version") ? 0 : 256;
}

static void poison(uint8_t *device, size_t bytes)
{
    uint8_t *pattern = harness_malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        pattern[i] = poison_byte(i);
    CUDA_CHECK(cudaMemcpy(device, pattern, bytes, cudaMemcpyHostToDevice));
    free(pattern);
}

void harness_name_memory(const void *memory, const char *name)
{
    typedef void name_fn(const void *, const char *);
    name_fn *tell = (name_fn *)dlsym(RTLD_DEFAULT, "softgpu_name_allocation");
    if (tell)
        tell(memory, name);
}

void harness_name_stream(cudaStream_t stream, const char *format, ...)
{
    typedef void name_fn(cudaStream_t, const char *);
    name_fn *tell = (name_fn *)dlsym(RTLD_DEFAULT, "softgpu_name_stream");
    char name[32];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    if (tell)
        tell(stream, name);
}

void *harness_alloc(struct harness *h, const char *name, size_t bytes)
{
    if (h->buffer_count == MAX_BUFFERS)
        harness_usage("more than %d buffers", MAX_BUFFERS);
    if (bytes > SIZE_MAX - 2 * h->guard)
        harness_usage("buffer %s of %zu bytes is too large", name, bytes);
    timing_end_stretch();
    struct buffer *b = &h->buffers[h->buffer_count++];
    snprintf(b->name, sizeof b->name, "%.*s", (int)strcspn(name, "{"), name);
    // Keep the data as aligned as cudaMalloc() makes them, whatever the guard.
    b->guard = (h->guard + 255) / 256 * 256;
    b->bytes = bytes;
    size_t whole = bytes + 2 * b->guard;
    CUDA_CHECK(cudaMalloc((void **)&b->base, whole ? whole : 1));
    harness_name_memory(b->base, name);
    if (b->guard)
        poison(b->base, whole);
    return b->base + b->guard;
}

void *harness_zeros(struct harness *h, const char *name, size_t bytes)
{
    void *device = harness_alloc(h, name, bytes);
    if (bytes)
        CUDA_CHECK(cudaMemset(device, 0, bytes));
    return device;
}

void *harness_upload(struct harness *h, const char *name, const void *host, size_t bytes)
{
    void *device = harness_alloc(h, name, bytes);
    if (bytes)
        CUDA_CHECK(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
    return device;
}

void harness_download(void *host, const void *device, size_t bytes)
{
    timing_end_stretch();
    if (bytes)
        CUDA_CHECK(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}

/** Compares one zone; `offset` is where it starts in the buffer's pattern. */
static void check_zone(const struct buffer *b, size_t offset, const char *where)
{
    uint8_t *zone = harness_malloc(b->guard);
    CUDA_CHECK(cudaMemcpy(zone, b->base + offset, b->guard, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < b->guard; i++)
        if (zone[i] != poison_byte(offset + i)) {
            fprintf(stderr,
                    "harness: out-of-bounds: something wrote %s buffer %s, %zu bytes away\n", where,
                    b->name, offset ? i : b->guard - i);
            exit(HARNESS_CUDA_ERROR);
        }
    free(zone);
}

void buffers_check(const struct harness *h)
{
    for (int i = 0; i < h->buffer_count; i++) {
        const struct buffer *b = &h->buffers[i];
        if (!b->guard)
            continue;
        check_zone(b, 0, "before");
        check_zone(b, b->guard + b->bytes, "behind");
    }
}

void buffers_free(struct harness *h)
{
    for (int i = 0; i < h->buffer_count; i++) {
        const struct buffer *b = &h->buffers[i];
        if (h->timed && b->bytes)
            CUDA_CHECK(cudaMemset(b->base + b->guard, 0x5a, b->bytes));
        CUDA_CHECK(cudaFree(b->base));
    }
    h->buffer_count = 0;
}
