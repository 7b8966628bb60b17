/**
 * @file base_variables.c
 * Which .shared variable an address is made of.
 *
 * nvcc keeps an array's symbol in every address that leads into it: it does not know how far apart two variables of the block's shared
 * memory will lie, so what it adds to a symbol comes from indices of that array alone. Where a register holds such a sum, of one variable's address and
 * of numbers, whichever way the thread has come, an access by it belongs to that variable. All else belongs to nobody: two variables (`p ? a : b`,
 * a distance between them), an address that comes from memory or from a parameter, one that was multiplied or shifted.
 *
 * The text is read, not the decoded instructions, in which a symbol is a number like any other.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/decoder.h"
#include "decode/stages.h"

/** What a register holds: nothing so far, a number, something unknown, or FIRST + n: an address made of variable n. */
enum { NOTHING, NUMBER, UNKNOWN, FIRST };
/** Rounds over the text; a value goes from register to register in the text's order, but around loops. */
#define MAX_ROUNDS 16

/** Of two ways to one register. */
static int either(int a, int b)
{
    return a == b || b == NOTHING ? a : a == NOTHING ? b : UNKNOWN;
}

static int sum(int a, int b)
{
    if (a == NOTHING || b == NOTHING)
        return NOTHING;
    return a == NUMBER ? b : b == NUMBER ? a : UNKNOWN;
}

static int variable_of(const struct decoder *d, const struct ptx_operand *o)
{
    if (o->variable < 0) {
        int v = name_table_find(&d->variables, o->name);
        return v >= 0 && d->im->variables[v].space == SPACE_SHARED ? d->shared_number[v] : -1;
    }
    for (int i = 0; i < d->shared_count; i++)
        if (d->shared[i].owner >= 0 && &d->infos[d->shared[i].owner] == d->info && d->shared[i].variable == o->variable)
            return i;
    return -1;
}

/** What an operand gives; of one with parts: of all of them together. */
static int held(const struct decoder *d, const struct ptx_operand *o)
{
    switch (o->kind) {
    case OPERAND_REG:
        return o->reg >= 0 && o->reg < d->info->source->regs.count ? d->holds[o->reg] : UNKNOWN;
    case OPERAND_SYMBOL: {
        int v = o->part ? -1 : variable_of(d, o);
        return v < 0 ? UNKNOWN : FIRST + v;
    }
    case OPERAND_INT:
    case OPERAND_SPECIAL:
    case OPERAND_FLOAT32:
    case OPERAND_FLOAT64:
        return NUMBER;
    default:
        return UNKNOWN;
    }
}

static bool is(const struct ptx_instr *pi, const char *names)
{
    size_t n = strlen(pi->mnemonic);
    for (const char *at = names; (at = strstr(at, pi->mnemonic)); at += n)
        if ((at == names || at[-1] == ' ') && (!at[n] || at[n] == ' '))
            return true;
    return false;
}

/** Between whole numbers of 32 and 64 bits? */
static bool converts_address(const struct ptx_instr *pi)
{
    for (int i = 0; i < pi->modifier_count; i++)
        if (strlen(pi->modifiers[i]) != 3 || !strchr("usb", pi->modifiers[i][0]) ||
            (strcmp(pi->modifiers[i] + 1, "32") && strcmp(pi->modifiers[i] + 1, "64")))
            return false;
    return true;
}

/** A mask that only rounds down? */
static bool rounds(const struct ptx_operand *o)
{
    return o->kind == OPERAND_INT && (int32_t)o->bits < 0 && (int32_t)o->bits >= -4096;
}

/** What another instruction makes of what it reads. */
static int computed(const struct decoder *d, const struct ptx_instr *pi)
{
    int all = NUMBER;
    for (int k = 1; k < pi->operand_count; k++) {
        const struct ptx_operand *o = &pi->operands[k];
        for (int e = 0; e < (o->kind == OPERAND_VECTOR ? o->count : 1); e++) {
            int one = held(d, o->kind == OPERAND_VECTOR ? &o->element[e] : o);
            if (one == NOTHING)
                return NOTHING;
            all = one == NUMBER ? all : UNKNOWN;
        }
    }
    return all;
}

