/**
 * @file evaluate.c
 * Expressions of C, read and evaluated in one pass, with what changes nothing of its operators.
 *
 *   expression = binary [ '?' expression ':' expression ]
 *   binary     = unary { operator unary }           by precedence; a @ n: n elements from a on, as gdb has it
 *   unary      = ('-' | '!' | '~' | '*' | '&' | '(' type ')') unary | 'sizeof' ( '(' type ')' | unary ) | postfix
 *   postfix    = primary { '[' expression ']' | '.' name | '->' name }
 *   primary    = number | character | name | %register | '(' expression ')'
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/agent/arithmetic.h"
#include "debug/agent/value.h"

#define MAX_DEPTH 64
#define MAX_STRETCH 1000000

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

static bool primary(struct reading *r, struct value *out)
{
    char name[256];
    skip(r);
    if (isdigit((unsigned char)*r->at) || (*r->at == '.' && isdigit((unsigned char)r->at[1])))
        return literal_number(&r->at, out);
    if (*r->at == '\'')
        return literal_character(&r->at, out) || fail(r, "this is no character: %s", r->at);
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
            *x = value_of_number("unsigned int", x->bits >> 21 * m->offset & 0x1fffff);
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
    } else if (op == '-' && value_is_real(x)) {
        *x = value_of_real(-value_real(x));
    } else {
        bool zero = value_is_real(x) ? value_real(x) == 0 : x->bits == 0;
        const struct type *t = op == '!' ? type_named("int") : type_promoted(x->type);
        *x = value_of_number("long", op == '!' ? zero : op == '-' ? -x->bits : ~x->bits);
        value_convert(x, t);
    }
    return true;
}

/** What follows "sizeof": a type in parentheses, or an expression. */
static bool size_of(struct reading *r, struct value *out)
{
    const struct type *t = cast(r);
    if (!t && !unary(r, out))
        return false;
    *out = value_of_number("unsigned long", t ? t->bytes : out->type->bytes);
    return true;
}

/** Is this word next, and no longer name? */
static bool take_word(struct reading *r, const char *word)
{
    size_t n = strlen(word);
    skip(r);
    if (strncmp(r->at, word, n) || isalnum((unsigned char)r->at[n]) || r->at[n] == '_')
        return false;
    r->at += n;
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
            value_convert(out, t);
    } else if (take_word(r, "sizeof")) {
        ok = size_of(r, out);
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
                 {"|", 3},  {"^", 4},  {"&", 5},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10},
                 {"@", 11}};

static bool compute_real(struct reading *r, const char *op, double a, double b, struct value *out)
{
    switch (op[0]) {
    case '+':
        *out = value_of_real(a + b);
        return true;
    case '-':
        *out = value_of_real(a - b);
        return true;
    case '*':
        *out = value_of_real(a * b);
        return true;
    case '/':
        *out = value_of_real(a / b);
        return true;
    case '<':
        *out = value_of_number("int", op[1] == '=' ? a <= b : a < b);
        return op[1] != '<' || fail(r, "%s takes whole numbers", op);
    case '>':
        *out = value_of_number("int", op[1] == '=' ? a >= b : a > b);
        return op[1] != '>' || fail(r, "%s takes whole numbers", op);
    case '=':
    case '!':
        *out = value_of_number("int", (a == b) == (op[0] == '='));
        return true;
    default:
        return fail(r, "%s takes whole numbers", op);
    }
}

static bool compute(struct reading *r, const char *op, struct value *a, struct value *b)
{
    if (value_is_real(a) || value_is_real(b))
        return compute_real(r, op, value_real(a), value_real(b), a);
    if ((op[0] == '/' || op[0] == '%') && b->bits == 0)
        return fail(r, "division by zero%s", "");
    bool compares = op[0] == '=' || op[0] == '!' || ((op[0] == '<' || op[0] == '>') && op[1] != op[0]);
    if (a->type->kind == TYPE_POINTER && b->type->kind == TYPE_POINTER && op[0] == '-') {
        uint64_t size = a->type->of->bytes ? a->type->of->bytes : 1;
        *a = value_of_number("long", (uint64_t)((int64_t)(a->bits - b->bits) / (int64_t)size));
        return true;
    }
    if (a->type->kind == TYPE_POINTER && !compares) {
        *a = (struct value){.type = a->type, .bits = compute_whole(op, a->bits, b->bits * a->type->of->bytes, false)};
        return true;
    }
    bool shifts = (op[0] == '<' || op[0] == '>') && op[1] == op[0];
    const struct type *t = shifts ? type_promoted(a->type) : type_common(a->type, b->type);
    if (!shifts) {
        value_convert(a, t);
        value_convert(b, t);
    }
    *a = value_of_number("long", compute_whole(op, a->bits, b->bits, t->kind == TYPE_SIGNED));
    value_convert(a, compares ? type_named("int") : t);
    return true;
}

static bool truth(const struct value *x)
{
    return value_is_real(x) ? value_real(x) != 0 : x->bits != 0;
}

/** a @ n */
static bool stretch(struct reading *r, struct value *x, struct value *count)
{
    if (!x->placed || x->type->kind == TYPE_ARRAY || !settle(r, count))
        return fail(r, "what @ follows is nothing in memory of which several could stand in a row%s", "");
    if (count->bits < 1 || count->bits > MAX_STRETCH)
        return fail(r, "@ takes a number from 1 to 1000000%s", "");
    x->type = type_array_of(x->type, count->bits);
    return true;
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
        if (!binary(r, operators[i].level + 1, &right))
            return false;
        if (op[0] == '@') {
            if (!stretch(r, out, &right))
                return false;
            continue;
        }
        if (!settle(r, out) || !settle(r, &right))
            return false;
        if (operators[i].level <= 2)
            *out = value_of_number("int", operators[i].level == 1 ? truth(out) || truth(&right) : truth(out) && truth(&right));
        else if (!compute(r, op, out, &right))
            return false;
    }
}

static bool comma(struct reading *r, struct value *out)
{
    struct value no;
    if (!binary(r, 1, out))
        return false;
    if (!take(r, "?"))
        return true;
    if (!settle(r, out))
        return false;
    bool yes = truth(out);
    if (++r->depth > MAX_DEPTH)
        return fail(r, "the expression is too deep%s", "");
    if (!comma(r, out) || !(take(r, ":") || fail(r, "a : is missing%s", "")) || !comma(r, &no))
        return false;
    r->depth--;
    if (!yes)
        *out = no;
    return true;
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
