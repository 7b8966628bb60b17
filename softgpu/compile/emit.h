/**
 * @file emit.h
 * Private to compile/: a function's plan as LLVM's text.
 *
 * Every register, the mask of lanes that run and the mask of each place where lanes may wait are variables (allocas) of
 * the text; LLVM makes values of them. In the text
 *   %w       the warp               %m       the running lanes
 *   %all     the lanes at entry     %rN      the register of web N
 *   %pN      the lanes that wait at block N
 *   %n %l    instructions and lane instructions to be counted
 *   %s       the first instruction that is not counted in them, as bytes from the function's beginning on
 *   %places  lanes' places on their way out of a vector, %elements what they store
 *   %uneven %sectors  lanes' addresses, and the sectors of the lane before, where lanes are served one after another
 *   %rows    how many rows of its block the warp is, 1 or 2, as long as its registers have the forms of form.h; else 0
 *   %went    the same, where the code goes on at an entry behind a call
 *   %KvN %KbN %KfN %KoN %KgN  range N: is it known, element 0's address, the least index and how many there are from it on, the place of that on the host
 *   %refusal what to give back where an entry finds that lanes differ
 * What lies in the process has names, which support.c's compiled_symbol() knows: "code" the function's first instruction, "hN" the handler of
 * number N, and functions. So the text, and what LLVM makes of it, are the same in each process.
 * Functions of the module are each_load32() and its like, for lanes that lie anyhow: in the code of each access they would be most of it.
 * Labels: eN, kN an entry by its number: anyhow, or as a barrier was left; bN a block, iN an instruction within one, lN leaving before an instruction.
 */
#ifndef SOFTGPU_COMPILE_EMIT_H
#define SOFTGPU_COMPILE_EMIT_H

#include <stdio.h>

#include "compile/plan.h"

/** A value of the text: a name or a number. */
struct value {
    char text[40];
    bool vector;              /**< one for each lane */
};

#define KNOWN_RANGES 8
#define UNEVEN_TURNS 8  /* of a loop, that are made of each lane at once (emit_uneven.c), … */
#define UNEVEN_GROUPS 4 /* … with at most so many groups of loads */

struct emit {
    FILE *out;
    const struct plan *p;
    int next;                 /**< number of the next value's name */
    int block;                /**< that is being written */
    int at;                   /**< the instruction that is being written */
    int *webs;                /**< scratch, by slot */
    bool wide;                /**< the processor has AVX-512 */
    bool gathers;             /**< … and gathers sooner than it loads one by one */
    bool adds_by_lanes;       /**< … and adds products of what it loads one lane after another sooner (emit_sums.c) */
    struct known_range {      /**< what loads by an index have found out of a base (emit_gather.c): those through one register, of one kind, find it once */
        int web;
        long long offset;
        unsigned shift, bytes;
        bool is_signed;
    } ranges[KNOWN_RANGES];
    int range_count;
    int fetched;              /**< loads of which a later turn's row is fetched (emit_fetch.c) */
    bool each[2][2];          /**< lanes one by one: stores and loads, of 32 and of 64 bits, are called (emit_lanes.c) */
    bool *handlers;           /**< by instruction: its handler is called */
    bool *leaves;             /**< by instruction: a label is needed at which it is left */
    struct value (*sources)[3]; /**< by instruction: a row's sources, as they were there */
    struct value *raw;        /**< by slot: what the register holds before its NaNs became PTX's; "": nothing is known (emit_rows.c) */
    uint64_t *live, *dirty;   /**< scratch */
};

/* emit.c */

#define T(e, ...) fprintf((e)->out, __VA_ARGS__)
#define FIELD(type, field) ((int)offsetof(struct type, field))

