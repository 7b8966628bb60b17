/**
 * @file load_store.c
 * Loads and stores that work for every space, type and vector; and the selectors, which take the
 * observed handlers in checked mode, and prefer those of fast_memory.c where they apply.
 */
#include "execute/access.h"
#include "execute/engine.h"
#include "execute/fast_memory.h"
#include "execute/fault.h"
#include "execute/schedule.h"
#include "execute/traffic.h"
#include "execute/worker.h"
#include "report/reporter.h"

/** Copies `bytes` at once where another host thread might read them meanwhile. */
static inline void copy_single(uint8_t *to, const uint64_t value[2], unsigned bytes)
{
    switch (bytes) {
    case 4:
        __atomic_store_n((uint32_t *)to, (uint32_t)value[0], __ATOMIC_RELAXED);
        break;
    case 8:
        __atomic_store_n((uint64_t *)to, value[0], __ATOMIC_RELAXED);
        break;
    default:
        memcpy(to, value, bytes);
    }
}

/** All lanes in the block's own shared memory, aligned; by a register, or at the place that stands in the text. */
static bool place_in_shared(const struct warp *w, const struct insn *in, unsigned bytes, uint8_t *host[WARP_LANES])
{
    const struct block *b = w->block;
    uint32_t bad = 0;
    if (b->shared_bytes < bytes)
        return false;
    if (!in->mem.address_bytes) {
        uint64_t at = (uint64_t)in->offset;
        if (at > b->shared_bytes - bytes || at & (bytes - 1))
            return false;
        for (int lane = 0; lane < WARP_LANES; lane++)
            host[lane] = b->shared + at;
        return true;
    }
    const uint32_t *reg = warp_reg(w, in->src[0]);
    FOR_LANES(lane, w->mask)
    {
        uint32_t address = reg[lane] + (uint32_t)in->offset;
        bad |= (address > b->shared_bytes - bytes) | (address & (bytes - 1));
        host[lane] = b->shared + address;
    }
    return !bad;
}

/** All lanes in one allocation of constant memory, which is not cached: it is found once. */
static bool place_constants(const struct warp *w, const struct insn *in, unsigned bytes, uint8_t *host[WARP_LANES])
{
    uint64_t first = lane_address(w, in, __builtin_ctz(w->mask)), bad = 0;
    struct allocation *a = memory_find(warp_machine(w)->memory, first);
    if (!a || a->kind != ALLOC_CONSTANT || a->freed || bytes > a->bytes || !device_reaches(w->worker->device, a))
        return false;
    uint8_t *begin = allocation_bytes(a);
    FOR_LANES(lane, w->mask)
    {
        uint64_t address = in->mem.address_bytes ? lane_address(w, in, (int)lane) : first, at = address - a->base;
        bad |= (at > a->bytes - bytes) | (address & (bytes - 1));
        host[lane] = begin + at;
    }
    return !bad;
}

/** Where each running lane's bytes are. @return false after a fault */
static bool place_lanes(struct warp *w, const struct insn *in, bool write,
                        uint8_t *host[WARP_LANES])
{
    unsigned bytes = (unsigned)in->mem.bytes * in->mem.count;
    struct worker *k = w->worker;
    if (in->mem.space == SPACE_SHARED && in->mem.address_bytes != 8 && place_in_shared(w, in, bytes, host))
        return true;
    if (in->mem.space == SPACE_CONST && !write && in->mem.address_bytes != 4 && place_constants(w, in, bytes, host))
        return true;
    if (in->mem.space == SPACE_GLOBAL && in->mem.address_bytes == 8 &&
        global_host_any(k, lane_address(w, in, __builtin_ctz(w->mask)), bytes)) {
        const uint64_t *reg = warp_reg(w, in->src[0]);
        uint64_t bad = 0;
        FOR_LANES(lane, w->mask)
        {
            uint64_t address = reg[lane] + (uint64_t)in->offset, at = address - k->cache_base;
            bad |= (at > k->cache_bytes - bytes) | (address & (bytes - 1));
            host[lane] = k->cache_host + at;
        }
        if (!bad)
            return true;
    }
    FOR_LANES(lane, w->mask)
    {
        struct place p;
        if (!access_place(w, in, (int)lane, lane_address(w, in, (int)lane), bytes, write, &p))
            return false;
        host[lane] = p.host;
    }
    return true;
}

#define LOAD_LANES(memory, register_type)                                                          \
    do {                                                                                           \
        register_type *to_ = dst;                                                                  \
        FOR_LANES(lane, w->mask)                                                                   \
        {                                                                                          \
            to_[lane] = (register_type)*(const memory *)(host[lane] + at);                         \
        }                                                                                          \
        return true;                                                                               \
    } while (0)

