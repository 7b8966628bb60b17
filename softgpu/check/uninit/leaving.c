/**
 * @file leaving.c
 * Values that leave the device. Copying an undefined value is no fault, taking it to the host is: an error where
 * a kernel has loaded it undefined and stored it, a warning where nobody has ever written the bytes.
 *
 * What lies between members of structures is copied along by right programs, in words or bytes of any size. A piece is
 * as large as the widest store to that memory, as members are aligned to their size: an undefined store counts only
 * where all that the instruction stores is undefined and the piece that it was loaded from held nothing at all,
 * and unwritten bytes only where a whole piece holds nothing.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/zeroed.h"
#include "check/uninit/held.h"
#include "check/uninit/unset.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "host/call_site.h"
#include "report/reporter.h"
#include "report/ptx_line.h"

#define MAX_ORIGINS 1024

/* ---- What is known of an allocation ---- */

bool cells_open(struct allocation *a, bool defined)
{
    uint64_t half = cells_half(a);
    uint8_t *bits = zeroed_new(2 * half + 1);
    if (!bits)
        return false;
    if (defined)
        memset(bits, 0xff, half);
    a->initialised = bits;
    a->initialised_bytes = 2 * half + 1;
    return true;
}

/** A kernel stores `bytes` at once. */
static void cells_stored(struct allocation *a, unsigned bytes)
{
    widen((uint8_t *)a->initialised + 2 * cells_half(a), bytes);
}

static void each_bit(uint8_t *to, uint64_t at, const uint8_t *from, uint64_t start, uint64_t count,
                     bool last_first)
{
    for (uint64_t k = 0; k < count; k++) {
        uint64_t bit = last_first ? count - 1 - k : k;
        bit_put(to, at + bit, bit_get(from, start + bit));
    }
}

/** Copies `count` bits; whole bytes where both sides are aligned alike. They may overlap, as what they stand for may. */
static void bits_copy(uint8_t *to, uint64_t at, const uint8_t *from, uint64_t start, uint64_t count)
{
    bool last_first = to == from && at > start;
    uint64_t head = at % 8 == start % 8 ? -at % 8 : count;
    head = head < count ? head : count;
    uint64_t body = (count - head) / 8 * 8, tail = head + body;
    const uint64_t ends[2][2] = {{0, head}, {tail, count - tail}}; /* where, and how many bits */
    const uint64_t *first = ends[last_first], *second = ends[!last_first];
    each_bit(to, at + first[0], from, start + first[0], first[1], last_first);
    if (body)
        memmove(to + (at + head) / 8, from + (start + head) / 8, body / 8);
    each_bit(to, at + second[0], from, start + second[0], second[1], last_first);
}

/* ---- Who has stored undefined values ---- */

uint32_t leaving_lanes(const struct warp *w, const struct warp_taint *t, const struct mem_access *a)
{
    const struct mem_desc *mem = &a->insn->mem;
    uint32_t lanes = t->any && mem->bytes <= 8 ? a->mask : 0, beside = UINT32_MAX;
    for (int e = 0; lanes && e < mem->count; e++) {
        const struct taint *from = reg_taint(w, t, element_stored(a->insn, (unsigned)e));
        uint8_t all = (uint8_t)((1u << mem->bytes) - 1);
        lanes &= from ? from->lanes & ~from->derived : 0;
        beside &= from ? from->beside : 0;
        for (uint32_t m = lanes; m; m &= m - 1)
            if ((from->bytes[__builtin_ctz(m)] & all) != all)
                lanes &= ~(m & -m);
    }
    return lanes & ~beside;
}

void leaving_note(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, const struct taint *t)
{
    const struct grid *g = w->block->grid;
    const struct image *image = g->config.kernel->image;
    uint64_t at = a->address[lane], bytes = (uint64_t)a->insn->mem.bytes * a->insn->mem.count;
    for (int i = u->origins.count - 1; i >= 0; i--) {
        struct undefined_store *o = &u->origins.data[i];
        if (o->allocation != a->allocation[lane] || o->load.image != image || o->load.site != t->site ||
            o->store != a->insn->site)
            continue;
        o->first = at < o->first ? at : o->first;
        o->end = at + bytes > o->end ? at + bytes : o->end;
        return;
    }
    if (u->origins.count >= MAX_ORIGINS)
        return;
    struct undefined_store o = {
        .allocation = a->allocation[lane], .first = at, .end = at + bytes, .load = {image, t->site},
        .store = a->insn->site, .kernel = g->config.kernel->name, .block = w->block->index,
        .reader = w->index * WARP_LANES + t->origin[lane]};
    if (t->site == UNSET)
        finding_access_fill(&o.at, w, lane, a->insn, "store");
    else
        finding_access_site(&o.at, g, w->block->index, (uint32_t)o.reader, t->site, "load");
    o.stored_line = site_line_to_say(&image->sites[a->insn->site]);
    *LIST_PUSH(&u->origins) = o;
}