/** A new name. */
struct value emit_new(struct emit *e, bool vector);
/** The type of `bits` (1, 8, 16, 32, 64), for one lane or for all. */
const char *emit_type(unsigned bits, bool vector);
/** Bits of a register's value: 1 for a predicate. A literal has none of its own: its reader says how many. */
unsigned emit_bits(const struct emit *e, uint32_t reg);
/** What a register holds that the instruction reads which is being written, or a literal of so many bits. */
struct value emit_use_as(struct emit *e, uint32_t reg, unsigned bits);
/** What a web holds. */
struct value emit_web(struct emit *e, int web);
/** Does the register differ among lanes that the instruction writes which is being written? */
bool emit_varies(const struct emit *e, uint32_t reg);
/** The same for each lane. */
struct value emit_spread(struct emit *e, struct value v, unsigned bits);
/** What `in` leaves in the register where its result is `v`: of lanes that are not to have it, `old`. */
struct value emit_merged(struct emit *e, const struct insn *in, uint32_t reg, struct value v, struct value old);
/** Writes a result of `in`, for the lanes that are to have it. */
void emit_define(struct emit *e, const struct insn *in, uint32_t reg, struct value v);
/** A field of a structure: loads `type` at `offset` from `base`. */
struct value emit_load(struct emit *e, const char *type, const char *base, int offset);
void emit_store(struct emit *e, const char *type, const char *v, const char *base, int offset);
/** Adds to a field of 64 bits. */
void emit_add(struct emit *e, const char *v, const char *base, int offset);
/** The running lanes of `in`: those of the group whose guard lets them; a number of 32 bits. */
struct value emit_active(struct emit *e, const struct insn *in);
/** A truth for each lane of a number's bits. Without AVX-512 they come of comparisons: LLVM would take each bit out by itself. */
struct value emit_mask(struct emit *e, const char *bits);
/** A pointer to the instruction, `more` bytes on, as an operand. */
void emit_place(struct emit *e, const struct insn *in, unsigned more);
/** Bytes from the function's beginning to instruction `i`. */
unsigned long long emit_offset(int i);

/** Writes the instruction. */
void emit_insn(struct emit *e, const struct insn *in);
/** Writes the module. The caller frees it; NULL if that is not possible. `length` without the final 0. */
char *emit_module(const struct plan *p, size_t *length);

/* emit_entry.c */

/** Between the register, of that web, and its place in the frame. */
void emit_spill(struct emit *e, int web);
void emit_reload(struct emit *e, const struct insn *in, uint32_t reg);
/** The number under which instruction `i` is entered. */
int emit_entry_number(const struct emit *e, int i);
/** The rest of the switch by which the code is entered, and what it leads to. */
void emit_ways_in(struct emit *e);

/* emit_rows.c */
/** Somebody may come in here: of what registers held before no other value is known. */
void emit_forget_raw(struct emit *e);
void emit_row(struct emit *e, const struct insn *in);
void emit_logic(struct emit *e, const struct insn *in);
void emit_special(struct emit *e, const struct insn *in);

/* emit_gather.c */
/** The variables of ranges; and: somebody is called who may free memory. */
void emit_ranges(struct emit *e);
void emit_forget_ranges(struct emit *e);

/* emit_fetch.c */
/** The variables of loads of which a later turn's row is fetched. */
void emit_fetch_variables(struct emit *e);

/* emit_straight.c */
/** Of a block whose loads can all be looked at before anything of it is done: writes it but for its branch, without any question in between. @return the first
 *  instruction of the block that is still to be written */
int emit_straight(struct emit *e);

/* emit_group.c, emit_global.c, emit_shared.c */
void emit_param(struct emit *e, const struct insn *in);
void emit_global(struct emit *e, const struct insn *in);
/** … that belongs to no group of loads. */
void emit_global_alone(struct emit *e, const struct insn *in);
void emit_shared(struct emit *e, const struct insn *in);

/* emit_watched.c */
void emit_watched(struct emit *e, const struct insn *in);
/** note_access() of the interpreter. */
void emit_note_access(struct emit *e, const struct insn *in);

/* emit_quiet_global.c */
/** A load that may be quiet, and else is the handler's. */
void emit_perhaps_quiet(struct emit *e, const struct insn *in);

/* emit_directed.c */
/** A row with another rounding than to nearest, with AVX-512. */
void emit_directed(struct emit *e, const struct insn *in, int sources);
/**
 * The operation of a row of double precision, without what becomes of a NaN.
 * @param real its sources, as double; @param vector are those of 32 lanes? So is the result.
 */
struct value emit_directed_double(struct emit *e, const struct insn *in, const struct value *real, int sources, bool vector);
/** The same as a row's text, without; NULL: there is none. */
const char *emit_directed_text(const struct insn *in);

/* emit_handler.c */
void emit_handler(struct emit *e, const struct insn *in);
/** Calls the handler, which may fault; behind it the results are in the frame. */
void emit_faulting(struct emit *e, const struct insn *in);
void emit_memory_call(struct emit *e, const struct insn *in);
void emit_call(struct emit *e, const struct insn *in);
/** The whole warp waits. */
void emit_barrier(struct emit *e, const struct insn *in);
/** The code at label lN. */
void emit_leave(struct emit *e, int i);

/* emit_branch.c */
/** What comes before the instructions of a block: those who wait here join. */
void emit_arrival(struct emit *e, int block);
void emit_branch(struct emit *e, const struct insn *in);
/** Counts the instructions before number `end` for the running lanes; what follows begins at number `next`. */
void emit_count(struct emit *e, int end, int next);

static inline int emit_index(const struct emit *e, const struct insn *in)
{
    return (int)(in - e->p->f->entry);
}

#endif
