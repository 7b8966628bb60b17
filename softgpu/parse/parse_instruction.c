/**
 * @file parse_instruction.c
 * One instruction: guard, mnemonic, modifiers, operands (PTX ISA 4.3.2, 9.1 to 9.3).
 */
#include <stdio.h>
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

#define MAX_MODIFIERS 24

static const char **copy_modifiers(struct parser *p, const char *const *list, int n)
{
    const char **copy = n ? arena_alloc(&p->m->arena, (size_t)n * sizeof *copy) : NULL;
    for (int i = 0; i < n; i++)
        copy[i] = list[i];
    return copy;
}

/* guard = '@' [ '!' ] predicate */
static bool parse_guard(struct parser *p, struct ptx_instr *in)
{
    advance(p);
    in->guard_negated = take_punct_if(p, '!');
    const struct binding *b =
        p->t.kind == TOKEN_NAME ? lookup(p, p->t.start, p->t.len) : NULL;
    if (!b || b->kind != BIND_REGISTER || p->f->regs.data[b->index].type != PTX_PRED)
        return fail(p, DIAG_SYNTAX, "a guard is a predicate register");
    in->guard = b->index;
    advance(p);
    return true;
}

/** How many elements `mov.v2` and `mov.v4` move; 0: `in` is no such move, or PTX has none of the size. */
static int elements_moved(const struct ptx_instr *in)
{
    if (strcmp(in->mnemonic, "mov") || in->modifier_count != 2 || in->operand_count != 2 || (strcmp(in->modifiers[0], "v2") && strcmp(in->modifiers[0], "v4")))
        return 0;
    int count = in->modifiers[0][1] - '0', sinks = 0;
    const struct ptx_operand *to = in->operands, *from = in->operands + 1;
    unsigned bytes = ptx_type_bytes(ptx_type_of(in->modifiers[1]));
    bool special = from->kind == OPERAND_SPECIAL && is_special_vector(from->name) && count == 4;
    if (to->kind != OPERAND_VECTOR || to->count != count || bytes < 2 || bytes * (unsigned)count > 16 ||
        (!special && (from->kind != OPERAND_VECTOR || from->count != count)))
        return 0;
    for (int i = 0; i < count; i++)
        sinks += to->element[i].kind == OPERAND_SINK;
    for (int i = 0; !special && i < count; i++)
        if (from->element[i].kind == OPERAND_SYMBOL)
            return 0;
    return sinks < count ? count : 0;
}

/** Element `i` of a vector, or of a special register: "%tid.x". */
static struct ptx_operand element_of(struct parser *p, const struct ptx_operand *from, int i)
{
    char full[32];
    if (from->kind == OPERAND_VECTOR)
        return from->element[i];
    struct ptx_operand one = *from;
    int len = snprintf(full, sizeof full, "%s.%c", from->name, "xyzw"[i]);
    one.name = intern(p, full, (uint32_t)len)->text;
    return one;
}

static void push_move(struct parser *p, const struct ptx_instr *in, struct ptx_operand to, struct ptx_operand from)
{
    struct ptx_instr one = *in;
    one.modifiers = copy_modifiers(p, in->modifiers + 1, 1);
    one.modifier_count = 1;
    one.operands = arena_alloc(&p->m->arena, 2 * sizeof *one.operands);
    one.operands[0] = to;
    one.operands[1] = from;
    *LIST_PUSH(&p->f->instrs) = one;
}

/** Is a source read behind where it is written? */
static bool moves_overlap(const struct ptx_operand *to, const struct ptx_operand *from, int count)
{
    for (int i = 0; from->kind == OPERAND_VECTOR && i < count; i++)
        for (int k = i + 1; k < count; k++)
            if (to->element[i].kind == OPERAND_REG && from->element[k].kind == OPERAND_REG && to->element[i].reg == from->element[k].reg)
                return true;
    return false;
}

/** `mov.v4.u32 {a, b, c, d}, %tid;` is four moves; where they overlap what is moved is read first. @return whether `in` is of this kind */
static bool push_elements(struct parser *p, const struct ptx_instr *in)
{
    const struct ptx_operand *to = in->operands, *from = in->operands + 1;
    struct ptx_operand read[4];
    int count = elements_moved(in);
    bool overlap = count && moves_overlap(to, from, count);

    for (int i = 0; i < count; i++) {
        read[i] = element_of(p, from, i);
        if (!overlap)
            continue;
        struct ptx_operand held = {.kind = OPERAND_REG, .variable = -1, .reg = add_temporary(p, ptx_type_of(in->modifiers[1])), .column = read[i].column};
        if (held.reg < 0)
            return false;
        held.name = p->f->regs.data[held.reg].name;
        push_move(p, in, held, read[i]);
        read[i] = held;
    }
    for (int i = 0; i < count; i++)
        if (to->element[i].kind != OPERAND_SINK)
            push_move(p, in, to->element[i], read[i]);
    return count > 0;
}

