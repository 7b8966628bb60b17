/**
 * @file parse_expr.c
 * Constant expressions (PTX ISA 4.5.3 to 4.5.6), evaluated as they are read.
 *
 * Integers have 64 bits and are signed, unless a U suffix, a cast or an unsigned operand says
 * otherwise. Decimal and 0d literals are f64. 0f literals stand alone, or behind a sign.
 */
#include <string.h>

#include "parse/expression.h"
#include "parse/number.h"
#include "parse/parser.h"
#include "parse/scope.h"

/** Binding strengths: a sum's terms are what binds stronger than SUM. */
enum { SUM = 9, PRODUCT = 10 };

static bool parse_binary(struct parser *p, struct constant *c, int depth, int weakest);
static bool parse_conditional(struct parser *p, struct constant *c, int depth);

static struct constant integer(uint64_t bits, bool is_unsigned)
{
    return (struct constant){TOKEN_INT, is_unsigned, bits};
}

static struct constant real(double value)
{
    return (struct constant){TOKEN_FLOAT64, false, number_double_bits(value)};
}

double constant_double(const struct constant *c)
{
    if (c->kind == TOKEN_FLOAT32)
        return number_float((uint32_t)c->bits);
    if (c->kind == TOKEN_FLOAT64)
        return number_double(c->bits);
    return c->is_unsigned ? (double)c->bits : (double)(int64_t)c->bits;
}

bool at_warp_size(const struct parser *p)
{
    return p->t.kind == TOKEN_NAME && p->t.len == 7 && !memcmp(p->t.start, "WARP_SZ", 7);
}

static bool too_deep(struct parser *p, int depth)
{
    if (depth <= MAX_NESTING)
        return false;
    fail(p, DIAG_LIMIT, "this expression nests more than %d deep", MAX_NESTING);
    return true;
}

/* ---- Unary ---- */

/* primary = number | WARP_SZ | '(' expression ')' */
static bool parse_primary(struct parser *p, struct constant *c, int depth)
{
    if (take_punct_if(p, '('))
        return parse_conditional(p, c, depth + 1) && expect_punct(p, ')', "an expression");
    if (at_warp_size(p))
        *c = integer(32, false);
    else if (p->t.kind == TOKEN_INT || p->t.kind == TOKEN_FLOAT32 || p->t.kind == TOKEN_FLOAT64)
        *c = (struct constant){p->t.kind, p->t.is_unsigned, p->t.bits};
    else
        return fail(p, DIAG_SYNTAX, "a constant is expected here");
    advance(p);
    return true;
}

static bool apply_unary(struct parser *p, int op, struct constant *c)
{
    if (op == '+')
        return true;
    if (op == '-' && c->kind != TOKEN_INT) {
        c->bits ^= c->kind == TOKEN_FLOAT32 ? 1ull << 31 : 1ull << 63;
        return true;
    }
    if (c->kind != TOKEN_INT)
        return fail(p, DIAG_SYNTAX, "'%c' needs an integer", op);
    if (op == '-')
        c->bits = 0 - c->bits;
    else if (op == '~')
        c->bits = ~c->bits;
    else
        *c = integer(!c->bits, false);
    return true;
}

/** Whether a cast stands here: '(' '.s64' or '.u64' ')'. */
static bool at_cast(const struct parser *p)
{
    struct lexer ahead = p->lx;
    struct token t;
    if (!at_punct(p, '('))
        return false;
    lexer_next(&ahead, &t);
    return t.kind == TOKEN_DOT;
}

/* cast = '(' ( '.s64' | '.u64' ) ')' unary */
static bool parse_cast(struct parser *p, struct constant *c, int depth);

/* unary = ( '+' | '-' | '!' | '~' ) unary | cast | primary */
static bool parse_unary(struct parser *p, struct constant *c, int depth)
{
    int op = p->t.kind == TOKEN_PUNCT ? p->t.punct : 0;
    if (too_deep(p, depth))
        return false;
    if (op == '+' || op == '-' || op == '!' || op == '~') {
        advance(p);
        return parse_unary(p, c, depth + 1) && apply_unary(p, op, c);
    }
    return at_cast(p) ? parse_cast(p, c, depth) : parse_primary(p, c, depth);
}

static bool parse_cast(struct parser *p, struct constant *c, int depth)
{
    advance(p);
    bool to_unsigned = at_dot(p, "u64");
    if (!to_unsigned && !at_dot(p, "s64"))
        return fail(p, DIAG_SYNTAX, "a cast is (.s64) or (.u64)");
    advance(p);
    if (!expect_punct(p, ')', "a cast") || !parse_unary(p, c, depth + 1))
        return false;
    if (c->kind != TOKEN_INT)
        return fail(p, DIAG_SYNTAX, "only integers can be cast");
    c->is_unsigned = to_unsigned;
    return true;
}

/* ---- Binary ---- */

/** Operators by binding strength, weakest first. */
static const struct {
    int punct, strength;
} operators[] = {
    {PUNCT2('|', '|'), 1}, {PUNCT2('&', '&'), 2}, {'|', 3}, {'^', 4}, {'&', 5},
    {PUNCT2('=', '='), 6}, {PUNCT2('!', '='), 6}, {'<', 7}, {'>', 7}, {PUNCT2('<', '='), 7},
    {PUNCT2('>', '='), 7}, {PUNCT2('<', '<'), 8}, {PUNCT2('>', '>'), 8}, {'+', SUM}, {'-', SUM},
    {'*', PRODUCT}, {'/', PRODUCT}, {'%', PRODUCT},
};

static int strength_here(const struct parser *p)
{
    for (size_t i = 0; p->t.kind == TOKEN_PUNCT && i < sizeof operators / sizeof *operators; i++)
        if (operators[i].punct == p->t.punct)
            return operators[i].strength;
    return 0;
}

