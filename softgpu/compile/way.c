/**
 * @file way.c
 * See way.h.
 */
#include "compile/way.h"

#include <string.h>

#include "analyse/quiet.h"
#include "analyse/held_back.h"
#include "analyse/thrown_away.h"
#include "code/descriptions.h"
#include "compile/llvm.h"
#include "execute/numerics/modes.h"
#include "execute/plain_access.h"

static const char *const texts[ROW_COUNT] = {
#define ROW(id, text) [ROW_##id] = text,
#include "compile/llvm_rows.def"
};

static const char *const uniform_texts[ROW_COUNT] = {
#define ROW(id, text)
#define ONE(id, text) [ROW_##id] = text,
#include "compile/llvm_rows.def"
};

static const char *const flushing_texts[ROW_COUNT] = {
#define ROW(id, text)
#define FTZ(id, text) [ROW_##id] = text,
#include "compile/llvm_rows.def"
};

static bool condition_holds(enum op_row row, uint64_t m)
{
    switch ((int)row) {
#define ROW(id, text)
#define ROW_IF(id, condition, text) case ROW_##id: return condition;
#include "compile/llvm_rows.def"
    default: return true;
    }
}

/** The text of a conversion that has no row of its own; NULL: it has none. */
static const char *conversion_text(uint64_t m)
{
    static const struct {
        enum ptx_type dst, src;
        enum numeric_rounding round;
        const char *text;
    } conversions[] = {
#define ROW(id, text)
#define CVT(dst, src, round, text) {PTX_##dst, PTX_##src, ROUND_##round, text},
#include "compile/llvm_rows.def"
    };
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++) {
        unsigned to = ptx_type_bytes(conversions[i].dst), from = ptx_type_bytes(conversions[i].src);
        if (m == cvt_imm(conversions[i].dst, conversions[i].src, to, from < 2 ? 2 : from, conversions[i].round, false, false, false, false))
            return conversions[i].text;
    }
    return NULL;
}

const char *way_row_text(const struct insn *in, bool uniform)
{
    enum op_row row = insn_row(in);
    const char *conversion = row == ROW_cvt ? conversion_text(in->imm) : NULL;
    if (conversion)
        return conversion;
    if (uniform && uniform_texts[row])
        return uniform_texts[row];
    if (flushing_texts[row] && in->imm == MODE_FTZ)
        return flushing_texts[row];
    return texts[row] && condition_holds(row, in->imm) ? texts[row] : NULL;
}

const char *way_directed(const struct insn *in)
{
    enum numeric_rounding rounding = (enum numeric_rounding)(in->imm & MODE_ROUND);
    bool directed = !(in->imm & ~(uint64_t)MODE_ROUND) && (rounding == ROUND_RZ || rounding == ROUND_RM || rounding == ROUND_RP);
    if (!directed || (way_nearest_text(in) && llvm_level() != LEVEL_AVX512))
        return NULL;
    switch (insn_row(in)) {
    case ROW_add_f32_any: case ROW_add_f64_any: return "add";
    case ROW_sub_f32_any: case ROW_sub_f64_any: return "sub";
    case ROW_mul_f32_any: case ROW_mul_f64_any: return "mul";
    case ROW_div_f32_any: case ROW_div_f64_any: return "div";
    case ROW_sqrt_f32_any: case ROW_sqrt_f64_any: return "sqrt";
    case ROW_fma_f32_any: case ROW_mad_f32_any: case ROW_fma_f64_any: case ROW_mad_f64_any: return "vfmadd";
    default: return NULL;
    }
}

const char *way_nearest_text(const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_add_f64_any: return texts[ROW_add_f64];
    case ROW_sub_f64_any: return texts[ROW_sub_f64];
    case ROW_mul_f64_any: return texts[ROW_mul_f64];
    case ROW_div_f64_any: return texts[ROW_div_f64];
    case ROW_sqrt_f64_any: return texts[ROW_sqrt_f64];
    case ROW_fma_f64_any: case ROW_mad_f64_any: return texts[ROW_fma_f64];
    default: return NULL;
    }
}

/** By insn->imm of row special: its reader's name and argument. */
static const struct {
    const char *reader, *argument;
} specials[] = {
#define SPECIAL(name, reader, argument, ordered) {#reader, #argument},
#include "code/specials.def"
};

enum way_special way_special(const struct insn *in, int *axis)
{
    static const char *const readers[] = {[SPECIAL_TID] = "tid", [SPECIAL_NTID] = "ntid", [SPECIAL_CTAID] = "ctaid",
                                          [SPECIAL_NCTAID] = "nctaid", [SPECIAL_LANEID] = "laneid"};
    if (insn_row(in) != ROW_special || in->mem.reg_bytes != 4)
        return SPECIAL_NONE;
    *axis = specials[in->imm].argument[0] - '0';
    for (int i = SPECIAL_TID; i <= SPECIAL_LANEID; i++)
        if (!strcmp(specials[in->imm].reader, readers[i]))
            return (enum way_special)i;
    return SPECIAL_NONE;
}

