/**
 * @file same_phase.h
 * What reads which construct: module → variables, initialisers, functions → registers, labels,
 * instructions → operands.
 */
#ifndef SOFTGPU_PARSE_PHASES_H
#define SOFTGPU_PARSE_PHASES_H

#include "parse/parser.h"

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
/** Whether it is all elements of one: "%tid". */
bool is_special_vector(const char *name);

/** A register of this function. */
bool add_scalar(struct parser *p, const char *name, enum ptx_type type);

/** A register of this function that no text can name. @return its index; -1, told: there are too many */
int add_temporary(struct parser *p, enum ptx_type type);

/* parse_register_parameter.c */
/** Makes a register of the parameter's name, and a parameter in memory of the parameter. */
bool register_parameter_declare(struct parser *p, struct ptx_variable *v);
/** Where a body begins: the registers take what the parameters hold. */
void register_parameters_read(struct parser *p);
/** Before the return `ret`, as it is guarded: the results take what the registers hold. */
void register_results_write(struct parser *p, const struct ptx_instr *ret);

/* parse_label.c */
/** A label is declared here: `*name` becomes its name within the whole function. */
bool label_declare(struct parser *p, const char *text, const char **name);
/** Notes the symbols of an operand; `o` must stay where it is. */
void label_note_uses(struct parser *p, struct ptx_operand *o, int line);
void label_note_use(struct parser *p, const char **text, int line, bool label_only);
/** Settles the uses since `from` by the labels of the innermost scope, which is about to close. */
void labels_settle(struct parser *p, int from);
/** Where a function ends: is every symbol that it used a label in scope, or of the module and declared before? */
bool labels_known(struct parser *p);

/* redeclared.c */
/** Is this declaration of a function, the last of the module's list, what an earlier one of its name says? */
bool function_agrees(struct parser *p, const struct ptx_function *f);
/** The same of a variable of the module. */
bool variable_agrees(struct parser *p, const struct ptx_variable *v);
/** Of two functions of one kind: are the parameters, and results, of the same types, sizes and alignments? @return what differs, NULL: nothing */
const char *parameters_differ(const struct ptx_function *a, const struct ptx_function *b);

/* parse_alias.c */
/** `.alias name, target;` */
bool parse_alias(struct parser *p);
/** At the end of a part: every use of an alias in it becomes one of its target. */
void aliases_apply(struct parser *p);

/* link.c */
/** At a `.version`: one more module begins. */
bool part_begin(struct parser *p);
/** Where a module's text ends. */
bool part_end(struct parser *p);
/** Makes one module of all parts, as nvlink does. */
bool parts_link(struct parser *p);

/* parse_function.c */
bool parse_function(struct parser *p, const struct ptx_variable *linkage);

/* parse_module.c */
/** What hangs off it but lies outside of the arena. */
void function_free(struct ptx_function *f);

/* parse_loc.c */
bool parse_file(struct parser *p);
bool parse_loc(struct parser *p);

/* parse_directives.c */
/** `.noreturn` and the like, each of which is said once of a function or a prototype. */
struct once_said {
    bool prototype; /**< of a .callprototype */
    unsigned bits;
};
bool parse_once(struct parser *p, struct once_said *said);
/** All that stands before the body of the function at hand. */
bool parse_directives(struct parser *p);
/** `.attribute(.unified(n, n))` of a function. */
bool skip_attribute(struct parser *p);

/* parse_pragma.c */
enum pragma_place {
    PRAGMA_OF_MODULE,
    PRAGMA_OF_KERNEL, /**< before its body */
    PRAGMA_IN_BODY,
};
bool parse_pragma(struct parser *p, enum pragma_place place);

/* parse_section.c */
bool parse_section(struct parser *p);
/** What stands behind `function_name` of a `.loc`: a label of a section, which may come later. */
bool note_function_name(struct parser *p);
/** At the end of a module: has a section each label that was given? */
bool function_names_check(struct parser *p);

#endif
