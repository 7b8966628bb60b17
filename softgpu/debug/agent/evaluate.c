/**
 * @file evaluate.c
 * Expressions of C, read and evaluated in one pass, with what changes nothing of its operators.
 *
 *   expression = unary { operator unary }           by precedence
 *   unary      = ('-' | '!' | '~' | '*' | '&' | '(' type ')') unary | postfix
 *   postfix    = primary { '[' expression ']' | '.' name | '->' name }
 *   primary    = number | name | %register | '(' expression ')'
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/agent/arithmetic.h"
#include "debug/agent/value.h"

#define MAX_DEPTH 64

struct reading {
    struct viewer *v;
    const char *at;
    int depth;
};

static bool fail(struct reading *r, const char *what, const char *about)
{
    if (!r->v->error[0])
        snprintf(r->v->error, sizeof r->v->error, what, about);
    return false;
}

static void skip(struct reading *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
}

static bool take(struct reading *r, const char *token)
{
    skip(r);
    size_t n = strlen(token);
    if (strncmp(r->at, token, n))
        return false;
    r->at += n;
    return true;
}

static bool read_name(struct reading *r, char *out, size_t size)
{
    size_t n = 0;
    skip(r);
    if (!isalpha((unsigned char)*r->at) && *r->at != '_' && *r->at != '%' && *r->at != '$')
        return false;
    while (isalnum((unsigned char)*r->at) || strchr("_%$", *r->at) || (r->at[0] == ':' && r->at[1] == ':') ||
           (n && r->at[0] == ':' && r->at[-1] == ':')) {
        if (!*r->at)
            break;
        if (n + 1 < size)
            out[n++] = *r->at;
        r->at++;
    }
    out[n] = '\0';
    return n > 0;
}

static bool is_float(const struct value *x)
{
    return x->type->kind == TYPE_FLOAT;
}

static double as_double(const struct value *x)
{
    float f;
    double d;
    uint32_t low = (uint32_t)x->bits;
    if (!is_float(x))
        return x->type->kind == TYPE_SIGNED ? (double)(int64_t)x->bits : (double)x->bits;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &x->bits, sizeof d);
    return x->type->bytes == 4 ? (double)f : d;
}

static struct value of_double(double d)
{
    struct value x = {.type = type_named("double")};
    memcpy(&x.bits, &d, sizeof d);
    return x;
}

static struct value of_number(const char *type, uint64_t bits)
{
    return (struct value){.type = type_named(type), .bits = bits};
}

/** The number that a value is: what is placed is loaded, an array is its address. */
static bool settle(struct reading *r, struct value *x)
{
    if (x->type->kind == TYPE_ARRAY) {
        *x = (struct value){.type = type_pointer_to(x->type->of), .bits = x->address};
        return true;
    }
    if (x->type->kind == TYPE_STRUCT)
        return fail(r, "a structure is no number%s", "");
    return value_load(r->v, x);
}

static void convert(struct value *x, const struct type *to)
{
    uint64_t bits = is_float(x) && to->kind != TYPE_FLOAT ? (uint64_t)(int64_t)as_double(x) : x->bits;
    if (to->kind == TYPE_FLOAT) {
        double d = as_double(x);
        float f = (float)d;
        uint32_t low;
        memcpy(&low, &f, sizeof low);
        memcpy(&bits, &d, sizeof bits);
        bits = to->bytes == 4 ? low : bits;
    } else if (to->bytes < 8) {
        unsigned shift = 64 - 8 * (unsigned)to->bytes;
        bits = to->kind == TYPE_SIGNED ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits << shift >> shift;
    }
    *x = (struct value){.type = to, .bits = bits};
}

static bool comma(struct reading *r, struct value *out);
static bool unary(struct reading *r, struct value *out);

/** A type in parentheses; nothing is read where there is none. */
static const struct type *cast(struct reading *r)
{
    const char *before = r->at;
    char words[96] = "", word[48];
    if (!take(r, "("))
        return NULL;
    while (read_name(r, word, sizeof word))
        if (strcmp(word, "const") && strcmp(word, "volatile") && strlen(words) + strlen(word) + 2 < sizeof words)
            snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", words[0] ? " " : "", word);
    const struct type *t = words[0] ? type_named(words) : NULL;
    while (t && take(r, "*"))
        t = type_pointer_to(t);
    if (t && take(r, ")"))
        return t;
    r->at = before;
    return NULL;
}

