/**
 * @file fast_memory.c
 * Loads and stores of one 4- or 8-byte element per lane in global and shared memory: the bulk of
 * what kernels do. Where the lanes are consecutive the whole warp is one copy; else lane by lane
 * through the worker's cached allocation. Anything unusual (another allocation, a fault) takes
 * access_place(), which knows how to explain.
 */
#include "execute/fast_memory.h"

#include "execute/access.h"
#include "execute/grid.h"
#include "execute/traffic.h"
#include "execute/worker.h"

#pragma GCC optimize("O3")
/** A handler for any x86-64 and one for AVX2, from one body; fast_load() and fast_store() choose. */
#define HANDLER(name)                                                                              \
    static inline __attribute__((always_inline)) const struct insn *name##_body(                   \
        struct warp *w, const struct insn *in);                                                    \
    static const struct insn *name(struct warp *w, const struct insn *in)                          \
    {                                                                                              \
        return name##_body(w, in);                                                                 \
    }                                                                                              \
    __attribute__((target("avx2"))) static const struct insn *name##_avx2(struct warp *w,          \
                                                                          const struct insn *in)   \
    {                                                                                              \
        return name##_body(w, in);                                                                 \
    }                                                                                              \
    static inline __attribute__((always_inline)) const struct insn *name##_body(                   \
        struct warp *w, const struct insn *in)

/** Zero if lane i's address is `a[0] + i * bytes` for all 32 lanes. */
static inline __attribute__((always_inline)) uint64_t skew64(const uint64_t *a, unsigned bytes)
{
    uint64_t first = a[0], skew = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        skew |= a[i] ^ (first + i * bytes);
    return skew;
}

/** Host bytes of one lane's global access, by cache, table, or (NULL) after a fault. */
static inline __attribute__((always_inline)) uint8_t *
global_lane(struct warp *w, const struct insn *in, int lane, uint64_t address, unsigned bytes,
            bool write)
{
    struct worker *k = w->worker;
    uint8_t *host = global_host(k, address, bytes);
    if (__builtin_expect(host && !(address & (bytes - 1)), 1))
        return host;
    struct place p;
    if (!access_place(w, in, lane, address, bytes, write, &p))
        return NULL;
    return p.host;
}

/** The lanes' offsets in the allocation in which the first of them lies, those of lanes that do not execute 0.
 *  @return false where one lies outside or is not aligned, or all do in memory that is not cached */
static inline __attribute__((always_inline)) bool
global_offsets(struct warp *w, const uint64_t *reg, uint64_t offset, unsigned bytes, uint64_t at[WARP_LANES])
{
    struct worker *k = w->worker;
    const int32_t *on = w->lane_mask;
    if (!global_host_any(k, reg[__builtin_ctz(w->mask)] + offset, bytes))
        return false;
    uint64_t base = k->cache_base, last = k->cache_bytes - bytes, bad = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t here = (uint64_t)(int64_t)on[i], address = reg[i] + offset;
        bad |= ((address - base > last ? UINT64_MAX : 0) | (address & (bytes - 1))) & here;
        at[i] = (address - base) & here;
    }
    return !bad;
}

#define PREFETCH_DISTANCE 6

/** A grid-stride loop steps over pages, which no hardware prefetcher follows: fetch what the same
 *  load will want some iterations from now. A wrong guess does no harm. */
static inline void prefetch_ahead(struct warp *w, const struct insn *in, const uint8_t *host)
{
    const uint8_t **last = &w->stream[in->site & 7];
    uintptr_t here = (uintptr_t)host;
    uintptr_t ahead = here + PREFETCH_DISTANCE * (here - (uintptr_t)*last);
    __builtin_prefetch((const void *)ahead);
    __builtin_prefetch((const void *)(ahead + 64));
    *last = host;
}

