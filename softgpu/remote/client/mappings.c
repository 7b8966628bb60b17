/**
 * @file mappings.c
 * Memory that both processes have at the same address: page-locked, registered, managed. The server
 * makes it as a memory file that can neither shrink nor grow, and this side maps it where the server
 * has it. So what an asynchronous copy writes late shows late here, too.
 *
 * By hand, or wrapped: the answer brings a descriptor, and what is mapped here changes with the call.
 */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory/layout.h"
#include "host/call_site.h"
#include "remote/client/client.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#define PAGE 4096u
#define MAX_BLOCKS 65536

static struct shared_block *blocks;
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static uintptr_t whole_pages(uintptr_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

bool shared_known(const void *p)
{
    uintptr_t at = (uintptr_t)p;
    bool found = at - DEVICE_BASE < DEVICE_BYTES;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && !found; i++)
        found = at - blocks[i].base < blocks[i].bytes;
    pthread_mutex_unlock(&lock);
    return found;
}

void shared_protect(bool (*wanted)(uintptr_t base, const void *self), const void *self)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        struct shared_block *b = &blocks[i];
        bool close = b->own && wanted(b->base, self);
        if (b->own && (close != b->closed || b->opened))
            mprotect((void *)b->base, whole_pages(b->bytes),
                     close ? PROT_NONE : PROT_READ | PROT_WRITE);
        b->closed = close;
        b->opened = false;
    }
    pthread_mutex_unlock(&lock);
}

static struct shared_block *own_block(uintptr_t address)
{
    for (size_t i = 0; i < count; i++)
        if (blocks[i].own && address - blocks[i].base < whole_pages(blocks[i].bytes))
            return &blocks[i];
    return NULL;
}

bool shared_find(uintptr_t address, struct shared_block *out)
{
    pthread_mutex_lock(&lock);
    const struct shared_block *b = own_block(address);
    if (b)
        *out = *b;
    pthread_mutex_unlock(&lock);
    return b != NULL;
}

void shared_open(uintptr_t address)
{
    pthread_mutex_lock(&lock);
    struct shared_block *b = own_block(address);
    if (b)
        b->opened = true;
    pthread_mutex_unlock(&lock);
    if (b)
        mprotect((void *)(address / PAGE * PAGE), PAGE, PROT_READ | PROT_WRITE);
}

bool shared_is_opened(void)
{
    bool opened = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        opened |= blocks[i].closed && blocks[i].opened;
    pthread_mutex_unlock(&lock);
    return opened;
}

static bool add_block(uintptr_t base, uintptr_t bytes, bool own)
{
    pthread_mutex_lock(&lock);
    if (!blocks) {
        void *p = mmap(NULL, MAX_BLOCKS * sizeof *blocks, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        blocks = p == MAP_FAILED ? NULL : p;
    }
    bool ok = blocks && count < MAX_BLOCKS;
    if (ok)
        blocks[count++] = (struct shared_block){base, bytes, own, false, false};
    pthread_mutex_unlock(&lock);
    return ok;
}

/** Forgets the block at `p`, and unmaps it if it is ours. */
static void drop_block(const void *p)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++)
        if (blocks[i].base == (uintptr_t)p) {
            if (blocks[i].own)
                munmap((void *)blocks[i].base, whole_pages(blocks[i].bytes));
            blocks[i] = blocks[--count];
            break;
        }
    pthread_mutex_unlock(&lock);
}

/* ---- made by the runtime ---- */

