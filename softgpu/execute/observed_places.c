/**
 * @file observed_places.c
 * Where the lanes of an access in checked mode go: whole rows of words and lanes in one allocation at once, all else lane by lane.
 */
#include "base/vectors.h"
#include "execute/access.h"
#include "execute/block.h"
#include "execute/engine.h"
#include "execute/grid.h"
#include "execute/worker.h"
#include "memory/memory.h"

/** A row (mem_access.row) from `address` on, which lies at `host`. */
static void place_row(struct mem_access *a, uint64_t address, uint8_t *host, struct allocation *allocation)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        a->address[lane] = address + 4u * lane;
        a->host[lane] = host + 4u * lane;
        a->allocation[lane] = allocation;
    }
    a->row = a->even = true;
}

static inline bool is_words(const struct warp *w, const struct mem_desc *d)
{
    return w->mask == UINT32_MAX && d->bytes == 4 && d->count == 1;
}

/** Does the whole warp go through global memory word by word? */
static bool observe_row(struct warp *w, const struct insn *in)
{
    struct worker *k = w->worker;
    const uint64_t *reg = warp_reg(w, in->src[0]);
    uint64_t skew = 0, address = reg[0] + (uint64_t)in->offset;
    if (!is_words(w, &in->mem))
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        skew |= reg[lane] ^ (reg[0] + 4u * lane);
    uint8_t *host = skew || address % 4 ? NULL : global_host_any(k, address, 4 * WARP_LANES);
    if (host)
        place_row(&k->access, address, host, k->cache_allocation);
    return host;
}

/** Through shared memory? */
static bool observe_shared_row(struct warp *w, const struct insn *in)
{
    const struct block *b = w->block;
    const uint32_t *reg = warp_reg(w, in->src[0]);
    uint32_t skew = 0, address = reg[0] + (uint32_t)in->offset;
    if (!is_words(w, &in->mem))
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        skew |= reg[lane] ^ (reg[0] + 4u * lane);
    struct shared_room room;
    if (skew || address % 4 || !shared_room(b, in, 4 * WARP_LANES, &room) || address - room.first > room.span)
        return false;
    place_row(&w->worker->access, address, b->shared + address, NULL);
    return true;
}

/** Where the lanes `mask` may go: elements of `bytes` in an area that lies at `base`, from `first` on, `span` from there to the last of their offsets. */
struct area {
    uint32_t mask;
    uint64_t base, first, span, bytes;
    uint8_t *host;
    struct allocation *allocation;
};

#ifdef __x86_64__
#define AVX512 USES_VECTORS("avx512f,avx512dq")
#define HAS_AVX512 __builtin_cpu_supports("avx512dq")

typedef uint64_t eight __attribute__((vector_size(64), aligned(8), may_alias));
typedef uint32_t eight_words __attribute__((vector_size(32), aligned(4), may_alias));

/** Eight lanes' places, of which only those of in->mask matter. @return not 0 where one of them lies outside or is not aligned */
AVX512 static inline eight place_eight(struct mem_access *a, unsigned lane, eight address, const struct area *in)
{
    const eight lanes = {1, 2, 4, 8, 16, 32, 64, 128};
    eight at = address - in->base, on = (eight)((((eight){0} + (in->mask >> lane)) & lanes) != 0);
    *(eight *)&a->address[lane] = address;
    *(eight *)&a->host[lane] = at + (uintptr_t)in->host;
    *(eight *)&a->allocation[lane] = (eight){0} + (uintptr_t)in->allocation;
    return on & ((eight)(at - in->first > in->span) | (address & (in->bytes - 1)));
}

AVX512 static bool is_none(eight bad)
{
    uint64_t any = 0;
    for (int i = 0; i < 8; i++)
        any |= bad[i];
    return !any;
}

AVX512 static bool place_wide(struct mem_access *a, const uint64_t *reg, uint64_t offset, const struct area *in)
{
    eight bad = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane += 8)
        bad |= place_eight(a, lane, *(const eight *)&reg[lane] + offset, in);
    return is_none(bad);
}

/** The same for addresses of 32 bits. */
AVX512 static bool place_narrow(struct mem_access *a, const uint32_t *reg, uint32_t offset, const struct area *in)
{
    eight bad = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane += 8)
        bad |= place_eight(a, lane, __builtin_convertvector(*(const eight_words *)&reg[lane] + offset, eight), in);
    return is_none(bad);
}
#else
#define HAS_AVX512 0
#define place_wide(a, reg, offset, in) false
#define place_narrow(a, reg, offset, in) false
#endif

