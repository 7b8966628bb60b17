/**
 * @file numbers.c
 * Numbers of expressions: literals, and the conversions of C.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "debug/agent/value.h"

bool value_is_real(const struct value *x)
{
    return x->type->kind == TYPE_FLOAT;
}

double value_real(const struct value *x)
{
    float f;
    double d;
    uint32_t low = (uint32_t)x->bits;
    if (!value_is_real(x))
        return x->type->kind == TYPE_SIGNED ? (double)(int64_t)x->bits : (double)x->bits;
    memcpy(&f, &low, sizeof f);
    memcpy(&d, &x->bits, sizeof d);
    return x->type->bytes == 4 ? (double)f : d;
}

struct value value_of_real(double d)
{
    struct value x = {.type = type_named("double")};
    memcpy(&x.bits, &d, sizeof d);
    return x;
}

struct value value_of_number(const char *type, uint64_t bits)
{
    return (struct value){.type = type_named(type), .bits = bits};
}

void value_convert(struct value *x, const struct type *to)
{
    uint64_t bits = value_is_real(x) && to->kind != TYPE_FLOAT ? (uint64_t)(int64_t)value_real(x) : x->bits;
    if (to->kind == TYPE_FLOAT) {
        double d = value_real(x);
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

const struct type *type_promoted(const struct type *t)
{
    if (t->kind == TYPE_FLOAT || t->kind == TYPE_POINTER)
        return t;
    return t->bytes < 4 ? type_named("int") : t;
}

const struct type *type_common(const struct type *a, const struct type *b)
{
    a = type_promoted(a);
    b = type_promoted(b);
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? a : b;
    return a->kind == TYPE_SIGNED ? b : a;
}

bool literal_number(const char **at, struct value *out)
{
    char *end, *real;
    uint64_t n = strtoull(*at, &end, 0);
    double d = strtod(*at, &real);
    bool hex = (*at)[0] == '0' && ((*at)[1] | 32) == 'x', is_unsigned = false, is_long = false;
    if (real > end && !hex) {
        bool narrow = (*real | 32) == 'f';
        *out = value_of_real(d);
        if (narrow)
            value_convert(out, type_named("float"));
        *at = real + narrow;
        return true;
    }
    for (; *end && strchr("uUlL", *end); end++) {
        is_unsigned |= (*end | 32) == 'u';
        is_long |= (*end | 32) == 'l';
    }
    if (n > UINT32_MAX || (n > INT32_MAX && !hex && !is_unsigned))
        is_long = true;
    else if (n > INT32_MAX)
        is_unsigned = true;
    if (n > INT64_MAX)
        is_unsigned = true;
    *out = value_of_number(is_long ? is_unsigned ? "unsigned long" : "long" : is_unsigned ? "unsigned int" : "int", n);
    *at = end;
    return true;
}

bool literal_character(const char **at, struct value *out)
{
    static const char names[] = "0abtnvfr\\'\"", meant[] = "\0\a\b\t\n\v\f\r\\'\"";
    const char *p = *at + 1;
    char c = *p++;
    const char *escape = c == '\\' && *p ? strchr(names, *p++) : NULL;
    if (escape)
        c = meant[escape - names];
    if (!c && !escape)
        return false;
    if (*p != '\'')
        return false;
    *out = value_of_number("char", (uint64_t)(int64_t)(signed char)c);
    *at = p + 1;
    return true;
}