#define LOAD_BY_REGISTER(memory)                                                                   \
    switch (d->reg_bytes) {                                                                        \
    case 1:                                                                                        \
    case 2:                                                                                        \
        LOAD_LANES(memory, uint16_t);                                                              \
    case 4:                                                                                        \
        LOAD_LANES(memory, uint32_t);                                                              \
    case 8:                                                                                        \
        LOAD_LANES(memory, uint64_t);                                                              \
    default:                                                                                       \
        return false;                                                                              \
    }

/** One element of all lanes; false for widths that put_element() must do. C's conversions extend by
 *  the memory type's sign. */
static bool load_element(struct warp *w, const struct mem_desc *d, void *dst, unsigned at,
                         uint8_t *const host[WARP_LANES])
{
    switch (d->bytes | d->sign_extend << 8) {
    case 1:
        LOAD_BY_REGISTER(uint8_t);
    case 2:
        LOAD_BY_REGISTER(uint16_t);
    case 4:
        LOAD_BY_REGISTER(uint32_t);
    case 8:
    case 8 | 1 << 8:
        LOAD_BY_REGISTER(uint64_t);
    case 1 | 1 << 8:
        LOAD_BY_REGISTER(int8_t);
    case 2 | 1 << 8:
        LOAD_BY_REGISTER(int16_t);
    case 4 | 1 << 8:
        LOAD_BY_REGISTER(int32_t);
    default:
        return false;
    }
}

const struct insn *load_plain(struct warp *w, const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    uint8_t *host[WARP_LANES];
    if (!place_lanes(w, in, false, host))
        return NULL;
    note_traffic(w, in, host, true);
    for (unsigned e = 0; e < d->count; e++) {
        uint32_t reg = element_target(in, e);
        if (reg == REG_NONE || load_element(w, d, warp_reg(w, reg), e * d->bytes, host))
            continue;
        FOR_LANES(lane, w->mask)
        {
            uint64_t v[2] = {0, 0};
            memcpy(v, host[lane] + e * d->bytes, d->bytes);
            put_element(w, d, reg, (int)lane, v);
        }
    }
    if (order_is_strong(d))
        note_poll(w, in);
    return in + 1;
}

/** One 4-byte element of all lanes from 4-byte registers, or false. */
static bool store_words(struct warp *w, const struct mem_desc *d, uint32_t reg, unsigned at,
                        uint8_t *const host[WARP_LANES])
{
    if (d->bytes != 4 || d->reg_bytes != 4 || reg == REG_NONE)
        return false;
    const uint32_t *src = warp_reg(w, reg);
    FOR_LANES(lane, w->mask)
    {
        __atomic_store_n((uint32_t *)(host[lane] + at), src[lane], __ATOMIC_RELAXED);
    }
    return true;
}

const struct insn *store_plain(struct warp *w, const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    uint8_t *host[WARP_LANES];
    if (!place_lanes(w, in, true, host))
        return NULL;
    note_traffic(w, in, host, false);
    for (unsigned e = 0; e < d->count; e++) {
        uint32_t reg = element_stored(in, e);
        if (store_words(w, d, reg, e * d->bytes, host))
            continue;
        FOR_LANES(lane, w->mask)
        {
            uint64_t v[2];
            get_element(w, d, reg, (int)lane, v);
            copy_single(host[lane] + e * d->bytes, v, d->bytes);
        }
    }
    return in + 1;
}

handler_fn select_load(const struct insn *in, bool checked)
{
    if (checked && in->mem.space != SPACE_PARAM)
        return plain_fits(in) ? load_word_observed : load_observed;
    handler_fn fast = fast_load(in);
    return fast ? fast : load_plain;
}

handler_fn select_store(const struct insn *in, bool checked)
{
    if (checked && in->mem.space != SPACE_PARAM)
        return plain_fits(in) ? store_word_observed : store_observed;
    handler_fn fast = fast_store(in);
    return fast ? fast : store_plain;
}

const char *memory_operation_name(const struct insn *in)
{
    switch (insn_class(in)) {
    case INSN_LOAD:
        return "load";
    case INSN_STORE:
        return "store";
    case INSN_ATOMIC:
        return "atomic";
    case INSN_BARRIER:
    case INSN_MBARRIER:
        return "barrier";
    case INSN_COPY:
        return "copy";
    case INSN_IMAGE:
        return in->op->defines ? "load" : insn_row(in) == ROW_sured ? "atomic" : "store";
    case INSN_CALL:
        return "call";
    default:
        return "instruction";
    }
}

/** Fences order memory between threads; alone here, they only tell the checkers. */
const struct insn *op_fence(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    if (m->checked && schedule_preempts_finely(w)) {
        w->limit = in;
        return in;
    }
    if (m->checked)
        w->block->grid->counters[COUNT_FENCES]++;
    OBSERVE(&m->observers, fence, w, in, in->mem.order, in->mem.scope);
    if (in->mem.restricted && m->checked)
        report_incomplete_once(m->reporter, INCOMPLETE_RESTRICTED);
    if (w->worker->parallel)
        __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return in + 1;
}
