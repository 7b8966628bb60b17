/**
 * @file value.h
 * Private to debug/agent: what an expression is worth, with a type as C has it, and where it lies.
 */
#ifndef SOFTGPU_DEBUG_AGENT_VALUE_H
#define SOFTGPU_DEBUG_AGENT_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "debug/agent/state.h"
#include "memory/windows.h"

enum type_kind { TYPE_SIGNED, TYPE_UNSIGNED, TYPE_FLOAT, TYPE_BOOL, TYPE_POINTER, TYPE_ARRAY, TYPE_STRUCT };

struct type {
    enum type_kind kind;
    uint64_t bytes;
    const char *name;            /**< of numbers and structures */
    const struct type *of;       /**< of pointers and arrays */
    uint64_t count;              /**< of arrays; 0: not known */
    struct member {
        const char *name;
        const struct type *type;
        uint64_t offset;
    } *members;
    int member_count;
};

struct value {
    const struct type *type;
    bool placed;                 /**< it lies at a generic address; else in `bits` */
    uint64_t address;
    uint64_t bits;               /**< numbers, sign-extended; floats as their bits */
};

/** Whose eyes an expression is seen with. */
struct viewer {
    struct thread_at thread;
    bool standing;               /**< the thread is there: `at` holds */
    struct standing at;
    char error[160];
};

/** A type of C by name: "unsigned int", "float"; NULL if there is none. */
const struct type *type_named(const char *name);
const struct type *type_pointer_to(const struct type *of);
const struct type *type_array_of(const struct type *of, uint64_t count);
const struct type *type_of_ptx(enum ptx_type type);

/** Host bytes of a generic address as the viewer sees it; NULL where there is nothing. */
const uint8_t *viewer_bytes(const struct viewer *v, uint64_t address, uint64_t bytes);
/* numbers.c: of what lies in `bits` */
bool value_is_real(const struct value *x);
double value_real(const struct value *x);
struct value value_of_real(double d);
struct value value_of_number(const char *type, uint64_t bits);
void value_convert(struct value *x, const struct type *to);
/** By C's promotions, and what two operands of an operator become. */
const struct type *type_promoted(const struct type *t);
const struct type *type_common(const struct type *a, const struct type *b);
/** Reads a literal and goes behind it. */
bool literal_number(const char **at, struct value *out);
bool literal_character(const char **at, struct value *out);

/** A number as C writes it. */
void value_write(const struct value *x, char *out, size_t size);
/** Brings a placed number into `bits`. @return false with the viewer's error */
bool value_load(struct viewer *v, struct value *x);
/** What a name means there: a variable, a special one such as threadIdx, a buffer. */
bool name_find(struct viewer *v, const char *name, struct value *out);
/** A register by its PTX name. */
bool register_find(struct viewer *v, const char *name, struct value *out);
/** A variable of the source, where the kernel was compiled with -G (variables_by_name.c). */
bool variable_find(struct viewer *v, const char *name, struct value *out);
/** Calls `each` for every variable that is seen there, the innermost first. */
void variable_each(struct viewer *v,
                   void (*each)(void *self, const char *name, const struct value *x, bool there, bool parameter), void *self);

/** Reads an expression of C: what is in parentheses, casts, * & [] . -> and the operators that change nothing. */
bool expression_value(struct viewer *v, const char *text, struct value *out);

#endif