/** What a special register holds, in a register: of 64 bits where it has so many. @return false, told, if there is no more room */
static bool read_special(struct parser *p, const struct ptx_instr *in, struct ptx_operand *o)
{
    bool wide = !strcmp(o->name, "%clock64") || !strcmp(o->name, "%globaltimer") || !strcmp(o->name, "%current_graph_exec") || strstr(o->name, "_64");
    const char *type = wide ? "u64" : "u32";
    struct ptx_operand held = {.kind = OPERAND_REG, .variable = -1, .reg = add_temporary(p, ptx_type_of(type)), .column = o->column};
    if (held.reg < 0)
        return false;
    held.name = p->f->regs.data[held.reg].name;
    struct ptx_instr move = *in;
    const char *modifiers[2] = {NULL, intern(p, type, 3)->text};
    move.mnemonic = intern(p, "mov", 3)->text;
    move.modifiers = modifiers;
    move.operand_count = 2;
    push_move(p, &move, held, *o);
    *o = held;
    return true;
}

/**
 * Special registers among a vector's elements, and those that cvt reads as of another type than .u32 (`cvt.u32.u16 %r1, %tid.x` is how compilers of PTX ISA
 * 1.x wrote it, when they had 16 bits): mov reads them first.
 */
static bool specials_read(struct parser *p, struct ptx_instr *in)
{
    bool converts = !strcmp(in->mnemonic, "cvt") && in->operand_count == 2 && in->modifier_count > 1 && in->operands[1].kind == OPERAND_SPECIAL;
    const char *from = converts ? in->modifiers[in->modifier_count - 1] : "", *to = converts ? in->modifiers[in->modifier_count - 2] : "";
    bool plain = in->modifier_count == 2 && !strcmp(from, "u32") && (strstr(to, "32") || strstr(to, "64")) &&
                 (in->operands[0].kind != OPERAND_REG || ptx_type_bytes(p->f->regs.data[in->operands[0].reg].type) == ptx_type_bytes(ptx_type_of(to)));
    if ((*from == 'u' || *from == 's') && (*to == 'u' || *to == 's') && !plain && !read_special(p, in, &in->operands[1]))
        return false;
    for (int i = 0; i < in->operand_count; i++) {
        struct ptx_operand *o = &in->operands[i];
        struct ptx_operand *v = o->kind == OPERAND_ADDRESS && o->count > 1 ? &o->element[1] : i ? o : NULL;
        for (int k = 0; v && v->kind == OPERAND_VECTOR && k < v->count; k++)
            if (v->element[k].kind == OPERAND_SPECIAL && !is_special_vector(v->element[k].name) && !read_special(p, in, &v->element[k]))
                return false;
    }
    return true;
}

/** Most do; of those that act asynchronously only copies, their barrier aside. */
static bool takes_narrow_address(const struct ptx_instr *in)
{
    static const char *const others[] = {"ldmatrix", "stmatrix", "wmma", "tensormap", "createpolicy"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(in->mnemonic, others[i]))
            return false;
    for (int i = 0; i < in->modifier_count; i++)
        if (!strcmp(in->modifiers[i], "tensormap") || (!strcmp(in->modifiers[i], "async") && strcmp(in->mnemonic, "cp")))
            return false;
    return true;
}

