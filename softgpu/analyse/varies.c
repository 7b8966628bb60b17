/**
 * @file varies.c
 * See varies.h.
 */
#include "analyse/varies.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "code/descriptions.h"
#include "code/operands.h"

/** Writers that have been found and not been looked at yet. */
struct search {
    const struct function *f;
    const struct insn *writer[VARIES_STEPS];
    int count;
    bool *entered; /**< basic blocks, of one register's search */
};

static void found(struct search *s, const struct insn *writer)
{
    for (int i = 0; i < s->count; i++)
        if (s->writer[i] == writer)
            return;
    if (s->count < VARIES_STEPS)
        s->writer[s->count++] = writer;
}

/** Adds those whose value a thread may find in the register where it comes to `at`. */
static void find_writers(struct search *s, const struct insn *at, uint32_t reg)
{
    const struct blocks *b = &flow_of(s->f)->blocks;
    int *todo = calloc((size_t)b->count + 1, sizeof *todo), count = 0,
        block = b->of[at - s->f->entry];
    if (!todo)
        abort();
    memset(s->entered, 0, (size_t)b->count * sizeof *s->entered);
    for (const struct insn *in = at;;) {
        const struct insn *first = s->f->entry + b->first[block];
        bool written = false;
        while (in > first && !written)
            if (insn_writes(--in, reg)) {
                found(s, in);
                written = !insn_is_guarded(in);
            }
        for (int e = b->before_from[block]; !written && e < b->before_from[block + 1]; e++)
            if (!s->entered[b->before[e]]) {
                s->entered[b->before[e]] = true;
                todo[count++] = b->before[e];
            }
        if (!count)
            break;
        block = todo[--count];
        in = s->f->entry + b->first[block + 1];
    }
    free(todo);
}

static void find_writers_of_sources(struct search *s, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o) && !o.write;)
        if (!(o.reg & CONST_BIT))
            find_writers(s, in, o.reg);
}

static struct search search_begin(const struct function *f)
{
    struct search s = {.f = f, .entered = calloc((size_t)flow_of(f)->blocks.count + 1, sizeof(bool))};
    if (!s.entered)
        abort();
    return s;
}

/** What gives the special register that the instruction reads; NULL: it reads none. */
static const char *reader_of(const struct insn *in)
{
    static const char *const readers[] = {
#define SPECIAL(name, reader, argument, ordered) #reader,
#include "code/specials.def"
    };
    return insn_row(in) == ROW_special ? in->imm < sizeof readers / sizeof readers[0] ? readers[in->imm] : "constant" : NULL;
}

/** Does it give each thread something of its own? */
static bool tells_threads_apart(const struct insn *in)
{
    const char *reader = reader_of(in);
    if (insn_class(in) == INSN_ATOMIC)
        return true;
    return reader && (!strcmp(reader, "tid") || !strcmp(reader, "laneid") || !strcmp(reader, "lanemask"));
}

typedef bool look_fn(const struct insn *in);

/** The first that `look` seeks among those from which the register's value at `at` is computed; NULL if none is. */
static const struct insn *made_from(const struct function *f, const struct insn *at, uint32_t reg, look_fn *look)
{
    const struct insn *sought = NULL;
    struct search s = search_begin(f);
    find_writers(&s, at, reg);
    for (int i = 0; i < s.count && !sought; i++) {
        const struct insn *in = s.writer[i];
        sought = look(in) ? in : NULL;
        if (insn_class(in) != INSN_LOAD && insn_class(in) != INSN_ATOMIC)
            find_writers_of_sources(&s, in);
    }
    free(s.entered);
    return sought;
}

bool branch_varies(const struct function *f, const struct insn *branch)
{
    return insn_is_guarded(branch) && flow_holds(f, branch) && made_from(f, branch, branch->guard, tells_threads_apart);
}

/** Does it give each block something of its own? */
static bool tells_blocks_apart(const struct insn *in)
{
    const char *reader = reader_of(in);
    bool data = insn_class(in) == INSN_LOAD && !order_is_strong(&in->mem) && in->mem.space != SPACE_PARAM && in->mem.space != SPACE_CONST &&
                in->mem.space != SPACE_SHARED && in->mem.space != SPACE_LOCAL;
    return data || (reader && !strcmp(reader, "ctaid"));
}

bool branch_varies_by_block(const struct function *f, const struct insn *branch)
{
    return insn_is_guarded(branch) && flow_holds(f, branch) && made_from(f, branch, branch->guard, tells_blocks_apart);
}

static bool exchanges(const struct insn *in)
{
    return insn_class(in) == INSN_MEETING;
}

static bool is_atomic(const struct insn *in)
{
    return insn_class(in) == INSN_ATOMIC;
}

const struct insn *address_atomic(const struct function *f, const struct insn *access)
{
    if (!flow_holds(f, access) || !access->mem.address_bytes || access->src[0] & CONST_BIT || made_from(f, access, access->src[0], exchanges))
        return NULL;
    return made_from(f, access, access->src[0], is_atomic);
}

static bool is_handed(const struct insn *in)
{
    bool loads = insn_class(in) == INSN_LOAD && in->mem.space != SPACE_PARAM && in->mem.space != SPACE_CONST;
    return loads || is_atomic(in) || exchanges(in) || insn_class(in) == INSN_CALL;
}

static bool ask_handed(const struct function *f, const struct insn *access)
{
    return made_from(f, access, access->src[0], is_handed);
}

bool address_is_handed(const struct function *f, const struct insn *access)
{
    return flow_holds(f, access) && access->mem.address_bytes && !(access->src[0] & CONST_BIT) && flow_answer(f, access, &flow_of(f)->handed, ask_handed);
}

