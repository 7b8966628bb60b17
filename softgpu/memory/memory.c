/**
 * @file memory.c
 * Device memory: allocation, release, limits.
 *
 * Device addresses only ever grow: a freed range stays recorded and is never handed out again, so
 * that a late access is reported as use after free. Address space costs nothing; the bytes behind
 * it are returned to the host at once.
 */
#include "memory/memory.h"
#include "base/host_memory.h"
#include "memory/space.h"

#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/** How the names of the device library's tables begin. */
#define LIBRARY_TABLES "__cudart_"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

/** Backing below this size comes from the heap, above it from mappings that are zero for free. */
#define MAP_THRESHOLD (128u << 10)

static void reserve(struct memory *m)
{
    for (uint64_t bytes = DEVICE_BYTES; bytes >= (1ull << 30); bytes /= 4) {
        void *p = mmap((void *)DEVICE_BASE, bytes, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (p == (void *)DEVICE_BASE) {
            m->reserved_base = DEVICE_BASE;
            m->reserved_bytes = bytes;
            return;
        }
        if (p != MAP_FAILED)
            munmap(p, bytes);
    }
}

struct memory *memory_create(uint64_t limit_bytes, bool checked)
{
    struct memory *m = calloc(1, sizeof *m);
    if (!m)
        abort();
    m->limit = limit_bytes;
    for (int i = 0; i < MEMORY_DEVICES; i++)
        m->reach[i] = (uint8_t)(1u << i);
    m->checked = checked;
    m->next_device = DEVICE_BASE + RED_ZONE_MIN;
    m->next_host = HOST_BASE;
    m->regions = mmap(NULL, REGION_COUNT * sizeof *m->regions, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m->regions == MAP_FAILED)
        abort();
    reserve(m);
    return m;
}

static void backing_release(struct memory *m, struct allocation *a)
{
    struct backing *b = &m->backing.data[a->id];
    followed_end(m, a);
    if (a->front && a->front != a->host)
        munmap(a->front, b->bytes);
    a->front = NULL;
    if (b->mapped)
        munmap(a->host, b->bytes);
    else if (b->bytes)
        free(a->host);
    if (b->fd > 0)
        close(b->fd);
    b->fd = 0;
    b->bytes = 0;
    b->mapped = false;
    a->host = NULL;
}

void memory_destroy(struct memory *m)
{
    if (!m)
        return;
    for (int i = 0; i < m->all.count; i++) {
        if (!m->all.data[i]->freed)
            backing_release(m, m->all.data[i]);
        free((char *)m->all.data[i]->name);
        free(m->all.data[i]->label);
        free(m->all.data[i]->fields);
        free(m->all.data[i]);
    }
    for (int i = 0; i < m->granules.count; i++)
        munmap(m->granules.data[i], REGION_GRANULES * sizeof(uint32_t));
    LIST_FREE(&m->granules);
    munmap(m->regions, REGION_COUNT * sizeof *m->regions);
    if (m->reserved_bytes)
        munmap((void *)m->reserved_base, m->reserved_bytes);
    for (int i = 0; i < m->textures.count; i++)
        free(m->textures.data[i]);
    LIST_FREE(&m->textures);
    LIST_FREE(&m->all);
    LIST_FREE(&m->backing);
    free(m);
}

void memory_set_hooks(struct memory *m, void (*allocated)(void *, struct allocation *),
                      void (*freed)(void *, struct allocation *), void *self)
{
    m->allocated = allocated;
    m->freed = freed;
    m->hook_self = self;
}

/** Two mappings of the same bytes: `a->front`, near `a->base`, for the program, which may be protected,
 *  and `a->host`. @return false where the host does not grant it */
static bool map_twice(struct allocation *a, uint64_t bytes)
{
    int fd = contents_may_be_file(bytes) ? memfd_create("softgpu", MFD_CLOEXEC) : -1;
    void *front = MAP_FAILED, *host = MAP_FAILED;
    if (fd < 0)
        return false;
    if (ftruncate(fd, (off_t)bytes) == 0)
        host = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (host != MAP_FAILED)
        front = mmap((void *)a->base, bytes, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
    if (host != MAP_FAILED && front == MAP_FAILED)
        front = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    close(fd);
    if (front == MAP_FAILED) {
        if (host != MAP_FAILED)
            munmap(host, bytes);
        return false;
    }
    a->front = front;
    a->host = host;
    return true;
}

static bool with_client;

void memory_share_with_client(void)
{
    with_client = true;
}

bool memory_has_client(void)
{
    return with_client;
}

int memory_descriptor(const struct memory *m, uint64_t address)
{
    const struct allocation *a = memory_find(m, address);
    bool there = a && !a->freed && a->base == address && m->backing.data[a->id].fd > 0;
    return there ? m->backing.data[a->id].fd : -1;
}

/** A file of `bytes` that nobody can resize: a mapping of it stays whole whatever the other side does. */
static int sealed_file(uint64_t bytes)
{
    int fd = contents_may_be_file(bytes) ? memfd_create("shared", MFD_CLOEXEC | MFD_ALLOW_SEALING) : -1;
    if (fd >= 0 && (ftruncate(fd, (off_t)bytes) != 0 ||
                    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool backing_share(struct backing *b, struct allocation *a)
{
    int fd = sealed_file(b->bytes);
    if (fd < 0)
        return false;
    void *at = (void *)(uintptr_t)a->base;
    void *p = mmap(at, b->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, fd, 0);
    if (p == at) {
        b->fd = fd;
        a->front = a->host = p;
        return true;
    }
    if (p != MAP_FAILED)
        munmap(p, b->bytes);
    close(fd);
    return false;
}

bool backing_create(struct memory *m, struct allocation *a)
{
    struct backing *b = &m->backing.data[a->id];
    bool shared = alloc_kind_is_shared(a->kind);
    if (a->bytes < MAP_THRESHOLD && !shared) {
        b->bytes = round_up(a->bytes ? a->bytes : 1, 64);
        b->mapped = false;
        a->host = aligned_alloc(64, b->bytes);
        if (a->host)
            memset(a->host, 0, b->bytes);
        return a->host != NULL;
    }
    b->bytes = round_up(a->bytes ? a->bytes : 1, 4096);
    b->mapped = true;
    if (shared && with_client)
        return backing_share(b, a);
    if (shared && m->checked && map_twice(a, b->bytes))
        return true;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *p = MAP_FAILED;
    if (shared)
        p = mmap((void *)a->base, b->bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE,
                 -1, 0);
    if (p == MAP_FAILED)
        p = mmap(NULL, b->bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    a->host = p == MAP_FAILED ? NULL : p;
    return a->host != NULL;
}

struct allocation *space_record(struct memory *m, uint64_t base, uint64_t bytes, enum alloc_kind kind,
                                const char *name)
{
    struct allocation *a = calloc(1, sizeof *a);
    if (!a)
        abort();
    a->base = base;
    a->bytes = bytes;
    a->kind = kind;
    a->device = m->device;
    a->reach = alloc_kind_is_shared(kind) ? UINT8_MAX : m->reach[m->device];
    a->id = (uint32_t)m->all.count;
    a->number = -1;
    a->name = name ? strdup(name) : NULL;
    *LIST_PUSH(&m->all) = a;
    *LIST_PUSH(&m->backing) = (struct backing){0};
    return a;
}

/** Takes back the youngest record, for which the host had no memory. */
static struct allocation *forget(struct memory *m, struct allocation *a)
{
    m->all.count--;
    m->backing.count--;
    free((char *)a->name);
    free(a);
    return NULL;
}

uint64_t space_place(struct memory *m, uint64_t bytes, uint64_t align, enum alloc_kind kind)
{
    uint64_t gap = kind == ALLOC_DEVICE_HEAP ? HEAP_RED_ZONE
                   : bytes > RED_ZONE_MIN    ? bytes
                                             : RED_ZONE_MIN;
    uint64_t base = round_up(m->next_device, align);
    uint64_t end = DEVICE_BASE + DEVICE_BYTES;
    if (bytes > end || base > end - bytes || gap > end - bytes - base)
        return 0;
    m->next_device = round_up(base + bytes + gap, 1u << GRANULE_BITS);
    return base;
}

void space_announce(struct memory *m, struct allocation *a)
{
    bool numbered = !a->mapped && a->kind != ALLOC_VARIABLE && a->kind != ALLOC_CONSTANT &&
                    a->kind != ALLOC_DEVICE_HEAP && !a->name;
    if (numbered)
        a->number = m->next_number++;
    space_enter(m, a);
    if (m->allocated)
        m->allocated(m->hook_self, a);
}

struct allocation *memory_alloc(struct memory *m, uint64_t bytes, unsigned align,
                                enum alloc_kind kind, const char *name)
{
    bool counted = kind != ALLOC_HOST && kind != ALLOC_REGISTERED;
    if (counted && (bytes > m->limit || m->used[m->device] > m->limit - bytes))
        return NULL;
    if (kind == ALLOC_HOST && bytes > host_memory_whole()) /* page-locked */
        return NULL;
    bool shared = alloc_kind_is_shared(kind);
    uint64_t alignment = align > (1u << GRANULE_BITS) ? align : 1u << GRANULE_BITS;
    uint64_t base;
    if (shared) {
        base = m->next_host;
        if (bytes > HOST_BYTES || base > HOST_BASE + HOST_BYTES - bytes)
            return NULL;
        m->next_host += round_up(bytes + RED_ZONE_MIN, RED_ZONE_MIN);
    } else {
        base = space_place(m, bytes, alignment, kind);
    }
    if (!base)
        return NULL;
    struct allocation *a = space_record(m, base, bytes, kind, name);
    a->table = kind == ALLOC_VARIABLE && name && strncmp(name, LIBRARY_TABLES, sizeof LIBRARY_TABLES - 1) == 0;
    if (!backing_create(m, a))
        return forget(m, a);
    if (shared)
        a->base = (uint64_t)(uintptr_t)(a->front ? a->front : a->host);
    if (counted)
        m->used[m->device] += bytes;
    if (m->checked && kind != ALLOC_VARIABLE && kind != ALLOC_CONSTANT) {
        a->blank = m->backing.data[a->id].mapped && !shared;
        if (!a->blank && !contents_are_unknown(a))
            contents_poison(a);
    }
    space_announce(m, a);
    return a;
}

struct allocation *memory_map_host(struct memory *m, void *host, uint64_t bytes,
                                   enum alloc_kind kind)
{
    uint64_t base = (uint64_t)(uintptr_t)host;
    if (!host || !bytes || base >> ADDRESS_BITS || (base + bytes - 1) >> ADDRESS_BITS ||
        base + bytes < base)
        return NULL;
    struct allocation *a = space_record(m, base, bytes, kind, NULL);
    a->host = host;
    space_announce(m, a);
    return a;
}

bool memory_free(struct memory *m, uint64_t base)
{
    struct allocation *a = memory_find(m, base);
    if (!a) /* an allocation of no bytes contains no address */
        for (int i = m->all.count - 1; i >= 0 && !a; i--)
            if (m->all.data[i]->base == base && m->all.data[i]->bytes == 0)
                a = m->all.data[i];
    if (!a || a->freed || a->base != base)
        return false;
    if (m->freed)
        m->freed(m->hook_self, a);
    if (a->kind != ALLOC_HOST && a->kind != ALLOC_REGISTERED && !a->mapped)
        m->used[a->device] -= a->bytes;
    a->freed = true;
    /* Host addresses are the host's to reuse; device addresses are not reused. */
    if (alloc_kind_is_shared(a->kind))
        space_leave(m, a);
    backing_release(m, a);
    return true;
}

struct allocation *memory_holds(const struct memory *m, uint64_t address, uint64_t bytes)
{
    struct allocation *a = memory_find(m, address);
    return a && !a->freed && bytes <= a->bytes && address - a->base <= a->bytes - bytes ? a : NULL;
}

void *memory_translate(const struct memory *m, uint64_t address, uint64_t bytes)
{
    struct allocation *a = memory_holds(m, address, bytes);
    return a ? allocation_bytes(a) + (address - a->base) : NULL;
}

void memory_choose(struct memory *m, int device)
{
    m->device = (uint8_t)device;
}

void memory_let(struct memory *m, int device, int other, bool may)
{
    uint8_t bit = (uint8_t)(1u << device);
    m->reach[other] = (uint8_t)(may ? m->reach[other] | bit : m->reach[other] & ~bit);
    for (int i = 0; i < m->all.count; i++) {
        struct allocation *a = m->all.data[i];
        if (a->device == other && !a->own_reach && !alloc_kind_is_shared(a->kind))
            a->reach = m->reach[other];
    }
}

uint64_t memory_used(const struct memory *m)
{
    uint64_t sum = 0;
    for (int i = 0; i < MEMORY_DEVICES; i++)
        sum += m->used[i];
    return sum;
}

uint64_t memory_used_of(const struct memory *m, int device)
{
    return m->used[device];
}

uint64_t memory_limit(const struct memory *m)
{
    return m->limit;
}

void memory_each(struct memory *m, void (*fn)(void *self, struct allocation *a), void *self)
{
    for (int i = 0; i < m->all.count; i++)
        fn(self, m->all.data[i]);
}
