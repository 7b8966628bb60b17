/**
 * @file variable.h
 * A variable as declared, with what it begins with (PTX ISA, chapter 5). Strings belong to the module (module.h).
 */
#ifndef SOFTGPU_PARSE_VARIABLE_H
#define SOFTGPU_PARSE_VARIABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "parse/types.h"

/** One initialiser element: `count` is implied 1. */
struct ptx_init {
    const char *symbol;   /**< NULL for a number; else the address of this variable or function */
    bool generic;         /**< written `generic(symbol)` */
    uint64_t bits;        /**< the number as bits of the element type, or the symbol's addend */
    unsigned bytes;       /**< bytes this element fills */
    uint64_t mask_shift;  /**< for `mask(symbol)` byte initialisers: right shift in bits, else 0 */
};

/** A variable at module scope, in a function body, or a parameter. */
struct ptx_variable {
    const char *name;
    enum ptx_space space;
    enum ptx_type type;    /**< element type */
    unsigned vector;       /**< 1, 2 or 4 */
    unsigned align;        /**< bytes, never 0 */
    uint64_t bytes;        /**< total size; 0 for `.extern .shared x[]` */
    bool external, visible, weak, common, incomplete /**< declared `[]` */;
    bool managed;          /**< `.attribute(.managed)` */
    bool in_register;      /**< a parameter that was declared in the register space */
    LIST(struct ptx_init) init; /**< in order; bytes after the last are zero */
    int line;              /**< PTX line */
    int scope;             /**< function-local: id of the `{}` scope that owns it, 0 = body */
};

#endif