bool address_varies(const struct function *f, const struct insn *access)
{
    return address_is_handed(f, access) ||
           (access->mem.address_bytes && !(access->src[0] & CONST_BIT) && made_from(f, access, access->src[0], tells_threads_apart));
}

/** Does it keep apart what differs: a sum, a product, a copy? */
static bool keeps_apart(const struct insn *in)
{
    static const char *const kinds[] = {"add", "sub", "mul", "mad", "mad24", "mul24", "shl", "neg", "mov", "cvt", "cvta"};
    const char *reader = reader_of(in);
    if (reader)
        return !strcmp(reader, "tid") ? in->imm == 0 : strcmp(reader, "laneid") && strcmp(reader, "lanemask") && strcmp(reader, "place") && strcmp(reader, "clock");
    if (insn_class(in) == INSN_LOAD)
        return in->mem.space == SPACE_PARAM;
    if (insn_class(in) == INSN_COMPUTE && !insn_is_guarded(in) && (insn_copies(in) != REG_NONE || insn_row(in) == ROW_mov_32 || insn_row(in) == ROW_mov_64))
        return true;
    for (size_t i = 0; insn_class(in) == INSN_COMPUTE && in->op->mnemonic && !insn_is_guarded(in) && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(in->op->mnemonic, kinds[i]))
            return strncmp(in->op->pattern, "hi ", 3);
    return false;
}

/** As nvcc adds a number to what has been shifted up by more bits than it has. */
static bool adds_bits(const struct function *f, const struct insn *in)
{
    uint64_t bits, by;
    const struct insn *shift = insn_row(in) == ROW_or_32 && in->src[1] & CONST_BIT ? register_writer(f, in, in->src[0]) : NULL;
    return shift && insn_row(shift) == ROW_shl_32 && origin_number(f, in, in->src[1], 4, &bits) && origin_number(f, shift, shift->src[1], 4, &by) && by < 32 && bits >> by == 0;
}

static bool may_differ(const struct insn *in)
{
    return tells_threads_apart(in) || is_handed(in) || (insn_class(in) != INSN_COMPUTE && insn_class(in) != INSN_LOAD);
}

/** Does it make the same of what all threads have alike? */
static bool is_alike(const struct function *f, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    bool alike = insn_class(in) == INSN_COMPUTE && !reader_of(in);
    for (struct operand o; alike && operands_next(&it, &o) && !o.write;)
        alike = (o.reg & CONST_BIT) || !made_from(f, in, o.reg, may_differ);
    return alike;
}

bool address_is_spread(const struct function *f, const struct insn *access)
{
    struct search s = search_begin(f);
    bool spread = flow_holds(f, access) && access->mem.address_bytes && !(access->src[0] & CONST_BIT), apart = false;
    if (spread)
        find_writers(&s, access, access->src[0]);
    for (int i = 0; i < s.count && spread; i++) {
        const struct insn *in = s.writer[i];
        spread = s.count < VARIES_STEPS && (keeps_apart(in) || adds_bits(f, in) || is_alike(f, in));
        apart |= tells_threads_apart(in);
        if (insn_class(in) != INSN_LOAD)
            find_writers_of_sources(&s, in);
    }
    free(s.entered);
    return spread && apart;
}

/** Is it from registers to registers? */
static bool computes(const struct insn *in)
{
    return insn_class(in) == INSN_COMPUTE;
}

int address_each_source(const struct function *f, const struct insn *access, address_visit_fn *visit, void *self)
{
    struct search s = search_begin(f);
    find_writers(&s, access, access->src[0]);
    for (int i = 0; i < s.count; i++) {
        const struct insn *in = s.writer[i];
        struct operand_iter it = operands_of(in);
        visit(self, in);
        for (struct operand o; computes(in) && operands_next(&it, &o) && !o.write;)
            if (!(o.reg & CONST_BIT) && function_register_width(f, o.reg) == access->mem.address_bytes)
                find_writers(&s, in, o.reg);
    }
    free(s.entered);
    return s.count;
}

/* ---- The same for the whole block ---- */

/** Does it make the same of the same, in all threads and at all times? */
static bool makes_the_same(const struct insn *in)
{
    const char *reader = reader_of(in);
    if (insn_class(in) == INSN_LOAD)
        return in->mem.space == SPACE_PARAM || in->mem.space == SPACE_CONST;
    return insn_class(in) == INSN_COMPUTE && !(in->op->flags & OP_CONVERGED) && !tells_threads_apart(in) && !(reader && !strcmp(reader, "clock"));
}

/** What decides at the branches at which it is decided whether a thread comes to the instruction. */
static void find_deciders(struct search *s, const struct insn *in)
{
    for (const struct insn *b = s->f->entry; b + 1 < s->f->end; b++)
        if (insn_class(b) == INSN_BRANCH && insn_is_guarded(b) && flow_holds(s->f, b->target) &&
            (path_passes_by(s->f, b, b + 1, in, NULL, false) || path_passes_by(s->f, b, b->target, in, NULL, false)))
            find_writers(s, b, b->guard);
}

bool branch_is_uniform(const struct function *f, const struct insn *branch)
{
    if (!flow_holds(f, branch) || insn_class(branch) != INSN_BRANCH || !insn_is_guarded(branch))
        return false;
    struct search s = search_begin(f);
    bool same = true;
    find_writers(&s, branch, branch->guard);
    for (int i = 0; i < s.count && same; i++) {
        same = makes_the_same(s.writer[i]) && s.count < VARIES_STEPS;
        if (!same)
            break;
        find_writers_of_sources(&s, s.writer[i]);
        find_deciders(&s, s.writer[i]);
    }
    free(s.entered);
    return same && s.count;
}
