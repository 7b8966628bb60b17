/**
 * @file wgmma.c
 * wgmma.mma_async: each warp of a group computes its sixteen rows (PTX ISA 9.7.15). It is carried out where it is issued,
 * one of the times at which it may read shared memory; what may be relied on before the wait is the checkers' to judge. It is one operation
 * of all four warps: complete when each has carried out its part, so that a warp's wait lasts until the others have come, too.
 */
#include <string.h>

#include "execute/access.h"
#include "execute/async_copy.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/handlers.h"
#include "execute/tensor/dot.h"
#include "execute/tensor/tensor.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#define SWIZZLE_32 3
#define MAX_OF_A (16 * 32)
#define MAX_OF_B (256 * 64)   /* beside a sparse a of bytes */
#define MAX_OF_D (16 * 256)
#define MAX_PIECES (256 * 4)

static unsigned rank_of(const struct warp *w)
{
    return (unsigned)w->index % WARPS_OF_GROUP;
}

/** The first warp of its group. */
static int first_of(const struct warp *w)
{
    return w->index - (int)rank_of(w);
}

/** How many of its products the warp waits for. */
static uint32_t awaited_by(const struct warp *w, const struct insn *in)
{
    const struct warp_products *p = &w->products;
    return p->groups > in->imm && in->imm < PRODUCT_GROUPS ? p->ends[(p->groups - 1 - in->imm) % PRODUCT_GROUPS] : 0;
}

bool tensor_awaits_others(const struct warp *w, const struct insn *in)
{
    if (insn_row(in) != ROW_wgmma_wait)
        return false;
    const struct block *b = w->block;
    int first = first_of(w);
    uint32_t awaited = awaited_by(w, in);
    for (int i = first; i < first + WARPS_OF_GROUP && i < b->warp_count; i++)
        if (b->warps[i].live && b->warps[i].products.count < awaited)
            return true;
    return false;
}

void tensor_others_go_on(const struct warp *w)
{
    struct block *b = w->block;
    int first = first_of(w);
    for (int i = first; i < first + WARPS_OF_GROUP && i < b->warp_count; i++)
        if (i != w->index && b->warps[i].products.waits)
            warp_sync_settle(&b->warps[i]);
}

/** Where they are while nobody is told. @return false: one lies outside or is not aligned, or somebody is told */
static bool place_unwatched(const struct warp *w, const struct tensor_desc *t, enum tensor_part p, const struct shared_matrix *m, unsigned first, unsigned count,
                            const uint8_t *host[MAX_PIECES])
{
    const struct machine *machine = warp_machine(w);
    const struct block *b = w->block;
    uint32_t bad = 0;
    if (machine->checked || machine->observers.count || b->shared_bytes < MATRIX_PIECE)
        return false;
    for (unsigned i = 0; i < count; i++) {
        uint32_t address = matrix_piece_address(t, p, m, first, i);
        bad |= (address > b->shared_bytes - MATRIX_PIECE) | (address % MATRIX_PIECE);
        host[i] = b->shared + address;
    }
    return !bad;
}

/** Where a matrix's pieces are, told as reads by the async proxy, a lane each. @return false after a fault */
static bool place_matrix(struct warp *w, const struct insn *in, enum tensor_part p, uint64_t descriptor,
                         const uint8_t *host[MAX_PIECES])
{
    const struct tensor_desc *t = in->extra;
    struct machine *machine = warp_machine(w);
    struct shared_matrix m = shared_matrix_of(descriptor);
    unsigned count = matrix_pieces(t, p), first = p == PART_A ? rank_of(w) * t->m : 0;
    if (m.swizzle == SWIZZLE_32 && !t->across_b && count > 2u * fragment_lines(t, p)) {
        fault_at(w, in, __builtin_ctz(w->mask), &(struct fault){.cause = CAUSE_UNKNOWN_INSTRUCTION, .facts.text =
                     "a matrix of 64 bytes along k with the swizzle of 32 bytes"});
        return false;
    }
    if (place_unwatched(w, t, p, &m, first, count, host))
        return true;
    for (unsigned i = 0; i < count; i += WARP_LANES) {
        struct async_event e = {.kind = ASYNC_MATRIX, .insn = in, .part = p, .first_piece = i,
                                .continues = i > 0 || (p == PART_B && in->src[0] != REG_NONE)};
        e.from.at = &t->piece[0];
        e.from.space = SPACE_SHARED;
        e.from.owner = w->block;
        for (unsigned lane = 0; lane < WARP_LANES && i + lane < count; lane++) {
            struct place at;
            uint32_t address = matrix_piece_address(t, p, &m, first, i + lane);
            if (!access_place(w, &t->piece[0], (int)lane, address, MATRIX_PIECE, false, &at))
                return false;
            e.mask |= 1u << lane;
            e.from.bytes[lane] = MATRIX_PIECE;
            e.from.address[lane] = at.address;
            host[i + lane] = e.from.host[lane] = at.host;
        }
        if (machine->checked)
            OBSERVE(&machine->observers, async, w, &e);
    }
    return true;
}

