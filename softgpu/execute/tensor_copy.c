/**
 * @file tensor_copy.c
 * cp.async.bulk.tensor: a box of a tensor, or pixels of pictures (im2col), to or from shared memory (PTX ISA 5.5.3, 5.5.4,
 * 9.7.9.27.1).
 *
 * The box goes row by row, the first dimension within a row, and a row in pieces of at most 16 bytes, which is what a
 * swizzle moves about. What lies outside of the tensor is filled in shared memory, and left alone in global memory.
 */
#include "code/descriptions.h"
#include "code/tensor_map.h"
#include "execute/access.h"
#include "execute/async_copy.h"
#include "execute/bulk_copy.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/map_change.h"

#define PIECE 16

/** One lane's copy. */
struct box {
    const struct tensor_map *map;
    const struct copy_desc *desc;
    int64_t at[TENSOR_RANK];          /**< of the row's first element; im2col: before the offsets are added */
    uint16_t offset[TENSOR_RANK];     /**< im2col: what is added */
    uint64_t shared;                  /**< address of the box in shared memory, as the lane gives it */
    bool continues;                   /**< some piece has been copied */
    uint64_t told;                    /**< as a piece's */
};

static bool read_map(struct warp *w, const struct copy_desc *c, int lane, struct tensor_map *map, struct copy_side *side)
{
    if (!map_read(w, &c->map, lane, map, side))
        return false;
    bool apart = side->space == SPACE_LOCAL || side->space == SPACE_SHARED; /* what a GPU does with one there is not recorded; PTX has none */
    if (!apart && map->magic == TENSOR_MAP_MAGIC && map->rank == c->rank && map->im2col == c->im2col)
        return true;
    if (!apart && map->magic == TENSOR_MAP_MAGIC && map->rank == c->rank) {
        fault_at(w, &c->map, lane, &(struct fault){.cause = CAUSE_TENSOR_MODE, .facts.number = map->im2col});
        return false;
    }
    fault_at(w, &c->map, lane, &(struct fault){.cause = CAUSE_TENSOR_MAP, .facts = {.number = c->rank, .address = lane_address(w, &c->map, lane)}});
    return false;
}

static bool is_inside(const struct tensor_map *t, int dimension, int64_t index)
{
    return index >= 0 && index <= (int64_t)t->last[dimension];
}

/** Does a copy touch this element of a row within the tensor? An H200 stores pieces of 16 bytes: the whole piece that holds a
 *  row's last element, also what lies after that (tests/runtime/tensors.cu). */
static bool is_column(const struct box *b, int64_t index)
{
    const struct tensor_map *t = b->map;
    int64_t last = t->last[0];
    return is_inside(t, 0, index) || (b->desc->grouped && index > last && index * t->element / PIECE == last * t->element / PIECE);
}

/* What becomes of elements is an H200's (tests/runtime/tensor_type_facts.cu). */

/** The pattern of what is outside, for a whole piece: a NaN of any type of floating point. */
static void fill(const struct tensor_map *t, uint8_t *to, uint32_t bytes)
{
    uint64_t v = t->fills_nan ? 0x7ff77ff77ff77ff7 : 0;
    for (uint32_t at = 0; at < bytes; at += 8)
        memcpy(to + at, &v, bytes - at < 8 ? bytes - at : 8);
}

/** Rounds to nearest, ties to even; subnormals stay, also where sums flush them. */
static uint32_t to_tf32(uint32_t v)
{
    return (v & 0x7fffffff) > 0x7f800000 ? 0x7fffe000 : (v + 0xfff + (v >> 13 & 1)) & ~0x1fffu;
}

static void round_all(uint8_t *to, uint32_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += 4) {
        uint32_t v;
        memcpy(&v, to + at, 4);
        v = to_tf32(v);
        memcpy(to + at, &v, 4);
    }
}

