/**
 * @file scope.h
 * Interned names, and what they stand for, scope by scope.
 */
#ifndef SOFTGPU_PARSE_SCOPE_H
#define SOFTGPU_PARSE_SCOPE_H

#include "parse/parser.h"

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
    int function, variable;  /**< the last declaration at module scope, from 1, in the part at hand */
    int section_part;        /**< the last part, from 1, with a label of this name in a debug section */
    int part;                /**< link.c: the last part, from 1, that declares it */
    bool in_several;         /**< … and there are others */
    const char *renamed;     /**< … what it is called in the module, for a part's own */
    struct link_symbol *symbol; /**< … what it stands for in all of them */
};

/** What a name stands for at module scope. */
enum {
    MODULE_VARIABLE = 1, MODULE_VARIABLE_DEFINED = 2, MODULE_FUNCTION = 4,
    MODULE_FUNCTION_DEFINED = 8,
};

struct name *intern(struct parser *p, const char *text, uint32_t len);
const char *intern_token(struct parser *p);
/** Binds a name in the innermost scope; NULL after a diagnostic where it is bound there already. */
struct binding *scope_bind(struct parser *p, const char *text, enum binding_kind kind, int index);
/** Is this a word of the language where a name is declared: `_` or `WARP_SZ`? */
bool is_reserved_name(const char *text);
/** Notes a module-scope name; `kind` is MODULE_VARIABLE or MODULE_FUNCTION. */
bool module_declare(struct parser *p, const char *text, unsigned kind, bool defined);
/** No name stands for anything at module scope: another module begins. */
void module_forget(struct parser *p);
const struct binding *lookup(struct parser *p, const char *text, uint32_t len);
bool scope_open(struct parser *p);
bool scope_close(struct parser *p);
void function_scope_end(struct parser *p);
void names_free(struct parser *p);

#endif
