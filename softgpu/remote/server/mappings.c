/**
 * @file mappings.c
 * Memory that the client has at the same address. The memory files are sealed, so the client cannot
 * shorten them under us; what it writes into them is data and no more.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "memory/layout.h"
#include "remote/server/server.h"
#include "runtime/state/entry.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#define PAGE 4096ull
#define ADDRESS_END (1ull << 47)

int shared_descriptor(uint64_t address)
{
    runtime_lock();
    int fd = runtime.machine ? memory_descriptor(machine_memory(runtime.machine), address) : -1;
    fd = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;
    runtime_unlock();
    return fd;
}

cudaError_t serve_share(struct request *r, struct reply *o)
{
    struct wire_share s;
    void *p = NULL;
    request_take(r, &s, sizeof s);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    void **out = s.there ? &p : NULL;
    cudaError_t e = s.kind == SHARE_HOST_ALLOC    ? cudaHostAlloc(out, s.bytes, s.flags)
                    : s.kind == SHARE_MALLOC_HOST ? cudaMallocHost(out, s.bytes)
                                                  : cudaMallocManaged(out, s.bytes, s.flags);
    uint64_t address = (uint64_t)(uintptr_t)p;
    if (!e && p && (o->pass = shared_descriptor(address)) < 0)
        e = cudaErrorMemoryAllocation;
    reply_give(o, &address, sizeof address);
    return e;
}

/* ---- memory that the client registers ---- */

/** Whole pages that both sides have; several registrations may lie in them. */
struct run {
    uint64_t base, end;
    int registrations;
};
struct registration {
    uint64_t address, base, end; /**< its pages */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static LIST(struct run) runs;
static LIST(struct registration) registrations;

static int memory_file(uint64_t bytes)
{
    int fd = memfd_create("registered", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd >= 0 && (ftruncate(fd, (off_t)bytes) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/** Cuts pages that are shared already off both ends. False if others lie in the middle. */
static bool cut(uint64_t *base, uint64_t *end)
{
    for (int i = 0; i < runs.count; i++) {
        const struct run *r = &runs.data[i];
        if (r->base <= *base && *base < r->end)
            *base = r->end < *end ? r->end : *end;
        if (r->base < *end && *end <= r->end)
            *end = r->base > *base ? r->base : *base;
    }
    for (int i = 0; i < runs.count; i++)
        if (runs.data[i].base < *end && *base < runs.data[i].end)
            return false;
    return true;
}

/** Maps the missing pages. @return a descriptor for the client, -1 where none is due or possible */
static int map_run(uint64_t base, uint64_t end)
{
    int fd = memory_file(end - base);
    if (fd < 0)
        return -1;
    void *at = (void *)(uintptr_t)base;
    void *p = mmap(at, end - base, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
    if (p == at)
        return fd;
    if (p != MAP_FAILED)
        munmap(p, end - base);
    close(fd);
    return -1;
}

static cudaError_t unsupported(const char *what)
{
    runtime_enter();
    return runtime_leave(runtime_unsupported(what));
}

static cudaError_t pin(const struct wire_pin *w, struct reply *o, struct wire_range *range)
{
    uint64_t base = w->address / PAGE * PAGE, end, whole_base = base, whole_end;
    if (__builtin_add_overflow(w->address, w->bytes, &end) || end > ADDRESS_END - PAGE || !w->bytes ||
        w->address < PAGE || (w->address < DEVICE_BASE + DEVICE_BYTES && end > HOST_BASE))
        return cudaErrorInvalidValue;
    whole_end = end = (end + PAGE - 1) / PAGE * PAGE;
    if (!cut(&base, &end))
        return unsupported("cudaHostRegister around registered memory");
    if (base < end) {
        o->pass = map_run(base, end);
        if (o->pass < 0)
            return unsupported("cudaHostRegister at an address that the device's process uses");
    }
    cudaError_t e = cudaHostRegister((void *)(uintptr_t)w->address, w->bytes, w->flags);
    if (e) {
        if (base < end)
            munmap((void *)(uintptr_t)base, end - base);
        return e;
    }
    if (base < end) {
        *LIST_PUSH(&runs) = (struct run){base, end, 0};
        *range = (struct wire_range){base, end - base};
    }
    for (int i = 0; i < runs.count; i++)
        runs.data[i].registrations +=
            runs.data[i].base < whole_end && whole_base < runs.data[i].end;
    *LIST_PUSH(&registrations) = (struct registration){w->address, whole_base, whole_end};
    return cudaSuccess;
}

cudaError_t serve_pin(struct request *r, struct reply *o)
{
    struct wire_pin w;
    struct wire_range range = {0};
    request_take(r, &w, sizeof w);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    pthread_mutex_lock(&lock);
    cudaError_t e = pin(&w, o, &range);
    pthread_mutex_unlock(&lock);
    reply_give(o, &range, sizeof range);
    return e;
}

/** Takes the registration's share off its pages; those that nobody needs any more are listed. */
static void release_pages(const struct registration *g, struct wire_range *ranges)
{
    int count = 0;
    for (int i = runs.count - 1; i >= 0; i--) {
        struct run *r = &runs.data[i];
        if (r->base >= g->end || g->base >= r->end || --r->registrations || count == WIRE_RANGES)
            continue;
        munmap((void *)(uintptr_t)r->base, r->end - r->base);
        ranges[count++] = (struct wire_range){r->base, r->end - r->base};
        *r = runs.data[--runs.count];
    }
}

cudaError_t serve_unpin(struct request *r, struct reply *o)
{
    uint64_t address;
    struct wire_range ranges[WIRE_RANGES] = {0};
    request_take(r, &address, sizeof address);
    if (!request_whole(r))
        return cudaErrorInvalidValue;
    pthread_mutex_lock(&lock);
    cudaError_t e = cudaHostUnregister((void *)(uintptr_t)address);
    for (int i = 0; i < registrations.count && !e; i++)
        if (registrations.data[i].address == address) {
            release_pages(&registrations.data[i], ranges);
            registrations.data[i] = registrations.data[--registrations.count];
            break;
        }
    pthread_mutex_unlock(&lock);
    reply_give(o, ranges, sizeof ranges);
    return e;
}