/** A register of 8 or 16 bits as an address is an unsigned number; one of 64 bits holds it. */
static bool narrow_addresses_read(struct parser *p, struct ptx_instr *in)
{
    for (int i = 0; takes_narrow_address(in) && i < in->operand_count; i++) {
        struct ptx_operand *base = in->operands[i].kind == OPERAND_ADDRESS && in->operands[i].count == 1 ? &in->operands[i].element[0] : NULL;
        enum ptx_type type = base && base->kind == OPERAND_REG ? p->f->regs.data[base->reg].type : PTX_NONE;
        bool barrier = !strcmp(in->mnemonic, "cp") && i > 1;
        if (barrier || type == PTX_NONE || type == PTX_PRED || type == PTX_F16 || ptx_type_bytes(type) > 2)
            continue;
        struct ptx_operand held = {.kind = OPERAND_REG, .variable = -1, .reg = add_temporary(p, PTX_U64), .column = base->column};
        if (held.reg < 0)
            return false;
        held.name = p->f->regs.data[held.reg].name;
        struct ptx_instr widen = *in;
        const char *modifiers[] = {intern(p, "u64", 3)->text, intern(p, ptx_type_bytes(type) == 1 ? "u8" : "u16", ptx_type_bytes(type) == 1 ? 2 : 3)->text};
        widen.mnemonic = intern(p, "cvt", 3)->text;
        widen.modifiers = copy_modifiers(p, modifiers, 2);
        widen.modifier_count = widen.operand_count = 2;
        widen.operands = arena_alloc(&p->m->arena, 2 * sizeof *widen.operands);
        widen.operands[0] = held;
        widen.operands[1] = *base;
        *LIST_PUSH(&p->f->instrs) = widen;
        *base = held;
    }
    return true;
}

/** `selp d, a, b, !p` is `selp d, b, a, p`, as ptxas takes it. */
static void turn_selection(struct ptx_instr *in)
{
    if (strcmp(in->mnemonic, "selp") || in->operand_count != 4 || in->operands[3].kind != OPERAND_REG || !in->operands[3].negated)
        return;
    struct ptx_operand held = in->operands[1];
    in->operands[1] = in->operands[2];
    in->operands[2] = held;
    in->operands[3].negated = false;
}

/** The list of targets of brx, and the list or prototype of a call through a register, stand before it. */
static bool list_known(struct parser *p, const struct ptx_instr *in)
{
    const struct ptx_operand *last = &in->operands[in->operand_count - 1];
    bool branches = !strcmp(in->mnemonic, "brx");
    int callee = p->in_call && in->operands[0].kind == OPERAND_LIST;
    if ((!branches && !p->in_call) || last->kind != OPERAND_SYMBOL || in->operand_count < (branches ? 2 : callee + 2))
        return true;
    const struct binding *b = lookup(p, last->name, (uint32_t)strlen(last->name));
    if (b && b->kind == BIND_LABEL)
        return true;
    diag_line(p->d, DIAG_SYNTAX, in->line, "no list or prototype '%.80s' stands before", last->name);
    return false;
}

/* instruction = [ guard ] mnemonic { '.' modifier } [ operand { ',' operand } ] ';' */
bool parse_instruction(struct parser *p)
{
    struct ptx_instr in = {.guard = -1, .loc = p->loc};
    const char *modifiers[MAX_MODIFIERS];
    struct ptx_operand operands[MAX_OPERANDS];
    if (at_punct(p, '@') && !parse_guard(p, &in))
        return false;
    in.line = p->t.line;
    in.column = p->t.column;
    if (p->t.kind != TOKEN_NAME)
        return fail(p, DIAG_SYNTAX, "an instruction is expected here");
    in.mnemonic = intern_token(p);
    p->in_call = !strcmp(in.mnemonic, "call");
    p->symbol_seen = false;
    advance(p);
    while (p->t.kind == TOKEN_DOT) {
        if (in.modifier_count == MAX_MODIFIERS)
            return fail(p, DIAG_LIMIT, "more than %d modifiers", MAX_MODIFIERS);
        modifiers[in.modifier_count++] = intern_token(p);
        advance(p);
    }
    if (!at_punct(p, ';')) {
        do {
            if (in.operand_count == MAX_OPERANDS)
                return fail(p, DIAG_LIMIT, "more than %d operands", MAX_OPERANDS);
            if (!parse_operand(p, &operands[in.operand_count++]))
                return false;
        } while (take_punct_if(p, ','));
    }
    if (!expect_punct(p, ';', in.mnemonic))
        return false;
    in.modifiers = copy_modifiers(p, modifiers, in.modifier_count);
    if (in.operand_count) {
        size_t bytes = (size_t)in.operand_count * sizeof *in.operands;
        in.operands = arena_alloc(&p->m->arena, bytes);
        memcpy(in.operands, operands, bytes);
    }
    if (p->symbol_seen && in.operand_count && !list_known(p, &in))
        return false;
    for (int i = 0; p->symbol_seen && i < in.operand_count; i++)
        label_note_uses(p, &in.operands[i], in.line);
    if (!strcmp(in.mnemonic, "ret"))
        register_results_write(p, &in);
    turn_selection(&in);
    if (!specials_read(p, &in) || !narrow_addresses_read(p, &in))
        return false;
    if (!push_elements(p, &in))
        *LIST_PUSH(&p->f->instrs) = in;
    return true;
}
