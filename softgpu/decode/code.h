/**
 * @file code.h
 * Decoded programs: what the executor runs.
 *
 * One `struct image` per loaded module: all functions in one flat array of `struct insn`, so that
 * an instruction pointer identifies a place in the program. Registers are numbered, typed by width
 * only and laid out lane by lane; constants sit in register slots that are filled once per warp.
 * All of it is immutable once image_load() returns, and shared by every warp and host thread.
 */
#ifndef SOFTGPU_DECODE_CODE_H
#define SOFTGPU_DECODE_CODE_H

#include "parse/module.h"

#define WARP_LANES 32

struct warp;
struct insn;
struct op_info;

/**
 * Executes `in` for the warp's current group of lanes and returns the next instruction of that
 * group: `in + 1`, a branch target, or NULL where the group stops (exit, barrier, fault, yield;
 * the handler has then recorded why in the warp).
 */
typedef const struct insn *(*handler_fn)(struct warp *w, const struct insn *in);

/*
 * Register layout. A function's frame is a byte array; a register is an offset into it:
 *   predicate   4 bytes: bit i is lane i
 *   8, 16 bits  uint16_t[32]     (8-bit values zero-extended)
 *   32 bits     uint32_t[32]
 *   64 bits     uint64_t[32]
 *   128 bits    uint64_t[2][32]  (low halves, then high halves)
 * Offsets are multiples of 64. Constants are registers too: decode broadcasts each literal into a
 * slot of the constant area at the start of the warp's register file, and an operand offset with
 * CONST_BIT set is relative to that area instead of the frame.
 */
#define REG_NONE UINT32_MAX

/** Memory orders as the PTX text gives them (PTX ISA 9.7.9.8, chapter 8). */
enum mem_order {
    ORDER_WEAK, ORDER_RELAXED, ORDER_VOLATILE /**< relaxed.sys that is never merged */,
    ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SC, ORDER_NC /**< ld.global.nc */,
    ORDER_MMIO
};
enum mem_scope { SCOPE_NONE, SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS };

enum atom_op {
    ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_INC, ATOM_DEC, ATOM_AND, ATOM_OR, ATOM_XOR, ATOM_EXCH,
    ATOM_CAS
};

/** What a memory instruction is, decoded once. */
struct mem_desc {
    uint8_t space;       /**< enum ptx_space; GENERIC is resolved lane by lane */
    uint8_t order;       /**< enum mem_order */
    uint8_t scope;       /**< enum mem_scope; NONE for weak */
    uint8_t bytes;       /**< bytes of one element */
    uint8_t count;       /**< elements: 1, 2, 4, 8 */
    uint8_t type;        /**< enum ptx_type of one element */
    uint8_t atom;        /**< enum atom_op, for atom and red */
    uint8_t reg_bytes;   /**< width of the register of each element (2, 4, 8, 16) */
    bool sign_extend;    /**< loads of s8..s32 into wider registers */
    uint8_t address_bytes; /**< width of the address register src[0]; 0 = absolute address */
    bool frame_relative; /**< SPACE_LOCAL: offset counts from the activation's local_base */
    bool call_slot;      /**< SPACE_LOCAL: an argument or a result of a function, `.param` in the text */
    bool ftz, noftz;     /**< floating atomics */
};

/** One decoded instruction. Offsets are register offsets as above. */
struct insn {
    handler_fn fn;
    uint32_t dst, dst2;
    uint32_t src[4];
    uint32_t guard;            /**< predicate register of `@p`, REG_NONE if unguarded */
    bool guard_negated;
    handler_fn inner;          /**< the operation itself where `fn` is the guard wrapper */
    union {
        uint64_t imm;          /**< meaning by operation: shift mode, barrier kind, … */
        int64_t offset;        /**< of a memory address */
        const struct insn *target;   /**< of a branch or direct call */
    };
    struct mem_desc mem;
    const void *extra;         /**< vector operand offsets, call descriptor, branch table */
    uint32_t site;             /**< index into image->sites */
    const struct op_info *op;  /**< the row of the operation table */
};

/** Where an instruction stands, for findings and diagnostics. */
struct site {
    int ptx_line;
    const char *file;   /**< source file of the user's line, NULL without -lineinfo */
    int line, column;   /**< in `file`: for inlined library code, the user's calling line */
    const char *function;
};