/** Negates a number, or leaves it. */
static uint64_t signed_as(uint64_t v, enum tensor_type t, bool minus)
{
    return minus ? v ^ 1ull << (tensor_type_bits(t) - 1) : v;
}

static void gather_memory(const struct tensor_desc *t, enum tensor_part p, const uint8_t *const host[MAX_PIECES], uint64_t *out)
{
    enum tensor_type type = (enum tensor_type)t->type[p];
    unsigned length = tensor_length(t, p);
    for (unsigned line = 0; line < fragment_lines(t, p); line++)
        for (unsigned along = 0; along < length; along++) {
            struct cell at = matrix_piece_of(t, p, line, along);
            uint64_t v = read_bytes(host[at.line] + at.along, tensor_type_bits(type) / 8);
            out[line * length + along] = signed_as(v, type, p == PART_A ? t->minus_a : t->minus_b);
        }
}

/** a from registers. */
static void negate(const struct tensor_desc *t, uint64_t *a)
{
    for (unsigned i = 0; t->minus_a && i < t->m * tensor_length(t, PART_A); i++)
        a[i] = signed_as(a[i], (enum tensor_type)t->type[PART_A], true);
}

/** Element by element. */
static void multiply_elements(const struct warp *w, const struct tensor_desc *t, const uint8_t *const *of_a, const uint8_t *const *of_b, bool adds)
{
    uint64_t a[MAX_OF_A], b[MAX_OF_B], d[MAX_OF_D];
    uint8_t place[MAX_OF_A];
    struct product p = {.form = t, .a = a, .b = b, .c = d, .place = t->sparse ? place : NULL};
    if (of_a) {
        gather_memory(t, PART_A, of_a, a);
    } else {
        tensor_gather(w, t, PART_A, a);
        negate(t, a);
    }
    gather_memory(t, PART_B, of_b, b);
    memset(d, 0, sizeof d);
    if (adds)
        tensor_gather(w, t, PART_D, d);
    if (t->sparse)
        tensor_places(w, t, place);
    tensor_multiply(&p, d);
    tensor_scatter(w, t, d);
}

/** Descriptors and the predicate are the warp's: its first lane's. */
const struct insn *tensor_wgmma(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    const uint8_t *of_a[MAX_PIECES], *of_b[MAX_PIECES];
    int lane = __builtin_ctz(w->mask);
    bool in_memory = in->src[0] != REG_NONE;
    if ((in_memory && !place_matrix(w, in, PART_A, ((const uint64_t *)warp_reg(w, in->src[0]))[lane], of_a)) ||
        !place_matrix(w, in, PART_B, ((const uint64_t *)warp_reg(w, in->src[1]))[lane], of_b))
        return NULL;
    uint32_t flags = *(const uint32_t *)warp_reg(w, in->src[2]);
    bool adds = in->src[2] & CONST_BIT ? flags != 0 : flags >> lane & 1;
    OBSERVE(&warp_machine(w)->observers, tensor, w, in);
    if (!tensor_wgmma_by_tiles(w, t, in_memory ? of_a : NULL, of_b, adds))
        multiply_elements(w, t, in_memory ? of_a : NULL, of_b, adds);
    w->products.count++;
    w->has_products = true;
    tensor_others_go_on(w);
    return in + 1;
}

const struct insn *tensor_wgmma_group(struct warp *w, const struct insn *in)
{
    struct async_event e = {.kind = insn_row(in) == ROW_wgmma_commit ? ASYNC_MATRIX_COMMIT : ASYNC_MATRIX_WAIT, .insn = in,
                            .mask = w->mask, .left = in->imm};
    if (insn_row(in) == ROW_wgmma_commit)
        w->products.ends[w->products.groups++ % PRODUCT_GROUPS] = w->products.count;
    w->products.waits = false;
    w->has_products = true;
    if (insn_row(in) != ROW_wgmma_fence)
        OBSERVE(&warp_machine(w)->observers, async, w, &e);
    return in + 1;
}

/** setmaxnreg: nothing but that checkers hear of it. */
const struct insn *tensor_setmaxnreg(struct warp *w, const struct insn *in)
{
    OBSERVE(&warp_machine(w)->observers, tensor, w, in);
    return in + 1;
}
