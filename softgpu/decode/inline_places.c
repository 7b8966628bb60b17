/**
 * @file inline_places.c
 * Code made for debugging hands values on through local memory: an object of a class of libcu++ keeps a pointer there, the function that it calls keeps
 * a pointer to that, and an atomic's result comes back the same way. What is made of a value is seen where it is in registers.
 *
 * A place is some bytes of a local variable, or of a call's parameter, that are stored and loaded at addresses which are always the same, always all of
 * them (a load may take the lower ones). It becomes a register, if nothing else is done with an address in that variable but to store and load there.
 * An address may be kept in such a place itself, if one instruction stores it there, and every way to those who load it passes that one: so what a
 * function is given a pointer to is followed into it.
 *
 * That all of it is so is taken for granted first; what turns out not to be is noted, and all looked at once more, until nothing has turned out.
 *
 * What stays: variables whose address is handed on, computed with what is not known, or compared with another; bytes that are taken in different pieces.
 */
#include <stdlib.h>
#include <string.h>

#include "decode/inline_graph.h"
#include "decode/inline_known.h"
#include "decode/inline_parts.h"

#define MOST_BYTES 4096 /* of a variable */
#define MOST_IN_ALL (1 << 20)

enum { NONE = -1, MANY = -2 };

/** An address in a local variable, or in a parameter of a call; `variable` NONE: it is something else. */
struct pointer {
    int variable;
    int64_t offset;
};

/** A load or a store of one number. */
struct access {
    bool loads;
    enum ptx_type type;
    int bytes;
    const struct ptx_operand *value;
    struct pointer at;
};

struct places {
    struct ptx_module *m;
    struct ptx_function *f;
    struct way_graph g;
    int *made;                   /**< only_writers_of() */
    struct constants constants;
    struct pointer *points;      /**< by register: the address that it always holds */
    int *first;                  /**< by variable: its first byte among all of them; NONE: it is not looked at */
    int *stays;                  /**< by variable: an address in it is handed on */
    int *torn;                   /**< by byte: it is taken in different pieces */
    int *varies;                 /**< by byte where a piece begins: what an address is loaded from there is not known */
    int *piece, *bytes;          /**< by byte: where the piece begins that it belongs to; by that, how long it is */
    int *stored, *reg;           /**< by byte where a piece begins: the instruction that stores there, NONE or MANY; the register that it becomes */
    bool turned_out;             /**< something that was taken for granted is not so */
};

/* ---- Addresses ---- */

static const struct pointer nowhere = {NONE, 0};

static struct pointer points_to(const struct places *p, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_REG && !o->negated && !o->part && o->reg >= 0)
        return p->points[o->reg];
    if (o->kind == OPERAND_SYMBOL && !o->part && o->variable >= 0 && o->variable < p->f->variables.count && p->first[o->variable] >= 0)
        return (struct pointer){o->variable, o->offset};
    return nowhere;
}

static bool is_access(const struct places *p, const struct ptx_instr *pi, struct access *a)
{
    a->loads = instr_is(pi, "ld");
    if ((!a->loads && !instr_is(pi, "st")) || pi->operand_count != 2 || pi->modifier_count < 1 || pi->modifier_count > 2)
        return false;
    if (pi->modifier_count == 2 && strcmp(pi->modifiers[0], "local") && strcmp(pi->modifiers[0], "param"))
        return false;
    const struct ptx_operand *address = &pi->operands[a->loads];
    a->value = &pi->operands[!a->loads];
    a->type = ptx_type_of(pi->modifiers[pi->modifier_count - 1]);
    a->bytes = (int)ptx_type_bytes(a->type);
    if (address->kind != OPERAND_ADDRESS || !address->element || a->type <= PTX_PRED || a->bytes > 8)
        return false;
    a->at = points_to(p, address->element);
    a->at.offset += address->offset;
    return a->at.variable >= 0;
}

/** The first byte of it among all; NONE: outside the variable, or where that stays. */
static int place_of(const struct places *p, const struct access *a)
{
    int64_t size = (int64_t)p->f->variables.data[a->at.variable].bytes;
    bool inside = a->at.offset >= 0 && a->at.offset + a->bytes <= size;
    return inside && !p->stays[a->at.variable] ? p->first[a->at.variable] + (int)a->at.offset : NONE;
}

