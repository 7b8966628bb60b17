/**
 * @file insn.h
 * One decoded instruction: the row of the operation table that was chosen for it, its operands, and what
 * it keeps beside them.
 *
 * What an instruction is, insn->op says: ask insn_class(), insn_row(), and the columns of its row. Which
 * function runs it, insn->run, is written by execute/bind.c alone, and nobody compares it. Whoever wants
 * its registers asks operands.h.
 */
#ifndef SOFTGPU_CODE_INSN_H
#define SOFTGPU_CODE_INSN_H

#include "code/ops.h"
#include "parse/types.h"

#define WARP_LANES 32

struct warp;
struct insn;

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

/** Set in a register offset: relative to the constant area of the warp. */
#define CONST_BIT 0x80000000u

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
    bool cluster;        /**< SPACE_SHARED: of any block of the cluster */
    bool frame_relative; /**< SPACE_LOCAL: offset counts from the activation's local_base */
    bool call_slot;      /**< SPACE_LOCAL: an argument or a result of a function, `.param` in the text */
    bool ftz, noftz;     /**< floating atomics */
    bool restricted;     /**< of a fence: to shared memory */
    bool discards;       /**< a store of what is no value */
    bool again;          /**< a load: .cv, which fetches what others may have changed; no order comes of it */
    bool texture;        /**< a texel's, through the texture path */
    bool derives;        /**< … and what is read goes into a computation at once */
    uint32_t object_bytes; /**< of the one .shared variable that the address is made of; 0: not known which, or how large it is */
};

/** One decoded instruction. Offsets are register offsets as above. */
struct insn {
    handler_fn run;            /**< execute/bind.c's: never compared */
    uint32_t dst, dst2;
    uint32_t src[4];
    uint32_t guard;            /**< predicate register of `@p`, REG_NONE if unguarded */
    bool guard_negated;
    handler_fn body;           /**< execute/bind.c's: the operation itself where `run` tests the guard */
    union {
        uint64_t imm;          /**< meaning by operation: shift mode, barrier kind, … */
        int64_t offset;        /**< of a memory address */
        const struct insn *target;   /**< of a branch */
    };
    struct mem_desc mem;
    const void *extra;         /**< as insn->op->extra says (enum insn_extra), or a description of
                                    the operation that has no operands (descriptions.h) */
    uint32_t site;             /**< index into image->sites */
    uint32_t object;           /**< where that variable begins in shared memory; mem.object_bytes 0: see insn_is_named() */
    const struct op_info *op;  /**< the row that was chosen; never NULL */
};

static inline enum insn_class insn_class(const struct insn *in)
{
    return (enum insn_class)in->op->insn_class;
}

static inline enum op_row insn_row(const struct insn *in)
{
    return (enum op_row)(in->op - op_table);
}

static inline bool insn_is_guarded(const struct insn *in)
{
    return in->guard != REG_NONE;
}

/** A load, store or atomic. */
static inline bool insn_is_memory(const struct insn *in)
{
    enum insn_class c = insn_class(in);
    return c == INSN_LOAD || c == INSN_STORE || c == INSN_ATOMIC;
}

/** … which may go to dynamic shared memory, in a function of a kernel that has two names for that, or more: insn->object is then 1 + the number of the image's variable
 *  that its address is made of, or NAME_UNKNOWN. */
#define NAME_UNKNOWN UINT32_MAX
static inline bool insn_is_named(const struct insn *in)
{
    return !in->mem.object_bytes && in->object;
}

/** Some of a group's lanes may stop at it, or go elsewhere. A branch parts its group itself. */
static inline bool insn_may_split(const struct insn *in)
{
    return insn_class(in) >= INSN_SWITCH;
}

/** The thread leaves the function for good, if the guard lets it. */
static inline bool insn_leaves(const struct insn *in)
{
    enum insn_class c = insn_class(in);
    return c == INSN_RETURN || c == INSN_EXIT || c == INSN_TRAP;
}

/** What follows need not be what is executed next. */
static inline bool insn_ends_block(const struct insn *in)
{
    enum insn_class c = insn_class(in);
    return c == INSN_BRANCH || c == INSN_SWITCH || insn_leaves(in);
}

/** May the next instruction in the text be executed next? */
static inline bool insn_falls_through(const struct insn *in)
{
    return insn_is_guarded(in) || !insn_ends_block(in);
}

/** Registers of a vector access, `extra` of EXTRA_ELEMENTS where mem.count > 1; an atomic's operands
 *  follow its results. The data of element `e`: what a load or an atomic's result goes to. */
static inline uint32_t element_target(const struct insn *in, unsigned e)
{
    return in->mem.count > 1 ? ((const uint32_t *)in->extra)[e] : in->dst;
}

/** What a store stores. */
static inline uint32_t element_stored(const struct insn *in, unsigned e)
{
    return in->mem.count > 1 ? ((const uint32_t *)in->extra)[e] : in->src[1];
}

/** Does an atomic of two operands, not a compare-and-swap, leave any value as it was? `operand`: as wide as the element. Of floating
 *  sums with 0: but for a negative zero. */
bool atomic_keeps(const struct mem_desc *d, uint64_t operand);

/** The (first) operand of an atomic. */
static inline uint32_t element_operand(const struct insn *in, unsigned e)
{
    return in->mem.count > 1 ? ((const uint32_t *)in->extra)[in->mem.count + e] : in->src[1];
}

/** The address that a lane gives, in the instruction's space; `reg` is its address register src[0]. */
static inline uint64_t insn_address(const struct insn *in, const void *reg, int lane)
{
    switch (in->mem.address_bytes) {
    case 0:
        return (uint64_t)in->offset;
    case 4:
        return (uint32_t)(((const uint32_t *)reg)[lane] + (uint64_t)in->offset);
    default:
        return ((const uint64_t *)reg)[lane] + (uint64_t)in->offset;
    }
}

/* ---- What a memory order means (PTX ISA 8.2) */

/** Strong accesses may signal and poll other threads: everything but weak and .nc. */
static inline bool order_is_strong(const struct mem_desc *d)
{
    return d->order != ORDER_WEAK && d->order != ORDER_NC;
}

/** The scope of a strong access, and the one that a weak access is taken to have where it matters. */
static inline uint8_t order_scope(const struct mem_desc *d)
{
    if (d->order == ORDER_VOLATILE || d->order == ORDER_MMIO)
        return SCOPE_SYS;
    return d->scope ? d->scope : SCOPE_GPU;
}

static inline bool order_acquires(enum mem_order order)
{
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SC;
}

static inline bool order_releases(enum mem_order order)
{
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SC;
}

/* ---- What calls and switches keep */

/** One argument or result of a call. */
struct call_slot {
    uint32_t offset;      /**< in the caller's lane-local storage, or a register offset */
    uint32_t bytes;
    bool is_register;
};

/** insn->extra of a call. Formals: callee->params[i].offset / callee->result.offset in the callee's
 *  lane-local storage. Indirect: callee NULL, insn->src[0] is the 64-bit code address. */
struct call_desc {
    const struct function *callee;
    int arg_count;
    const struct call_slot *args;
    struct call_slot result;       /**< bytes = 0: none wanted */
};

/** insn->extra of brx.idx; insn->src[0] is the 32-bit index. */
struct branch_table {
    uint32_t count;
    const struct insn **targets;
};

#endif
