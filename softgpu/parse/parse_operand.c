/**
 * @file parse_operand.c
 * Operands (PTX ISA chapter 6) and constant expressions (4.5).
 */
#include <string.h>

#include "parse/number.h"
#include "parse/parser.h"

/** A constant: an integer, or the bits of a double (single precision literals keep their kind). */
struct constant {
    enum token_kind kind;   /* TOKEN_INT, TOKEN_FLOAT32 or TOKEN_FLOAT64 */
    uint64_t bits;
};

static bool parse_expression(struct parser *p, struct constant *c, int depth, int level);

static double to_double(const struct constant *c)
{
    switch (c->kind) {
    case TOKEN_FLOAT32:
        return number_float((uint32_t)c->bits);
    case TOKEN_FLOAT64:
        return number_double(c->bits);
    default:
        return (double)(int64_t)c->bits;
    }
}

/* primary = number | '(' ['.s64' | '.u64'] ')' unary | '(' expression ')' | WARP_SZ
   unary   = ('+' | '-' | '!' | '~') unary | primary */
static bool parse_unary(struct parser *p, struct constant *c, int depth)
{
    if (depth > MAX_NESTING)
        return fail(p, DIAG_LIMIT, "this expression nests more than %d deep", MAX_NESTING);
    if (p->t.kind == TOKEN_PUNCT && strchr("+-!~", p->t.punct) && p->t.punct < 128) {
        int op = p->t.punct;
        advance(p);
        if (!parse_unary(p, c, depth + 1))
            return false;
        if (op == '-') {
            if (c->kind == TOKEN_INT)
                c->bits = 0 - c->bits;
            else
                c->bits ^= c->kind == TOKEN_FLOAT32 ? 1ull << 31 : 1ull << 63;
        } else if (op != '+') {
            if (c->kind != TOKEN_INT)
                return fail(p, DIAG_SYNTAX, "'%c' needs an integer", op);
            c->bits = op == '!' ? !c->bits : ~c->bits;
        }
        return true;
    }
    if (take_punct_if(p, '(')) {
        if (p->t.kind == TOKEN_DOT) {
            advance(p);
            return expect_punct(p, ')', "a cast") && parse_unary(p, c, depth + 1);
        }
        return parse_expression(p, c, depth + 1, 0) && expect_punct(p, ')', "an expression");
    }
    if (p->t.kind == TOKEN_NAME && p->t.len == 7 && !memcmp(p->t.start, "WARP_SZ", 7)) {
        *c = (struct constant){TOKEN_INT, 32};
        advance(p);
        return true;
    }
    if (p->t.kind != TOKEN_INT && p->t.kind != TOKEN_FLOAT32 && p->t.kind != TOKEN_FLOAT64)
        return fail(p, DIAG_SYNTAX, "a constant is expected here");
    *c = (struct constant){p->t.kind, p->t.bits};
    advance(p);
    return true;
}

/** Binding strength of a binary operator, 0 for none. */
static int strength(const struct parser *p)
{
    if (p->t.kind != TOKEN_PUNCT)
        return 0;
    switch (p->t.punct) {
    case PUNCT2('|', '|'):
        return 1;
    case PUNCT2('&', '&'):
        return 2;
    case '^':
        return 4;
    case '&':
        return 5;
    case PUNCT2('=', '='):
    case PUNCT2('!', '='):
        return 6;
    case '<':
    case '>':
    case PUNCT2('<', '='):
    case PUNCT2('>', '='):
        return 7;
    case PUNCT2('<', '<'):
    case PUNCT2('>', '>'):
        return 8;
    case '+':
    case '-':
        return 9;
    case '*':
    case '/':
    case '%':
        return 10;
    default:
        return 0;
    }
}

static bool apply_float(struct parser *p, int op, struct constant *a, const struct constant *b)
{
    double x = to_double(a), y = to_double(b), r;
    switch (op) {
    case '+':
        r = x + y;
        break;
    case '-':
        r = x - y;
        break;
    case '*':
        r = x * y;
        break;
    case '/':
        r = x / y;
        break;
    default:
        return fail(p, DIAG_SYNTAX, "this operator needs integers");
    }
    *a = (struct constant){TOKEN_FLOAT64, number_double_bits(r)};
    return true;
}

static bool apply_int(struct parser *p, int op, struct constant *a, const struct constant *b)
{
    int64_t x = (int64_t)a->bits, y = (int64_t)b->bits;
    switch (op) {
    case PUNCT2('|', '|'):
        a->bits = x || y;
        break;
    case PUNCT2('&', '&'):
        a->bits = x && y;
        break;
    case '^':
        a->bits ^= b->bits;
        break;
    case '&':
        a->bits &= b->bits;
        break;
    case PUNCT2('=', '='):
        a->bits = x == y;
        break;
    case PUNCT2('!', '='):
        a->bits = x != y;
        break;
    case '<':
        a->bits = x < y;
        break;
    case '>':
        a->bits = x > y;
        break;
    case PUNCT2('<', '='):
        a->bits = x <= y;
        break;
    case PUNCT2('>', '='):
        a->bits = x >= y;
        break;
    case PUNCT2('<', '<'):
        a->bits = b->bits > 63 ? 0 : a->bits << b->bits;
        break;
    case PUNCT2('>', '>'):
        a->bits = (uint64_t)(x >> (b->bits > 63 ? 63 : b->bits));
        break;
    case '+':
        a->bits += b->bits;
        break;
    case '-':
        a->bits -= b->bits;
        break;
    case '*':
        a->bits *= b->bits;
        break;
    default:
        if (y == 0)
            return fail(p, DIAG_SYNTAX, "division by zero");
        if (y == -1)
            a->bits = op == '/' ? 0 - a->bits : 0;
        else
            a->bits = (uint64_t)(op == '/' ? x / y : x % y);
    }
    return true;
}

