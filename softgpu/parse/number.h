/**
 * @file number.h
 * Numbers as PTX writes them (PTX ISA 4.5.1, 4.5.2).
 */
#ifndef SOFTGPU_PARSE_NUMBER_H
#define SOFTGPU_PARSE_NUMBER_H

#include "parse/lexer.h"

/**
 * Reads the number at `*at` into `t` (kind, len, bits, is_unsigned) and moves `*at` behind it.
 * @return NULL, or what is wrong with it
 */
const char *number_lex(const char **at, struct token *t);

/** The bits of `value` rounded to single precision. */
uint32_t number_float_bits(double value);
uint64_t number_double_bits(double value);
double number_double(uint64_t bits);
double number_float(uint32_t bits);

#endif