#define GLOBAL_LOAD(name, type)                                                                    \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        const uint64_t *reg = warp_reg(w, in->src[0]);                                             \
        type *dst = warp_reg(w, in->dst);                                                          \
        uint64_t offset = (uint64_t)in->offset;                                                    \
        if (w->mask == UINT32_MAX && !skew64(reg, sizeof(type))) {                                 \
            uint64_t first = reg[0] + offset;                                                      \
            uint8_t *host = global_host_any(w->worker, first, WARP_LANES * sizeof(type));          \
            if (host && !(first & (sizeof(type) - 1))) {                                           \
                note_consecutive(w, host, WARP_LANES * sizeof(type), true);                        \
                prefetch_ahead(w, in, host);                                                       \
                memcpy(dst, host, WARP_LANES * sizeof(type));                                      \
                return in + 1;                                                                     \
            }                                                                                      \
        }                                                                                          \
        uint64_t offsets[WARP_LANES];                                                              \
        if (global_offsets(w, reg, offset, sizeof(type), offsets)) {                               \
            const uint8_t *host = w->worker->cache_host;                                           \
            note_elements(w, host, offsets, true);                                                 \
            if (w->mask == UINT32_MAX) {                                                           \
                for (int i = 0; i < WARP_LANES; i++)                                               \
                    dst[i] = *(const type *)(host + offsets[i]);                                   \
                return in + 1;                                                                     \
            }                                                                                      \
            FOR_LANES(lane, w->mask)                                                               \
            {                                                                                      \
                dst[lane] = *(const type *)(host + offsets[lane]);                                 \
            }                                                                                      \
            return in + 1;                                                                         \
        }                                                                                          \
        uint8_t *at[WARP_LANES];                                                                   \
        FOR_LANES(lane, w->mask)                                                                   \
        {                                                                                          \
            at[lane] = global_lane(w, in, (int)lane, reg[lane] + offset, sizeof(type), false);     \
            if (!at[lane])                                                                         \
                return NULL;                                                                       \
            dst[lane] = *(const type *)at[lane];                                                   \
        }                                                                                          \
        note_traffic(w, in, at, true);                                                             \
        return in + 1;                                                                             \
    }

#define GLOBAL_STORE(name, type)                                                                   \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        const uint64_t *reg = warp_reg(w, in->src[0]);                                             \
        const type *src = warp_reg(w, in->src[1]);                                                 \
        uint64_t offset = (uint64_t)in->offset;                                                    \
        if (w->mask == UINT32_MAX && !skew64(reg, sizeof(type))) {                                 \
            uint64_t first = reg[0] + offset;                                                      \
            uint8_t *host = global_host_any(w->worker, first, WARP_LANES * sizeof(type));          \
            if (host && !(first & (sizeof(type) - 1))) {                                           \
                note_consecutive(w, host, WARP_LANES * sizeof(type), false);                       \
                memcpy(host, src, WARP_LANES * sizeof(type));                                      \
                return in + 1;                                                                     \
            }                                                                                      \
        }                                                                                          \
        uint64_t offsets[WARP_LANES];                                                              \
        if (global_offsets(w, reg, offset, sizeof(type), offsets)) {                               \
            uint8_t *host = w->worker->cache_host;                                                 \
            note_elements(w, host, offsets, false);                                                \
            FOR_LANES(lane, w->mask)                                                               \
            {                                                                                      \
                *(type *)(host + offsets[lane]) = src[lane];                                       \
            }                                                                                      \
            return in + 1;                                                                         \
        }                                                                                          \
        uint8_t *at[WARP_LANES];                                                                   \
        FOR_LANES(lane, w->mask)                                                                   \
        {                                                                                          \
            at[lane] = global_lane(w, in, (int)lane, reg[lane] + offset, sizeof(type), true);      \
            if (!at[lane])                                                                         \
                return NULL;                                                                       \
            *(type *)at[lane] = src[lane];                                                         \
        }                                                                                          \
        note_traffic(w, in, at, false);                                                            \
        return in + 1;                                                                             \
    }

GLOBAL_LOAD(load_global_4, uint32_t)
GLOBAL_LOAD(load_global_8, uint64_t)
GLOBAL_STORE(store_global_4, uint32_t)
GLOBAL_STORE(store_global_8, uint64_t)

/*
 * `areg` is the address register's type: sums wrap in its width. All lanes are checked at once
 * (load_plain() and store_plain() explain what is wrong, or know better); then
 * either they lie one after another (a window of 32 elements, taken whole and blended), or each is
 * fetched by its address, lanes that do not execute from offset 0. Writing back what stands in the
 * window for lanes that do not execute is harmless: one host thread runs all of a block.
 */