struct param_slot {
    const char *name;
    uint32_t offset, bytes, align;
};

/** A function of the image. Kernels are functions with `is_entry`. */
struct function {
    const char *name;
    struct image *image;
    bool is_entry;
    const struct insn *entry;     /**< NULL for built-in functions (vprintf, malloc, …) */
    const struct insn *end;       /**< one past its last instruction */
    uint32_t frame_bytes;         /**< registers of one activation, for a whole warp */
    uint32_t width_from[5];       /**< where registers of 1 (predicates), 4, 8, 2, 16 bytes begin */
    uint32_t param_bytes;         /**< entry: size of the launch parameter buffer */
    uint32_t local_bytes;         /**< .local storage of one activation, one lane */
    uint32_t shared_bytes;        /**< entry: static shared memory, with everything it calls */
    struct image_variable *shared; /**< static shared variables declared inside, `shared_count` */
    int shared_count;
    uint32_t call_bytes;          /**< param storage that its calls need, one lane */
    uint32_t registers;           /**< estimate for occupancy, as cudaFuncAttributes.numRegs */
    int param_count;
    struct param_slot *params;    /**< formal parameters in order */
    struct param_slot result;     /**< bytes = 0 if none */
    unsigned max_threads[3], req_threads[3], min_blocks;
    bool uses_grid_sync;          /**< reads %envreg1/2 */
    const struct ptx_function *source;
    uint64_t code_address;        /**< its value as a function pointer in device code */
};

/** A module variable with an address. */
struct image_variable {
    const char *name;
    enum ptx_space space;         /**< GLOBAL, CONST or SHARED */
    uint64_t address;             /**< device address; for SHARED the offset in the block's area */
    uint64_t bytes;
    unsigned align;
    bool managed;
    const struct ptx_variable *source;
};

struct image {
    struct ptx_module *module;    /**< owned */
    struct arena arena;
    struct insn *code;            /**< `code_count` entries, all functions one after another */
    uint32_t code_count;
    struct site *sites;
    uint32_t site_count;
    struct function **functions;
    int function_count;
    struct image_variable *variables;
    int variable_count;
    uint8_t *constants;           /**< the constant area, `constant_bytes` long, same layout */
    uint32_t constant_bytes;
    bool checked;                 /**< memory operations call the observers */
};

/** Set in a register offset: relative to the constant area of the warp. */
#define CONST_BIT 0x80000000u

/** Gives module variables their addresses; implemented by memory/. */
struct variable_placer {
    /** Reserves `bytes` of global or const memory and returns the device address, 0 if full. */
    uint64_t (*place)(void *self, const char *name, enum ptx_space space, uint64_t bytes,
                      unsigned align, bool managed);
    /** Copies initial bytes to a placed address. */
    void (*fill)(void *self, uint64_t address, const void *bytes, uint64_t count);
    void *self;
};

/**
 * Decodes a parsed module: takes ownership of `m` (also on failure).
 * Unknown instructions and forms give DIAG_UNSUPPORTED with their PTX line, but only for functions
 * that some entry can reach, or when the entry is launched: decode records the diagnostic in a
 * trapping instruction, so that a module with one exotic kernel can still run its others.
 * @param checked  choose the observed variants of memory operations
 */
struct image *image_decode(struct ptx_module *m, const struct variable_placer *placer,
                           bool checked, struct diag *d);
struct function *image_function(const struct image *im, const char *name);
struct image_variable *image_variable(const struct image *im, const char *name);
/** Prints the decoded program, one instruction a line, for `--dump code`. */
void image_dump(FILE *out, const struct image *im);
void image_free(struct image *im);

/** Bytes that a register has in one lane; 1 for a predicate. */
static inline unsigned function_register_width(const struct function *f, uint32_t offset)
{
    static const uint8_t widths[] = {1, 4, 8, 2, 16};
    int i = 0;
    while (i < 4 && offset >= f->width_from[i + 1])
        i++;
    return widths[i];
}

static inline const struct site *insn_site(const struct image *im, const struct insn *in)
{
    return &im->sites[in->site];
}

#endif
