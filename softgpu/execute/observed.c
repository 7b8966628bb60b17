/**
 * @file observed.c
 * Loads and stores in checked mode: all lanes are resolved into one struct mem_access, the chooser says
 * what a load returns and whether a store stays, the checkers see it, then registers or memory receive it.
 */
#include "execute/access.h"
#include "execute/block.h"
#include "execute/engine.h"
#include "execute/schedule.h"
#include "execute/dropped_loads.h"
#include "execute/quiet_global.h"
#include "execute/traffic.h"
#include "execute/worker.h"

/** access_next_area() of the lanes of `mask`. */
static bool next_area(const struct warp *w, uint32_t mask, uint32_t *left, uint32_t seen, const uint8_t areas[WARP_LANES])
{
    struct mem_access *a = &w->worker->access;
    if (!*left)
        return false;
    unsigned area = (unsigned)__builtin_ctz(*left);
    *left &= *left - 1;
    a->space = area < AREA_PEER ? (uint8_t)area : SPACE_SHARED;
    a->owner = area < AREA_PEER ? w->block : w->block->cluster->blocks[area - AREA_PEER];
    a->mask = mask;
    if (!(seen & (seen - 1)))
        return true;
    a->mask = 0;
    FOR_LANES(lane, mask)
    {
        if (areas[lane] == area)
            a->mask |= 1u << lane;
    }
    return true;
}

bool access_next_area(const struct warp *w, uint32_t *left, uint32_t seen, const uint8_t areas[WARP_LANES])
{
    return next_area(w, w->mask, left, seen, areas);
}

#define FETCH_LANE(type)                                                                           \
    type v;                                                                                        \
    memcpy(&v, a->host[lane] + r * width, sizeof v);                                               \
    a->value[r][lane] = v;
#define FETCH_ROW(type)                                                                            \
    ALL_LANES(a->mask, FETCH_LANE(type))                                                           \
    break

static void fetch(struct mem_access *a)
{
    const struct mem_desc *d = &a->insn->mem;
    unsigned rows = d->bytes == 16 ? 2 : 1, width = d->bytes / rows;
    if (a->row) {
        uint32_t words[WARP_LANES];
        memcpy(words, a->host[0], sizeof words);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            a->value[0][lane] = words[lane];
        return;
    }
    for (unsigned r = 0; r < d->count * rows; r++)
        switch (width) {
        case 1:
            FETCH_ROW(uint8_t);
        case 2:
            FETCH_ROW(uint16_t);
        case 4:
            FETCH_ROW(uint32_t);
        default:
            FETCH_ROW(uint64_t);
        }
}

/** One 32-bit word to or from a 32-bit register. */
static bool is_plain_word(const struct mem_desc *d)
{
    return d->count == 1 && d->bytes == 4 && d->reg_bytes == 4;
}

/** 4 or 8 bytes to or from a register of as many; so each of several. */
static bool fills_registers(const struct mem_desc *d)
{
    return d->bytes == d->reg_bytes && (d->bytes == 4 || d->bytes == 8);
}

#define PUT(type) \
    do { type *dst_ = warp_reg(w, reg); ALL_LANES(a->mask, dst_[lane] = (type)value[lane];) } while (0)

static void put_whole(struct warp *w, const struct mem_access *a)
{
    for (unsigned e = 0; e < a->insn->mem.count; e++) {
        uint32_t reg = element_target(a->insn, e);
        const uint64_t *value = a->value[e];
        if (reg == REG_NONE)
            continue;
        if (a->insn->mem.bytes == 4)
            PUT(uint32_t);
        else
            PUT(uint64_t);
    }
}

/** note_traffic() of what has just been placed. */
static inline void note_placed(struct warp *w, const struct mem_access *a, bool load)
{
    if (a->even && is_global_traffic(&a->insn->mem))
        note_consecutive(w, a->host[0], (unsigned)a->insn->mem.bytes * a->insn->mem.count * WARP_LANES, load);
    else
        note_traffic(w, a->insn, a->host, load);
}

/** Asks the chooser what the lanes read, and shows the checkers what they do. */
static void observe_load(struct machine *m, struct warp *w, struct mem_access *a)
{
    if (m->chooser.how && m->chooser.how->load) {
        memset(a->older, 0, sizeof a->older);
        if (!m->chooser.how->load(m->chooser.self, w, a))
            grid_cut(w->block->grid);
    }
    note_access(w, a->insn);
    OBSERVE(&m->observers, load, w, a);
    observe_named(&m->observers, w, a);
    end_hopeless(m, w);
}

