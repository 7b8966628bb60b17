/**
 * @file decoder.h
 * Private to decode/: the state of one image_decode(), and what its files offer each other.
 *
 * Order of work (decode.c): functions are collected, module variables placed, shared memory laid out
 * over the call graph (variables.c, shared.c); then, function by function, lane-local storage is laid out
 * (locals.c), registers are assigned (registers.c) and instructions decoded by their rows
 * (decode_*.c), which turn operands into register offsets (decode_operands.c).
 *
 * An instruction that cannot be decoded becomes op_unsupported with its message: the rest of the
 * module still runs. Only what concerns the whole module (a full device, a bound) fails image_decode().
 */
#ifndef SOFTGPU_DECODE_DECODER_H
#define SOFTGPU_DECODE_DECODER_H
#include "decode/decode.h"

/** Names to indices, sorted for bsearch; filled once. */
struct name_table {
    struct name_entry {
        const char *name;
        int index;
    } *entries;
    int count;
};
/** Sorts; of equal names the first added wins. */
void name_table_sort(struct name_table *t);
/** -1 if absent. */
int name_table_find(const struct name_table *t, const char *name);

/** Where a function's .local, .param or .shared variable, or a formal parameter, lies. */
struct place {
    enum ptx_space space;  /**< LOCAL: from local_base; PARAM: an entry's; SHARED: in the block's area */
    uint64_t offset;       /**< global, const: the device address */
};

/** One function while it is decoded; parallel to image->functions. */
struct function_info {
    const struct ptx_function *source;
    struct function *function;
    uint32_t first_insn;          /**< index into image->code */
    struct name_table labels, branch_lists, prototypes;
    struct place *variables, *params, *returns;  /**< parallel to the source's lists */
    uint32_t *reg_offset;         /**< parallel to source->regs; REG_NONE: never used */
    uint32_t carry, scratch;      /**< hidden predicates; REG_NONE where not needed */
    int *calls;                   /**< functions called or, with `indirect`, every address taken */
    int call_count;
    bool indirect;                /**< makes a call through a pointer */
    bool reads_grid_workspace;
    uint64_t *entries;            /**< bit set: which entries reach it */
    bool uses_dynamic_shared;
    uint32_t dynamic_base, dynamic_align;  /**< offset of `.extern .shared` arrays */
};

/** A variable at module scope or a function's .shared variable: the latter have an owner. */
struct shared_variable {
    const struct ptx_variable *source;
    int owner;                    /**< function index, -1 = module scope */
    int variable;                 /**< index in the owner's list or image->variables */
    uint64_t *entries;
    uint32_t offset;
};

struct decoder {
    struct image *im;
    const struct ptx_module *m;
    const struct variable_placer *placer;
    struct diag *diag;            /**< of the whole module */

    struct function_info *infos;
    struct name_table functions, variables;
    bool *address_taken;          /**< by function */
    const struct ptx_function *undefined; /**< the first that is called and has no body anywhere; NULL: none */
    int entry_count, entry_words;
    int *entry_number;            /**< by function, -1 = not an entry */
    struct shared_variable *shared;
    int shared_count, shared_common;  /**< those from shared_common on belong to one kernel each */
    int *shared_number;           /**< by image variable: its index in `shared` */
    const char **files;           /**< paths by `.file` number */
    bool *library_files;          /**< by `.file` number: library_file() of its path, which many instructions ask */
    int file_count;

    /* Constant area under construction (decode_operands.c). */
    struct constant_slot {
        uint64_t low, high;
        uint32_t offset;
        uint8_t width;
    } *constants;                 /**< open addressing; width 0 = free */
    uint32_t constant_slots, constant_count;
    uint32_t constant_bytes;

    /* The function and instruction at hand. */
    struct function_info *info;
    const struct op_info **rows;  /**< by instruction of the function */
    uint64_t *modes;
    uint16_t *holds;              /**< base_variables.c's: what each register of the function holds */
    const struct ptx_instr *instr;
    char error[224];              /**< why it cannot be decoded */
    FILE *lacking;                /**< becomes the image's */
};

/** Records why the instruction cannot be decoded; the first reason stays. @return false */
bool decode_fail(struct decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *decoder_alloc(struct decoder *d, size_t count, size_t size);

static inline bool info_has_body(const struct function_info *f)
{
    return f->source->has_body;
}

static inline uint64_t align_up(uint64_t v, uint64_t align)
{
    return (v + align - 1) / align * align;
}

/** Says which row it is: the text's row is where decoding starts, this one is what is left. */
static inline void insn_choose(struct insn *in, enum op_row row)
{
    in->op = &op_table[row];
}

#endif
