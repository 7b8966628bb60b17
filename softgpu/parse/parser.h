/**
 * @file parser.h
 * The parser's state and its hold on the tokens. Its phases stand in phases.h, constant expressions in
 * expression.h, names and scopes in scope.h.
 *
 * A phase returns false after it has recorded a diagnostic; the first one wins.
 */
#ifndef SOFTGPU_PARSE_PARSER_H
#define SOFTGPU_PARSE_PARSER_H

#include "parse/lexer.h"
#include "parse/module.h"

#define MAX_NESTING 64
#define MAX_FUNCTION_REGISTERS (1 << 18)
#define MAX_MODULE_REGISTERS (1 << 22)
#define MAX_OPERANDS 160
#define MAX_LIST 4096
#define MAX_DIMENSIONS 8
#define MAX_VARIABLE_BYTES (1ull << 40)
#define MAX_CONSTANT_BYTES (1u << 16)

struct name;
struct binding;

/** A name in an operand that may turn out to be a label. */
struct label_use {
    struct name *name;
    const char **text;       /**< what to rename */
    int line;
    bool label_only;         /**< … and can be nothing else */
};

struct alias {
    struct name *name, *target;
};

/** A label of a debug section that a `.loc` gives. */
struct function_name {
    struct name *label;
    int line;
};

/** One module of several (link.c): where its own things begin, and the line of its `.version`. */
struct part {
    int functions, variables, line;
};

struct parser {
    struct lexer lx;
    struct token t;          /**< the token at hand */
    struct ptx_module *m;
    struct diag *d;
    struct name **names;     /**< open addressing */
    uint32_t name_mask, name_count;
    int registers;           /**< declared in the module so far */
    int inits;               /**< elements of initialisers in the module so far */
    struct ptx_function *f;  /**< the function at hand; NULL at module scope */
    struct binding *bindings;
    int scope;               /**< id of the innermost open scope, 0 = body */
    int scopes;              /**< ids given out in this function */
    int open_scope[MAX_NESTING];
    int open_uses[MAX_NESTING];        /**< label_uses.count where the scope begins */
    LIST(struct label_use) label_uses;
    LIST(struct alias) aliases;      /**< of the part at hand */
    LIST(struct function_name) function_names; /**< of the part at hand */
    LIST(struct part) parts;         /**< the last one is at hand */
    int version;             /**< of the part at hand, in tenths */
    enum { HEADER_VERSION, HEADER_TARGET, HEADER_ADDRESS_SIZE, HEADER_OVER } header; /**< what of its head came last */
    uint64_t constant_bytes; /**< of the part at hand */
    int file_base;           /**< what `.file 0` of the part at hand is in the module */
    bool in_call;            /**< parentheses are lists of operands */
    bool symbol_seen;        /**< the instruction at hand has an operand that may be a label */
    int nesting;
    int bounded;             /**< functions of the module before this one have their `.pragma "softgpu max_registers"` behind them */
    int loc;                 /**< the last `.loc` */
    int first_loc;           /**< of this function */
};

/* token.c */
bool fail(struct parser *p, enum diag_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void advance(struct parser *p);
bool at_punct(const struct parser *p, int punct);
bool at_dot(const struct parser *p, const char *name);
bool take_punct_if(struct parser *p, int punct);
bool expect_punct(struct parser *p, int punct, const char *where);
bool expect_name(struct parser *p, const char **name, const char *what);
bool expect_int(struct parser *p, int64_t *value, const char *what);
/** … of 32 bits, as directives have them. */
bool expect_32(struct parser *p, int64_t *value, const char *what);

#endif
