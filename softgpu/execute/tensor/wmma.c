/**
 * @file wmma.c
 * wmma.load and wmma.store: matrices between memory and fragments (PTX ISA 9.7.14.4). Each lane accesses what its
 * registers hold, a whole register at a time where its elements are neighbours in memory.
 */
#include "execute/access.h"
#include "execute/engine.h"
#include "execute/handlers.h"
#include "execute/tensor/tensor.h"
#include "execute/worker.h"

/** The lanes' addresses and strides, read before any register is written. */
struct origin {
    uint64_t address[WARP_LANES];
    uint32_t stride[WARP_LANES];
};

static struct origin origin_of(const struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    const uint32_t *stride = in->src[1] == REG_NONE ? NULL : warp_reg(w, in->src[1]);
    struct origin o = {.stride = {0}};
    FOR_LANES(lane, w->mask)
    {
        o.address[lane] = lane_address(w, in, (int)lane);
        o.stride[lane] = stride ? stride[lane] : t->stride;
    }
    return o;
}

/** Bits from the matrix's first element to this one. */
static uint64_t offset_bits(const struct tensor_desc *t, struct cell at, uint32_t stride)
{
    enum tensor_type type = (enum tensor_type)t->type[t->part];
    bool lines_are_rows = t->part != PART_B;
    uint64_t row = lines_are_rows ? at.line : at.along, column = lines_are_rows ? at.along : at.line;
    uint64_t major = t->by_column ? column : row, minor = t->by_column ? row : column;
    unsigned unit = type == TENSOR_B1 ? 1 : tensor_type_bits(type); /* strides of bits count bits */
    return major * stride * unit + minor * tensor_type_bits(type);
}

/** Are a register's elements neighbours in memory? The same for all lanes. */
static bool is_whole(const struct tensor_desc *t)
{
    enum tensor_part p = (enum tensor_part)t->part;
    if (tensor_packed(t, p) == 1)
        return true;
    uint64_t first = offset_bits(t, fragment_cell(t, p, 0, 0), 1u << 16);
    return offset_bits(t, fragment_cell(t, p, 0, 1), 1u << 16) - first == tensor_type_bits((enum tensor_type)t->type[p]);
}

static void addresses(const struct warp *w, const struct tensor_desc *t, const struct origin *o, unsigned element,
                      uint64_t out[WARP_LANES])
{
    FOR_LANES(lane, w->mask)
    {
        struct cell at = fragment_cell(t, (enum tensor_part)t->part, (int)lane, element);
        out[lane] = o->address[lane] + offset_bits(t, at, o->stride[lane]) / 8;
    }
}

/** How many registers hold different elements: fragments of halves hold theirs several times. */
static unsigned distinct(const struct tensor_desc *t)
{
    enum tensor_part p = (enum tensor_part)t->part;
    unsigned along = p == PART_C || p == PART_D ? t->n : tensor_length(t, p);
    return fragment_lines(t, p) * along / (WARP_LANES * tensor_packed(t, p));
}

const struct insn *tensor_wmma_load(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    struct origin o = origin_of(w, in);
    unsigned packed = tensor_packed(t, (enum tensor_part)t->part), pieces = is_whole(t) ? 1 : packed, own = distinct(t);
    const struct insn *piece = &t->piece[pieces > 1];
    for (unsigned r = 0; r < own; r++) {
        uint64_t words[WARP_LANES] = {0}, from[WARP_LANES], got[2][WARP_LANES];
        for (unsigned e = 0; e < pieces; e++) {
            unsigned at = e * piece->mem.bytes;
            addresses(w, t, &o, r * packed + e, from);
            if (!access_load_at(w, piece, w->mask, from, got))
                return NULL;
            for (unsigned copy = r; copy < t->written; copy += own)
                OBSERVE(&warp_machine(w)->observers, received, w, &w->worker->access, t->reg[copy], at);
            FOR_LANES(lane, w->mask)
            {
                words[lane] |= got[0][lane] << 8 * at;
            }
        }
        for (unsigned copy = r; copy < t->written; copy += own)
            tensor_put(w, t, t->reg[copy], words);
    }
    return in + 1;
}

const struct insn *tensor_wmma_store(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    struct origin o = origin_of(w, in);
    unsigned packed = tensor_packed(t, (enum tensor_part)t->part), pieces = is_whole(t) ? 1 : packed;
    const struct insn *piece = &t->piece[pieces > 1];
    for (unsigned r = 0; r < t->read; r++)
        for (unsigned e = 0; e < pieces; e++) {
            uint64_t to[WARP_LANES], put[2][WARP_LANES];
            unsigned at = e * piece->mem.bytes;
            addresses(w, t, &o, r * packed + e, to);
            FOR_LANES(lane, w->mask)
            {
                put[0][lane] = tensor_get(w, t, t->reg[r], (int)lane) >> 8 * at;
            }
            if (!access_store_at(w, piece, w->mask, to, put))
                return NULL;
            OBSERVE(&warp_machine(w)->observers, sent, w, &w->worker->access, t->reg[r], at);
        }
    return in + 1;
}
