/**
 * @file expression.h
 * Constant expressions, evaluated as they are read.
 */
#ifndef SOFTGPU_PARSE_EXPRESSION_H
#define SOFTGPU_PARSE_EXPRESSION_H

#include "parse/parser.h"

/** A constant: `kind` is TOKEN_INT, TOKEN_FLOAT32 or TOKEN_FLOAT64. */
struct constant {
    enum token_kind kind;
    bool is_unsigned;
    uint64_t bits;
};
bool parse_expression(struct parser *p, struct constant *c);
/** `+ 4`, `+ -4` behind a base, added to `*offset`; nothing there is well too. PTX subtracts nothing: `- 4` is refused. */
bool parse_offset(struct parser *p, int64_t *offset);
double constant_double(const struct constant *c);
/** Whether the predefined constant WARP_SZ stands here. */
bool at_warp_size(const struct parser *p);

#endif