/** What it writes into its first operand. */
static int made(const struct decoder *d, const struct ptx_instr *pi)
{
    const struct ptx_operand *o = pi->operands;
    int count = pi->operand_count;
    if (is(pi, "ld ldu atom tex tld4 suld txq suq istypep ldmatrix setp isspacep activemask"))
        return NUMBER;
    if (count == 2 && (is(pi, "mov cvta") || (is(pi, "cvt") && converts_address(pi))) && o[1].kind != OPERAND_VECTOR)
        return held(d, &o[1]);
    if (count == 3 && is(pi, "add or xor"))
        return sum(held(d, &o[1]), held(d, &o[2]));
    if (count == 3 && is(pi, "sub"))
        return held(d, &o[2]) <= NUMBER ? sum(held(d, &o[1]), held(d, &o[2])) : UNKNOWN;
    if (count == 3 && is(pi, "and") && rounds(&o[2]))
        return held(d, &o[1]);
    if (count == 4 && is(pi, "mad"))
        return held(d, &o[1]) <= NUMBER && held(d, &o[2]) <= NUMBER ? sum(sum(held(d, &o[1]), held(d, &o[2])), held(d, &o[3])) : UNKNOWN;
    if (count == 4 && is(pi, "selp"))
        return either(held(d, &o[1]), held(d, &o[2]));
    return computed(d, pi);
}

/** Another writer of the operand's registers, or of its parts'. @return whether that says anything new */
static bool note(struct decoder *d, const struct ptx_operand *o, int what)
{
    bool news = false, several = o->kind == OPERAND_VECTOR || o->kind == OPERAND_PAIR || o->kind == OPERAND_LIST;
    for (int e = 0; several && e < o->count; e++)
        news |= note(d, &o->element[e], what == NUMBER ? what : UNKNOWN);
    if ((o->kind != OPERAND_REG && !o->part) || o->reg < 0 || o->reg >= d->info->source->regs.count)
        return news;
    uint16_t both = (uint16_t)either(d->holds[o->reg], o->part ? UNKNOWN : what);
    news = both != d->holds[o->reg];
    d->holds[o->reg] = both;
    return news;
}

static bool names_shared(const struct decoder *d)
{
    for (int i = 0; i < d->shared_count; i++)
        for (int w = 0; w < d->entry_words; w++)
            if (d->shared[i].entries[w] & d->info->entries[w])
                return d->shared_count < UINT16_MAX - FIRST;
    return false;
}

void base_variables_find(struct decoder *d)
{
    const struct ptx_function *f = d->info->source;
    bool news = names_shared(d);
    d->holds = calloc((size_t)f->regs.count + 1, sizeof *d->holds);
    if (!d->holds)
        abort();
    for (int round = 0; news && round < MAX_ROUNDS; round++) {
        news = false;
        for (int i = 0; i < f->instrs.count; i++) {
            const struct ptx_instr *pi = &f->instrs.data[i];
            const struct op_info *row = d->rows[i];
            bool defines = pi->operand_count > 0 && (!row || row->defines);
            int what = !defines ? NOTHING : row && row->insn_class != INSN_CALL ? made(d, pi) : UNKNOWN;
            if (what != NOTHING)
                news |= note(d, &pi->operands[0], what);
        }
    }
    if (news) /* no end was reached: what is known may be too much */
        memset(d->holds, 0, (size_t)f->regs.count * sizeof *d->holds);
}

void base_variables_forget(struct decoder *d)
{
    free(d->holds);
    d->holds = NULL;
}

void base_variable_note(const struct decoder *d, const struct ptx_operand *base, struct insn *in)
{
    int what = d->holds && base->kind != OPERAND_INT ? held(d, base) : NOTHING;
    if (what < FIRST)
        return;
    const struct shared_variable *v = &d->shared[what - FIRST];
    in->mem.object_bytes = (uint32_t)v->source->bytes;
    in->object = v->source->bytes ? v->offset : v->owner < 0 ? 1 + (uint32_t)v->variable : 0;
}
