/**
 * @file fragments.c
 * Undefined values in matrices that a warp's lanes hold together: an element of a product is undefined where its row of
 * a, its column of b or its addend has one that is (wgmma's matrices in shared memory, too); what comes from memory, and goes there, keeps its bytes.
 */
#include <string.h>

#include "check/uninit/uninit.h"
#include "code/fragment.h"
#include "execute/async_copy.h"

#define MAX_LINES 256   /* columns of wgmma */
#define MAX_RESULTS 128

/** Where an undefined value of a line came from; its own lane's place in the taint that says so. */
struct source {
    const struct taint *taint;
    int lane;
};

static struct source undefined_at(const struct warp *w, const struct warp_taint *t, uint32_t reg, int lane, uint8_t bytes)
{
    const struct taint *from = reg_taint(w, t, reg);
    bool any = from && from->lanes >> lane & 1 && from->bytes[lane] & bytes;
    return (struct source){any ? from : NULL, lane};
}

/** The bytes of a register in which an element lies. */
static uint8_t bytes_of(const struct tensor_desc *d, enum tensor_part p, unsigned e)
{
    unsigned bits = tensor_type_bits((enum tensor_type)d->type[p]);
    unsigned first = bits * e / 8, count = bits < 8 ? 1 : bits / 8;
    return (uint8_t)(((1u << count) - 1) << first);
}

/** For each line of a or b, an undefined element of it. @return whether there is any */
static bool find_lines(const struct warp *w, const struct warp_taint *t, const struct tensor_desc *d, enum tensor_part p,
                       struct source lines[MAX_LINES])
{
    unsigned packed = tensor_packed(d, p);
    const uint32_t *reg = tensor_registers(d, p);
    bool any = false;
    for (unsigned i = 0; i < d->count[p] * packed; i++) {
        const struct taint *from = reg_taint(w, t, reg[i / packed]);
        for (uint32_t m = from ? from->lanes : 0; m; m &= m - 1) {
            struct source s = undefined_at(w, t, reg[i / packed], __builtin_ctz(m), bytes_of(d, p, i % packed));
            if (s.taint)
                lines[fragment_cell(d, p, s.lane, i).line] = s;
            any |= s.taint != NULL;
        }
    }
    return any;
}

/** Metadata decide about everything. */
static struct source undefined_metadata(const struct warp *w, const struct warp_taint *t, const struct tensor_desc *d)
{
    struct source s = {NULL, 0};
    for (int lane = 0; d->sparse && lane < WARP_LANES && !s.taint; lane++)
        s = undefined_at(w, t, d->reg[d->written + d->read - 1], lane, 0x0f);
    return s;
}

/** Has the product an addend in this lane? wgmma with a false scale-d has none: what d holds then is not read. */
static bool has_addend(const struct warp *w, const struct insn *in, int lane)
{
    const struct tensor_desc *d = in->extra;
    if (!d->group)
        return true;
    uint32_t adds = *(const uint32_t *)warp_reg(w, in->src[2]);
    return in->src[2] & CONST_BIT ? adds != 0 : adds >> lane & 1;
}

/** Taint of one register of the result, from what its elements are made of. */
static struct taint result_taint(const struct warp *w, const struct warp_taint *t, const struct insn *in, unsigned r,
                                 const struct source *rows, const struct source *columns, struct source metadata)
{
    const struct tensor_desc *d = in->extra;
    unsigned packed = tensor_packed(d, PART_D), of_c = tensor_packed(d, PART_C);
    const uint32_t *c = tensor_registers(d, PART_C);
    struct taint to = {0};
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (unsigned e = 0; e < packed; e++) {
            unsigned i = r * packed + e;
            struct cell at = fragment_cell(d, PART_D, lane, i);
            struct source s = metadata.taint         ? metadata
                              : rows[at.line].taint  ? rows[at.line]
                              : columns[at.along].taint ? columns[at.along]
                              : !has_addend(w, in, lane) ? (struct source){NULL, 0}
                              : d->quads && d->type[PART_C] != d->type[PART_D]
                                  ? (struct source){NULL, 0} /* its addend lies in another lane: taken as defined */
                                  : undefined_at(w, t, c[i / of_c], lane, bytes_of(d, PART_C, i % of_c));
            if (!s.taint)
                continue;
            to.lanes |= 1u << lane;
            to.bytes[lane] |= bytes_of(d, PART_D, e);
            to.origin[lane] = s.taint->origin[s.lane];
            to.site = s.taint->site;
            to.shuffled = s.taint->shuffled;
        }
    to.derived = to.lanes;
    return to;
}