#define SHARED_CHECK(type, areg, otherwise)                                                        \
    const areg *reg = warp_reg(w, in->src[0]);                                                     \
    const int32_t *on = w->lane_mask;                                                              \
    areg offset = (areg)in->offset, size = w->block->shared_bytes, bad = 0, skew = 0;              \
    int first = __builtin_ctz(w->mask);                                                            \
    areg base = reg[first] + offset - (areg)first * (areg)sizeof(type);                            \
    uint8_t *shared = w->block->shared;                                                            \
    areg last = size - (areg)sizeof(type);                                                         \
    if (size < sizeof(type))                                                                       \
        return otherwise(w, in);                                                                   \
    for (int i = 0; i < WARP_LANES; i++) {                                                         \
        areg a = reg[i] + offset, here = (areg)(int64_t)on[i];                                     \
        bad |= ((areg) - (a > last) | (a & (areg)(sizeof(type) - 1))) & here;                      \
        skew |= (a ^ (base + (areg)i * (areg)sizeof(type))) & here;                                \
    }                                                                                              \
    if (__builtin_expect(bad != 0, 0))                                                             \
        return otherwise(w, in);                                                                   \
    bool window = !skew && base <= last && size - base >= WARP_LANES * sizeof(type)

#define SHARED_LOAD(name, type, areg)                                                              \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        SHARED_CHECK(type, areg, load_plain);                                                      \
        type *dst = warp_reg(w, in->dst);                                                          \
        if (window) {                                                                              \
            const type *from = (const type *)(shared + base);                                      \
            for (int i = 0; i < WARP_LANES; i++)                                                   \
                dst[i] = on[i] ? from[i] : dst[i];                                                 \
            return in + 1;                                                                         \
        }                                                                                          \
        for (int i = 0; i < WARP_LANES; i++) {                                                     \
            type v = *(const type *)(shared + ((reg[i] + offset) & (areg)(int64_t)on[i]));         \
            dst[i] = on[i] ? v : dst[i];                                                           \
        }                                                                                          \
        return in + 1;                                                                             \
    }

#define SHARED_STORE(name, type, areg)                                                             \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        SHARED_CHECK(type, areg, store_plain);                                                     \
        const type *src = warp_reg(w, in->src[1]);                                                 \
        if (window) {                                                                              \
            type *to = (type *)(shared + base);                                                    \
            for (int i = 0; i < WARP_LANES; i++)                                                   \
                to[i] = on[i] ? src[i] : to[i];                                                    \
            return in + 1;                                                                         \
        }                                                                                          \
        FOR_LANES(lane, w->mask)                                                                   \
        {                                                                                          \
            *(type *)(shared + (areg)(reg[lane] + offset)) = src[lane];                            \
        }                                                                                          \
        return in + 1;                                                                             \
    }

SHARED_LOAD(load_shared_4, uint32_t, uint32_t)
SHARED_LOAD(load_shared_8, uint64_t, uint32_t)
SHARED_LOAD(load_shared_4_64, uint32_t, uint64_t)
SHARED_LOAD(load_shared_8_64, uint64_t, uint64_t)
SHARED_STORE(store_shared_4, uint32_t, uint32_t)
SHARED_STORE(store_shared_8, uint64_t, uint32_t)
SHARED_STORE(store_shared_4_64, uint32_t, uint64_t)
SHARED_STORE(store_shared_8_64, uint64_t, uint64_t)

/** A strong load by the handler of a weak one: a block's shared memory is nobody else's meanwhile. That it may be polled is noted, as load_plain() does,
 *  which the other may have called. */
#define STRONG(name)                                                                               \
    static const struct insn *strong_##name(struct warp *w, const struct insn *in)                 \
    {                                                                                              \
        const struct insn *next = name(w, in);                                                     \
        bool noted = w->look.last == in && w->look.at == warp_count_before(w, in);                 \
        if (next && !noted)                                                                        \
            note_poll(w, in);                                                                      \
        return next;                                                                               \
    }
