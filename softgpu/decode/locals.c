/**
 * @file locals.c
 * Lane-local storage of one activation: .local variables, formal parameters, parameters of its calls.
 *
 * Layout and offsets as execute/handlers.h describes. An entry's formal parameters are no local
 * storage: they lie in the launch's parameter buffer, at the offsets that the ABI gives them (PTX ISA
 * 7.1: each aligned to its own alignment, in order).
 *
 * nvcc declares new parameter variables in a scope of their own around each call. Those whose uses do
 * not interleave share storage.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "code/frame.h"
#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/stages.h"

#define MAX_LOCAL (1u << 30)

static uint64_t place_at(uint64_t *offset, const struct ptx_variable *v)
{
    uint64_t at = align_up(*offset, v->align ? v->align : 1);
    *offset = at + v->bytes;
    return at;
}

static uint32_t clamp_offset(uint64_t v)
{
    return v < MAX_LOCAL ? (uint32_t)v : MAX_LOCAL;
}

static void place_formals(struct decoder *d, struct function_info *f, uint64_t *offset)
{
    const struct ptx_function *pf = f->source;
    struct function *fn = f->function;
    bool entry = fn->is_entry;
    uint64_t local = *offset, *at = entry ? &(uint64_t){0} : &local;

    fn->param_count = pf->params.count;
    fn->params = decoder_alloc(d, (size_t)pf->params.count, sizeof *fn->params);
    f->params = decoder_alloc(d, (size_t)pf->params.count, sizeof *f->params);
    f->returns = decoder_alloc(d, (size_t)pf->returns.count, sizeof *f->returns);
    for (int i = 0; i < pf->params.count; i++) {
        const struct ptx_variable *v = &pf->params.data[i];
        uint32_t place = clamp_offset(place_at(at, v));
        f->params[i] = (struct place){entry ? SPACE_PARAM : SPACE_LOCAL, place};
        fn->params[i] = (struct param_slot){v->name, place, (uint32_t)v->bytes, v->align};
    }
    if (entry)
        fn->param_bytes = clamp_offset(*at);
    for (int i = 0; i < pf->returns.count; i++) {
        const struct ptx_variable *v = &pf->returns.data[i];
        uint32_t place = clamp_offset(place_at(&local, v));
        f->returns[i] = (struct place){SPACE_LOCAL, place};
        if (i == 0)
            fn->result = (struct param_slot){v->name, place, (uint32_t)v->bytes, v->align};
    }
    *offset = local;
}

/** Where in the text a function's variables are named. */
struct range {
    int first, last;
};

/** `last` is the instruction itself, or INT_MAX where it takes the variable's address. */
static void note_operand(struct range *ranges, int count, const struct ptx_operand *o, int i,
                         int last, int depth)
{
    if (o->kind == OPERAND_SYMBOL && o->variable >= 0 && o->variable < count) {
        struct range *r = &ranges[o->variable];
        r->first = r->first < 0 ? i : r->first;
        r->last = last > r->last ? last : r->last;
    }
    for (int e = 0; e < o->count && depth < 4; e++)
        note_operand(ranges, count, &o->element[e], i, last, depth + 1);
    if (o->kind == OPERAND_ADDRESS && o->count == 0 && o->element && depth < 4)
        note_operand(ranges, count, o->element, i, last, depth + 1);
}

/**
 * Parameters of calls: a new group starts at the common base where the uses of everything in the
 * present one are over. Variables of the function's own scope live throughout.
 */
static void place_call_params(struct function_info *f, const struct range *ranges, uint64_t *offset)
{
    const struct ptx_function *pf = f->source;

    for (int i = 0; i < pf->variables.count; i++)
        if (pf->variables.data[i].space == SPACE_PARAM && pf->variables.data[i].scope == 0)
            f->variables[i] = (struct place){
                SPACE_LOCAL, clamp_offset(place_at(offset, &pf->variables.data[i]))};
    uint64_t base = align_up(*offset, 16), at = base, top = base;
    int last = -1;
    for (int i = 0; i < pf->variables.count; i++) {
        const struct ptx_variable *v = &pf->variables.data[i];
        if (v->space != SPACE_PARAM || v->scope == 0)
            continue;
        if (ranges[i].first > last)
            at = base;
        last = ranges[i].last > last ? ranges[i].last : last;
        f->variables[i] = (struct place){SPACE_LOCAL, clamp_offset(place_at(&at, v))};
        top = at > top ? at : top;
    }
    *offset = top;
}

static bool has_variables(const struct ptx_function *pf)
{
    for (int i = 0; i < pf->variables.count; i++)
        if (pf->variables.data[i].space == SPACE_LOCAL)
            return true;
    return false;
}

static bool calls(const struct ptx_function *pf)
{
    for (int i = 0; i < pf->instrs.count; i++)
        if (strcmp(pf->instrs.data[i].mnemonic, "call") == 0)
            return true;
    return false;
}

void locals_place(struct decoder *d, struct function_info *f)
{
    const struct ptx_function *pf = f->source;
    struct range *ranges = calloc((size_t)pf->variables.count + 1, sizeof *ranges);

    if (!ranges)
        abort();
    uint64_t offset = has_variables(pf) && !f->function->is_entry ? LOCAL_GAP : 0, first = offset;
    for (int i = 0; i < pf->variables.count; i++) {
        ranges[i] = (struct range){-1, -1};
        if (pf->variables.data[i].space == SPACE_LOCAL)
            f->variables[i] = (struct place){
                SPACE_LOCAL, clamp_offset(place_at(&offset, &pf->variables.data[i]))};
    }
    f->function->local_first = clamp_offset(first);
    f->function->local_end = clamp_offset(offset);
    uint64_t behind = has_variables(pf) && (!f->function->is_entry || calls(pf)) ? LOCAL_GAP : 0;
    f->function->local_gaps = (uint32_t)(first + behind);
    offset += behind;
    f->function->local_behind = clamp_offset(behind ? offset : align_up(offset, 16));
    for (int i = 0; i < pf->instrs.count; i++) {
        const struct ptx_instr *pi = &pf->instrs.data[i];
        int last = strcmp(pi->mnemonic, "mov") == 0 ? INT_MAX : i;
        for (int k = 0; k < pi->operand_count; k++)
            note_operand(ranges, pf->variables.count, &pi->operands[k], i, last, 0);
    }
    place_formals(d, f, &offset);
    uint64_t before = offset;
    place_call_params(f, ranges, &offset);
    f->function->call_bytes = clamp_offset(offset - before);
    f->function->local_bytes = clamp_offset(align_up(offset, 16));
    free(ranges);
}