/** A number that is always the same. */
static bool is_number(const struct places *p, const struct ptx_operand *o, int64_t *value)
{
    bool always = o->kind == OPERAND_REG && !o->negated && !o->part && o->reg >= 0 && p->constants.is[o->reg];
    *value = (int64_t)(always ? p->constants.value[o->reg] : o->bits);
    return always || o->kind == OPERAND_INT;
}

/** The address that is stored where the load finds it. */
static struct pointer loaded(const struct places *p, const struct ptx_instr *pi)
{
    struct access a;
    int at = is_access(p, pi, &a) && a.loads && a.bytes == 8 ? place_of(p, &a) : NONE;
    if (at < 0 || p->torn[at] || p->varies[at] || p->stored[at] < 0)
        return nowhere;
    return points_to(p, &p->f->instrs.data[p->stored[at]].operands[1]);
}

/** The address that the instruction makes. */
static struct pointer made_of(const struct places *p, const struct ptx_instr *pi)
{
    if (pi->operand_count < 2 || pi->guard >= 0 || pi->operands[0].kind != OPERAND_REG || ptx_type_bytes(p->f->regs.data[pi->operands[0].reg].type) != 8)
        return nowhere;
    if (instr_is(pi, "ld"))
        return loaded(p, pi);
    struct pointer at = points_to(p, &pi->operands[1]);
    int64_t more;
    if (pi->operand_count == 2)
        return instr_is(pi, "mov") || instr_is(pi, "cvta") ? at : nowhere;
    if (at.variable < 0 || pi->operand_count != 3 || pi->modifier_count != 1 || !(instr_is(pi, "add") || instr_is(pi, "sub")) || !is_number(p, &pi->operands[2], &more))
        return nowhere;
    at.offset += instr_is(pi, "add") ? more : -more;
    return at;
}

/** Notes which instruction stores at the place. @return is that new? */
static bool note_store(struct places *p, int i)
{
    struct access a;
    int at = is_access(p, &p->f->instrs.data[i], &a) && !a.loads ? place_of(p, &a) : NONE, before = at >= 0 ? p->stored[at] : i;
    if (before == i || before == MANY)
        return false;
    p->stored[at] = before == NONE ? i : MANY;
    return true;
}

/** Registers that hold one address wherever they are read. */
static void find_pointers(struct places *p)
{
    bool more = true;
    while (more) {
        more = false;
        for (int i = 0; i < p->f->instrs.count; i++) {
            const struct ptx_instr *pi = &p->f->instrs.data[i];
            more |= note_store(p, i);
            struct pointer at = made_of(p, pi);
            if (at.variable < 0 || p->made[pi->operands[0].reg] != i || p->points[pi->operands[0].reg].variable >= 0)
                continue;
            p->points[pi->operands[0].reg] = at;
            more = true;
        }
    }
}

/* ---- What is done there ---- */

static void turns_out(struct places *p, int *what)
{
    p->turned_out |= !*what;
    *what = true;
}

/** Can a register that holds so many bytes of the piece stand for it? */
static bool value_fits(const struct places *p, const struct access *a)
{
    const struct ptx_operand *v = a->value;
    if (v->kind == OPERAND_INT)
        return !a->loads;
    if (v->kind != OPERAND_REG)
        return !a->loads && ((v->kind == OPERAND_FLOAT32 && a->bytes == 4) || (v->kind == OPERAND_FLOAT64 && a->bytes == 8));
    enum ptx_type type = p->f->regs.data[v->reg].type;
    int held = (int)ptx_type_bytes(type);
    return !v->negated && !v->part && (held == a->bytes || (type <= PTX_S64 && a->type <= PTX_S64 && held > a->bytes));
}

/** Takes these bytes for one piece, unless some of them have been taken in another; a load may take the lower ones of one. */
static void note_piece(struct places *p, int at, const struct access *a)
{
    bool fits = true;
    int bytes = p->piece[at] == at && a->loads && a->type <= PTX_S64 && a->bytes < p->bytes[at] ? p->bytes[at] : a->bytes;
    for (int i = 0; i < bytes; i++)
        fits &= p->piece[at + i] == (p->piece[at] == at ? at : NONE) && !p->torn[at + i];
    if (fits && (p->piece[at] == NONE || p->bytes[at] == bytes)) {
        for (int i = 0; i < bytes; i++)
            p->piece[at + i] = at;
        p->bytes[at] = bytes;
        return;
    }
    for (int i = 0; i < a->bytes; i++) {
        int first = p->piece[at + i];
        for (int k = 0; first >= 0 && k < p->bytes[first]; k++)
            turns_out(p, &p->torn[first + k]);
        turns_out(p, &p->torn[at + i]);
    }
}

