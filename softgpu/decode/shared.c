/**
 * @file shared.c
 * The call graph, and over it the layout of static shared memory.
 *
 * A .shared variable has one offset, because a device function that several kernels call has one
 * code. Two variables may overlap only if no kernel reaches both; so each kernel pays for what it can
 * reach and little else. `.extern .shared` arrays all start where the static part of a kernel ends (PTX
 * ISA 5.4: dynamically sized); kernels that share a function which names such an array share the start.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/decode_operands.h"
#include "decode/decoder.h"
#include "decode/stages.h"

#define MAX_SHARED (1u << 28)
/** Beyond this many common variables each goes behind what its kernels have: packing takes cubic time. */
#define MAX_PACKED 256
/** Rounds of agreement on where dynamic memory starts, before all kernels take the largest. */
#define MAX_ROUNDS 64

/* ---- call graph */

static void add_call(struct function_info *f, int callee)
{
    f->calls[f->call_count++] = callee;
}

typedef void symbol_fn(struct decoder *d, struct function_info *f, const struct ptx_operand *o);

static void each_symbol(struct decoder *d, struct function_info *f, const struct ptx_operand *o,
                        symbol_fn *visit, int depth)
{
    if (o->kind == OPERAND_SPECIAL && o->name &&
        (strcmp(o->name, "%envreg1") == 0 || strcmp(o->name, "%envreg2") == 0))
        f->reads_grid_workspace = true;
    if (o->kind == OPERAND_SYMBOL && o->variable < 0 && o->name)
        visit(d, f, o);
    for (int e = 0; e < o->count && depth < 4; e++)
        each_symbol(d, f, &o->element[e], visit, depth + 1);
    if (o->kind == OPERAND_ADDRESS && o->count == 0 && o->element && depth < 4)
        each_symbol(d, f, o->element, visit, depth + 1);
}

static void note_address(struct decoder *d, struct function_info *f, const struct ptx_operand *o)
{
    int callee = name_table_find(&d->functions, o->name);
    (void)f;
    if (callee >= 0)
        d->address_taken[callee] = true;
}

static void find_calls(struct decoder *d, struct function_info *f)
{
    const struct ptx_function *pf = f->source;
    int calls = 0;

    for (int i = 0; i < pf->instrs.count; i++)
        calls += strcmp(pf->instrs.data[i].mnemonic, "call") == 0;
    f->calls = decoder_alloc(d, (size_t)calls, sizeof *f->calls);
    for (int i = 0; i < pf->instrs.count; i++) {
        const struct ptx_instr *pi = &pf->instrs.data[i];
        int callee = -1;
        if (strcmp(pi->mnemonic, "call") == 0 && pi->operand_count > 0) {
            callee = pi->operands[0].kind == OPERAND_LIST && pi->operand_count > 1;
            const struct ptx_operand *o = &pi->operands[callee];
            int target = o->kind == OPERAND_SYMBOL ? name_table_find(&d->functions, o->name) : -1;
            f->indirect |= o->kind == OPERAND_REG;
            if (target >= 0)
                add_call(f, target);
        }
        for (int k = 0; k < pi->operand_count; k++)
            if (k != callee)
                each_symbol(d, f, &pi->operands[k], note_address, 0);
    }
}

static bool reached_by(const struct function_info *f, int e)
{
    return f->entries[e / 64] >> (e % 64) & 1;
}

/** Marks all functions that entry number `e` reaches; `stack` has room for every function. */
static void reach(struct decoder *d, int from, int e, int *stack)
{
    int depth = 0;
    bool all_addresses = false;

    stack[depth++] = from;
    d->infos[from].entries[e / 64] |= 1ull << (e % 64);
    while (depth) {
        struct function_info *f = &d->infos[stack[--depth]];
        bool widen = f->indirect && !all_addresses;
        int count = f->call_count + (widen ? d->im->function_count : 0);
        all_addresses |= widen;
        for (int i = 0; i < count; i++) {
            int callee = i < f->call_count ? f->calls[i] : i - f->call_count;
            struct function_info *g = &d->infos[callee];
            if ((i >= f->call_count && !d->address_taken[callee]) ||
                reached_by(g, e))
                continue;
            g->entries[e / 64] |= 1ull << (e % 64);
            stack[depth++] = callee;
        }
    }
}

static void build_call_graph(struct decoder *d)
{
    int n = d->im->function_count;
    int *stack = calloc((size_t)n + 1, sizeof *stack);

    if (!stack)
        abort();
    for (int f = 0; f < n; f++)
        find_calls(d, &d->infos[f]);
    for (int f = 0; f < n; f++)
        if (d->entry_number[f] >= 0)
            reach(d, f, d->entry_number[f], stack);
    for (int f = 0; f < n; f++)
        for (int g = 0; g < n && d->entry_number[f] >= 0; g++)
            if (d->infos[g].reads_grid_workspace && reached_by(&d->infos[g], d->entry_number[f]))
                d->im->functions[f]->uses_grid_sync = true;
    free(stack);
}

