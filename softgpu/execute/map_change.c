/**
 * @file map_change.c
 * Tensor maps that kernels change: tensormap.replace, tensormap.cp_fenceproxy and the fence of the tensormap proxy (PTX ISA
 * 9.7.9.28, 9.7.13.16, 9.7.13.4).
 *
 * A change is a weak access of the whole map.
 */
#include "code/descriptions.h"
#include "code/tensor_map.h"
#include "execute/access.h"
#include "execute/async_copy.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/grid.h"
#include "execute/map_change.h"
#include "execute/tensor/tensor.h"
#include "execute/warp_run.h"

#define WORDS (TENSOR_MAP_BYTES / 8)

/** Eight bytes of a map, as a plain load or store of the instruction at `side`. */
static struct insn word_of(const struct insn *side, int row)
{
    struct insn x = *side;
    x.op = &op_table[row];
    x.dst = x.dst2 = x.guard = REG_NONE;
    for (int i = 1; i < 4; i++)
        x.src[i] = REG_NONE;
    x.mem = (struct mem_desc){.space = side->mem.space, .bytes = 8, .count = 1, .type = PTX_B64, .reg_bytes = 8,
                              .address_bytes = side->mem.address_bytes};
    return x;
}

/** Reads a map for each lane of `mask`, at the address that it gives. @return false after a fault */
static bool read_words(struct warp *w, const struct insn *side, uint32_t mask, uint64_t words[WORDS][WARP_LANES])
{
    struct insn x = word_of(side, ROW_ld);
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t address[WARP_LANES], got[2][WARP_LANES];
        FOR_LANES(lane, mask)
        {
            address[lane] = lane_address(w, side, (int)lane) + 8 * i;
        }
        if (!access_load_at(w, &x, mask, address, got))
            return false;
        memcpy(words[i], got[0], sizeof words[i]);
    }
    return true;
}

static bool write_words(struct warp *w, const struct insn *side, int lane, uint64_t words[WORDS][WARP_LANES])
{
    struct insn x = word_of(side, ROW_st);
    for (unsigned i = 0; i < WORDS; i++) {
        uint64_t address[WARP_LANES], put[2][WARP_LANES];
        address[lane] = lane_address(w, side, lane) + 8 * i;
        put[0][lane] = put[1][lane] = words[i][lane];
        if (!access_store_at(w, &x, 1u << lane, address, put))
            return false;
    }
    return true;
}

/* ---- tensormap.replace ---- */

/** @return false: there is no such thing here. What does not fit the map's other fields is told when it is used. */
static bool put_field(struct tensor_map *t, enum map_field field, unsigned ord, uint64_t v)
{
    const struct tensor_element *e;
    switch (field) {
    case MAP_GLOBAL_ADDRESS:
        t->address = v;
        return true;
    case MAP_RANK:
        t->rank = v < TENSOR_RANK ? (uint8_t)(v + 1) : 0;
        return true;
    case MAP_BOX_DIM:
        t->box[ord] = v <= UINT16_MAX ? (uint16_t)v : 0;
        return true;
    case MAP_GLOBAL_DIM:
        t->last[ord] = (uint32_t)v - 1;
        return true;
    case MAP_GLOBAL_STRIDE:
        t->stride[ord + 1] = v;
        return true;
    case MAP_ELEMENT_STRIDE:
        t->step[ord] = !ord ? 1 : v <= UINT8_MAX ? (uint8_t)v : 0;
        return true;
    case MAP_ELEMTYPE:
        e = tensor_element(v);
        if (e)
            tensor_map_set_element(t, e);
        return e != NULL;
    case MAP_INTERLEAVE_LAYOUT:
        return v == 0;
    case MAP_SWIZZLE_MODE:
        t->swizzle = (uint8_t)v;
        return v <= 3;
    case MAP_FILL_MODE:
        t->fills_nan = v & 1;
        return v <= 1;
    }
    return false;
}

static bool unsupported(struct warp *w, const struct insn *in, int lane, const char *what)
{
    fault_at(w, in, lane, &(struct fault){.cause = CAUSE_UNKNOWN_INSTRUCTION, .facts.text = what});
    return false;
}

/** Is there nothing at all? There a map may begin, all of whose fields a kernel sets: Triton makes its maps so. */
static bool is_blank(const uint64_t bytes[WORDS])
{
    uint64_t any = 0;
    for (unsigned i = 0; i < WORDS; i++)
        any |= bytes[i];
    return !any;
}

