/**
 * @file operand.h
 * What of memory the instruction touches that a thread is about to execute (x86-64).
 */
#ifndef SOFTGPU_HOST_OPERAND_H
#define SOFTGPU_HOST_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#if defined __x86_64__
#include <ucontext.h>

/** An instruction's operand in memory. */
struct operand {
    uint64_t address, bytes;
    bool loads, stores;
    bool guesses;                /**< a wide load of a form that functions such as strlen() use, also beyond what they ask about */
};

/**
 * The operand of the instruction at the context's program counter. What the instruction has on the stack by itself (push, call) is
 * none, nor what a mask leaves out in part.
 * @return false if it has none, or one that is not known
 */
bool operand_of(const ucontext_t *context, struct operand *o);

#endif
#endif