/** A vector of 2 or 4 from shared memory: what tiles are read by. */
static bool loads_side_by_side(const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    bool fits = insn_class(in) == INSN_LOAD && d->space == SPACE_SHARED && (d->count == 2 || d->count == 4) &&
                d->bytes == d->reg_bytes && (d->bytes == 4 || d->bytes == 8) && !order_is_strong(d);
    for (unsigned i = 0; fits && i < d->count; i++)
        fits = element_target(in, i) != REG_NONE;
    return fits;
}

bool way_is_told(const struct insn *in)
{
    return plain_fits(in) || plain_fits_absolute(in) || plain_fits_broadcast(in);
}

static enum plan_way way_of_memory(const struct function *f, const struct insn *in)
{
    const struct mem_desc *d = &in->mem;
    bool load = insn_class(in) == INSN_LOAD;
    bool simple = d->count == 1 && d->bytes == d->reg_bytes && (d->bytes == 4 || d->bytes == 8) &&
                  (load ? in->dst : in->src[1]) != REG_NONE && !(load && order_is_strong(d));
    if (simple && d->space == SPACE_PARAM && load && f->is_entry && d->address_bytes == 0 && in->offset >= 0 &&
        (uint64_t)in->offset + d->bytes <= f->param_bytes)
        return WAY_PARAM;
    if (f->image->checked) {
        bool global = simple && load && d->space == SPACE_GLOBAL && d->address_bytes == 8;
        bool shared = !insn_is_named(in) && (loads_side_by_side(in) || (simple && d->space == SPACE_SHARED)) && quiet_load(f, in);
        if ((way_is_told(in) || shared) && !insn_is_guarded(in) && !(load && (load_kept_way(f, in) || load_held_uses(f, in))))
            return WAY_WATCHED;
        return global ? WAY_QUIET : WAY_OBSERVED;
    }
    if (loads_side_by_side(in))
        return WAY_SHARED;
    if (!simple)
        return WAY_MEMORY;
    if (d->space == SPACE_GLOBAL && d->address_bytes == 8)
        return WAY_GLOBAL;
    if (d->space == SPACE_SHARED)
        return WAY_SHARED;
    return WAY_MEMORY;
}

static enum plan_way way_of_computing(const struct insn *in)
{
    int axis;
    switch (insn_row(in)) {
    case ROW_and_pred: case ROW_or_pred: case ROW_xor_pred: case ROW_not_pred: case ROW_mov_pred:
        return WAY_LOGIC;
    case ROW_special:
        return way_special(in, &axis) ? WAY_SPECIAL : WAY_CALL;
    case ROW_special_ordered: case ROW_envreg: case ROW_activemask:
        return WAY_CALL;
    case ROW_lop3_lut:
        return WAY_ROW;
    default:
        return way_row_text(in, true) || way_directed(in) ? WAY_ROW : WAY_HANDLER;
    }
}

/** bar.sync of all threads, by a number that stands in the text. */
static bool waits_for_all(const struct function *f, const struct insn *in)
{
    uint32_t number;
    bool sync = insn_row(in) == ROW_bar || insn_row(in) == ROW_barrier;
    if (!sync || insn_is_guarded(in) || in->src[1] != REG_NONE || !(in->src[0] & CONST_BIT))
        return false;
    memcpy(&number, f->image->constants + (in->src[0] & ~CONST_BIT), sizeof number);
    return number < 16;
}

enum plan_way way_of(const struct function *f, const struct insn *in)
{
    switch (insn_class(in)) {
    case INSN_COMPUTE:
        return way_of_computing(in);
    case INSN_LOAD: case INSN_STORE:
        return way_of_memory(f, in);
    case INSN_ATOMIC: case INSN_FENCE:
        return f->image->checked ? WAY_OBSERVED : WAY_MEMORY;
    case INSN_HINT:
        return WAY_NOTHING;
    case INSN_BRANCH:
        return WAY_BRANCH;
    case INSN_BARRIER:
        return waits_for_all(f, in) ? WAY_BARRIER : WAY_CALL;
    case INSN_COPY: case INSN_MBARRIER: case INSN_STACK: case INSN_MEETING: case INSN_TENSOR:
        return WAY_CALL;
    default:
        return WAY_LEAVE;
    }
}

bool way_is_uniform(const struct insn *in, enum plan_way way)
{
    int axis;
    enum way_special special;
    switch (way) {
    case WAY_ROW: case WAY_LOGIC: case WAY_PARAM: case WAY_GLOBAL: case WAY_SHARED:
        return true;
    case WAY_SPECIAL:
        special = way_special(in, &axis);
        return special != SPECIAL_TID && special != SPECIAL_LANEID;
    case WAY_HANDLER:
        return insn_row(in) != ROW_local_address && insn_row(in) != ROW_cvta_local;
    case WAY_MEMORY:
        return insn_class(in) == INSN_LOAD && !order_is_strong(&in->mem) &&
               (in->mem.space == SPACE_GLOBAL || in->mem.space == SPACE_SHARED || in->mem.space == SPACE_CONST);
    default:
        return false;
    }
}
