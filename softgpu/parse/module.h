/**
 * @file module.h
 * A PTX module as parsed: names, declarations and instructions, still in the terms of the text.
 *
 * The parser checks syntax, not meaning. Instructions are in instr.h, variables in variable.h.
 * Source: PTX ISA 9.0, chapters 4 (syntax), 5 (state spaces, types, variables), 11 (directives).
 *
 * Everything hangs off the module's arena; module_free() releases it all. Strings are
 * NUL-terminated and interned: equal names have equal pointers within one module.
 */
#ifndef SOFTGPU_PARSE_MODULE_H
#define SOFTGPU_PARSE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/list.h"
#include "parse/instr.h"
#include "parse/types.h"
#include "parse/variable.h"

struct ptx_file {
    int number;
    const char *path;
};

/** A declared register: one per name, ranges `%r<5>` expanded. */
struct ptx_reg {
    const char *name;
    enum ptx_type type;
    int scope;             /**< registers of inner `{}` scopes are distinct entries */
};

/** Names are distinct within a function: a label that repeats one of another `{}` scope is renamed
 *  to "name@scope", and its uses with it. */
struct ptx_label {
    const char *name;
    int instr;             /**< index of the instruction that follows it */
};

/** `.branchtargets` list or `.callprototype`, named by a label. */
struct ptx_prototype {
    const char *label;
    LIST(struct ptx_variable) params, returns;
};
struct ptx_branch_targets {
    const char *label;
    LIST(const char *) targets;
};

struct ptx_function {
    const char *name;
    bool is_entry, external, visible, weak, noreturn;
    bool has_body;
    LIST(struct ptx_variable) params, returns;
    LIST(struct ptx_variable) variables;   /**< .local, .shared, .param, .const in the body */
    LIST(struct ptx_reg) regs;
    LIST(struct ptx_instr) instrs;
    LIST(struct ptx_label) labels;
    LIST(struct ptx_prototype) prototypes;
    LIST(struct ptx_branch_targets) branch_targets;
    unsigned cluster[3], max_cluster; /**< .reqnctapercluster .maxclusterrank; 0 */
    bool explicit_cluster, blocks_are_clusters; /**< .explicitcluster, .blocksareclusters: the grid counts clusters */
    unsigned max_threads[3], req_threads[3], min_blocks; /**< .maxntid .reqntid .minnctapersm; 0 */
    unsigned max_registers;           /**< .maxnreg; 0 */
    int line;
};

struct ptx_module {
    struct arena arena;
    const char *name;      /**< for messages: a file's path or "fatbin" */
    const char *text;      /**< the caller's text, copied */
    size_t text_len;
    int version_major, version_minor;
    int target_sm;         /**< 75 for sm_75 */
    char target_suffix;    /**< 'a': for that device alone; 'f': for its family; 0 */
    bool debug;            /**< `.target …, debug` */
    int parts;             /**< modules that it was linked from; 1: none but itself */
    LIST(struct ptx_file) files;
    LIST(struct ptx_loc) locs;
    LIST(struct ptx_variable) variables;
    LIST(struct ptx_function) functions;   /**< declarations and definitions, in order */
};

/**
 * Parses PTX text. Hostile input is expected: every nesting and count is bounded.
 * @param text  not necessarily NUL-terminated; copied
 * @return the module, or NULL with `d` filled
 */
struct ptx_module *module_parse(const char *name, const char *text, size_t len, struct diag *d);
void module_free(struct ptx_module *m);
/** A 1-based line of the text, without its indentation and end. @return its length; 0 where there is no such line */
int module_line(const struct ptx_module *m, int line, const char **text);

#endif