static bool number(struct reading *r, struct value *out)
{
    char *end, *real;
    uint64_t n = strtoull(r->at, &end, 0);
    double d = strtod(r->at, &real);
    bool hex = r->at[0] == '0' && (r->at[1] | 32) == 'x';
    if (real > end && !hex) {
        *out = of_double(d);
        end = real;
    } else {
        *out = of_number(n > INT32_MAX ? "long" : "int", n);
    }
    while (strchr("uUlLfF", *end) && *end)
        end++;
    r->at = end;
    return true;
}

static bool primary(struct reading *r, struct value *out)
{
    char name[256];
    skip(r);
    if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1])))
        return number(r, out);
    if (take(r, "("))
        return comma(r, out) && (take(r, ")") || fail(r, "a ) is missing%s", ""));
    if (!read_name(r, name, sizeof name))
        return fail(r, *r->at ? "this is no expression: %s" : "the expression ends too early%s", r->at);
    if (name[0] == '%' || name[0] == '$')
        return register_find(r->v, name[0] == '%' ? name : name + 1, out);
    return name_find(r->v, name, out);
}

static bool at_index(struct reading *r, struct value *x)
{
    struct value index;
    if (!comma(r, &index) || !settle(r, &index))
        return false;
    if (!take(r, "]"))
        return fail(r, "a ] is missing%s", "");
    if (x->type->kind != TYPE_ARRAY && x->type->kind != TYPE_POINTER)
        return fail(r, "what is indexed is no array%s", "");
    if (!settle(r, x))
        return false;
    *x = (struct value){.type = x->type->of, .placed = true, .address = x->bits + index.bits * x->type->of->bytes};
    return true;
}

static bool member(struct reading *r, struct value *x, bool through)
{
    char name[128];
    if (through) {
        if (x->type->kind != TYPE_POINTER || !settle(r, x))
            return fail(r, "what -> follows is no pointer%s", "");
        *x = (struct value){.type = x->type->of, .placed = true, .address = x->bits};
    }
    if (!read_name(r, name, sizeof name))
        return fail(r, "a member's name is missing%s", "");
    for (int i = 0; x->type->kind == TYPE_STRUCT && i < x->type->member_count; i++) {
        const struct member *m = &x->type->members[i];
        if (strcmp(m->name, name))
            continue;
        if (!x->placed) { /* threadIdx and kin: three numbers in one word */
            *x = of_number("unsigned int", x->bits >> 21 * m->offset & 0x1fffff);
            return true;
        }
        *x = (struct value){.type = m->type, .placed = true, .address = x->address + m->offset};
        return true;
    }
    return fail(r, "there is no member %s", name);
}

static bool postfix(struct reading *r, struct value *out)
{
    if (!primary(r, out))
        return false;
    for (;;) {
        bool ok = true;
        if (take(r, "["))
            ok = at_index(r, out);
        else if (take(r, "->"))
            ok = member(r, out, true);
        else if (take(r, "."))
            ok = member(r, out, false);
        else
            return true;
        if (!ok)
            return false;
    }
}

static bool apply_unary(struct reading *r, char op, struct value *x)
{
    if (op == '&') {
        if (!x->placed)
            return fail(r, "this has no address%s", "");
        *x = (struct value){.type = type_pointer_to(x->type->kind == TYPE_ARRAY ? x->type->of : x->type), .bits = x->address};
        return true;
    }
    if (!settle(r, x))
        return false;
    if (op == '*') {
        if (x->type->kind != TYPE_POINTER)
            return fail(r, "what * follows is no pointer%s", "");
        *x = (struct value){.type = x->type->of, .placed = true, .address = x->bits};
    } else if (op == '-' && is_float(x)) {
        *x = of_double(-as_double(x));
    } else {
        bool zero = is_float(x) ? as_double(x) == 0 : x->bits == 0;
        *x = op == '!' ? of_number("int", zero) : of_number("long", op == '-' ? -x->bits : ~x->bits);
    }
    return true;
}