/** One run of a row's bytes within a piece: all inside of the tensor, or all outside. */
static bool copy_run(struct warp *w, const struct insn *in, int lane, struct box *b, uint64_t shared, uint64_t global,
                     uint32_t bytes, bool inside)
{
    const struct copy_desc *c = b->desc;
    bool out = c->grouped;
    struct bulk_piece p = {.to = out ? global : shared, .from = out ? shared : global, .bytes = bytes,
                           .of_box = true, .type = c->reduces ? b->map->type : 0, .flushes = b->map->flushes, .filled = !inside,
                           .continues = b->continues, .told = b->told};
    if (!inside && out)
        return true;
    b->continues = true;
    if (!bulk_copy_piece(w, in, lane, &p))
        return false;
    if (!inside)
        fill(b->map, p.to_host, bytes);
    else if (b->map->to_tf32 && !out)
        round_all(p.to_host, bytes);
    return true;
}

static bool copy_row(struct warp *w, const struct insn *in, int lane, struct box *b, uint64_t offset)
{
    const struct tensor_map *t = b->map;
    uint32_t bytes = (uint32_t)t->box[0] * t->element;
    uint64_t global = t->address;
    bool row_inside = true;
    for (int i = 0; i < t->rank; i++) {
        row_inside &= i == 0 || is_inside(t, i, b->at[i] + b->offset[i]);
        global += (uint64_t)(b->at[i] + b->offset[i]) * t->stride[i];
    }
    for (uint32_t done = 0; done < bytes;) {
        bool inside = row_inside && is_column(b, b->at[0] + done / t->element);
        uint32_t end = done;
        while (end < bytes && (end == done || end % PIECE) &&
               inside == (row_inside && is_column(b, b->at[0] + end / t->element)))
            end += t->element;
        if (!copy_run(w, in, lane, b, tensor_swizzled(t, b->shared + offset + done), global + done, end - done, inside))
            return false;
        done = end;
    }
    return true;
}

/** The next row of a box: dimensions 1 and up, the lowest fastest. `index`: how far it is in each. */
static bool next_row(struct box *b, const int64_t corner[TENSOR_RANK], uint32_t index[TENSOR_RANK])
{
    const struct tensor_map *t = b->map;
    int i = 1;
    while (i < t->rank && ++index[i] == tensor_count(t, i))
        index[i++] = 0;
    for (int k = 1; k < t->rank; k++)
        b->at[k] = corner[k] + (int64_t)index[k] * t->step[k];
    return i < t->rank;
}

/** The next pixel: behind a bound the first one of the next row, and behind the last row of a picture the next one's first, also
 *  where there is none (tests/runtime/im2col_facts.cu). */
static bool next_pixel(struct box *b, uint32_t *done)
{
    const struct tensor_map *t = b->map;
    for (int i = 1; i < t->rank; i++) {
        b->at[i] += t->step[i];
        if (!tensor_is_pixel(t, i) || b->at[i] <= (int64_t)t->last[i] + t->upper[i - 1])
            break;
        b->at[i] = t->lower[i - 1];
    }
    return ++*done < t->box[1];
}

static bool copy_box(struct warp *w, const struct insn *in, int lane, struct box *b, const int64_t corner[TENSOR_RANK])
{
    uint32_t index[TENSOR_RANK] = {0};
    memcpy(b->at, corner, sizeof b->at);
    for (uint64_t offset = 0;; offset += tensor_pitch(b->map)) {
        if (!copy_row(w, in, lane, b, offset))
            return false;
        if (!(b->map->im2col ? next_pixel(b, &index[0]) : next_row(b, corner, index)))
            return true;
    }
}

static bool reduces(enum atom_op op, enum ptx_type type)
{
    bool half = type == PTX_F16 || type == PTX_BF16, whole = type == PTX_U32 || type == PTX_S32 || type == PTX_U64;
    switch (op) {
    case ATOM_ADD:
        return whole || half || type == PTX_F32 || type == PTX_F64;
    case ATOM_MIN:
    case ATOM_MAX:
        return whole || half || type == PTX_S64;
    case ATOM_INC:
    case ATOM_DEC:
        return type == PTX_U32;
    default:
        return whole || type == PTX_S64;
    }
}

