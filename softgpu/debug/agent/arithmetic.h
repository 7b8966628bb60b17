/**
 * @file arithmetic.h
 * Private to evaluate.c: C's binary operators on whole numbers.
 */
#ifndef SOFTGPU_DEBUG_AGENT_ARITHMETIC_H
#define SOFTGPU_DEBUG_AGENT_ARITHMETIC_H

#include <stdbool.h>
#include <stdint.h>

/** `op` is any but || and &&; `b` is not 0 where it divides. */
static inline uint64_t compute_whole(const char *op, uint64_t a, uint64_t b, bool is_signed)
{
    int64_t x = (int64_t)a, y = (int64_t)b;
    bool less = is_signed ? x < y : a < b;
    switch (op[0]) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return is_signed && y != -1 ? (uint64_t)(x / y) : is_signed ? -a : a / b;
    case '%':
        return is_signed && y != -1 ? (uint64_t)(x % y) : is_signed ? 0 : a % b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case '|':
        return a | b;
    case '<':
        return op[1] == '<' ? a << (b & 63) : op[1] == '=' ? less || a == b : less;
    case '>':
        return op[1] == '>' ? (is_signed ? (uint64_t)(x >> (b & 63)) : a >> (b & 63)) : op[1] == '=' ? !less : !less && a != b;
    default:
        return (a == b) == (op[0] == '=');
    }
}

#endif
