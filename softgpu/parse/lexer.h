/**
 * @file lexer.h
 * PTX text to tokens, one at a time (PTX ISA 4.1 to 4.5).
 *
 * The lexer allocates nothing: a token points into the text, which must be followed by a NUL.
 */
#ifndef SOFTGPU_PARSE_LEXER_H
#define SOFTGPU_PARSE_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,      /**< identifier, register, mnemonic: "foo", "%r1", "$L__BB0_1", "_" */
    TOKEN_DOT,       /**< ".name" with "::" parts, e.g. ".shared::cta"; the text has no dot */
    TOKEN_INT,       /**< `bits`; `is_unsigned` by U suffix or because it needs 64 bits */
    TOKEN_FLOAT32,   /**< 0f…: `bits` */
    TOKEN_FLOAT64,   /**< 0d… or decimal: `bits` */
    TOKEN_STRING,    /**< with its quotes */
    TOKEN_PUNCT,     /**< `punct`: one character, or PUNCT2(a, b) */
    TOKEN_ERROR,     /**< `message` says what is wrong */
};

/** Value of `punct` for two-character operators. */
#define PUNCT2(a, b) ((a) | (b) << 8)

struct token {
    enum token_kind kind;
    const char *start;     /**< in the text; after the dot for TOKEN_DOT */
    uint32_t len;
    int line, column;      /**< 1-based */
    int punct;
    uint64_t bits;
    bool is_unsigned;
    bool adjacent;         /**< no white space before it */
    const char *message;
};

struct lexer {
    const char *text, *end;      /**< `*end` is NUL */
    const char *at, *line_start;
    int line;
    bool value_before;           /**< the last token ends a value: `%` then is the operator */
};

void lexer_init(struct lexer *lx, const char *text, size_t len);
/** Reads the next token; after TOKEN_END or TOKEN_ERROR it returns the same again. */
void lexer_next(struct lexer *lx, struct token *t);
/** "name", "integer", … for messages and dumps. */
const char *token_kind_name(enum token_kind kind);

#endif