static void product_taint(const struct warp *w, struct warp_taint *t, const struct insn *in)
{
    const struct tensor_desc *d = in->extra;
    struct source rows[MAX_LINES] = {{NULL, 0}}, columns[MAX_LINES] = {{NULL, 0}};
    struct taint result[MAX_RESULTS], memory = {.site = in->site};
    find_lines(w, t, d, PART_A, rows);
    find_lines(w, t, d, PART_B, columns);
    for (unsigned i = 0; t->any_line && i < MAX_LINES; i++) {
        if (t->lines[0][i])
            rows[i].taint = &memory;
        if (t->lines[1][i])
            columns[i].taint = &memory;
    }
    struct source metadata = undefined_metadata(w, t, d);
    for (unsigned r = 0; r < d->count[PART_D]; r++)
        result[r] = result_taint(w, t, in, r, rows, columns, metadata);
    for (unsigned r = 0; r < d->count[PART_D]; r++)
        if (d->reg[r] != REG_NONE)
            taint_put(reg_taint(w, t, d->reg[r]), result[r]);
}

/** movmatrix: halves go to other lanes as they are. */
static void moved_taint(const struct warp *w, struct warp_taint *t, const struct tensor_desc *d)
{
    const struct taint from = *reg_taint(w, t, d->reg[1]);
    struct taint to = {.site = from.site, .shuffled = from.shuffled};
    for (int lane = 0; lane < WARP_LANES; lane++)
        for (unsigned h = 0; h < 2; h++) {
            struct cell at = matrix_cell(true, lane, h);
            int source = at.line * 4 + at.along / 2;
            uint8_t bytes = from.lanes >> source & 1 ? from.bytes[source] >> 2 * (at.along % 2) & 3 : 0;
            if (!bytes)
                continue;
            to.lanes |= 1u << lane;
            to.derived |= (from.derived >> source & 1) << lane;
            to.beside |= (from.beside >> source & 1) << lane;
            to.bytes[lane] |= (uint8_t)(bytes << 2 * h);
            to.origin[lane] = from.origin[source];
        }
    taint_put(reg_taint(w, t, d->reg[0]), to);
}

void uninit_tensor(void *self, const struct warp *w, const struct insn *in)
{
    struct warp_taint *t = taint_of(self, w);
    const struct tensor_desc *d = in->extra;
    if (!d) /* setmaxnreg */
        return;
    if (t->any_line)
        uninit_open(w, t);
    if (!t->any)
        return;
    if (insn_row(in) == ROW_movmatrix) {
        if (!(d->reg[1] & CONST_BIT))
            moved_taint(w, t, d);
    } else {
        product_taint(w, t, in);
    }
    if (t->any_line)
        memset(t->lines, 0, sizeof t->lines);
    t->any_line = false;
}

void uninit_matrix(struct uninit *u, const struct warp *w, const struct async_event *e)
{
    struct warp_taint *t = taint_of(u, w);
    const struct tensor_desc *d = e->insn->extra;
    struct mem_access a = {.insn = e->from.at, .space = SPACE_SHARED};
    for (uint32_t m = e->mask; m; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m), line;
        bool missing = false, beside;
        for (unsigned half = 0; half < MATRIX_PIECE; half += 8) {
            a.address[lane] = e->from.address[lane] + half;
            missing |= uninit_missing(u, w, &a, (int)lane, &beside) != 0;
        }
        unsigned count = matrix_piece_lines(d, (enum tensor_part)e->part, e->first_piece + lane, &line);
        for (unsigned i = 0; missing && i < count; i++)
            t->lines[e->part == PART_B][line + i] = true;
        t->any_line |= missing;
    }
}

void uninit_received(void *self, const struct warp *w, const struct mem_access *a, uint32_t reg, unsigned at)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    if (reg == REG_NONE || all_is_defined(u, w, a))
        return;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        bool beside;
        uint8_t missing = uninit_missing(u, w, a, l, &beside);
        if (!missing)
            continue;
        struct taint *to = reg_taint_open(w, t, reg);
        to->partly &= ~(1u << l);
        if (!(to->lanes >> l & 1))
            to->bytes[l] = 0;
        to->lanes |= 1u << l;
        to->site = computed_site(u, w, a, l, 0, missing);
        to->derived = (to->derived & ~(1u << l)) | (uint32_t)(to->site >> 31) << l;
        to->beside = (to->beside & ~(1u << l)) | (uint32_t)beside << l;
        to->bytes[l] |= (uint8_t)(missing << at);
        to->origin[l] = (uint8_t)l;
        to->shuffled = false;
    }
}

void uninit_sent(void *self, const struct warp *w, const struct mem_access *a, uint32_t reg, unsigned at)
{
    struct uninit *u = self;
    struct warp_taint *t = taint_of(u, w);
    const struct taint *from = t->any ? reg_taint(w, t, reg) : NULL;
    uint8_t low = (uint8_t)((1u << a->insn->mem.bytes) - 1);
    for (uint32_t m = from ? from->lanes & a->mask : 0; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        uint8_t bytes = from->bytes[l] >> at & low;
        if (bytes && (from->derived >> l & 1) && !is_result_in_shared(a, from, l)) {
            uninit_tell(u, w, from, 1u << l, a->insn, "store");
        } else if (bytes) {
            computed_store(u, w, a, l, 0, (unsigned)a->insn->mem.bytes, from);
            uninit_undefine(u, w, a, l, bytes);
        }
    }
}
