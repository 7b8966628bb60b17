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

#include "analyse/blocks.h"
#include "code/descriptions.h"
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
    int entry_count, entry_words;
    int *entry_number;            /**< by function, -1 = not an entry */
    struct shared_variable *shared;
    int shared_count, shared_common;  /**< those from shared_common on belong to one kernel each */
    int *shared_number;           /**< by image variable: its index in `shared` */
    const char **files;           /**< paths by `.file` number */
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
    const struct ptx_instr *instr;
    char error[224];              /**< why it cannot be decoded */
};

/** Records why the instruction cannot be decoded; the first reason stays. @return false */
bool decode_fail(struct decoder *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void *decoder_alloc(struct decoder *d, size_t count, size_t size);

/* ---- find_row.c */

/** Reads one instruction into `in`; on failure it has recorded why in the decoder. */
typedef bool (*decode_fn)(struct decoder *d, const struct ptx_instr *pi, struct insn *in);
/** By row: NULL for plain arithmetic and hidden rows. */
extern const decode_fn decode_functions[ROW_COUNT];

/**
 * The row for an instruction, NULL if none matches.
 * @param mode  receives the MODE_ bits of an arithmetic row
 */
const struct op_info *op_find(const struct ptx_instr *pi, uint64_t *mode);
/** True if any row has this mnemonic: tells an unknown instruction from an unknown form. */
bool op_known(const char *mnemonic);
/** Does `modifiers[0..count)` match the pattern? Adds to `*mode`. */
bool op_matches(const char *pattern, const char *const *modifiers, int count, uint64_t *mode);

/* ---- constants.c */

/** The slot of a constant of the given width. */
uint32_t constant_slot(struct decoder *d, unsigned width, uint64_t low, uint64_t high);
/** Makes the constant area. @return false with `diag` filled when it would be too large */
bool constants_write(struct decoder *d);

/* ---- decode_operands.c */

/** Width of a register slot: 1 stands for a predicate, else bytes 2, 4, 8 or 16. */
#define WIDTH_PRED 1
unsigned width_of_type(enum ptx_type type);

/** A source of exactly `width`: register, literal or a symbol's address. */
bool operand_source(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg);
/** A source register of any width from `least` up, or a literal of width `least`. */
bool operand_source_wide(struct decoder *d, const struct ptx_operand *o, unsigned least,
                         uint32_t *reg, unsigned *width);
/** A predicate source, `!p` allowed. */
bool operand_pred(struct decoder *d, const struct ptx_operand *o, uint32_t *reg, bool *negated);
/** A destination register; REG_NONE for `_`. */
bool operand_target(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg);
/** A destination that must be a register. */
bool operand_result(struct decoder *d, const struct ptx_operand *o, unsigned width, uint32_t *reg);
bool operand_target_wide(struct decoder *d, const struct ptx_operand *o, unsigned least,
                         uint32_t *reg, unsigned *width);
/** `d` or `d|p`: the second is REG_NONE where absent. */
bool operand_target_pair(struct decoder *d, const struct ptx_operand *o, unsigned width,
                         unsigned width2, uint32_t *reg, uint32_t *reg2);
/** Fails for a literal integer where the instruction's last type is a real one. */
bool operand_check_literal(struct decoder *d, const struct ptx_instr *pi,
                           const struct ptx_operand *o);
/** A literal integer. */
bool operand_literal(struct decoder *d, const struct ptx_operand *o, int64_t *value);
/** Instruction has between `least` and `most` operands. */
bool operand_count(struct decoder *d, const struct ptx_instr *pi, int least, int most);

/** Records that no row knows these modifiers. @return false */
bool decode_fail_form(struct decoder *d, const struct ptx_instr *pi);

/** What a symbol stands for. */
struct symbol {
    enum { SYMBOL_UNKNOWN, SYMBOL_VARIABLE, SYMBOL_FUNCTION } kind;
    enum ptx_space space;         /**< of a variable; LOCAL: relative to local_base */
    uint64_t address;
    int function;
};
struct symbol operand_symbol(struct decoder *d, const struct ptx_operand *o);

/* ---- modifiers.c: reading an instruction's modifiers from left to right */

struct modifiers {
    const struct ptx_instr *pi;
    int at;
};
/** Takes the next modifier if it is `name`. */
bool modifier_take(struct modifiers *m, const char *name);
/** Takes the next modifier if it is in the space-separated list; its index, or -1. */
int modifier_of(struct modifiers *m, const char *list);
/** Takes a state space with its suffixes; SPACE_GENERIC if the next modifier is none. */
enum ptx_space modifier_space(struct modifiers *m);
/** Takes a type; PTX_NONE if the next modifier is none. */
enum ptx_type modifier_type(struct modifiers *m);
/** Fails unless all modifiers are taken. */
bool modifiers_end(struct decoder *d, struct modifiers *m);

/* ---- parsed_flow.c, registers.c, locals.c, variables.c, shared.c, sites.c */

/** The function at hand, for analyse/; valid as long as `d` and its rows. */
struct flow_source parsed_flow(const struct decoder *d);
/** Linear scan: fills reg_offset and the function's frame_bytes and registers. */
void registers_assign(struct decoder *d, struct function_info *f);
/** Places .local variables, formal parameters and call parameters of one function. */
void locals_place(struct decoder *d, struct function_info *f);
/** Gives addresses to module variables and fills initial values. */
bool variables_place(struct decoder *d);
/** Call graph, then offsets of all .shared variables. */
bool shared_place(struct decoder *d);
/** Fills the site of every instruction. */
void sites_fill(struct decoder *d, struct function_info *f);

static inline bool info_has_body(const struct function_info *f)
{
    return f->source->has_body;
}

static inline uint64_t align_up(uint64_t v, uint64_t align)
{
    return (v + align - 1) / align * align;
}

/* ---- decode_*.c: the functions that rows name */
#define X(id, mnemonic, forms, section, defines, what, function, ...)                              \
    bool function(struct decoder *d, const struct ptx_instr *pi, struct insn *in);
#include "code/ops.def"

/** Plain arithmetic: destination and sources as the row says. */
bool decode_alu(struct decoder *d, const struct ptx_instr *pi, struct insn *in,
                const struct op_info *row);

/** Says which row it is: the text's row is where decoding starts, this one is what is left. */
static inline void insn_choose(struct insn *in, enum op_row row)
{
    in->op = &op_table[row];
}

#endif