/** Maps a memory file where the server has it, and closes it. @return NULL where that cannot be */
static void *map_shared(uint64_t address, uint64_t bytes, int file)
{
    void *at = (void *)(uintptr_t)address;
    void *p = mmap(at, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
    close(file);
    if (p == at && add_block(address, bytes, true))
        return at;
    if (p != MAP_FAILED)
        munmap(p, whole_pages(bytes));
    return NULL;
}

void *shared_variable(uint64_t number)
{
    struct call c;
    uint64_t address = 0, bytes = 0;
    call_begin(&c, WIRE_MANAGED, NULL);
    call_put(&c, &number, sizeof number);
    cudaError_t e = call_do(&c);
    call_get(&c, &address, sizeof address);
    call_get(&c, &bytes, sizeof bytes);
    return !e && c.passed >= 0 ? map_shared(address, bytes, c.passed) : NULL;
}

static cudaError_t share(enum wire_share_kind kind, void **out, size_t bytes, unsigned flags,
                         const void *site)
{
    struct call c;
    struct wire_share s = {kind, flags, bytes, out != NULL, 0};
    uint64_t address = 0;
    call_begin(&c, WIRE_SHARE, site);
    call_put(&c, &s, sizeof s);
    cudaError_t e = call_do(&c);
    call_get(&c, &address, sizeof address);
    if (e || !out || !address) {
        if (!e && out)
            *out = NULL;
        if (c.passed >= 0)
            close(c.passed);
        return e;
    }
    void *at = (void *)(uintptr_t)address;
    if (map_shared(address, bytes, c.passed)) {
        *out = at;
        return cudaSuccess;
    }
    if (kind == SHARE_MANAGED)
        forward_cudaFree(site, at);
    else
        forward_cudaFreeHost(site, at);
    return cudaErrorMemoryAllocation;
}

EXPORT cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    return share(SHARE_HOST_ALLOC, out, bytes, flags, CALL_SITE_THROUGH(2));
}

EXPORT cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    return share(SHARE_MALLOC_HOST, out, bytes, 0, CALL_SITE_THROUGH(1));
}

EXPORT cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    return share(SHARE_MANAGED, out, bytes, flags, CALL_SITE_THROUGH(1));
}

EXPORT cudaError_t cudaFreeHost(void *p)
{
    cudaError_t e = forward_cudaFreeHost(__builtin_return_address(0), p);
    if (!e && p)
        drop_block(p);
    return e;
}

EXPORT cudaError_t cudaFree(void *p)
{
    cudaError_t e = forward_cudaFree(__builtin_return_address(0), p);
    if (!e && p)
        drop_block(p);
    return e;
}

EXPORT cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *p)
{
    cudaError_t e = forward_cudaPointerGetAttributes(__builtin_return_address(0), out, p);
    if (!e && out && out->type == cudaMemoryTypeUnregistered && p && !shared_known(p))
        out->hostPointer = (void *)(uintptr_t)p; /* the server knows nothing of such memory */
    return e;
}

EXPORT cudaError_t cudaDeviceReset(void)
{
    cudaError_t e = forward_cudaDeviceReset(__builtin_return_address(0));
    layouts_forget();
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count && !e; i++)
        if (blocks[i].own)
            munmap((void *)blocks[i].base, whole_pages(blocks[i].bytes));
    count = e ? count : 0;
    pthread_mutex_unlock(&lock);
    return e;
}

/* ---- the program's own memory, registered ---- */

/** Puts a copy of the pages at `r`, backed by `fd` or, for -1, private, in their place. */
static bool replace_pages(struct wire_range r, int fd)
{
    void *at = (void *)(uintptr_t)r.address;
    void *p = mmap(NULL, r.bytes, PROT_READ | PROT_WRITE,
                   fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
    if (p == MAP_FAILED)
        return false;
    memcpy(p, at, r.bytes);
    if (mremap(p, r.bytes, r.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) == at)
        return true;
    munmap(p, r.bytes);
    return false;
}

EXPORT cudaError_t cudaHostUnregister(void *p)
{
    struct call c;
    struct wire_range ranges[WIRE_RANGES] = {0};
    uint64_t address = (uintptr_t)p;
    call_begin(&c, WIRE_UNPIN, __builtin_return_address(0));
    call_put(&c, &address, sizeof address);
    cudaError_t e = call_do(&c);
    call_get(&c, ranges, sizeof ranges);
    for (int i = 0; i < WIRE_RANGES; i++)
        if (ranges[i].bytes && !replace_pages(ranges[i], -1))
            e = cudaErrorMemoryAllocation;
    if (!e)
        drop_block(p);
    return e;
}

EXPORT cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    struct call c;
    struct wire_range range = {0};
    struct wire_pin pin = {(uintptr_t)p, bytes, flags, 0};
    call_begin(&c, WIRE_PIN, __builtin_return_address(0));
    call_put(&c, &pin, sizeof pin);
    cudaError_t e = call_do(&c);
    call_get(&c, &range, sizeof range);
    bool ok = !range.bytes || (c.passed >= 0 && replace_pages(range, c.passed));
    if (c.passed >= 0)
        close(c.passed);
    if (e)
        return e;
    if (ok && add_block((uintptr_t)p, bytes, false))
        return cudaSuccess;
    cudaHostUnregister(p);
    return cudaErrorMemoryAllocation;
}