/** @param thrown_away  lanes that drop what they get */
static inline const struct insn *load(struct warp *w, const struct insn *in, uint32_t thrown_away)
{
    const struct mem_desc *d = &in->mem;
    struct mem_access *a = &w->worker->access;
    struct machine *m = warp_machine(w);
    uint8_t areas[WARP_LANES];
    if (order_is_strong(d) && schedule_preempts_finely(w)) {
        w->limit = in;
        return in;
    }
    uint32_t seen = access_observe_places(w, in, false, areas);
    if (!seen)
        return NULL;
    note_placed(w, a, true);
    a->thrown_away = thrown_away;
    a->again = w->look.again == in;
    unsigned rows = d->bytes == 16 ? 2 : 1;
    for (uint32_t left = seen; access_next_area(w, &left, seen, areas);) {
        fetch(a);
        count_access(w, a, true, false);
        if (a->space != SPACE_PARAM)
            observe_load(m, w, a);
        if (fills_registers(d)) {
            put_whole(w, a);
            continue;
        }
        for (unsigned e = 0; e < d->count; e++)
            FOR_LANES(lane, a->mask)
            {
                uint64_t v[2] = {a->value[e * rows][lane], a->value[e * rows + rows - 1][lane]};
                put_element(w, d, element_target(in, e), (int)lane, v);
            }
    }
    if (order_is_strong(d)) {
        note_poll(w, in);
        schedule_looked(w, in, true);
    }
    return in + 1;
}

const struct insn *load_observed(struct warp *w, const struct insn *in)
{
    return load(w, in, 0);
}

const struct insn *load_perhaps_dropped(struct warp *w, const struct insn *in)
{
    return load(w, in, lanes_throwing_away(w, in));
}

#define GET(type) \
    do { const type *src_ = warp_reg(w, reg); ALL_LANES(a->mask, value[lane] = src_[lane];) } while (0)

/** What the lanes are about to store, from their registers. */
static void gather_values(const struct warp *w, struct mem_access *a, unsigned rows)
{
    const struct insn *in = a->insn;
    const struct mem_desc *d = &in->mem;
    for (unsigned e = 0; e < d->count; e++) {
        uint32_t reg = element_stored(in, e);
        uint64_t *value = a->value[e * rows];
        if (fills_registers(d) && reg != REG_NONE) {
            if (d->bytes == 4)
                GET(uint32_t);
            else
                GET(uint64_t);
            continue;
        }
        FOR_LANES(lane, a->mask)
        {
            uint64_t v[2];
            get_element(w, d, reg, (int)lane, v);
            value[lane] = v[0];
            if (rows == 2)
                a->value[e * rows + 1][lane] = v[1];
        }
    }
}

/** A store that another one has overtaken: memory keeps what it holds. */
static void keep_contents(struct mem_access *a, const uint32_t hidden[MAX_ELEMENTS])
{
    const struct mem_desc *d = &a->insn->mem;
    unsigned rows = d->bytes == 16 ? 2 : 1, width = d->bytes / rows;
    for (unsigned e = 0; e < d->count; e++)
        FOR_LANES(lane, a->mask & hidden[e])
        {
            for (unsigned r = e * rows; r < (e + 1) * rows; r++)
                memcpy(&a->value[r][lane], a->host[lane] + r * width, width);
        }
}

/** Asks the chooser which stores stay, and shows the checkers all of them. */
static void observe_store(struct machine *m, struct warp *w, struct mem_access *a)
{
    uint32_t hidden[MAX_ELEMENTS] = {0};
    bool chosen = m->chooser.how && m->chooser.how->store;
    if (chosen && !m->chooser.how->store(m->chooser.self, w, a, hidden))
        grid_cut(w->block->grid);
    note_access(w, a->insn);
    OBSERVE(&m->observers, store, w, a);
    observe_named(&m->observers, w, a);
    if (chosen)
        keep_contents(a, hidden);
}

