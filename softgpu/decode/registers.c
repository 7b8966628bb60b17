/**
 * @file registers.c
 * Register assignment: liveness over the control-flow graph, then linear scan.
 *
 * PTX has as many registers as it likes, each assigned once or a few times. A warp's frame holds 32
 * lanes of each, so sharing slots keeps frames small enough for the first-level cache. Slots are
 * shared within a width only: a register then never overlaps another in part, which the arithmetic
 * handlers rely on.
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
#include "execute/handlers.h"

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
    uint32_t *start, *end;       /* by register, positions; start UINT32_MAX = unused */
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
    if (position < l->start[reg])
        l->start[reg] = position;
    if (position > l->end[reg])
        l->end[reg] = position;
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

/** Fills start and end of every register; where the analysis is too large, of the whole function. */
static void find_intervals(struct liveness *l)
{
    int regs = l->f->source->regs.count;

    for (int r = 0; r < regs; r++)
        l->start[r] = UINT32_MAX;
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
        if (l->start[r] != UINT32_MAX)
            l->start[r] = 0, l->end[r] = UINT32_MAX;
}

/* Linear scan: slots in use as a heap by end position. */
struct busy {
    uint32_t end, slot;
};

static void heap_push(struct busy *heap, int *n, struct busy b)
{
    int i = (*n)++;
    for (; i > 0 && heap[(i - 1) / 2].end > b.end; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = b;
}

static struct busy heap_pop(struct busy *heap, int *n)
{
    struct busy top = heap[0], last = heap[--*n];
    int i = 0;
    for (int child; (child = 2 * i + 1) < *n; i = child) {
        if (child + 1 < *n && heap[child + 1].end < heap[child].end)
            child++;
        if (heap[child].end >= last.end)
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return top;
}

struct order {
    uint32_t start;
    int reg;
};

static int by_start(const void *x, const void *y)
{
    const struct order *a = x, *b = y;
    return a->start != b->start ? (a->start < b->start ? -1 : 1) : a->reg - b->reg;
}

/** Gives the registers of one width their slots, from `base` on. @return slots used */
static uint32_t scan_width(struct liveness *l, const struct order *order, int count, unsigned width,
                           uint64_t base)
{
    struct busy *heap = calloc((size_t)count + 1, sizeof *heap);
    uint32_t slots = 0, bytes = width == WIDTH_PRED ? 64 : width * WARP_LANES;
    int n = 0;

    if (!heap)
        abort();
    for (int i = 0; i < count; i++) {
        int reg = order[i].reg;
        uint32_t slot;
        if (width_of_type(l->f->source->regs.data[reg].type) != width)
            continue;
        if (n && heap[0].end < l->start[reg])
            slot = heap_pop(heap, &n).slot;
        else
            slot = slots++;
        heap_push(heap, &n, (struct busy){l->end[reg], slot});
        uint64_t offset = base + (uint64_t)slot * bytes;
        l->f->reg_offset[reg] = offset < CONST_BIT ? (uint32_t)offset : 0;
    }
    free(heap);
    return slots;
}

static bool uses_row(const struct liveness *l, decode_fn decode)
{
    for (int i = 0; i < l->count; i++)
        if (l->d->rows[i] && l->d->rows[i]->decode == decode)
            return true;
    return false;
}

/**
 * What ptxas might use, for occupancy: it allocates in eights, and keeps within what a block of
 * `.maxntid` threads may have; without that, we assume it finds a way to let 1024 threads run.
 */
static uint32_t estimate_registers(const struct function_info *f, uint64_t words)
{
    const struct ptx_function *pf = f->source;
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++) {
        unsigned most = pf->req_threads[i] ? pf->req_threads[i] : pf->max_threads[i];
        threads *= most && most <= 1024 ? most : 1;
    }
    bool known = pf->req_threads[0] || pf->max_threads[0];
    uint64_t cap = 65536 / (known && threads <= 1024 ? (threads + 31) / 32 * 32 : 1024) & ~7ull;
    cap = cap < 255 ? cap : 255;
    words = align_up(words < 16 ? 16 : words, 8);
    return (uint32_t)(words < cap ? words : cap);
}

static void assign(struct liveness *l)
{
    static const unsigned widths[] = {WIDTH_PRED, 4, 8, 2, 16};
    int regs = l->f->source->regs.count, count = 0;
    struct order *order = calloc((size_t)regs + 1, sizeof *order);
    uint64_t offset = sizeof(struct frame_header);
    uint64_t words = 0;   /* 32-bit registers that a lane needs */

    if (!order)
        abort();
    for (int r = 0; r < regs; r++)
        if (l->start[r] != UINT32_MAX)
            order[count++] = (struct order){l->start[r], r};
    qsort(order, (size_t)count, sizeof *order, by_start);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        uint32_t slots = scan_width(l, order, count, widths[i], offset);
        offset += (uint64_t)slots * (widths[i] == WIDTH_PRED ? 64 : widths[i] * WARP_LANES);
        words += widths[i] >= 4 ? slots * (widths[i] / 4) : widths[i] == 2 ? (slots + 1) / 2 : 0;
    }
    if (uses_row(l, decode_carry) && offset < CONST_BIT)
        l->f->carry = (uint32_t)offset, offset += 64;
    if (uses_row(l, decode_set) && offset < CONST_BIT)
        l->f->scratch = (uint32_t)offset, offset += 64;
    l->f->function->frame_bytes = offset < CONST_BIT ? (uint32_t)offset : UINT32_MAX;
    l->f->function->registers = estimate_registers(l->f, words);
    free(order);
}

void registers_assign(struct decoder *d, struct function_info *f)
{
    int regs = f->source->regs.count;
    struct liveness l = {.d = d, .f = f, .count = f->source->instrs.count};

    f->reg_offset = decoder_alloc(d, (size_t)regs, sizeof *f->reg_offset);
    for (int r = 0; r < regs; r++)
        f->reg_offset[r] = REG_NONE;
    f->carry = f->scratch = REG_NONE;
    l.start = calloc((size_t)regs + 1, sizeof *l.start);
    l.end = calloc((size_t)regs + 1, sizeof *l.end);
    if (!l.start || !l.end)
        abort();
    find_intervals(&l);
    assign(&l);
    free(l.block_of);
    free(l.first);
    free(l.use);
    free(l.start);
    free(l.end);
}