/** Places all lanes by 64-bit addresses in one allocation. @return false where one lies outside or is not aligned */
static bool place_all(struct warp *w, const struct insn *in, const struct area *area)
{
    struct mem_access *a = &w->worker->access;
    const uint64_t *reg = warp_reg(w, in->src[0]);
    uint64_t offset = (uint64_t)in->offset, bad = 0;
    if (HAS_AVX512)
        return place_wide(a, reg, offset, area);
#define PLACE_GLOBAL                                                                               \
    uint64_t address = reg[lane] + offset;                                                         \
    bad |= (address - area->base > area->span) | (address & (area->bytes - 1));                    \
    a->address[lane] = address;                                                                    \
    a->host[lane] = area->host + (address - area->base);                                           \
    a->allocation[lane] = area->allocation;
    ALL_LANES(w->mask, PLACE_GLOBAL)
    return !bad;
}

/** Placed as they are, does each lane go on where the one before it ends (mem_access.even)? @return true */
static bool note_even(const struct warp *w, struct mem_access *a, unsigned bytes)
{
    uint64_t skew = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        skew |= a->address[lane] ^ (a->address[0] + (uint64_t)lane * bytes);
    a->even = w->mask == UINT32_MAX && !skew;
    return true;
}

/** All lanes in one allocation, aligned: the common case of access_observe_places(). */
static bool observe_cached(struct warp *w, const struct insn *in, unsigned bytes)
{
    struct worker *k = w->worker;
    if (!global_host_any(k, lane_address(w, in, __builtin_ctz(w->mask)), bytes))
        return false;
    return place_all(w, in, &(struct area){w->mask, k->cache_base, 0, k->cache_bytes - bytes, bytes, k->cache_host, k->cache_allocation}) &&
           note_even(w, &k->access, bytes);
}

/** The same for constant memory, which is not cached: the allocation is found once. */
static bool observe_constants(struct warp *w, const struct insn *in, unsigned bytes)
{
    struct mem_access *a = &w->worker->access;
    uint64_t first = lane_address(w, in, __builtin_ctz(w->mask));
    struct allocation *of = memory_find(warp_machine(w)->memory, first);
    if (!of || of->kind != ALLOC_CONSTANT || of->freed || bytes > of->bytes || !device_reaches(w->worker->device, of))
        return false;
    struct area area = {w->mask, of->base, 0, of->bytes - bytes, bytes, allocation_bytes(of), of};
    if (in->mem.address_bytes)
        return place_all(w, in, &area);
    ALL_LANES(w->mask, a->address[lane] = first; a->host[lane] = area.host + (first - of->base); a->allocation[lane] = of;)
    return first - of->base <= area.span && !(first & (bytes - 1));
}

/** The same for shared memory by 32-bit address. */
static bool observe_shared(struct warp *w, const struct insn *in, unsigned bytes)
{
    struct mem_access *a = &w->worker->access;
    const struct block *b = w->block;
    const uint32_t *reg = warp_reg(w, in->src[0]);
    uint32_t offset = (uint32_t)in->offset, bad = 0;
    uint8_t *shared = b->shared;
    struct shared_room room;
    if (!shared_room(b, in, bytes, &room))
        return false;
    if (HAS_AVX512)
        return place_narrow(a, reg, offset, &(struct area){w->mask, 0, room.first, room.span, bytes, shared, NULL});
#define PLACE_SHARED                                                                               \
    uint32_t address = reg[lane] + offset;                                                         \
    bad |= (address - room.first > room.span) | (address & (bytes - 1));                           \
    a->address[lane] = address;                                                                    \
    a->host[lane] = shared + address;                                                              \
    a->allocation[lane] = NULL;
    ALL_LANES(w->mask, PLACE_SHARED)
    return !bad;
}

uint32_t access_observe_lane(struct warp *w, const struct insn *in, int lane, uint64_t address, unsigned bytes, bool write,
                             uint8_t areas[WARP_LANES])
{
    struct mem_access *a = &w->worker->access;
    struct place p;
    if (!access_place(w, in, lane, address, bytes, write, &p))
        return 0;
    a->address[lane] = p.address;
    a->host[lane] = p.host;
    a->allocation[lane] = p.allocation;
    areas[lane] = area_of(w, &p);
    return 1u << areas[lane];
}

uint32_t access_observe_places(struct warp *w, const struct insn *in, bool write,
                               uint8_t areas[WARP_LANES])
{
    unsigned bytes = (unsigned)in->mem.bytes * in->mem.count;
    uint32_t seen = 0;
    worker_access(w->worker, in);
    if (in->mem.space == SPACE_GLOBAL && in->mem.address_bytes == 8 &&
        (observe_row(w, in) || observe_cached(w, in, bytes)))
        return 1u << SPACE_GLOBAL;
    if (in->mem.space == SPACE_SHARED && in->mem.address_bytes == 4 &&
        (observe_shared_row(w, in) || observe_shared(w, in, bytes)))
        return 1u << SPACE_SHARED;
    if (in->mem.space == SPACE_CONST && !write && in->mem.address_bytes != 4 && observe_constants(w, in, bytes))
        return 1u << SPACE_CONST;
    FOR_LANES(lane, w->mask)
    {
        uint32_t area = access_observe_lane(w, in, (int)lane, lane_address(w, in, (int)lane), bytes, write, areas);
        if (!area)
            return 0;
        seen |= area;
    }
    return seen;
}