/** The address is handed on. */
static void note_stays(struct places *p, const struct ptx_operand *o)
{
    int variable = points_to(p, o).variable;
    if (variable >= 0)
        turns_out(p, &p->stays[variable]);
    for (int i = 0; o->element && i < (o->count ? o->count : 1); i++)
        note_stays(p, &o->element[i]);
}

/** An address that is stored is known to those who load it, or handed on; one that is loaded must be. */
static void note_kept(struct places *p, int i, const struct access *a, int at)
{
    int store = at >= 0 ? p->stored[at] : NONE;
    if (a->loads && store >= 0 && points_to(p, &p->f->instrs.data[store].operands[1]).variable >= 0 &&
        (a->bytes < 8 || p->made[a->value->reg] != i || !instr_passed(&p->g, store, i) || p->f->instrs.data[store].guard >= 0))
        turns_out(p, &p->varies[at]);
    if (!a->loads && points_to(p, a->value).variable >= 0 && (store != i || a->bytes < 8 || p->torn[at] || p->varies[at]))
        note_stays(p, a->value);
}

static void note_access(struct places *p, int i, const struct access *a)
{
    int at = place_of(p, a);
    if (!value_fits(p, a) || at < 0)
        turns_out(p, &p->stays[a->at.variable]);
    else
        note_piece(p, at, a);
    note_kept(p, i, a, at);
}

/** Is it whether an address of a variable is 0? */
static bool asks_for_null(const struct places *p, const struct ptx_instr *pi)
{
    return instr_is(pi, "setp") && pi->operand_count == 3 && pi->modifier_count == 2 && pi->operands[0].kind == OPERAND_REG &&
           pi->operands[2].kind == OPERAND_INT && !pi->operands[2].bits && points_to(p, &pi->operands[1]).variable >= 0 &&
           (!strcmp(pi->modifiers[0], "eq") || !strcmp(pi->modifiers[0], "ne"));
}

static void find_pieces(struct places *p, bool loads)
{
    for (int i = 0; i < p->f->instrs.count; i++) {
        const struct ptx_instr *pi = &p->f->instrs.data[i];
        struct access a;
        if (is_access(p, pi, &a)) {
            if (a.loads == loads)
                note_access(p, i, &a);
            continue;
        }
        bool follows = pi->operand_count && pi->operands[0].kind == OPERAND_REG && p->made[pi->operands[0].reg] == i && made_of(p, pi).variable >= 0;
        for (int k = 0; k < pi->operand_count && !loads && !follows && !asks_for_null(p, pi); k++)
            note_stays(p, &pi->operands[k]);
    }
}

/* ---- Registers instead ---- */

static int register_of(struct places *p, const struct access *a, int at)
{
    if (p->reg[at] < 0) {
        const struct ptx_variable *v = &p->f->variables.data[a->at.variable];
        enum ptx_type held = a->value->kind == OPERAND_REG ? p->f->regs.data[a->value->reg].type : PTX_NONE;
        bool same = held >= PTX_F16 && (int)ptx_type_bytes(held) == p->bytes[at];
        *LIST_PUSH(&p->f->regs) = (struct ptx_reg){v->name, same ? held : p->bytes[at] == 8 ? PTX_B64 : p->bytes[at] == 4 ? PTX_B32 : PTX_B16, v->scope};
        p->reg[at] = p->f->regs.count - 1;
    }
    return p->reg[at];
}

static const char *number_type(bool has_sign, int bytes)
{
    static const enum ptx_type whole[][2] = {{PTX_U8, PTX_S8}, {PTX_U16, PTX_S16}, {PTX_U32, PTX_S32}, {PTX_U64, PTX_S64}};
    return ptx_type_name(whole[bytes == 8 ? 3 : bytes == 4 ? 2 : bytes == 2][has_sign]);
}

/** A copy, or a conversion, of what leaves it in the instruction's first operand. */
static void becomes(const struct places *p, struct ptx_instr *pi, const char *mnemonic, const char *to, const char *from, struct ptx_operand what)
{
    const char **modifiers = arena_alloc(&p->m->arena, 2 * sizeof *modifiers);
    struct ptx_operand *operands = arena_alloc(&p->m->arena, 2 * sizeof *operands);
    modifiers[0] = to;
    modifiers[1] = from;
    operands[0] = pi->operands[0];
    operands[1] = what;
    pi->mnemonic = mnemonic;
    pi->modifiers = modifiers;
    pi->modifier_count = from ? 2 : 1;
    pi->operands = operands;
    pi->operand_count = 2;
}