/* expression = unary { operator unary } [ '?' expression ':' expression ], by binding strength.
   '|' is left out: between operands it makes a pair, and nvcc writes no constant with it. */
static bool parse_expression(struct parser *p, struct constant *c, int depth, int level)
{
    if (depth > MAX_NESTING)
        return fail(p, DIAG_LIMIT, "this expression nests more than %d deep", MAX_NESTING);
    if (!parse_unary(p, c, depth))
        return false;
    for (int s; (s = strength(p)) > level;) {
        int op = p->t.punct;
        struct constant right;
        advance(p);
        if (!parse_expression(p, &right, depth + 1, s))
            return false;
        bool ints = c->kind == TOKEN_INT && right.kind == TOKEN_INT;
        if (!(ints ? apply_int(p, op, c, &right) : apply_float(p, op, c, &right)))
            return false;
    }
    if (level == 0 && take_punct_if(p, '?')) {
        struct constant yes, no;
        if (!parse_expression(p, &yes, depth + 1, 0) || !expect_punct(p, ':', "a ? expression") ||
            !parse_expression(p, &no, depth + 1, 0))
            return false;
        *c = to_double(c) != 0 ? yes : no;
    }
    return true;
}

bool parse_int_expression(struct parser *p, int64_t *value)
{
    struct constant c;
    if (!parse_expression(p, &c, 0, 0))
        return false;
    if (c.kind != TOKEN_INT)
        return fail(p, DIAG_SYNTAX, "an integer is expected here");
    *value = (int64_t)c.bits;
    return true;
}

/* ---- Operands ---- */

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

/** `+ 4`, `+ -4`, `- 4` behind a base. */
static bool parse_offset(struct parser *p, int64_t *offset)
{
    while (at_punct(p, '+') || at_punct(p, '-')) {
        bool minus = at_punct(p, '-');
        int64_t v;
        struct constant c;
        advance(p);
        if (!parse_expression(p, &c, 0, 9))
            return false;
        if (c.kind != TOKEN_INT)
            return fail(p, DIAG_SYNTAX, "an offset is an integer");
        v = (int64_t)c.bits;
        *offset = (int64_t)((uint64_t)*offset + (uint64_t)(minus ? -(uint64_t)v : (uint64_t)v));
    }
    return true;
}

/** A register, special register or symbol, with `.x` suffixes that are part of its name. */
static bool parse_name_operand(struct parser *p, struct ptx_operand *o)
{
    const char *start = p->t.start;
    uint32_t len = p->t.len;
    advance(p);
    const struct binding *b = lookup(p, start, len);
    if (!b && *start == '%' && p->t.kind == TOKEN_DOT && p->t.adjacent) { /* %tid.x */
        len = (uint32_t)(p->t.start + p->t.len - start);
        advance(p);
    }
    o->name = intern(p, start, len)->text;
    o->reg = o->variable = -1;
    if (b && b->is_register) {
        o->kind = OPERAND_REG;
        o->reg = b->index;
        if (p->t.kind == TOKEN_DOT && p->t.adjacent)
            return fail(p, DIAG_UNSUPPORTED, "elements of vector registers are not supported");
        return true;
    }
    if (len == 1 && *start == '_') {
        o->kind = OPERAND_SINK;
        return true;
    }
    if (len == 7 && !memcmp(start, "WARP_SZ", 7)) {
        o->kind = OPERAND_INT;
        o->bits = 32;
        return true;
    }
    if (*start == '%') {
        o->kind = OPERAND_SPECIAL;
        return true;
    }
    o->kind = OPERAND_SYMBOL;
    o->variable = b ? b->index : -1;
    return true;
}

/* address = '[' base [ ('+' | '-') integer ] { ',' operand } ']' */
static bool parse_address(struct parser *p, struct ptx_operand *o, int depth)
{
    struct ptx_operand list[MAX_OPERANDS];
    int n = 1;
    o->kind = OPERAND_ADDRESS;
    if (!parse_operand_at(p, &list[0], depth + 1))
        return false;
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
    o->element = arena_alloc(&p->m->arena, (size_t)n * sizeof *o->element);
    memcpy(o->element, list, (size_t)n * sizeof *o->element);
    o->count = n;
    return true;
}

static bool parse_constant_operand(struct parser *p, struct ptx_operand *o)
{
    struct constant c;
    if (!parse_expression(p, &c, 0, 0))
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
    if (take_punct_if(p, '(')) {
        o->kind = OPERAND_LIST;
        return parse_elements(p, o, ')', true, depth);
    }
    if (at_punct(p, '!') || at_punct(p, '-')) {
        struct lexer lx = p->lx;
        struct token sign = p->t;
        advance(p);
        if (p->t.kind == TOKEN_NAME && !(p->t.len == 7 && !memcmp(p->t.start, "WARP_SZ", 7))) {
            if (!parse_name_operand(p, o))
                return false;
            o->negated = true;
            return true;
        }
        p->lx = lx; /* a constant: its expression reads the sign again */
        p->t = sign;
    }
    if (p->t.kind == TOKEN_NAME) {
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