/** Who has stored the byte; NULL if that has not been kept. */
static const struct undefined_store *origin_of(const struct uninit *u, const struct allocation *a, uint64_t address)
{
    for (int i = u->origins.count - 1; i >= 0; i--) {
        const struct undefined_store *o = &u->origins.data[i];
        if (o->allocation == a && address >= o->first && address < o->end)
            return o;
    }
    return NULL;
}

/** The origins in a range move along with a copy within the device. */
static void origins_follow(struct uninit *u, const struct allocation *from, uint64_t first, uint64_t bytes,
                           const struct allocation *to, uint64_t at)
{
    for (int i = u->origins.count - 1; i >= 0 && u->origins.count < MAX_ORIGINS; i--) {
        struct undefined_store o = u->origins.data[i];
        if (o.allocation != from || o.first >= first + bytes || o.end <= first)
            continue;
        o.allocation = to;
        o.first = at + (o.first > first ? o.first - first : 0);
        o.end = at + (o.end < first + bytes ? o.end - first : bytes);
        *LIST_PUSH(&u->origins) = o;
    }
}

void leaving_forget(struct uninit *u, const struct allocation *a)
{
    int kept = 0;
    for (int i = 0; i < u->origins.count; i++)
        if (u->origins.data[i].allocation != a)
            u->origins.data[kept++] = u->origins.data[i];
    u->origins.count = kept;
}

/* ---- What a copy takes along ---- */

struct taken look_through(const struct allocation *a, uint64_t from, uint64_t end)
{
    const uint8_t *defined = a->initialised, *stored = defined + cells_half(a);
    uint64_t piece = defined[2 * cells_half(a)];
    piece += piece == 0;
    struct taken t = {0};
    for (uint64_t at = from / 16 * 16; at < end; at += 16) {
        if (defined[at / 8] == 0xff && (at + 8 >= end || defined[at / 8 + 1] == 0xff))
            continue;
        for (uint64_t p = at; p < at + 16; p += piece) {
            bool whole = true;
            for (uint64_t b = p; b < p + piece && b < a->bytes; b++) {
                bool here = b >= from && b < end, holds = bit_get(defined, b);
                whole &= !holds;
                t.nothing += here && !holds;
                if (here && !holds && bit_get(stored, b) && !t.any_stored)
                    t.any_stored = true, t.stored = b;
            }
            if (whole && p + piece > from && p < end && p < a->bytes && !t.any_unwritten)
                t.any_unwritten = true, t.unwritten = p > from ? p : from;
        }
    }
    return t;
}

/** The finding of an undefined value at `address`, taken by `by`. @return false if a race is why */
static bool tell_stored(struct uninit *u, const struct allocation *a, uint64_t address, struct finding_access by)
{
    const struct undefined_store *o = origin_of(u, a, address);
    struct finding f = {.kind = FIND_UNINITIALIZED_READ, .cause = CAUSE_UNDEFINED_TAKEN, .access_count = 2};
    if (!o || observers_know_race(machine_observers(u->machine), o->load))
        return false;
    f.kernel = o->kernel;
    f.facts.undefined =
        (struct undefined_facts){.reader = o->reader, .block = o->block, .stored_line = o->stored_line, .unset = o->load.site == UNSET};
    finding_place(&f, u->machine, NULL, SPACE_GLOBAL, address);
    f.accesses[0] = o->at;
    f.accesses[1] = by;
    report_finding(machine_reporter(u->machine), &f);
    return true;
}