static bool replace_lane(struct warp *w, const struct insn *in, int lane)
{
    const struct map_desc *x = in->extra;
    uint64_t words[WORDS][WARP_LANES], bytes[WORDS], v;
    struct tensor_map map;
    if (!read_words(w, in, 1u << lane, words))
        return false;
    for (unsigned i = 0; i < WORDS; i++)
        bytes[i] = words[i][lane];
    memcpy(&map, bytes, sizeof map);
    if (is_blank(bytes))
        map.magic = TENSOR_MAP_MAGIC;
    if (map.magic != TENSOR_MAP_MAGIC)
        return unsupported(w, in, lane, "tensormap.replace of what is no tensor map of cuTensorMapEncodeTiled's, a copy of one, or zeros,");
    if (map.im2col)
        return unsupported(w, in, lane, "tensormap.replace.tile of a tensor map of cuTensorMapEncodeIm2col's");
    v = in->mem.reg_bytes == 8 ? ((const uint64_t *)warp_reg(w, in->src[1]))[lane] : ((const uint32_t *)warp_reg(w, in->src[1]))[lane];
    if (!put_field(&map, x->field, x->ord, v))
        return unsupported(w, in, lane, "a tensor map with this element type, interleaving or swizzle");
    memcpy(bytes, &map, sizeof map);
    for (unsigned i = 0; i < WORDS; i++)
        words[i][lane] = bytes[i];
    return write_words(w, in, lane, words);
}

const struct insn *op_map_replace(struct warp *w, const struct insn *in)
{
    FOR_LANES(lane, w->mask)
    {
        if (!replace_lane(w, in, (int)lane))
            return NULL;
    }
    return in + 1;
}

/* ---- Fences ---- */

/** Also orders what an ordinary fence of this kind would, so that a flag beside the map needs no other. */
static void fence(struct warp *w, const struct insn *in, struct async_event *e)
{
    e->kind = ASYNC_MAP_FENCE;
    e->insn = in;
    e->mask = w->mask;
    OBSERVE(&warp_machine(w)->observers, fence, w, in, (enum mem_order)in->mem.order, (enum mem_scope)in->mem.scope);
    OBSERVE(&warp_machine(w)->observers, async, w, e);
}

/** The map that a lane gives. @return false after a fault */
static bool place_map(struct warp *w, const struct insn *at, int lane, struct copy_side *side)
{
    struct place first, last;
    uint64_t address = lane_address(w, at, lane);
    if (!access_place(w, at, lane, address, 8, false, &first) ||
        !access_place(w, at, lane, address + TENSOR_MAP_BYTES - 8, 8, false, &last))
        return false;
    *side = (struct copy_side){.at = at, .space = (uint8_t)first.space, .owner = first.owner};
    side->bytes[lane] = last.host == first.host + TENSOR_MAP_BYTES - 8 ? TENSOR_MAP_BYTES : 0;
    side->address[lane] = first.address;
    side->host[lane] = first.host;
    side->allocation[lane] = first.allocation;
    return true;
}

/** The map that a lane acquires. A GPU goes on wherever there is none (tests/runtime/undefined_facts.cu), and so does a run without checks. With
 *  them that is a fault but at null, which CUTLASS's grouped products rest on: it is told, and only the fence is left. @return false after a fault */
static bool acquired_map(struct warp *w, const struct insn *in, int lane, struct copy_side *side)
{
    bool checked = warp_machine(w)->checked;
    if (checked && lane_address(w, in, lane) >= NULL_BYTES)
        return place_map(w, in, lane, side);
    if (checked)
        fault_note(w, in, lane, &(struct fault){.cause = CAUSE_MAP_AT_NULL, .facts.address = lane_address(w, in, lane)});
    *side = (struct copy_side){.at = in, .space = SPACE_GLOBAL, .owner = w->block};
    return true;
}

const struct insn *op_map_fence(struct warp *w, const struct insn *in)
{
    struct async_event e = {.insn = in};
    if (warp_machine(w)->checked)
        w->block->grid->counters[COUNT_FENCES]++;
    if (in->mem.order == ORDER_RELEASE) {
        fence(w, in, &e);
        return in + 1;
    }
    uint32_t mask = w->mask;
    FOR_LANES(lane, mask)
    {
        if (!acquired_map(w, in, (int)lane, &e.from))
            return NULL;
        warp_set_mask(w, 1u << lane);
        fence(w, in, &e);
        warp_set_mask(w, mask);
    }
    return in + 1;
}

/* ---- tensormap.cp_fenceproxy ---- */

/** The whole warp copies one map, and all its threads come after the copy. */
const struct insn *tensor_map_copied(struct warp *w, const struct insn *in)
{
    const struct copy_desc *c = in->extra;
    uint64_t words[WORDS][WARP_LANES];
    struct async_event e = {.insn = in};
    if (!read_words(w, &c->from, w->mask, words) || !write_words(w, &c->to, __builtin_ctz(w->mask), words))
        return NULL;
    OBSERVE(&warp_machine(w)->observers, warp_sync, w, in, w->mask);
    if (warp_machine(w)->checked)
        w->block->grid->counters[COUNT_FENCES]++;
    fence(w, in, &e);
    return in + 1;
}

/* ---- For tensor copies ---- */

bool map_read(struct warp *w, const struct insn *at, int lane, struct tensor_map *map, struct copy_side *side)
{
    if (!place_map(w, at, lane, side))
        return false;
    if (!side->bytes[lane])
        return true;
    memcpy(map, side->host[lane], sizeof *map);
    if (map->magic != TENSOR_MAP_MAGIC || tensor_map_is_sound(map))
        return true;
    return unsupported(w, at, lane, "a tensor map whose strides, box, rank or element type do not fit each other");
}