/** A load of less than the register holds takes the sign along or not, as a conversion does; a store cuts off. */
static void becomes_move(const struct places *p, struct ptx_instr *pi, const struct access *a, int reg, int bytes)
{
    struct ptx_operand own = {.kind = OPERAND_REG, .name = p->f->regs.data[reg].name, .reg = reg, .variable = -1}, value = *a->value;
    bool literal = value.kind != OPERAND_REG, has_sign = a->loads && a->type >= PTX_S8 && a->type <= PTX_S64;
    int slot = bytes < 2 ? 2 : bytes, held = literal ? slot : (int)ptx_type_bytes(p->f->regs.data[value.reg].type);
    bool cut = a->bytes < slot && (!a->loads || has_sign || a->bytes < bytes);
    if (literal && bytes == 1)
        value.bits &= 0xff;
    if (!a->loads)
        pi->operands = &own;
    if (!literal && (held != slot || cut))
        becomes(p, pi, "cvt", number_type(has_sign, a->loads ? held : slot), number_type(has_sign, held < slot && a->loads ? slot : a->bytes), a->loads ? own : value);
    else
        becomes(p, pi, "mov", ptx_type_name(slot == 8 ? PTX_B64 : slot == 4 ? PTX_B32 : PTX_B16), NULL, a->loads ? own : value);
}

static bool replace(struct places *p)
{
    bool changed = false;
    for (int i = 0; i < p->f->instrs.count; i++) {
        struct ptx_instr *pi = &p->f->instrs.data[i];
        struct access a;
        int at = is_access(p, pi, &a) ? place_of(p, &a) : NONE;
        if (at >= 0 && p->piece[at] == at)
            becomes_move(p, pi, &a, register_of(p, &a, at), p->bytes[at]);
        else if (asks_for_null(p, pi))
            becomes(p, pi, "mov", "pred", NULL, (struct ptx_operand){.kind = OPERAND_INT, .bits = !strcmp(pi->modifiers[0], "ne"), .reg = -1, .variable = -1});
        else
            continue;
        changed = true;
    }
    return changed;
}

/* ---- All of them ---- */

/** Numbers the bytes of all variables that may become registers. @return how many there are */
static int number_bytes(struct places *p)
{
    int bytes = 0;
    for (int i = 0; i < p->f->variables.count; i++) {
        const struct ptx_variable *v = &p->f->variables.data[i];
        bool may = (v->space == SPACE_LOCAL || v->space == SPACE_PARAM) && v->bytes && v->bytes <= MOST_BYTES && bytes < MOST_IN_ALL;
        p->first[i] = may ? bytes : NONE;
        bytes += may ? (int)v->bytes : 0;
    }
    return bytes;
}

static void look_once(struct places *p, int bytes)
{
    for (int i = 0; i < p->f->regs.count; i++)
        p->points[i] = nowhere;
    for (int i = 0; i < bytes; i++)
        p->piece[i] = p->stored[i] = NONE;
    p->turned_out = false;
    find_pointers(p);
    find_pieces(p, false);
    find_pieces(p, true);
}

bool places_become_registers(struct ptx_module *m, struct ptx_function *f)
{
    struct places p = {.m = m, .f = f};
    if (!f->variables.count || !way_graph_find(&p.g, f))
        return false;
    p.first = numbers_new(f->variables.count, NONE);
    int bytes = number_bytes(&p);
    int *all[] = {p.first, p.made = only_writers_of(&p.g, f), p.stays = numbers_new(f->variables.count, false), p.torn = numbers_new(bytes, false),
                  p.varies = numbers_new(bytes, false), p.piece = numbers_new(bytes, NONE), p.bytes = numbers_new(bytes, 0),
                  p.stored = numbers_new(bytes, NONE), p.reg = numbers_new(bytes, NONE)};
    p.constants = always_known(f, p.made);
    p.points = malloc(((size_t)f->regs.count + 1) * sizeof *p.points);
    if (!p.points)
        abort();
    do
        look_once(&p, bytes);
    while (p.turned_out);
    bool changed = replace(&p);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(p.points);
    always_known_free(&p.constants);
    way_graph_free(&p.g);
    return changed;
}
