/**
 * @file liveness.c
 * Which part of a function's text each register's value lives in.
 *
 * Each lane runs the function as a scalar program on its own element of every slot, so scalar liveness
 * is right however lanes diverge. A guarded write leaves some lanes' old values: it is a use as well.
 *
 * Positions: instruction i reads at 2i and writes at 2i + 1. Only plain arithmetic may write the slot of
 * a source that dies there; other handlers may write one result before they read the last operand.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/decoder.h"

/** Bounds on the analysis: beyond them every register has a slot of its own. */
#define MAX_LIVENESS_WORDS (1u << 24)
#define MAX_LIVENESS_WORK (1ull << 31)

struct liveness {
    struct decoder *d;
    struct function_info *f;
    int count, blocks;
    int *block_of;               /* by instruction */
    int *first;                  /* by block; first[blocks] = count */
    uint32_t words;
    uint64_t *use, *define, *in, *out;
    uint64_t work;               /* words joined so far */
    struct interval *live;       /* by register */
};

typedef void visit_fn(struct liveness *l, int instr, int reg, bool write);

static void visit_operand(struct liveness *l, int i, const struct ptx_operand *o, bool write,
                          visit_fn *visit, int depth)
{
    if (o->kind == OPERAND_REG && o->reg >= 0 && o->reg < l->f->source->regs.count)
        visit(l, i, o->reg, write);
    bool inside = write && (o->kind == OPERAND_VECTOR || o->kind == OPERAND_PAIR ||
                            o->kind == OPERAND_LIST);
    for (int e = 0; e < o->count && depth < 4; e++)
        visit_operand(l, i, &o->element[e], inside, visit, depth + 1);
    if (o->kind == OPERAND_ADDRESS && o->count == 0 && o->element && depth < 4)
        visit_operand(l, i, o->element, false, visit, depth + 1);
}

/** Calls `visit` for each register that instruction `i` reads, then for each that it writes. */
static void visit_instr(struct liveness *l, int i, visit_fn *visit)
{
    const struct ptx_instr *pi = &l->f->source->instrs.data[i];
    const struct op_info *row = l->d->rows[i];
    bool defines = row && row->defines && pi->operand_count > 0;

    if (defines && row->decode == decode_call && pi->operands[0].kind != OPERAND_LIST)
        defines = false;
    if (pi->guard >= 0 && pi->guard < l->f->source->regs.count)
        visit(l, i, pi->guard, false);
    for (int k = defines ? 1 : 0; k < pi->operand_count; k++)
        visit_operand(l, i, &pi->operands[k], false, visit, 0);
    if (!defines)
        return;
    if (pi->guard >= 0)
        visit_operand(l, i, &pi->operands[0], false, visit, 0);
    visit_operand(l, i, &pi->operands[0], true, visit, 0);
}

static void note_block(struct liveness *l, int i, int reg, bool write)
{
    uint64_t *def = l->define + (size_t)l->block_of[i] * l->words;
    uint64_t *use = l->use + (size_t)l->block_of[i] * l->words;
    uint64_t bit = 1ull << (reg & 63);

    if (write)
        def[reg >> 6] |= bit;
    else if (!(def[reg >> 6] & bit))
        use[reg >> 6] |= bit;
}

static void extend(struct liveness *l, int reg, uint32_t position)
{
    struct interval *v = &l->live[reg];
    v->start = position < v->start ? position : v->start;
    v->end = position > v->end ? position : v->end;
}

static void note_interval(struct liveness *l, int i, int reg, bool write)
{
    const struct op_info *row = l->d->rows[i];
    bool elementwise = row && !row->decode;

    extend(l, reg, 2 * (uint32_t)i + (write || !elementwise));
}

static bool is(const struct ptx_instr *pi, const char *mnemonic)
{
    return strcmp(pi->mnemonic, mnemonic) == 0;
}

static bool ends_block(const struct ptx_instr *pi)
{
    return is(pi, "bra") || is(pi, "brx") || is(pi, "ret") || is(pi, "exit");
}

static void find_blocks(struct liveness *l)
{
    const struct ptx_function *f = l->f->source;
    bool *leader = calloc((size_t)l->count + 1, sizeof *leader);

    l->block_of = calloc((size_t)l->count + 1, sizeof *l->block_of);
    l->first = calloc((size_t)l->count + 2, sizeof *l->first);
    if (!leader || !l->block_of || !l->first)
        abort();
    leader[0] = true;
    for (int i = 0; i < f->labels.count; i++)
        if (f->labels.data[i].instr >= 0 && f->labels.data[i].instr < l->count)
            leader[f->labels.data[i].instr] = true;
    for (int i = 0; i < l->count; i++)
        if (ends_block(&f->instrs.data[i]))
            leader[i + 1] = true;
    l->blocks = 0;
    for (int i = 0; i < l->count; i++) {
        if (leader[i])
            l->first[l->blocks++] = i;
        l->block_of[i] = l->blocks - 1;
    }
    l->first[l->blocks] = l->count;
    free(leader);
}

