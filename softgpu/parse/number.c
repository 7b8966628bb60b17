/**
 * @file number.c
 * Integer literals (decimal, 0x, 0b, octal, U suffix), 0f/0d bit patterns, decimal floats.
 *
 * Source: PTX ISA 4.5.1 and 4.5.2. The text is NUL-terminated, so scanning needs no bound.
 */
#include "parse/number.h"

#include <ctype.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static bool follows_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/** 0f and eight, or 0d and sixteen hexadecimal digits. */
static const char *lex_bits(const char **at, struct token *t, int digits)
{
    const char *p = *at + 2;
    for (int i = 0; i < digits; i++, p++) {
        if (digit_value(*p) > 15)
            return digits == 8 ? "0f takes eight hexadecimal digits"
                               : "0d takes sixteen hexadecimal digits";
        t->bits = t->bits << 4 | (uint64_t)digit_value(*p);
    }
    if (follows_name(*p))
        return digits == 8 ? "0f takes eight hexadecimal digits"
                           : "0d takes sixteen hexadecimal digits";
    t->kind = digits == 8 ? TOKEN_FLOAT32 : TOKEN_FLOAT64;
    *at = p;
    return NULL;
}

static const char *lex_integer(const char **at, struct token *t, const char *digits, int base)
{
    const char *p = digits;
    for (; digit_value(*p) < base; p++) {
        uint64_t d = (uint64_t)digit_value(*p);
        if (t->bits > (UINT64_MAX - d) / (uint64_t)base)
            return "this integer does not fit into 64 bits";
        t->bits = t->bits * (uint64_t)base + d;
    }
    if (p == digits)
        return "digits are missing here";
    /* Literals are s64 unless they are written with U or need the 64th bit. */
    t->is_unsigned = t->bits > INT64_MAX;
    if (*p == 'U' || *p == 'u') {
        t->is_unsigned = true;
        p++;
    }
    if (follows_name(*p))
        return "this number has characters that its base does not have";
    t->kind = TOKEN_INT;
    *at = p;
    return NULL;
}

/** strtod() of the C locale, whatever the program that hosts this library has chosen. */
static double c_strtod(const char *s, char **end)
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c)
        abort();
    double value = strtod_l(s, end, c);
    freelocale(c);
    return value;
}

static const char *lex_decimal_float(const char **at, struct token *t)
{
    char *end;
    t->kind = TOKEN_FLOAT64;
    t->bits = number_double_bits(c_strtod(*at, &end));
    *at = end;
    return follows_name(*end) ? "this is not a floating-point number" : NULL;
}

/** Whether a decimal number goes on with a fraction or an exponent. */
static bool is_float(const char *p)
{
    while (*p >= '0' && *p <= '9')
        p++;
    if (*p == '.')
        return true;
    if (*p != 'e' && *p != 'E')
        return false;
    p += p[1] == '+' || p[1] == '-' ? 2 : 1;
    return *p >= '0' && *p <= '9';
}

const char *number_lex(const char **at, struct token *t)
{
    const char *start = *at, *wrong;
    char kind = start[0] == '0' ? start[1] : '\0';
    t->bits = 0;
    if (kind == 'f' || kind == 'F')
        wrong = lex_bits(at, t, 8);
    else if (kind == 'd' || kind == 'D')
        wrong = lex_bits(at, t, 16);
    else if (kind == 'x' || kind == 'X')
        wrong = lex_integer(at, t, start + 2, 16);
    else if (kind == 'b' || kind == 'B')
        wrong = lex_integer(at, t, start + 2, 2);
    else if (is_float(start))
        wrong = lex_decimal_float(at, t);
    else if (start[0] == '0')
        wrong = lex_integer(at, t, start, 8);
    else
        wrong = lex_integer(at, t, start, 10);
    t->len = (uint32_t)(*at - start);
    return wrong;
}

uint32_t number_float_bits(double value)
{
    float f = (float)value;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

uint64_t number_double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

double number_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double number_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
