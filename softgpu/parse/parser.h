/**
 * @file parser.h
 * The parser's state, shared by its phases: module → variables, initialisers, functions →
 * registers, labels, operands → constant expressions; beside them names and scopes (scope.c).
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
#define MAX_DIMENSIONS 8
#define MAX_VARIABLE_BYTES (1ull << 40)

enum binding_kind {
    BIND_REGISTER,
    BIND_VECTOR,     /**< `.reg .v4`: `count` registers from `index` on, "%v.x" and so on */
    BIND_VARIABLE,
    BIND_LABEL,
};

/** What a name stands for in the function being parsed, innermost scope first. */
struct binding {
    enum binding_kind kind;
    int index;               /**< into regs; into variables, or params + PARAM_BASE, … */
    int count;
    const char *label;       /**< its name in the function: see parse_label.c */
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
    int label_function;      /**< the last function that has a label of this name, from 1 */
    unsigned module_uses;    /**< MODULE_… */
};

/** What a name stands for at module scope. */
enum {
    MODULE_VARIABLE = 1, MODULE_VARIABLE_DEFINED = 2, MODULE_FUNCTION = 4,
    MODULE_FUNCTION_DEFINED = 8,
};

/** A name in an operand that may turn out to be a label. */
struct label_use {
    struct name *name;
    const char **text;       /**< what to rename */
};

struct alias {
    struct name *name, *target;
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
    LIST(struct alias) aliases;
    bool in_call;            /**< parentheses are lists of operands */
    bool symbol_seen;        /**< the instruction at hand has an operand that may be a label */
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
bool skip_to_semicolon(struct parser *p);

/* scope.c */
struct name *intern(struct parser *p, const char *text, uint32_t len);
const char *intern_token(struct parser *p);
/** Binds a name in the innermost scope; NULL after a diagnostic where it is bound there already. */
struct binding *bind(struct parser *p, const char *text, enum binding_kind kind, int index);
/** Notes a module-scope name; `kind` is MODULE_VARIABLE or MODULE_FUNCTION. */
bool module_declare(struct parser *p, const char *text, unsigned kind, bool defined);
/** Whether every address in the initialisers of module variables is of something declared. */
bool module_check_addresses(struct parser *p);
const struct binding *lookup(struct parser *p, const char *text, uint32_t len);
bool scope_open(struct parser *p);
bool scope_close(struct parser *p);
void function_scope_end(struct parser *p);
void names_free(struct parser *p);

/* parse_expr.c */
/** A constant: `kind` is TOKEN_INT, TOKEN_FLOAT32 or TOKEN_FLOAT64. */
struct constant {
    enum token_kind kind;
    bool is_unsigned;
    uint64_t bits;
};
bool parse_expression(struct parser *p, struct constant *c);
/** An expression that is an integer. */
bool parse_int_expression(struct parser *p, int64_t *value);
/** `+ 4`, `+ -4`, `- 4` behind a base, added to `*offset`; nothing there is well too. */
bool parse_offset(struct parser *p, int64_t *offset);
double constant_double(const struct constant *c);
/** Whether the predefined constant WARP_SZ stands here. */
bool at_warp_size(const struct parser *p);

/* parse_operand.c */
bool parse_operand(struct parser *p, struct ptx_operand *o);

/* parse_instruction.c */
bool parse_instruction(struct parser *p);

/* parse_init.c */
struct shape {
    uint64_t extent[MAX_DIMENSIONS];
    int dimensions;
};
/** What follows the `=` of a variable of this shape, into `v->init`. */
bool parse_init(struct parser *p, struct ptx_variable *v, const struct shape *s);

/* parse_variable.c */
/** `.space …` up to the `;`, one or more variables, into the list of the function or the module. */
bool parse_variables(struct parser *p, enum ptx_space space, const struct ptx_variable *linkage);
/** A parameter list with its parentheses. */
bool parse_parameters(struct parser *p, struct ptx_variable **data, int *count, int *cap);
enum ptx_space space_of(const char *name, uint32_t len);

/* parse_register.c */
/** `.reg …;` */
bool parse_registers(struct parser *p);
/** Whether the name, with its %, is a special register (PTX ISA chapter 10). */
bool is_special_register(const char *name);

/* parse_label.c */
/** A label is declared here: `*name` becomes its name within the whole function. */
bool label_declare(struct parser *p, const char *text, const char **name);
/** Notes the symbols of an operand; `o` must stay where it is. */
void label_note_uses(struct parser *p, struct ptx_operand *o);
void label_note_use(struct parser *p, const char **text);
/** Settles the uses since `from` by the labels of the innermost scope, which is about to close. */
void labels_settle(struct parser *p, int from);

/* parse_alias.c */
/** `.alias name, target;` */
bool parse_alias(struct parser *p);
/** At the end of the module: every use of an alias becomes one of its target. */
void aliases_apply(struct parser *p);

/* parse_function.c */
bool parse_function(struct parser *p, const struct ptx_variable *linkage);

/* parse_module.c */
void parse_linkage(struct parser *p, struct ptx_variable *linkage);

/* parse_loc.c */
bool parse_file(struct parser *p);
bool parse_loc(struct parser *p);
bool skip_section(struct parser *p);

#endif