#define STRONG_TWICE(name) STRONG(name) STRONG(name##_avx2)

STRONG_TWICE(load_shared_4)
STRONG_TWICE(load_shared_8)
STRONG_TWICE(load_shared_4_64)
STRONG_TWICE(load_shared_8_64)
STRONG(fast_load_shared_4_avx512)

/** A kernel parameter, the same for all lanes: the offset is fixed and was laid out by decode. */
#define PARAM_LOAD(name, type)                                                                     \
    HANDLER(name)                                                                                  \
    {                                                                                              \
        const struct grid *g = w->block->grid;                                                     \
        struct place p;                                                                            \
        type *dst = warp_reg(w, in->dst);                                                          \
        if ((uint64_t)in->offset + sizeof(type) > g->config.kernel->param_bytes)                   \
            return access_place(w, in, __builtin_ctz(w->mask), (uint64_t)in->offset,               \
                                sizeof(type), false, &p) ? in + 1 : NULL;                          \
        type value;                                                                                \
        memcpy(&value, g->params + in->offset, sizeof value);                                      \
        for (int i = 0; i < WARP_LANES; i++)                                                       \
            dst[i] = w->lane_mask[i] ? value : dst[i];                                             \
        return in + 1;                                                                             \
    }

PARAM_LOAD(load_param_4, uint32_t)
PARAM_LOAD(load_param_8, uint64_t)

#define BOTH(name) {name, name##_avx2, name##_avx2}
#define STRONG_BOTH(name) BOTH(strong_##name)
#define LEVELS 3

static const struct {
    uint8_t space, bytes, address_bytes;
    handler_fn load[LEVELS], store[LEVELS], strong[LEVELS];    /**< any x86-64, AVX2, AVX-512; `strong`: loads */
} table[] = {
    {SPACE_GLOBAL, 4, 8, BOTH(load_global_4), BOTH(store_global_4), {NULL}},
    {SPACE_GLOBAL, 8, 8, BOTH(load_global_8), BOTH(store_global_8), {NULL}},
    {SPACE_SHARED, 4, 4, {load_shared_4, load_shared_4_avx2, fast_load_shared_4_avx512},
     {store_shared_4, store_shared_4_avx2, fast_store_shared_4_avx512}, {strong_load_shared_4, strong_load_shared_4_avx2, strong_fast_load_shared_4_avx512}},
    {SPACE_SHARED, 8, 4, BOTH(load_shared_8), BOTH(store_shared_8), STRONG_BOTH(load_shared_8)},
    {SPACE_SHARED, 4, 8, BOTH(load_shared_4_64), BOTH(store_shared_4_64), STRONG_BOTH(load_shared_4_64)},
    {SPACE_SHARED, 8, 8, BOTH(load_shared_8_64), BOTH(store_shared_8_64), STRONG_BOTH(load_shared_8_64)},
    {SPACE_PARAM, 4, 0, BOTH(load_param_4), {NULL}, {NULL}},
    {SPACE_PARAM, 8, 0, BOTH(load_param_8), {NULL}, {NULL}},
};

#define ROWS ((int)(sizeof table / sizeof table[0]))

static int find_row(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    if (d->count != 1 || d->bytes != d->reg_bytes)
        return -1;
    for (int i = 0; i < ROWS; i++)
        if (table[i].space == d->space && table[i].bytes == d->bytes &&
            table[i].address_bytes == d->address_bytes)
            return i;
    return -1;
}

static int level(void)
{
    return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") ? 2
           : __builtin_cpu_supports("avx2")           ? 1
                                                      : 0;
}

/** Strong loads are polled in loops: load_plain() takes note of that, and so do those of shared memory here. */
handler_fn fast_load(const struct insn *in)
{
    int row = in->dst == REG_NONE ? -1 : find_row(in);
    if (order_is_strong(&in->mem))
        return row < 0 ? NULL : table[row].strong[level()];
    return row < 0 ? fast_load_row(in) : table[row].load[level()];
}

handler_fn fast_store(const struct insn *in)
{
    int row = in->src[1] == REG_NONE ? -1 : find_row(in);
    return row < 0 ? fast_store_row(in) : table[row].store[level()];
}
