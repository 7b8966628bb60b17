/**
 * @file image.h
 * Decoded programs: what the executor runs.
 *
 * One `struct image` per loaded module: all functions in one flat array of `struct insn`, so that
 * an instruction pointer identifies a place in the program. Registers are numbered, typed by width
 * only and laid out lane by lane; constants sit in register slots that are filled once per warp.
 * All of it is immutable once it is decoded and bound, and shared by every warp and host thread.
 */
#ifndef SOFTGPU_CODE_IMAGE_H
#define SOFTGPU_CODE_IMAGE_H

#include "code/insn.h"
#include "base/arena.h"

#define MAX_CALLERS 3

/** A line of the user's from which a function was called that the compiler inlined there. */
struct caller {
    const char *file;
    int line;
};

/** Where an instruction stands, for findings and diagnostics. */
struct site {
    int ptx_line;
    const char *file;   /**< source file of the user's line, NULL without -lineinfo */
    int line, column;   /**< in `file`: for inlined library code, the user's calling line */
    struct caller callers[MAX_CALLERS]; /**< of an inlined function, from the inside out */
    int caller_count;   /**< of a longer chain the last one kept is the outermost */
    struct caller inside; /**< of library code, the innermost line of its headers; line 0: the user's own code */
    bool in_library;    /**< no line of the user's leads there: `file` is a library's */
    const char *function;
};

struct flow;

struct param_slot {
    const char *name;
    uint32_t offset, bytes, align;
};

/** A register's place in the frame, and the part of the text in which that place is its own: from the instruction
 *  that first writes it to the last that needs it, each counted from the function's first. */
struct register_span {
    uint32_t offset;              /**< REG_NONE: never used */
    uint32_t from, to;            /**< it holds its value before instructions from + 1 to `to` */
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
    uint32_t local_first, local_end; /**< its .local variables there; equal: none */
    uint32_t local_behind;        /**< what lies between local_end and here is nobody's, nor what lies before local_first */
    uint32_t local_gaps;          /**< of local_bytes: LOCAL_GAPs beside them */
    uint32_t shared_bytes;        /**< entry: static shared memory, with everything it calls */
    struct image_variable *shared; /**< static shared variables declared inside, `shared_count` */
    int shared_count;
    const char *dynamic_shared;   /**< entry: the `.extern .shared` array that it names, or what it calls; NULL: none */
    uint32_t call_bytes;          /**< param storage that its calls need, one lane */
    uint32_t registers;           /**< estimate for occupancy, as cudaFuncAttributes.numRegs */
    int param_count;
    struct param_slot *params;    /**< formal parameters in order */
    struct param_slot result;     /**< bytes = 0 if none */
    unsigned max_threads[3], req_threads[3], min_blocks;
    unsigned cluster[3], max_cluster; /**< blocks of a cluster: as the text says, 0 nothing; most of them, 0 not said */
    bool blocks_are_clusters;     /**< launches count clusters, not blocks */
    bool uses_grid_sync, keeps_names; /**< reads %envreg1/2; entry: all in it, and in what it calls, that may go to dynamic shared memory insn_is_named() */
    const struct ptx_function *source;
    uint64_t code_address;        /**< its value as a function pointer in device code */
    const struct register_span *spans; /**< where each of source->regs lies, in that order; NULL: no body */
    const uint32_t *unset;        /**< entry: where registers lie that some way reads before it writes them, `unset_count` */
    int unset_count;
    bool writes_first;            /**< no register is read before it is written: nobody need clear them */
    uint64_t heat, conflicts;     /**< what interpreting its grids has taken so far (compile/hot.c); what its accesses have met (check/race/overlooked.h) */
    struct flow **flow;           /**< its graph, analyse/flow.h's: made there when first asked for */
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

/** Machine code of a function, to be entered at one of its instructions: gives what a handler gives, or with
 *  MACHINE_CODE_WAITS in it a barrier at which the whole warp stands, counted already, all that is live in its frame. */
typedef const struct insn *machine_code_fn(struct warp *w, uint32_t entry);
struct machine_code {
    machine_code_fn *run;
    uint32_t entry;               /**< even; behind such a barrier there is a shorter way in, by the odd number that follows */
};
#define MACHINE_CODE_WAITS 2u /* beside 1: it has not begun, for a register differs among lanes that it takes to be alike */

struct image {
    struct ptx_module *module;    /**< owned */
    struct arena arena;
    struct insn *code;            /**< `code_count` entries, all functions one after another */
    struct site *sites;
    uint32_t code_count, site_count;
    struct function **functions;
    int function_count, asked_last; /**< the second: the place there of what image_function_at() has found last, for mostly the same is asked for again */
    struct image_variable *variables;
    int variable_count;
    uint8_t *constants;           /**< the constant area, `constant_bytes` long, same layout */
    uint32_t constant_bytes;
    const char *lacking;          /**< instructions that the module's `.target` does not have, a line each; NULL: none */
    bool checked;                 /**< bound to handlers that call the observers */
    struct machine_code *machine_code; /**< by instruction, `code_count`; NULL: nothing is compiled */
    struct compiled *compiled;    /**< compile/'s own: what holds that code */
};

struct function *image_function(const struct image *im, const char *name);
struct image_variable *image_variable(const struct image *im, const char *name);
/** The function that an instruction belongs to; NULL if to none of the image. */
const struct function *image_function_at(const struct image *im, const struct insn *in);
/** Machine code that can be entered at an instruction of the image; NULL: there is none. */
static inline const struct machine_code *image_machine_code(const struct image *im, const struct insn *in)
{
    const struct machine_code *code = im->machine_code ? &im->machine_code[in - im->code] : NULL;
    return code && code->run ? code : NULL;
}
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

/** The instruction of a site: each has its own. NULL if the image has no such site. */
static inline const struct insn *image_site_insn(const struct image *im, uint32_t site)
{
    return site < im->code_count ? &im->code[site] : NULL;
}

static inline const struct site *insn_site(const struct image *im, const struct insn *in)
{
    return &im->sites[in->site];
}

#endif
