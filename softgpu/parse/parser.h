/**
 * @file parser.h
 * The parser's state, shared by its phases: module (parse_module.c), variables and initialisers
 * (parse_variable.c), functions (parse_function.c), operands and constants (parse_operand.c), names
 * and scopes (scope.c).
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
#define MAX_OPERANDS 64
#define MAX_LIST 4096
#define MAX_VARIABLE_BYTES (1ull << 40)

/** What a name stands for in the function being parsed, innermost scope first. */
struct binding {
    bool is_register;
    int index;               /**< into regs; into variables, or params + PARAM_BASE, … */
    int scope;
    struct name *name;
    struct binding *outer;   /**< what it hides */
    struct binding *next;    /**< the binding made before this one in any scope */
};

/** An interned name. */
struct name {
    const char *text;
    uint32_t len, hash;
    struct binding *binding;
};

struct parser {
    struct lexer lx;
    struct token t;          /**< the token at hand */
    struct ptx_module *m;
    struct diag *d;
    struct name **names;     /**< open addressing */
    uint32_t name_mask, name_count;
    int registers;           /**< declared in the module so far */
    struct ptx_function *f;  /**< the function at hand; NULL at module scope */
    struct binding *bindings;
    int scope;               /**< id of the innermost open scope, 0 = body */
    int scopes;              /**< ids given out in this function */
    int open_scope[MAX_NESTING];
    int nesting;
    int loc;                 /**< the last `.loc` */
    int first_loc;           /**< of this function */
};

/* Tokens. */
bool fail(struct parser *p, enum diag_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void advance(struct parser *p);
bool at_punct(const struct parser *p, int punct);
bool at_dot(const struct parser *p, const char *name);
bool take_punct_if(struct parser *p, int punct);
bool expect_punct(struct parser *p, int punct, const char *where);
bool expect_name(struct parser *p, const char **name, const char *what);
bool expect_int(struct parser *p, int64_t *value, const char *what);

/* scope.c */
struct name *intern(struct parser *p, const char *text, uint32_t len);
const char *intern_token(struct parser *p);
bool declare(struct parser *p, const char *text, bool is_register, int index);
const struct binding *lookup(struct parser *p, const char *text, uint32_t len);
bool scope_open(struct parser *p);
bool scope_close(struct parser *p);
void function_scope_end(struct parser *p);
void names_free(struct parser *p);

/* parse_operand.c */
/** A constant expression (PTX ISA 4.5.4) that is an integer. */
bool parse_int_expression(struct parser *p, int64_t *value);
bool parse_operand(struct parser *p, struct ptx_operand *o);

/* parse_variable.c */
/** `.space …` up to the `;`, one or more variables, into the list of the function or the module. */
bool parse_variables(struct parser *p, enum ptx_space space, const struct ptx_variable *linkage);
/** A parameter list with its parentheses. */
bool parse_parameters(struct parser *p, struct ptx_variable **data, int *count, int *cap);
enum ptx_space space_of(const char *name, uint32_t len);

/* parse_function.c */
bool parse_function(struct parser *p, const struct ptx_variable *linkage);

/* parse_module.c */
bool parse_file(struct parser *p);
bool parse_loc(struct parser *p);
bool skip_section(struct parser *p);
bool skip_to_semicolon(struct parser *p);

#endif