/* ---- shared memory */

static bool intersect(const struct decoder *d, const uint64_t *a, const uint64_t *b)
{
    for (int i = 0; i < d->entry_words; i++)
        if (a[i] & b[i])
            return true;
    return false;
}

static void unite(const struct decoder *d, uint64_t *into, const uint64_t *from)
{
    for (int i = 0; i < d->entry_words; i++)
        into[i] |= from[i];
}

/** Marks which entries reach a module's .shared variable that a function names. */
static void note_shared(struct decoder *d, struct function_info *f, const struct ptx_operand *o)
{
    int v = name_table_find(&d->variables, o->name);
    if (v < 0 || d->im->variables[v].space != SPACE_SHARED)
        return;
    if (d->im->variables[v].bytes == 0) {
        uint32_t align = d->im->variables[v].align;
        f->uses_dynamic_shared = true;
        f->dynamic_align = align > f->dynamic_align ? align : f->dynamic_align;
    }
    unite(d, d->shared[d->shared_number[v]].entries, f->entries);
}

static void note_all_shared(struct decoder *d)
{
    for (int g = 0; g < d->im->function_count; g++) {
        struct function_info *f = &d->infos[g];
        f->dynamic_align = 16;
        for (int i = 0; i < f->source->instrs.count; i++)
            for (int k = 0; k < f->source->instrs.data[i].operand_count; k++)
                each_symbol(d, f, &f->source->instrs.data[i].operands[k], note_shared, 0);
    }
}

/** The lowest offset at which variable `n` meets none of those before it that live beside it. */
static uint64_t lowest_offset(const struct decoder *d, const struct shared_variable *all, int n)
{
    const struct shared_variable *v = &all[n];
    uint64_t align = v->source->align ? v->source->align : 1, at = 0;

    for (bool moved = true; moved;) {
        moved = false;
        for (int i = 0; i < n; i++) {
            const struct shared_variable *o = &all[i];
            if (at < o->offset + o->source->bytes && o->offset < at + v->source->bytes &&
                intersect(d, o->entries, v->entries)) {
                at = align_up(o->offset + o->source->bytes, align);
                moved = true;
            }
        }
    }
    return at;
}

/** Appends the variables of kernels or of other functions to the `n` so far. @return their number */
static int collect_owned(struct decoder *d, struct shared_variable *all, int n, bool kernels)
{
    for (int f = 0; f < d->im->function_count; f++)
        for (int i = 0; i < d->infos[f].source->variables.count; i++)
            if (d->infos[f].source->variables.data[i].space == SPACE_SHARED &&
                (d->entry_number[f] >= 0) == kernels)
                all[n++] = (struct shared_variable){
                    .source = &d->infos[f].source->variables.data[i], .owner = f, .variable = i};
    return n;
}

/** Lists all .shared variables: of the module, of functions, of kernels. */
static void collect_shared(struct decoder *d)
{
    int most = d->im->variable_count, n = 0;

    for (int f = 0; f < d->im->function_count; f++)
        most += d->infos[f].source->variables.count;
    struct shared_variable *all = decoder_alloc(d, (size_t)most, sizeof *all);
    d->shared_number = decoder_alloc(d, (size_t)d->im->variable_count, sizeof *d->shared_number);
    for (int i = 0; i < d->im->variable_count; i++) {
        if (d->im->variables[i].space != SPACE_SHARED)
            continue;
        d->shared_number[i] = n;
        all[n++] = (struct shared_variable){.source = d->im->variables[i].source, .owner = -1,
                                            .variable = i};
    }
    n = collect_owned(d, all, n, false);
    d->shared_common = n;
    n = collect_owned(d, all, n, true);
    for (int i = 0; i < n; i++) {
        all[i].entries = decoder_alloc(d, (size_t)d->entry_words, sizeof(uint64_t));
        if (all[i].owner >= 0)
            unite(d, all[i].entries, d->infos[all[i].owner].entries);
    }
    d->shared = all;
    d->shared_count = n;
}

/** One round: every function that names a dynamic array and the kernels that reach it agree on the
 *  largest static part among them. @return true if anything changed */