static bool unary(struct reading *r, struct value *out)
{
    static const char operators[] = "-!~*&";
    if (++r->depth > MAX_DEPTH)
        return fail(r, "the expression is too deep%s", "");
    skip(r);
    const struct type *t = cast(r);
    bool ok;
    if (t) {
        ok = unary(r, out) && settle(r, out);
        if (ok)
            convert(out, t);
    } else if (*r->at && strchr(operators, *r->at)) {
        char op = *r->at++;
        ok = unary(r, out) && apply_unary(r, op, out);
    } else {
        ok = postfix(r, out);
    }
    r->depth--;
    return ok;
}

/** Binary operators, the loosest first; longer ones before their beginnings. */
static const struct {
    const char *text;
    int level;
} operators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7}, {"<", 7}, {">", 7},
                 {"|", 3},  {"^", 4},  {"&", 5},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static bool compute_real(struct reading *r, const char *op, double a, double b, struct value *out)
{
    switch (op[0]) {
    case '+':
        *out = of_double(a + b);
        return true;
    case '-':
        *out = of_double(a - b);
        return true;
    case '*':
        *out = of_double(a * b);
        return true;
    case '/':
        *out = of_double(a / b);
        return true;
    case '<':
        *out = of_number("int", op[1] == '=' ? a <= b : a < b);
        return op[1] != '<' || fail(r, "%s takes whole numbers", op);
    case '>':
        *out = of_number("int", op[1] == '=' ? a >= b : a > b);
        return op[1] != '>' || fail(r, "%s takes whole numbers", op);
    case '=':
    case '!':
        *out = of_number("int", (a == b) == (op[0] == '='));
        return true;
    default:
        return fail(r, "%s takes whole numbers", op);
    }
}

static bool compute(struct reading *r, const char *op, struct value *a, struct value *b)
{
    if (is_float(a) || is_float(b))
        return compute_real(r, op, as_double(a), as_double(b), a);
    if ((op[0] == '/' || op[0] == '%') && b->bits == 0)
        return fail(r, "division by zero%s", "");
    bool compares = op[0] == '=' || op[0] == '!' || ((op[0] == '<' || op[0] == '>') && op[1] != op[0]);
    if (a->type->kind == TYPE_POINTER && !compares) {
        *a = (struct value){.type = a->type, .bits = compute_whole(op, a->bits, b->bits * a->type->of->bytes, false)};
        return true;
    }
    bool is_signed = a->type->kind == TYPE_SIGNED && b->type->kind == TYPE_SIGNED;
    uint64_t bytes = a->type->bytes > b->type->bytes ? a->type->bytes : b->type->bytes;
    *a = of_number("long", compute_whole(op, a->bits, b->bits, is_signed));
    convert(a, type_named(compares ? "int" : bytes > 4 ? is_signed ? "long" : "unsigned long" : is_signed ? "int" : "unsigned int"));
    return true;
}

static bool truth(const struct value *x)
{
    return is_float(x) ? as_double(x) != 0 : x->bits != 0;
}

static bool binary(struct reading *r, int level, struct value *out)
{
    if (!unary(r, out))
        return false;
    for (;;) {
        size_t i = 0, n = sizeof operators / sizeof operators[0];
        skip(r);
        while (i < n && strncmp(r->at, operators[i].text, strlen(operators[i].text)))
            i++;
        if (i == n || operators[i].level < level)
            return true;
        const char *op = operators[i].text;
        struct value right;
        r->at += strlen(op);
        if (!binary(r, operators[i].level + 1, &right) || !settle(r, out) || !settle(r, &right))
            return false;
        if (operators[i].level <= 2)
            *out = of_number("int", operators[i].level == 1 ? truth(out) || truth(&right) : truth(out) && truth(&right));
        else if (!compute(r, op, out, &right))
            return false;
    }
}

static bool comma(struct reading *r, struct value *out)
{
    return binary(r, 1, out);
}

bool expression_value(struct viewer *v, const char *text, struct value *out)
{
    struct reading r = {.v = v, .at = text};
    v->error[0] = '\0';
    if (!comma(&r, out))
        return false;
    skip(&r);
    return *r.at == '\0' || fail(&r, "this follows the expression: %s", r.at);
}
