/**
 * @file parse_operand.c
 * Operands (PTX ISA chapter 6): registers, symbols, addresses, vectors, pairs, lists, constants.
 */
#include <string.h>

#include "parse/expression.h"
#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

static bool parse_operand_at(struct parser *p, struct ptx_operand *o, int depth);

/** Elements up to `close`, at least one unless `may_be_empty`. */
static bool parse_elements(struct parser *p, struct ptx_operand *o, int close, bool may_be_empty,
                           int depth)
{
    struct ptx_operand list[MAX_OPERANDS];
    int n = 0;
    if (may_be_empty && take_punct_if(p, close)) {
        o->count = 0;
        return true;
    }
    do {
        if (n == MAX_OPERANDS)
            return fail(p, DIAG_LIMIT, "more than %d operands", MAX_OPERANDS);
        if (!parse_operand_at(p, &list[n++], depth + 1))
            return false;
    } while (take_punct_if(p, ','));
    if (!expect_punct(p, close, "an operand list"))
        return false;
    o->element = arena_alloc(&p->m->arena, (size_t)n * sizeof *o->element);
    memcpy(o->element, list, (size_t)n * sizeof *o->element);
    o->count = n;
    return true;
}

/** Whether ".x" and so on belongs to the name before it. */
static bool at_suffix(const struct parser *p)
{
    return p->t.kind == TOKEN_DOT && p->t.adjacent;
}

static void make_register(const struct parser *p, struct ptx_operand *o, int index)
{
    o->kind = OPERAND_REG;
    o->reg = index;
    o->name = p->f->regs.data[index].name;
}

/** A vector register: one element (".x", or ".r" as of a colour), or all of them. */
static bool parse_vector_register(struct parser *p, struct ptx_operand *o, const struct binding *b)
{
    static const char elements[] = "xyzwrgba";
    if (!at_suffix(p)) {
        o->kind = OPERAND_VECTOR;
        o->count = b->count;
        o->element = arena_alloc(&p->m->arena, (size_t)b->count * sizeof *o->element);
        for (int i = 0; i < b->count; i++) {
            o->element[i] = (struct ptx_operand){.variable = -1, .column = o->column};
            make_register(p, &o->element[i], b->index + i);
        }
        return true;
    }
    const char *at = p->t.len == 1 ? strchr(elements, *p->t.start) : NULL;
    int element = at ? (int)(at - elements) % 4 : 4;
    if (element >= b->count)
        return fail(p, DIAG_SYNTAX, "a vector of %d registers has no such element", b->count);
    make_register(p, o, b->index + element);
    advance(p);
    return true;
}

/** The name of a special register, its element as of a place: "%tid.r" is "%tid.x". */
static const char *special_name(struct parser *p, const char *start, uint32_t len)
{
    static const char colours[] = "rgba";
    char name[32];
    const char *at = len > 2 && len < sizeof name && start[len - 2] == '.' ? strchr(colours, start[len - 1]) : NULL;

    if (!at)
        return intern(p, start, len)->text;
    memcpy(name, start, len);
    name[len - 1] = "xyzw"[at - colours];
    return intern(p, name, len)->text;
}

/** A special register, with the ".x" that is part of its name. */
static bool parse_special(struct parser *p, struct ptx_operand *o, const struct token *first)
{
    bool suffix = at_suffix(p);
    uint32_t len = suffix ? (uint32_t)(p->t.start + p->t.len - first->start) : first->len;
    o->kind = OPERAND_SPECIAL;
    o->name = special_name(p, first->start, len);
    if (!is_special_register(o->name)) {
        p->t = *first; /* the caret's place */
        return fail(p, DIAG_SYNTAX, "'%.80s' is neither declared nor a special register", o->name);
    }
    if (suffix)
        advance(p);
    return true;
}

/* name = register | vector register [ '.' element ] | special register | '_' | symbol */
static bool parse_name_operand(struct parser *p, struct ptx_operand *o)
{
    struct token first = p->t;
    advance(p);
    const struct binding *b = lookup(p, first.start, first.len);
    if (b && b->kind == BIND_VECTOR)
        return parse_vector_register(p, o, b);
    if (b && b->kind == BIND_REGISTER) {
        make_register(p, o, b->index);
        if (at_suffix(p)) { /* "%r1.b0": a part of a register, which only video instructions take */
            uint32_t len = (uint32_t)(p->t.start + p->t.len - first.start);
            const char *name = intern(p, first.start, len)->text;
            *o = (struct ptx_operand){.kind = OPERAND_SYMBOL, .column = o->column, .reg = b->index, .name = name,
                                      .part = name + first.len + 1, .variable = -1};
            advance(p);
        }
        return true;
    }
    if (!b && *first.start == '%')
        return parse_special(p, o, &first);
    o->name = intern(p, first.start, first.len)->text;
    if (first.len == 1 && *first.start == '_') {
        o->kind = OPERAND_SINK;
        return true;
    }
    o->kind = OPERAND_SYMBOL;
    o->variable = b && b->kind == BIND_VARIABLE ? b->index : -1;
    p->symbol_seen |= o->variable < 0;
    if (at_punct(p, '['))
        return fail(p, DIAG_UNSUPPORTED, "write the address as [name+bytes], not name[index]");
    return true;
}