static bool agree_on_dynamic(struct decoder *d, struct function **entries, uint32_t least)
{
    bool changed = false;

    for (int g = 0; g < d->im->function_count; g++) {
        struct function_info *f = &d->infos[g];
        uint32_t base = least;
        if (!f->uses_dynamic_shared)
            continue;
        for (int e = 0; e < d->entry_count; e++)
            if (reached_by(f, e) && entries[e]->shared_bytes > base)
                base = entries[e]->shared_bytes;
        base = (uint32_t)align_up(base, f->dynamic_align);
        for (int e = 0; e < d->entry_count; e++)
            if (reached_by(f, e) && entries[e]->shared_bytes != base) {
                entries[e]->shared_bytes = base;
                changed = true;
            }
        f->dynamic_base = base;
    }
    return changed;
}

/** Static bytes of each entry, then the common start of dynamic memory where functions are shared. */
static void size_entries(struct decoder *d)
{
    struct function **entries = decoder_alloc(d, (size_t)d->entry_count, sizeof *entries);
    uint32_t most = 0, align = 16;

    for (int f = 0; f < d->im->function_count; f++) {
        if (d->entry_number[f] >= 0)
            entries[d->entry_number[f]] = d->im->functions[f];
        align = d->infos[f].dynamic_align > align ? d->infos[f].dynamic_align : align;
    }
    for (int i = 0; i < d->shared_count; i++)
        for (int e = 0; e < d->entry_count; e++) {
            bool reached = d->shared[i].entries[e / 64] >> (e % 64) & 1;
            if (reached && d->shared[i].owner < 0 && d->shared[i].source->bytes == 0)
                entries[e]->dynamic_shared = d->im->variables[d->shared[i].variable].name;
            uint32_t end = d->shared[i].offset + (uint32_t)d->shared[i].source->bytes;
            if (reached && end > entries[e]->shared_bytes)
                entries[e]->shared_bytes = end;
            most = end > most ? end : most;
        }
    int round = 0;
    while (agree_on_dynamic(d, entries, 0) && round++ < MAX_ROUNDS)
        ;
    if (round > MAX_ROUNDS)
        agree_on_dynamic(d, entries, (uint32_t)align_up(most, align));
}

/** Where the next variable goes: packed among the common ones, or, if it belongs to a kernel or there are too many to pack, behind what the kernels that
 *  reach it have so far. `ends`: of each kernel. */
static uint64_t choose_offset(const struct decoder *d, int i, const uint64_t *ends)
{
    const struct shared_variable *v = &d->shared[i];
    uint64_t align = v->source->align ? v->source->align : 1, end = 0;

    if (i < d->shared_common && d->shared_common <= MAX_PACKED)
        return lowest_offset(d, d->shared, i);
    for (int e = 0; e < d->entry_count; e++)
        if (v->entries[e / 64] >> (e % 64) & 1 && ends[e] > end)
            end = ends[e];
    return align_up(end, align);
}

/** Offsets of all .shared variables. @return false when one is too large */
static bool place_shared(struct decoder *d)
{
    uint64_t *ends = decoder_alloc(d, (size_t)d->entry_count, sizeof *ends);

    for (int i = 0; i < d->shared_count; i++) {
        struct shared_variable *v = &d->shared[i];
        bool fits = v->source->bytes <= MAX_SHARED;
        uint64_t at = fits ? choose_offset(d, i, ends) : 0;
        uint64_t end = at + v->source->bytes;
        if (!fits || end > MAX_SHARED) {
            diag_line(d->diag, DIAG_LIMIT, v->source->line, "shared variable %.80s is too large",
                      v->source->name);
            return false;
        }
        v->offset = (uint32_t)at;
        for (int e = 0; e < d->entry_count; e++)
            if (v->entries[e / 64] >> (e % 64) & 1 && end > ends[e])
                ends[e] = end;
        if (v->owner >= 0)
            d->infos[v->owner].variables[v->variable].offset = at;
        else
            d->im->variables[v->variable].address = at;
    }
    return true;
}

/** For findings: the variables that functions declare are in no list of the image's. */
static void list_owned(struct decoder *d)
{
    for (int f = 0; f < d->im->function_count; f++)
        d->im->functions[f]->shared = decoder_alloc(d, (size_t)d->infos[f].source->variables.count,
                                                    sizeof *d->im->functions[f]->shared);
    for (int i = 0; i < d->shared_count; i++) {
        const struct shared_variable *v = &d->shared[i];
        if (v->owner < 0)
            continue;
        struct function *f = d->im->functions[v->owner];
        f->shared[f->shared_count++] = (struct image_variable){
            .name = v->source->name, .space = SPACE_SHARED, .address = v->offset,
            .bytes = v->source->bytes, .align = v->source->align, .source = v->source};
    }
}

bool shared_place(struct decoder *d)
{
    build_call_graph(d);
    collect_shared(d);
    note_all_shared(d);
    if (!place_shared(d))
        return false;
    list_owned(d);
    size_entries(d);
    return true;
}