/** out |= in of the block at a label's instruction. */
static void join_label(struct liveness *l, uint64_t *out, const char *name)
{
    int at = name_table_find(&l->f->labels, name);
    if (at < 0 || at >= l->count)
        return;
    const uint64_t *in = l->in + (size_t)l->block_of[at] * l->words;
    for (uint32_t w = 0; w < l->words; w++)
        out[w] |= in[w];
    l->work += l->words + 8;     /* 8: finding the label */
}

static void join_successors(struct liveness *l, int block, uint64_t *out)
{
    const struct ptx_function *f = l->f->source;
    const struct ptx_instr *last = &f->instrs.data[l->first[block + 1] - 1];
    bool falls = !ends_block(last) || last->guard >= 0;

    if (falls && block + 1 < l->blocks) {
        const uint64_t *in = l->in + (size_t)(block + 1) * l->words;
        for (uint32_t w = 0; w < l->words; w++)
            out[w] |= in[w];
    }
    if (is(last, "bra") && last->operand_count == 1 && last->operands[0].kind == OPERAND_SYMBOL)
        join_label(l, out, last->operands[0].name);
    if (!is(last, "brx") || last->operand_count != 2 || last->operands[1].kind != OPERAND_SYMBOL)
        return;
    int list = name_table_find(&l->f->branch_lists, last->operands[1].name);
    for (int t = 0; list >= 0 && t < f->branch_targets.data[list].targets.count; t++)
        join_label(l, out, f->branch_targets.data[list].targets.data[t]);
}

/** Backward data flow to the fixed point. @return false when the bound on work is reached */
static bool solve(struct liveness *l)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = l->blocks - 1; b >= 0; b--) {
            if (l->work > MAX_LIVENESS_WORK)
                return false;
            uint64_t *out = l->out + (size_t)b * l->words, *in = l->in + (size_t)b * l->words;
            join_successors(l, b, out);
            for (uint32_t w = 0; w < l->words; w++) {
                size_t at = (size_t)b * l->words + w;
                uint64_t v = l->use[at] | (out[w] & ~l->define[at]);
                changed |= v != in[w];
                in[w] = v;
            }
        }
        l->work += (uint64_t)l->blocks * l->words;
    }
    return true;
}

static void extend_over_blocks(struct liveness *l)
{
    for (int b = 0; b < l->blocks; b++)
        for (uint32_t w = 0; w < l->words; w++) {
            uint64_t in = l->in[(size_t)b * l->words + w], out = l->out[(size_t)b * l->words + w];
            for (; in; in &= in - 1)
                extend(l, (int)(w * 64) + __builtin_ctzll(in), 2 * (uint32_t)l->first[b]);
            for (; out; out &= out - 1)
                extend(l, (int)(w * 64) + __builtin_ctzll(out),
                       2 * (uint32_t)l->first[b + 1] - 1);
        }
}

/** Fills the interval of every register; where the analysis is too large, of the whole function. */
static void find_intervals(struct liveness *l)
{
    int regs = l->f->source->regs.count;

    for (int r = 0; r < regs; r++)
        l->live[r] = (struct interval){UINT32_MAX, 0};
    for (int i = 0; i < l->count; i++)
        visit_instr(l, i, note_interval);
    find_blocks(l);
    l->words = ((uint32_t)regs + 63) / 64;
    size_t total = (size_t)l->blocks * l->words;
    bool solved = false;
    if (total && total <= MAX_LIVENESS_WORDS) {
        l->use = calloc(4 * total, sizeof *l->use);
        if (!l->use)
            abort();
        l->define = l->use + total;
        l->in = l->define + total;
        l->out = l->in + total;
        for (int i = 0; i < l->count; i++)
            visit_instr(l, i, note_block);
        solved = solve(l);
        if (solved)
            extend_over_blocks(l);
    }
    for (int r = 0; r < regs && !solved; r++)
        if (l->live[r].start != UINT32_MAX)
            l->live[r] = (struct interval){0, UINT32_MAX};
}

void liveness_intervals(struct decoder *d, struct function_info *f, struct interval *live)
{
    struct liveness l = {.d = d, .f = f, .count = f->source->instrs.count, .live = live};

    find_intervals(&l);
    free(l.block_of);
    free(l.first);
    free(l.use);
}
