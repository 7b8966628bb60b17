/**
 * @file parse_init.c
 * Initialisers of variables (PTX ISA 5.4.4 and 5.4.5): numbers, addresses, bytes of addresses,
 * strings, and braces that follow the variable's dimensions. What ptxas refuses is refused: an integer for a float, an address in another type than
 * .u32 and .u64, braces that are not one for each dimension and one for a vector.
 */
#include <string.h>

#include "parse/expression.h"
#include "parse/number.h"
#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

#define MAX_INIT (1 << 22) /* elements of all variables of a module */

static bool push_init(struct parser *p, struct ptx_variable *v, struct ptx_init init)
{
    if (++p->inits > MAX_INIT)
        return fail(p, DIAG_LIMIT, "initialisers have more than %d elements", MAX_INIT);
    *LIST_PUSH(&v->init) = init;
    return true;
}

/* ---- Scalars ---- */

/** A number becomes bits of the variable's type. */
static bool push_number(struct parser *p, struct ptx_variable *v, const struct constant *c)
{
    unsigned bytes = ptx_type_bytes(v->type);
    struct ptx_init init = {.bytes = bytes, .bits = c->bits};
    bool untyped = v->type == PTX_B32 || v->type == PTX_B64;
    if ((v->type == PTX_F64 || v->type == PTX_F32) && c->kind == TOKEN_INT)
        return fail(p, DIAG_SYNTAX, "a .%s is initialised with a real number, as 1.0 or 0f3F800000", ptx_type_name(v->type));
    if (v->type == PTX_F64)
        init.bits = number_double_bits(constant_double(c));
    else if (v->type == PTX_F32)
        init.bits = number_float_bits(constant_double(c));
    else if (v->type >= PTX_F16)
        return fail(p, DIAG_SYNTAX, "variables of type .%s cannot be initialised",
                    ptx_type_name(v->type));
    else if (c->kind != TOKEN_INT && !(untyped && bytes == (c->kind == TOKEN_FLOAT32 ? 4 : 8)))
        return fail(p, DIAG_SYNTAX, "a .%s is initialised with an integer",
                    ptx_type_name(v->type));
    return push_init(p, v, init);
}

/* an address fills a word of its own */
static bool push_address(struct parser *p, struct ptx_variable *v, struct ptx_init init)
{
    if (v->type != PTX_U32 && v->type != PTX_U64)
        return fail(p, DIAG_SYNTAX, "an address initialises a .u32 or a .u64, no .%s", ptx_type_name(v->type));
    return push_init(p, v, init);
}

/* address = symbol offset | 'generic' '(' symbol ')' offset */
static bool parse_address(struct parser *p, const struct ptx_variable *v, struct ptx_init *init)
{
    int64_t offset = 0;
    if (!expect_name(p, &init->symbol, "a variable or function"))
        return false;
    if (!strcmp(init->symbol, "generic") && take_punct_if(p, '(')) {
        init->generic = true;
        if (!expect_name(p, &init->symbol, "a variable or function") || !expect_punct(p, ')', "generic()"))
            return false;
    }
    if (!strcmp(init->symbol, v->name))
        return fail(p, DIAG_SYNTAX, "'%.80s' is initialised with its own address, before it is declared", v->name);
    const struct name *n = intern(p, init->symbol, (uint32_t)strlen(init->symbol));
    if (n->variable && p->m->variables.data[n->variable - 1].space == SPACE_SHARED)
        return fail(p, DIAG_SYNTAX, "'%.80s' has no address before a kernel runs: it lies in shared memory", init->symbol);
    if (!n->module_uses)
        return fail(p, DIAG_SYNTAX, "'%.80s' is initialised with the address of '%.80s', which is not declared before", v->name, init->symbol);
    if (!parse_offset(p, &offset))
        return false;
    init->bits = (uint64_t)offset;
    return true;
}

/* masked = mask '(' address ')': one byte of an address */
static bool parse_masked(struct parser *p, struct ptx_variable *v, uint64_t mask)
{
    struct ptx_init init = {.bytes = ptx_type_bytes(v->type)};
    init.mask_shift = mask ? (uint64_t)__builtin_ctzll(mask) : 0;
    if (mask == 0 || mask >> init.mask_shift != 0xff || init.mask_shift % 8 || v->type != PTX_U8)
        return fail(p, DIAG_SYNTAX,
                    "a mask picks one byte, as 0xff or 0xff00, for a variable of .u8");
    return expect_punct(p, '(', "a mask") && parse_address(p, v, &init) &&
           expect_punct(p, ')', "a mask") && push_init(p, v, init);
}

/** The byte that `s[0]`, or an escape there, stands for; moves `s`. -1 when it is none. */
static int string_byte(const char **s)
{
    static const char from[] = "nrtab0\\\"'", to[] = "\n\r\t\a\b\0\\\"'";
    if (**s != '\\')
        return (unsigned char)*(*s)++;
    const char *at = strchr(from, (*s)[1]);
    *s += 2;
    return at && *at ? (unsigned char)to[at - from] : -1;
}