static bool apply_real(struct parser *p, int op, struct constant *a, double x, double y)
{
    switch (op) {
    case '+': *a = real(x + y); return true;
    case '-': *a = real(x - y); return true;
    case '*': *a = real(x * y); return true;
    case '/': *a = real(x / y); return true;
    case '<': *a = integer(x < y, false); return true;
    case '>': *a = integer(x > y, false); return true;
    case PUNCT2('<', '='): *a = integer(x <= y, false); return true;
    case PUNCT2('>', '='): *a = integer(x >= y, false); return true;
    case PUNCT2('=', '='): *a = integer(x == y, false); return true;
    case PUNCT2('!', '='): *a = integer(x != y, false); return true;
    default: return fail(p, DIAG_SYNTAX, "this operator needs integers");
    }
}

static bool divide(struct parser *p, int op, struct constant *a, const struct constant *b)
{
    bool u = a->is_unsigned || b->is_unsigned;
    int64_t x = (int64_t)a->bits, y = (int64_t)b->bits;
    if (b->bits == 0)
        return fail(p, DIAG_SYNTAX, "division by zero");
    if (u)
        *a = integer(op == '/' ? a->bits / b->bits : a->bits % b->bits, true);
    else if (y == -1) /* INT64_MIN / -1 wraps */
        *a = integer(op == '/' ? 0 - a->bits : 0, false);
    else
        *a = integer((uint64_t)(op == '/' ? x / y : x % y), false);
    return true;
}

/** A shift has the type of its left operand; amounts past the width shift everything out. */
static struct constant shift(int op, struct constant a, uint64_t amount)
{
    bool all = amount > 63;
    if (op == PUNCT2('<', '<'))
        return integer(all ? 0 : a.bits << amount, a.is_unsigned);
    if (a.is_unsigned)
        return integer(all ? 0 : a.bits >> amount, true);
    return integer((uint64_t)((int64_t)a.bits >> (all ? 63 : amount)), false);
}

static bool apply_int(struct parser *p, int op, struct constant *a, const struct constant *b)
{
    bool u = a->is_unsigned || b->is_unsigned;
    uint64_t x = a->bits, y = b->bits;
    bool below = u ? x < y : (int64_t)x < (int64_t)y;
    switch (op) {
    case PUNCT2('|', '|'): *a = integer(x || y, false); return true;
    case PUNCT2('&', '&'): *a = integer(x && y, false); return true;
    case '|': *a = integer(x | y, u); return true;
    case '^': *a = integer(x ^ y, u); return true;
    case '&': *a = integer(x & y, u); return true;
    case PUNCT2('=', '='): *a = integer(x == y, false); return true;
    case PUNCT2('!', '='): *a = integer(x != y, false); return true;
    case '<': *a = integer(below, false); return true;
    case '>': *a = integer(!below && x != y, false); return true;
    case PUNCT2('<', '='): *a = integer(below || x == y, false); return true;
    case PUNCT2('>', '='): *a = integer(!below, false); return true;
    case '+': *a = integer(x + y, u); return true;
    case '-': *a = integer(x - y, u); return true;
    case '*': *a = integer(x * y, u); return true;
    case '/':
    case '%': return divide(p, op, a, b);
    default: *a = shift(op, *a, y); return true;
    }
}

static bool apply_binary(struct parser *p, int op, struct constant *a, const struct constant *b)
{
    if (a->kind == TOKEN_INT && b->kind == TOKEN_INT)
        return apply_int(p, op, a, b);
    if (a->kind == TOKEN_FLOAT32 || b->kind == TOKEN_FLOAT32)
        return fail(p, DIAG_SYNTAX, "0f literals cannot be part of an expression");
    return apply_real(p, op, a, constant_double(a), constant_double(b));
}

/* binary = unary { operator unary }, by binding strength; none weaker than `weakest` */
static bool parse_binary(struct parser *p, struct constant *c, int depth, int weakest)
{
    if (too_deep(p, depth) || !parse_unary(p, c, depth))
        return false;
    for (int s; (s = strength_here(p)) != 0 && s >= weakest;) {
        int op = p->t.punct;
        struct constant right;
        advance(p);
        if (!parse_binary(p, &right, depth + 1, s + 1) || !apply_binary(p, op, c, &right))
            return false;
    }
    return true;
}

/* conditional = binary [ '?' conditional ':' conditional ] */
static bool parse_conditional(struct parser *p, struct constant *c, int depth)
{
    struct constant yes, no;
    if (!parse_binary(p, c, depth, 1))
        return false;
    if (!at_punct(p, '?'))
        return true;
    if (c->kind != TOKEN_INT)
        return fail(p, DIAG_SYNTAX, "a condition is an integer");
    advance(p);
    if (!parse_conditional(p, &yes, depth + 1) || !expect_punct(p, ':', "a ? expression") ||
        !parse_conditional(p, &no, depth + 1))
        return false;
    *c = c->bits ? yes : no;
    return true;
}

/* ---- What the phases ask for ---- */

bool parse_expression(struct parser *p, struct constant *c)
{
    return parse_conditional(p, c, 0);
}

bool parse_offset(struct parser *p, int64_t *offset)
{
    while (at_punct(p, '+')) {
        struct constant c;
        advance(p);
        if (!parse_binary(p, &c, 0, PRODUCT))
            return false;
        if (c.kind != TOKEN_INT)
            return fail(p, DIAG_SYNTAX, "an offset is an integer");
        *offset = (int64_t)((uint64_t)*offset + c.bits);
    }
    if (at_punct(p, '-'))
        return fail(p, DIAG_SYNTAX, "an offset is added: '+-4', not '-4'");
    return true;
}
