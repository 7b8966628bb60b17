/**
 * @file flight.c
 * Registers between wgmma.mma_async and the wgmma.wait_group that waits for it (PTX ISA 9.7.15.1): until then what a
 * product goes to is not read, nor what it takes from registers changed. Copies from register to
 * register, which compilers put anywhere, go along.
 */
#include <assert.h>
#include <stdlib.h>

#include "check/uninit/uninit.h"
#include "code/fragment.h"
#include "code/operands.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/reporter.h"

/** One register of a frame. */
struct flight {
    uint32_t frame, reg, group, site;
    bool source;             /**< only read by the product */
};

static struct flight *find(struct warp_taint *t, const struct warp *w, uint32_t reg)
{
    for (int i = 0; i < t->flying_count; i++)
        if (t->flying[i].reg == reg && t->flying[i].frame == w->frame_offset)
            return &t->flying[i];
    return NULL;
}

static void add(struct warp_taint *t, const struct warp *w, struct flight f)
{
    struct flight *known = find(t, w, f.reg);
    f.frame = w->frame_offset;
    if (f.reg & CONST_BIT)
        return;
    t->closely = true;
    if (!known && t->flying_count == t->flying_capacity) {
        t->flying_capacity = t->flying_capacity ? 2 * t->flying_capacity : 64;
        t->flying = realloc(t->flying, (size_t)t->flying_capacity * sizeof *t->flying);
        assert(t->flying);
    }
    *(known ? known : &t->flying[t->flying_count++]) = f;
}

static void begin(struct warp_taint *t, const struct warp *w, const struct insn *in)
{
    const struct tensor_desc *d = in->extra;
    const uint32_t *a = tensor_registers(d, PART_A);
    for (unsigned i = 0; i < d->count[PART_A]; i++)
        if (!find(t, w, a[i]))
            add(t, w, (struct flight){.reg = a[i], .group = t->group, .site = in->site, .source = true});
    for (unsigned i = 0; i < d->written; i++)
        add(t, w, (struct flight){.reg = d->reg[i], .group = t->group, .site = in->site});
}

/** All groups but the last `left` are complete. */
static void wait(struct warp_taint *t, uint64_t left)
{
    int kept = 0;
    for (int i = 0; i < t->flying_count; i++)
        if (t->flying[i].group == t->group || t->flying[i].group + left >= t->group)
            t->flying[kept++] = t->flying[i];
    t->flying_count = kept;
}

static void report(struct uninit *u, const struct warp *w, const struct flight *f, const struct insn *in)
{
    uint64_t key = (uint64_t)f->site << 32 | in->site;
    const struct grid *g = w->block->grid;
    int thread = w->index * WARP_LANES + __builtin_ctz(w->mask);
    for (int i = 0; i < u->told.count; i++)
        if (u->told.data[i] == key)
            return;
    *LIST_PUSH(&u->told) = key;
    struct finding found = {.kind = FIND_UNINITIALIZED_READ, .cause = f->source ? CAUSE_PRODUCT_TAKES : CAUSE_PRODUCT_FLIES,
                            .kernel = g->config.kernel->name, .access_count = 2};
    found.facts.undefined = (struct undefined_facts){.reader = thread, .user = thread, .block = w->block->index};
    finding_access_site(&found.accesses[0], g, w->block->index, (uint32_t)thread, f->site, "matrix product");
    finding_access_fill(&found.accesses[1], w, __builtin_ctz(w->mask), in, "use");
    report_finding(machine_reporter(u->machine), &found);
}

/** Told once a place: a warp that begins with products has not fenced before any. */
static void report_unfenced(struct uninit *u, const struct warp *w, const struct insn *in)
{
    uint64_t key = (uint64_t)in->site << 32 | in->site;
    const struct grid *g = w->block->grid;
    int thread = w->index * WARP_LANES + __builtin_ctz(w->mask);
    for (int i = 0; i < u->told.count; i++)
        if (u->told.data[i] == key)
            return;
    *LIST_PUSH(&u->told) = key;
    struct finding found = {.kind = FIND_UNINITIALIZED_READ, .cause = CAUSE_PRODUCT_UNFENCED,
                            .kernel = g->config.kernel->name, .access_count = 1};
    found.facts.undefined = (struct undefined_facts){.reader = thread, .user = thread, .block = w->block->index};
    finding_access_site(&found.accesses[0], g, w->block->index, (uint32_t)thread, in->site, "matrix product");
    report_finding(machine_reporter(u->machine), &found);
}

/** A copy from register to register: the copy is in flight as well. */
static bool copy(struct warp_taint *t, const struct warp *w, const struct insn *in)
{
    enum op_row row = insn_row(in);
    if (row != ROW_mov_16 && row != ROW_mov_32 && row != ROW_mov_64)
        return false;
    struct flight *from = find(t, w, in->src[0]), *to = find(t, w, in->dst);
    if (from) {
        struct flight f = *from;
        f.reg = in->dst;
        add(t, w, f);
    } else if (to) {
        *to = t->flying[--t->flying_count];
    }
    return true;
}

/** Any other instruction. A register that it only writes may be another one of the text in the same place: what was in
 *  flight there is nobody's any more. */
static void look(struct uninit *u, const struct warp *w, struct warp_taint *t, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        struct flight *f = find(t, w, o.reg);
        if (!f || (f->source && !insn_writes(in, o.reg)))
            continue;
        if (!o.write)
            report(u, w, f, in);
        *f = t->flying[--t->flying_count];
    }
}

/** The warp executes one of wgmma's instructions. */
static void execute(struct uninit *u, const struct warp *w, struct warp_taint *t, const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_wgmma_mma:
        if (!t->fenced)
            report_unfenced(u, w, in);
        begin(t, w, in);
        break;
    case ROW_wgmma_commit:
        t->group++;
        break;
    case ROW_wgmma_wait:
        wait(t, in->imm);
        break;
    default:
        t->fenced = true;
    }
}

static bool is_executed_together(const struct insn *in)
{
    enum op_row row = insn_row(in);
    return row == ROW_wgmma_mma || row == ROW_wgmma_commit || row == ROW_wgmma_wait || row == ROW_wgmma_fence;
}

/** Lanes come to what the warp executes as a whole: nothing has happened before the last is there, or those that are missing
 *  have left. */
static void arrive(struct uninit *u, const struct warp *w, struct warp_taint *t, const struct insn *in)
{
    if (t->met_at && t->met_at != in) {
        execute(u, w, t, t->met_at);
        t->met = 0;
    }
    t->met_at = in;
    t->met |= w->mask;
    if (w->live & ~t->met)
        return;
    t->met_at = NULL;
    t->met = 0;
    execute(u, w, t, in);
}

void uninit_flight(struct uninit *u, const struct warp *w, struct warp_taint *t, const struct insn *in)
{
    if (is_executed_together(in))
        arrive(u, w, t, in);
    else if (t->flying_count && !copy(t, w, in))
        look(u, w, t, in);
}