static void store_words(const struct mem_access *a)
{
    uint32_t words[WARP_LANES];
    if (!a->row) {
        ALL_LANES(a->mask, memcpy(a->host[lane], &a->value[0][lane], 4);)
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        words[lane] = (uint32_t)a->value[0][lane];
    memcpy(a->host[0], words, sizeof words);
}

#define WRITE_LANES(type)                                                                          \
    ALL_LANES(a->mask, type v = (type)a->value[r][lane]; memcpy(a->host[lane] + r * sizeof v, &v, sizeof v);) \
    break

/** The values of `rows` rows to memory, one behind the other, `width` bytes each. Of lanes that go to one place the last stays. */
static void write_rows(const struct mem_access *a, unsigned rows, unsigned width)
{
    for (unsigned r = 0; r < rows; r++)
        switch (width) {
        case 1:
            WRITE_LANES(uint8_t);
        case 2:
            WRITE_LANES(uint16_t);
        case 4:
            WRITE_LANES(uint32_t);
        default:
            WRITE_LANES(uint64_t);
        }
}

const struct insn *store_observed(struct warp *w, const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    struct mem_access *a = &w->worker->access;
    struct machine *m = warp_machine(w);
    uint8_t areas[WARP_LANES];
    if (order_is_strong(d) && schedule_preempts_store(w, in)) {
        w->limit = in;
        return in;
    }
    uint32_t seen = access_observe_places(w, in, true, areas);
    if (!seen)
        return NULL;
    note_placed(w, a, false);
    unsigned rows = d->bytes == 16 ? 2 : 1, width = d->bytes / rows;
    for (uint32_t left = seen; access_next_area(w, &left, seen, areas);) {
        if (quiet_is_written(m, a))
            return quiet_broken(w);
        gather_values(w, a, rows);
        count_access(w, a, false, true);
        observe_store(m, w, a);
        if (is_plain_word(d)) {
            store_words(a);
            continue;
        }
        write_rows(a, d->count * rows, width);
    }
    return in + 1;
}

/* ---- Accesses at addresses that no register holds */

/** Resolves the lanes of `mask` into the worker's access. @return the areas seen as bits, 0 after a fault */
static uint32_t places_at(struct warp *w, const struct insn *in, uint32_t mask, const uint64_t address[WARP_LANES], bool write,
                          uint8_t areas[WARP_LANES])
{
    struct mem_access *a = worker_access(w->worker, in);
    uint32_t seen = 0;
    FOR_LANES(lane, mask)
    {
        uint32_t area = access_observe_lane(w, in, (int)lane, address[lane], in->mem.bytes, write, areas);
        if (!area)
            return 0;
        seen |= area;
    }
    if (mask == w->mask)
        note_traffic(w, in, a->host, !write);
    return seen;
}

/** The same of all lanes, at offsets from `first`. */
static uint32_t places_within(struct warp *w, const struct insn *in, const struct place *first, const uint64_t at[WARP_LANES], bool write)
{
    struct mem_access *a = worker_access(w->worker, in);
    for (int lane = 0; lane < WARP_LANES; lane++) {
        a->address[lane] = first->address + at[lane];
        a->host[lane] = first->host + at[lane];
        a->allocation[lane] = first->allocation;
    }
    note_traffic(w, in, a->host, !write);
    return 1u << first->space;
}

static uint32_t load_placed(struct warp *w, const struct insn *in, uint32_t mask, uint32_t seen, const uint8_t areas[WARP_LANES],
                            uint64_t value[2][WARP_LANES])
{
    struct mem_access *a = &w->worker->access;
    struct machine *m = warp_machine(w);
    unsigned rows = in->mem.bytes == 16 ? 2 : 1;
    for (uint32_t left = seen; next_area(w, mask, &left, seen, areas);) {
        fetch(a);
        if (m->checked) {
            count_access(w, a, true, false);
            observe_load(m, w, a);
        }
        FOR_LANES(lane, a->mask)
        {
            value[0][lane] = a->value[0][lane];
            value[1][lane] = a->value[rows - 1][lane];
        }
    }
    return seen;
}

bool access_load_at(struct warp *w, const struct insn *in, uint32_t mask, const uint64_t address[WARP_LANES],
                    uint64_t value[2][WARP_LANES])
{
    uint8_t areas[WARP_LANES];
    uint32_t seen = places_at(w, in, mask, address, false, areas);
    return load_placed(w, in, mask, seen, areas, value);
}

bool access_load_within(struct warp *w, const struct insn *in, const struct place *first, const uint64_t at[WARP_LANES], uint64_t value[2][WARP_LANES])
{
    return load_placed(w, in, w->mask, places_within(w, in, first, at, false), NULL, value);
}

static uint32_t store_placed(struct warp *w, const struct insn *in, uint32_t mask, uint32_t seen, const uint8_t areas[WARP_LANES],
                             uint64_t value[2][WARP_LANES])
{
    struct mem_access *a = &w->worker->access;
    struct machine *m = warp_machine(w);
    unsigned rows = in->mem.bytes == 16 ? 2 : 1, width = in->mem.bytes / rows;
    uint64_t low = width == 8 ? UINT64_MAX : (1ull << 8 * width) - 1;
    for (uint32_t left = seen; next_area(w, mask, &left, seen, areas);) {
        FOR_LANES(lane, a->mask)
        {
            for (unsigned r = 0; r < rows; r++)
                a->value[r][lane] = value[r][lane] & low;
        }
        if (m->checked) {
            count_access(w, a, false, true);
            observe_store(m, w, a);
        }
        FOR_LANES(lane, a->mask)
        {
            for (unsigned r = 0; r < rows; r++)
                memcpy(a->host[lane] + r * width, &a->value[r][lane], width);
        }
    }
    return seen;
}

bool access_store_at(struct warp *w, const struct insn *in, uint32_t mask, const uint64_t address[WARP_LANES],
                     uint64_t value[2][WARP_LANES])
{
    uint8_t areas[WARP_LANES];
    uint32_t seen = places_at(w, in, mask, address, true, areas);
    return store_placed(w, in, mask, seen, areas, value);
}

bool access_store_within(struct warp *w, const struct insn *in, const struct place *first, const uint64_t at[WARP_LANES], uint64_t value[2][WARP_LANES])
{
    return store_placed(w, in, w->mask, places_within(w, in, first, at, true), NULL, value);
}