void keep_unwritten(struct uninit *u, const struct allocation *a, const struct taken *t, uint64_t bytes,
                           struct finding_access by)
{
    struct finding f = {.kind = FIND_UNINITIALIZED_READ, .level = LEVEL_WARNING, .cause = CAUSE_UNWRITTEN_TAKEN,
                        .access_count = 1};
    f.facts.undefined = (struct undefined_facts){.bytes = t->nothing, .of = bytes};
    finding_place(&f, u->machine, NULL, SPACE_GLOBAL, a->base + t->unwritten);
    f.accesses[0] = by;
    if (u->unwritten.count < MAX_ORIGINS)
        *LIST_PUSH(&u->unwritten) = f;
}

void leaving_end(struct uninit *u)
{
    for (int i = 0; i < u->unwritten.count; i++)
        if (reporter_count(machine_reporter(u->machine), LEVEL_ERROR) == 0)
            report_finding(machine_reporter(u->machine), &u->unwritten.data[i]);
    LIST_FREE(&u->unwritten);
}

/** A copy takes bytes of `a` to the host. */
static void judge(struct uninit *u, const struct host_op *op, const struct allocation *a)
{
    uint64_t from = op->read_base - a->base, end = from + op->read_bytes;
    struct taken t = look_through(a, from, end < a->bytes ? end : a->bytes);
    if (!t.nothing)
        return;
    const struct call_site *c = call_site(op->by.call, false);
    struct finding_access by = {.op = op->name, .file = c->file, .line = c->line, .stream = op->by.stream};
    if (t.any_stored)
        tell_stored(u, a, a->base + t.stored, by);
    else if (t.any_unwritten)
        keep_unwritten(u, a, &t, op->read_bytes, by);
}

static bool is_host(const struct allocation *a)
{
    return !a || a->kind == ALLOC_HOST || a->kind == ALLOC_REGISTERED;
}

/** Does a copy read bytes that hold nothing? */
static bool lacks(const struct allocation *from, const struct host_op *op)
{
    uint64_t at = op->read_base - from->base, end = at + op->read_bytes;
    return look_through(from, at, end < from->bytes ? end : from->bytes).nothing > 0;
}

void uninit_host_op(void *self, const struct host_op *op)
{
    struct uninit *u = self;
    struct memory *m = machine_memory(u->machine);
    struct allocation *to = op->write_bytes ? memory_find(m, op->write_base) : NULL;
    struct allocation *from = op->read_bytes ? memory_find(m, op->read_base) : NULL;
    if (!op->defines)
        return;
    held_written(u, op);
    if (from)
        host_written(from, op->read_base - from->base, op->read_bytes);
    bool known = from && from->initialised, moves = op->read_bytes == op->write_bytes;
    bool leaves = moves ? is_host(to) : !op->write_bytes;
    if (known && leaves && !is_host(from))
        judge(u, op, from);
    if (to && !to->initialised && known && moves && lacks(from, op))
        open_defined(to);
    if (!to || !to->initialised)
        return;
    uint64_t at = op->write_base - to->base, room = to->bytes - at;
    uint64_t bytes = op->write_bytes < room ? op->write_bytes : room;
    if (!known || !moves || (host_may_write(to) && !to->undefined)) { /* what the host stores there from now on is not seen */
        bits_set(to->initialised, at, bytes);
        return;
    }
    uint64_t start = op->read_base - from->base;
    bits_copy(to->initialised, at, from->initialised, start, bytes);
    bits_copy((uint8_t *)to->initialised + cells_half(to), at, (uint8_t *)from->initialised + cells_half(from), start,
              bytes);
    cells_stored(to, ((uint8_t *)from->initialised)[2 * cells_half(from)]);
    origins_follow(u, from, op->read_base, bytes, to, op->write_base);
}

/* ---- The host's own loads and stores ---- */

bool uninit_host_touch(void *self, const struct host_touch *t)
{
    struct uninit *u = self;
    struct allocation *a = memory_find(machine_memory(u->machine), t->address);
    if (!a || !a->undefined || !a->initialised)
        return false;
    uint64_t at = t->address - a->base;
    if (t->write) {
        bits_set(a->initialised, at, t->bytes < a->bytes - at ? t->bytes : a->bytes - at);
        return false;
    }
    if (bit_get(a->initialised, at))
        return false;
    const struct call_site *c = call_site((const void *)(uintptr_t)t->pc, true);
    tell_stored(u, a, t->address, (struct finding_access){.op = "host load", .file = c->file, .line = c->line});
    bits_set(a->initialised, 0, a->bytes); /* once is enough: the host goes on undisturbed */
    a->undefined = false;
    return false;
}