/* string = '"' … '"', with a closing NUL where there is room for one */
static bool parse_string(struct parser *p, struct ptx_variable *v)
{
    const char *s = p->t.start + 1, *end = p->t.start + p->t.len - 1;
    if (ptx_type_bytes(v->type) != 1)
        return fail(p, DIAG_SYNTAX, "a string initialises bytes");
    while (s < end) {
        int byte = string_byte(&s);
        if (byte < 0)
            return fail(p, DIAG_SYNTAX, "this string has an escape that is not known");
        if (!push_init(p, v, (struct ptx_init){.bytes = 1, .bits = (uint64_t)byte}))
            return false;
    }
    advance(p);
    return (!v->incomplete && (uint64_t)v->init.count >= v->bytes) ||
           push_init(p, v, (struct ptx_init){.bytes = 1});
}

/* scalar = string | address | masked | expression */
static bool parse_scalar(struct parser *p, struct ptx_variable *v)
{
    struct ptx_init init = {.bytes = ptx_type_bytes(v->type)};
    struct constant c;
    if (p->t.kind == TOKEN_STRING)
        return parse_string(p, v);
    if (p->t.kind == TOKEN_NAME && !at_warp_size(p))
        return parse_address(p, v, &init) && push_address(p, v, init);
    if (!parse_expression(p, &c))
        return false;
    if (c.kind == TOKEN_INT && at_punct(p, '('))
        return parse_masked(p, v, c.bits);
    return push_number(p, v, &c);
}

/* ---- Braces ---- */

/** Elements inside one brace at `level`: 0 is the whole variable. */
static uint64_t elements_inside(const struct ptx_variable *v, const struct shape *s, int level)
{
    uint64_t n = v->vector;
    for (int i = level; i < s->dimensions; i++)
        n *= s->extent[i];
    return n;
}

static bool pad_row(struct parser *p, struct ptx_variable *v, int first, uint64_t full)
{
    if ((uint64_t)(v->init.count - first) > full)
        return fail(p, DIAG_SYNTAX, "'%s' has more initial values than elements here", v->name);
    while ((uint64_t)(v->init.count - first) < full)
        if (!push_init(p, v, (struct ptx_init){.bytes = ptx_type_bytes(v->type)}))
            return false;
    return true;
}

/** How deep the braces are: one for each dimension, and one for a vector. */
static int levels_of(const struct ptx_variable *v, const struct shape *s)
{
    return s->dimensions + (v->vector > 1);
}

static bool parse_braces(struct parser *p, struct ptx_variable *v, const struct shape *s, int level);

/* a row at `level`: what stands inside is as deep as the variable is */
static bool parse_row(struct parser *p, struct ptx_variable *v, const struct shape *s, int level)
{
    if (at_punct(p, '{') != (level + 1 < levels_of(v, s)))
        return fail(p, DIAG_SYNTAX, "these braces match no dimension of '%s'", v->name);
    return at_punct(p, '{') ? parse_braces(p, v, s, level + 1) : parse_scalar(p, v);
}

/* braces = '{' [ ( braces | scalar ) { ',' ( braces | scalar ) } ] '}' */
static bool parse_braces(struct parser *p, struct ptx_variable *v, const struct shape *s, int level)
{
    int first = v->init.count;
    advance(p);
    if (!at_punct(p, '}')) {
        do {
            if (!parse_row(p, v, s, level))
                return false;
        } while (take_punct_if(p, ','));
    }
    if (level == s->dimensions && v->init.count - first != (int)v->vector)
        return fail(p, DIAG_SYNTAX, "a vector of %u elements is initialised with as many", v->vector);
    return expect_punct(p, '}', "an initialiser") &&
           (level == 0 || pad_row(p, v, first, elements_inside(v, s, level)));
}

bool parse_init(struct parser *p, struct ptx_variable *v, const struct shape *s)
{
    if (at_punct(p, '{') != (levels_of(v, s) > 0) && p->t.kind != TOKEN_STRING)
        return fail(p, DIAG_SYNTAX, "'%s' is initialised %s braces", v->name, at_punct(p, '{') ? "without" : "with");
    if (at_punct(p, '{') ? !parse_braces(p, v, s, 0) : !parse_scalar(p, v))
        return false;
    uint64_t element = ptx_type_bytes(v->type), filled = element * (uint64_t)v->init.count;
    if (v->incomplete) { /* `[]`: as many rows as there are values for */
        uint64_t row = element * elements_inside(v, s, 1);
        v->bytes = row ? (filled + row - 1) / row * row : 0;
        v->incomplete = false;
    }
    return filled <= v->bytes ||
           fail(p, DIAG_SYNTAX, "'%s' has more initial values than elements", v->name);
}
