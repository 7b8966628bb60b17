/**
 * @file single_step.h
 * Leading a host thread through one instruction that has faulted on protected memory, with the processor's
 * single step (x86-64). Whoever watches memory so brings two signal handlers: in the first it opens the
 * page and begins the step, in the second it ends it and closes the page again.
 */
#ifndef SOFTGPU_HOST_SINGLE_STEP_H
#define SOFTGPU_HOST_SINGLE_STEP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "host/instruction.h"

#if defined __x86_64__

/** Of a fault's error code: it was a write. */
#define STEP_ERROR_WRITE 2
#define STEP_PAGE 4096ull
/** Bytes that one instruction can store. */
#define STEP_BYTES 64

/** The instruction that a thread is being led through. */
struct single_step {
    bool on, write;
    uint64_t address, pc;        /**< touched; of the instruction */
    uint64_t by;                 /**< instruction_of_program() */
    uint8_t before[STEP_BYTES];  /**< what was at the address */
    uint64_t kept;               /**< bytes in `before` */
};

typedef void step_handler(int signal, siginfo_t *info, void *context);
/** Sends faults and single steps to these handlers. @return false where the system does not let us */
bool step_install(step_handler *fault, step_handler *trap);
/** Whether faults go to this handler now: a program may have put its own in its place. */
bool step_installed(step_handler *fault);
/** Whether this thread's single steps reach the handler, and no debugger first. */
bool step_followed(void);
/** A signal that is none of ours goes to whoever had it before. */
void step_pass_on(int signal, siginfo_t *info, void *context);

/** Begins: the thread stops again after the instruction. `bytes`: where the `left` bytes from `address` to
 *  the end of the memory can be read. */
struct single_step step_begin(uint64_t address, const uint8_t *bytes, uint64_t left, ucontext_t *context);
void step_end(ucontext_t *context);
/** Whether a trap is a step's, not a breakpoint of the program's (`int3`) or somebody's raise(). Linux says TRAP_TRACE, or TRAP_BRKPT where the processor's debug status lacks why it
 *  has stopped, as now and then on a virtual one (arch/x86/kernel/traps.c, exc_debug_user()). */
bool step_has_come(const siginfo_t *info, const ucontext_t *context);
/** Begins where the caller is; the handler that it stops in goes on with step_again(), or ends it. */
void step_on(void);
void step_again(ucontext_t *context);
/** Bytes that it loads, as far as they are the program's: of a library's load, which may reach further than what was asked for, and of one that is masked by a
 *  constant, only the first. */
uint64_t step_loads(const struct single_step *s);
/** How many bytes from the touched one on the instruction has stored: by its operand's size, and more
 *  where more have changed. `now` is what is at the address after it. */
uint64_t step_stored(const struct single_step *s, const uint8_t *now);
/** What it has done: a load, a store or an update. A compare-and-swap that has found something else has loaded. */
enum instruction_access step_did(const struct single_step *s, const uint8_t *now);

/** A repeated MOVS or STOS under way: `bytes` from `from` (if it moves) to `to`. */
struct step_string {
    struct instruction_string what;
    uint64_t to, from, bytes;
};
/** @return false if the instruction is none, or goes backwards */
bool string_begin(const ucontext_t *context, struct step_string *s);
/** After the caller has lessened `bytes`: can they be done at once? Lessens them to whole elements. */
bool string_fits(struct step_string *s);
/** Does them, with the bytes where the caller can reach them, and moves the registers on. */
void string_do(ucontext_t *context, const struct step_string *s, uint8_t *to, const uint8_t *from);

#endif
#endif