/** im2col begins at a pixel within the bounds, and stores none before a picture's first (tests/runtime/im2col_facts.gpu.txt). */
static bool may_begin_pixels(struct warp *w, const struct insn *in, int lane, const struct tensor_map *t,
                             const int64_t corner[TENSOR_RANK])
{
    const struct copy_desc *c = in->extra;
    for (int i = 1; tensor_is_pixel(t, i); i++) {
        bool outside = corner[i] < t->lower[i - 1] || corner[i] > (int64_t)t->last[i] + t->upper[i - 1];
        if (!outside && !(c->grouped && t->lower[i - 1] < 0))
            continue;
        fault_at(w, in, lane, &(struct fault){.cause = outside ? CAUSE_TENSOR_PIXEL : CAUSE_TENSOR_BOUND,
                                              .facts = {.offset = outside ? corner[i] : t->lower[i - 1], .number = (uint64_t)i + 1}});
        return false;
    }
    return true;
}

/** Where a box may begin, as an H200 has it (tests/gpu/tensor_corners_h200.txt; PTX ISA 9.3 says nothing of it): its rows at
 *  a multiple of 16 bytes, and what is stored not before the tensor. Anything else is an illegal instruction there. */
static bool may_begin(struct warp *w, const struct insn *in, int lane, const struct tensor_map *t,
                      const int64_t corner[TENSOR_RANK])
{
    const struct copy_desc *c = in->extra;
    if (corner[0] * t->element % 16) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_TENSOR_CORNER,
                                              .facts = {.offset = corner[0], .bytes = t->element}});
        return false;
    }
    for (int i = 0; i < t->rank && c->grouped; i++)
        if (corner[i] < 0) {
            fault_at(w, in, lane, &(struct fault){.cause = CAUSE_TENSOR_NEGATIVE,
                                                  .facts = {.offset = corner[i], .number = (uint64_t)i + 1}});
            return false;
        }
    return may_begin_pixels(w, in, lane, t, corner);
}

static bool copy_lane(struct warp *w, const struct insn *in, int lane)
{
    const struct copy_desc *c = in->extra;
    const struct insn *side = c->grouped ? &c->from : &c->to;
    struct tensor_map map = {0};
    struct async_event read = {.kind = ASYNC_MAP, .insn = in, .mask = 1u << lane, .grouped = c->grouped};
    struct box b = {.map = &map, .desc = c, .shared = lane_address(w, side, lane)};
    int64_t corner[TENSOR_RANK] = {0};
    if (!read_map(w, c, lane, &map, &read.from))
        return false;
    for (int i = 0; i < map.rank; i++)
        corner[i] = ((const int32_t *)warp_reg(w, c->coordinate[i]))[lane];
    for (int i = 1; tensor_is_pixel(&map, i) && !c->grouped; i++)
        b.offset[i] = ((const uint16_t *)warp_reg(w, c->offset[i - 1]))[lane];
    if (!may_begin(w, in, lane, &map, corner))
        return false;
    if (b.shared % 128) {
        fault_at(w, side, lane, &(struct fault){.cause = CAUSE_MISALIGNED, .space = SPACE_SHARED, .address = b.shared,
                                                .facts.bytes = 128});
        return false;
    }
    if (c->reduces && !reduces((enum atom_op)c->to.mem.atom, (enum ptx_type)map.type)) {
        fault_at(w, in, lane, &(struct fault){.cause = CAUSE_UNKNOWN_INSTRUCTION,
                                              .facts.text = "a reduction of elements of this type"});
        return false;
    }
    uint64_t to = b.shared, barrier = c->grouped ? 0 : lane_address(w, &c->barrier, lane);
    for (uint32_t left = copy_targets(w, c, lane); left; left &= left - 1) {
        b.shared = copy_address(w, c, to, left);
        b.continues = false;
        b.told = c->grouped ? 0 : 1 + copy_address(w, c, barrier, left);
        if (!copy_box(w, in, lane, &b, corner))
            return false;
        if (read.from.space == SPACE_GLOBAL)
            OBSERVE(&warp_machine(w)->observers, async, w, &read);
        if (!c->grouped &&
            !mbarrier_complete_bytes(w, in, &c->barrier, lane, copy_address(w, c, barrier, left), tensor_box_bytes(&map)))
            return false;
    }
    return true;
}

const struct insn *op_cp_tensor(struct warp *w, const struct insn *in)
{
    FOR_LANES(lane, w->mask)
    {
        if (!copy_lane(w, in, (int)lane))
            return NULL;
    }
    return in + 1;
}
