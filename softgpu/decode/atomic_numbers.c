/**
 * @file atomic_numbers.c
 * An atomic with a number that the text says: nvcc writes it into the instruction (`atom.add.u32 d, [a], 0`), clang, and nvcc where it
 * does not optimise, into a register before. That is one program, and whether an atomic only looks is read off its operand: where the one instruction that has
 * made the operand moves a number, the atomic gets the number.
 */
#include "analyse/carried.h"
#include "analyse/flow.h"
#include "analyse/origin.h"
#include "code/operands.h"
#include "decode/stages.h"

#define MAX_COPIES 8

/** The constant that the register holds when a thread comes to `at`; the register where the text says none. */
static uint32_t constant_in(const struct function *f, const struct insn *at, uint32_t reg, size_t bytes)
{
    uint32_t from = reg;
    for (int copies = 0; copies < MAX_COPIES && !(from & CONST_BIT); copies++) {
        at = register_writer(f, at, from);
        bool moves = at && (bytes == 4 ? insn_row(at) == ROW_mov_32 : insn_row(at) == ROW_mov_64) && !insn_is_guarded(at);
        from = !moves ? REG_NONE : at->src[0];
        if (from == REG_NONE)
            return reg;
    }
    return from & CONST_BIT ? from : reg;
}

static bool is_register(uint32_t reg)
{
    return reg != REG_NONE && !(reg & CONST_BIT);
}

/** Registers that hold a number somewhere: few ask then where theirs comes from. */
static bool any_moved(const struct function *f, uint32_t reg)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if ((insn_row(in) == ROW_mov_32 || insn_row(in) == ROW_mov_64) && in->dst == reg && in->src[0] & CONST_BIT)
            return true;
    return false;
}

static void take_function(const struct decoder *d, const struct function *f)
{
    bool found = false;
    for (struct insn *in = d->im->code + (f->entry - d->im->code); in < f->end; in++) {
        if (insn_class(in) != INSN_ATOMIC || in->mem.count != 1 || (in->mem.bytes != 4 && in->mem.bytes != 8))
            continue;
        for (int operand = 1; operand < (in->mem.atom == ATOM_CAS ? 3 : 2); operand++) {
            uint32_t reg = in->src[operand];
            if (is_register(reg) && any_moved(f, reg))
                in->src[operand] = constant_in(f, in, reg, in->mem.bytes);
            found |= in->src[operand] != reg;
        }
    }
    if (found)
        *f->flow = NULL; /* what is known of the function so far was made of the registers */
}

void atomic_numbers_take(const struct decoder *d)
{
    for (int i = 0; i < d->im->function_count; i++)
        if (d->infos[i].function->entry)
            take_function(d, d->infos[i].function);
}
