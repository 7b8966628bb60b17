/**
 * @file fast_rows.c
 * Loads and stores of global memory by a full warp whose lanes lie one after another, of elements narrower than their registers and
 * of vectors: all lanes are placed at once. Other warps, and whatever is unusual, take load_plain() and store_plain().
 */
#include "execute/fast_memory.h"

#include "base/vectors.h"
#include "execute/access.h"
#include "execute/traffic.h"

#pragma GCC optimize("O3")
#define INLINE static inline __attribute__((always_inline))

/** Where the host has the lanes' `bytes` bytes each, one lane's behind another's; NULL: they do not lie so, or not wholly in memory that is cached. */
INLINE uint8_t *row_of(struct warp *w, const struct insn *in, unsigned bytes)
{
    const uint64_t *reg = warp_reg(w, in->src[0]);
    uint64_t first = reg[0] + (uint64_t)in->offset, skew = 0;
    if (w->mask != UINT32_MAX || first & (bytes - 1))
        return NULL;
    for (unsigned i = 0; i < WARP_LANES; i++)
        skew |= reg[i] ^ (reg[0] + i * bytes);
    return skew ? NULL : global_host_any(w->worker, first, WARP_LANES * bytes);
}

#define LOAD_ROW(name, memory, type, elements)                                                     \
    INLINE const struct insn *name##_body(struct warp *w, const struct insn *in)                   \
    {                                                                                              \
        const unsigned bytes = (elements) * sizeof(memory);                                        \
        const uint8_t *row = row_of(w, in, bytes);                                                 \
        if (!row)                                                                                  \
            return load_plain(w, in);                                                              \
        note_consecutive(w, row, WARP_LANES * bytes, true);                                        \
        for (unsigned e = 0; e < (elements); e++) {                                                \
            const memory *restrict from = (const memory *)row + e;                                 \
            uint32_t reg = element_target(in, e);                                                  \
            if (reg == REG_NONE)                                                                   \
                continue;                                                                          \
            type *restrict to = warp_reg(w, reg);                                                  \
            for (unsigned i = 0; i < WARP_LANES; i++)                                              \
                to[i] = (type)from[i * (elements)];                                                \
        }                                                                                          \
        return in + 1;                                                                             \
    }                                                                                              \
    MADE_TWICE(name)

#define STORE_ROW(name, memory, type, elements)                                                    \
    INLINE const struct insn *name##_body(struct warp *w, const struct insn *in)                   \
    {                                                                                              \
        const unsigned bytes = (elements) * sizeof(memory);                                        \
        memory *restrict row = (memory *)row_of(w, in, bytes);                                     \
        const type *from[elements];                                                                \
        if (!row)                                                                                  \
            return store_plain(w, in);                                                             \
        note_consecutive(w, (const uint8_t *)row, WARP_LANES * bytes, false);                      \
        for (unsigned e = 0; e < (elements); e++)                                                  \
            from[e] = warp_reg(w, element_stored(in, e));                                          \
        for (unsigned i = 0; i < WARP_LANES; i++)                                                  \
            for (unsigned e = 0; e < (elements); e++)                                              \
                row[i * (elements) + e] = (memory)from[e][i];                                      \
        return in + 1;                                                                             \
    }                                                                                              \
    MADE_TWICE(name)

/** A handler for any host and one for hosts with AVX2. */
#define MADE_TWICE(name)                                                                           \
    static const struct insn *name(struct warp *w, const struct insn *in)                          \
    {                                                                                              \
        return name##_body(w, in);                                                                 \
    }                                                                                              \
    USES_VECTORS("avx2") static const struct insn *name##_avx2(struct warp *w, const struct insn *in) \
    {                                                                                              \
        return name##_body(w, in);                                                                 \
    }

/* A load's memory type says by its sign how a value is extended. */
#define LOADS(R)                                                                                   \
    R(u8_16, uint8_t, uint16_t, 1) R(u8_16_2, uint8_t, uint16_t, 2) R(u8_16_4, uint8_t, uint16_t, 4) \
    R(s8_16, int8_t, uint16_t, 1) R(s8_16_2, int8_t, uint16_t, 2) R(s8_16_4, int8_t, uint16_t, 4)  \
    R(u16_16, uint16_t, uint16_t, 1) R(u16_16_2, uint16_t, uint16_t, 2) R(u16_16_4, uint16_t, uint16_t, 4) \
    R(u8_32, uint8_t, uint32_t, 1) R(s8_32, int8_t, uint32_t, 1) R(u16_32, uint16_t, uint32_t, 1) R(s16_32, int16_t, uint32_t, 1) \
    R(u32_64, uint32_t, uint64_t, 1) R(s32_64, int32_t, uint64_t, 1)                               \
    R(u32_32_2, uint32_t, uint32_t, 2) R(u32_32_4, uint32_t, uint32_t, 4) R(u64_64_2, uint64_t, uint64_t, 2)

#define STORES(R)                                                                                  \
    R(u8_16, uint8_t, uint16_t, 1) R(u8_16_2, uint8_t, uint16_t, 2) R(u8_16_4, uint8_t, uint16_t, 4) \
    R(u16_16, uint16_t, uint16_t, 1) R(u16_16_2, uint16_t, uint16_t, 2) R(u16_16_4, uint16_t, uint16_t, 4) \
    R(u8_32, uint8_t, uint32_t, 1) R(u16_32, uint16_t, uint32_t, 1)                                \
    R(u32_32_2, uint32_t, uint32_t, 2) R(u32_32_4, uint32_t, uint32_t, 4) R(u64_64_2, uint64_t, uint64_t, 2)

#define LOAD(name, memory, type, elements) LOAD_ROW(load_##name, memory, type, elements)
#define STORE(name, memory, type, elements) STORE_ROW(store_##name, memory, type, elements)
LOADS(LOAD)
STORES(STORE)

struct row_handler {
    uint8_t bytes, reg_bytes, count;
    bool is_signed;
    handler_fn any, avx2;
};

#define LOAD_ENTRY(name, memory, type, elements)                                                   \
    {sizeof(memory), sizeof(type), elements, (memory)-1 < (memory)1, load_##name, load_##name##_avx2},
#define STORE_ENTRY(name, memory, type, elements) {sizeof(memory), sizeof(type), elements, false, store_##name, store_##name##_avx2},
static const struct row_handler loads[] = {LOADS(LOAD_ENTRY)}, stores[] = {STORES(STORE_ENTRY)};

static handler_fn find(const struct row_handler *all, size_t count, const struct mem_desc *d, bool sign)
{
    uint8_t reg_bytes = d->reg_bytes == 1 ? 2 : d->reg_bytes; /* a register of 8 bits has 16 */
    if (d->space != SPACE_GLOBAL || d->address_bytes != 8)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (all[i].bytes == d->bytes && all[i].reg_bytes == reg_bytes && all[i].count == d->count && all[i].is_signed == sign)
            return vectors_level() >= VECTORS_AVX2 ? all[i].avx2 : all[i].any;
    return NULL;
}

handler_fn fast_load_row(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    bool extends = d->sign_extend && d->bytes < (d->reg_bytes == 1 ? 2 : d->reg_bytes);
    return order_is_strong(d) ? NULL : find(loads, sizeof loads / sizeof *loads, d, extends);
}

handler_fn fast_store_row(const struct insn *in)
{
    for (unsigned e = 0; e < in->mem.count; e++)
        if (element_stored(in, e) == REG_NONE)
            return NULL;
    return find(stores, sizeof stores / sizeof *stores, &in->mem, false);
}