/* address = '[' base [ '+' integer ] { ',' operand } ']' [ '.unified' ] */
static bool parse_address(struct parser *p, struct ptx_operand *o, int depth)
{
    struct ptx_operand list[MAX_OPERANDS];
    int n = 1;
    o->kind = OPERAND_ADDRESS;
    if (!parse_operand_at(p, &list[0], depth + 1))
        return false;
    if (list[0].kind != OPERAND_REG && list[0].kind != OPERAND_SYMBOL && list[0].kind != OPERAND_INT)
        return fail(p, DIAG_SYNTAX, "an address begins with a register, a symbol or an integer");
    /* A symbol has taken its offset already; keep it in one place, the address. */
    o->offset = list[0].kind == OPERAND_SYMBOL ? list[0].offset : 0;
    list[0].offset = 0;
    if (list[0].kind == OPERAND_REG && !parse_offset(p, &o->offset))
        return false;
    while (take_punct_if(p, ',')) {
        if (n == MAX_OPERANDS)
            return fail(p, DIAG_LIMIT, "more than %d operands", MAX_OPERANDS);
        if (!parse_operand_at(p, &list[n++], depth + 1))
            return false;
    }
    if (!expect_punct(p, ']', "an address"))
        return false;
    if (at_suffix(p) && p->t.len == 7 && !memcmp(p->t.start, "unified", 7)) /* a hint of ld and st: one address for all devices */
        advance(p);
    o->element = arena_alloc(&p->m->arena, (size_t)n * sizeof *o->element);
    memcpy(o->element, list, (size_t)n * sizeof *o->element);
    o->count = n;
    return true;
}

static bool parse_constant_operand(struct parser *p, struct ptx_operand *o)
{
    struct constant c;
    if (!parse_expression(p, &c))
        return false;
    o->kind = c.kind == TOKEN_INT       ? OPERAND_INT
              : c.kind == TOKEN_FLOAT32 ? OPERAND_FLOAT32
                                        : OPERAND_FLOAT64;
    o->bits = c.bits;
    return true;
}

/* simple = '{' list '}' | '[' address ']' | '(' list ')' | '!' simple | '-' name | name | constant */
static bool parse_simple(struct parser *p, struct ptx_operand *o, int depth)
{
    memset(o, 0, sizeof *o);
    o->reg = o->variable = -1;
    o->column = p->t.column;
    if (depth > MAX_NESTING)
        return fail(p, DIAG_LIMIT, "operands nest more than %d deep", MAX_NESTING);
    if (take_punct_if(p, '{')) {
        o->kind = OPERAND_VECTOR;
        return parse_elements(p, o, '}', false, depth);
    }
    if (take_punct_if(p, '['))
        return parse_address(p, o, depth);
    if (p->in_call && take_punct_if(p, '(')) {
        o->kind = OPERAND_LIST;
        return parse_elements(p, o, ')', true, depth);
    }
    if (at_punct(p, '!') || at_punct(p, '-')) {
        struct lexer lx = p->lx;
        struct token sign = p->t;
        advance(p);
        if (p->t.kind == TOKEN_NAME && !at_warp_size(p)) {
            if (!parse_name_operand(p, o))
                return false;
            o->negated = true;
            return o->kind == OPERAND_REG || o->part ||
                   fail(p, DIAG_SYNTAX, "only registers and constants can have a sign");
        }
        p->lx = lx; /* a constant: its expression reads the sign again */
        p->t = sign;
    }
    if (p->t.kind == TOKEN_NAME && !at_warp_size(p)) {
        if (!parse_name_operand(p, o))
            return false;
        return o->kind != OPERAND_SYMBOL || parse_offset(p, &o->offset);
    }
    return parse_constant_operand(p, o);
}

/* operand = simple [ '|' simple ] */
static bool parse_operand_at(struct parser *p, struct ptx_operand *o, int depth)
{
    if (!parse_simple(p, o, depth))
        return false;
    if (!at_punct(p, '|'))
        return true;
    struct ptx_operand *pair = arena_alloc(&p->m->arena, 2 * sizeof *pair);
    advance(p);
    pair[0] = *o;
    if (!parse_simple(p, &pair[1], depth + 1))
        return false;
    *o = (struct ptx_operand){.kind = OPERAND_PAIR, .element = pair, .count = 2, .reg = -1,
                              .variable = -1, .column = pair[0].column};
    return true;
}

bool parse_operand(struct parser *p, struct ptx_operand *o)
{
    return parse_operand_at(p, o, 0);
}
