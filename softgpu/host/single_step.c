/**
 * @file single_step.c
 * Signals, the trap flag, and what an instruction has stored; see single_step.h.
 */
#include "host/single_step.h"

#if defined __x86_64__

#include <execinfo.h>
#include <stdio.h>
#include <string.h>

#define TRAP_FLAG 0x100
#define DIRECTION_FLAG 0x400

static struct sigaction other_fault, other_trap;
static step_handler *our_trap;

bool step_install(step_handler *fault, step_handler *trap)
{
    struct sigaction on_fault = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    struct sigaction on_trap = {.sa_sigaction = trap, .sa_flags = SA_SIGINFO};
    void *frame;
    our_trap = trap;
    backtrace(&frame, 1); /* loads what it needs, outside of a handler */
    return sigaction(SIGSEGV, &on_fault, &other_fault) == 0 &&
           sigaction(SIGTRAP, &on_trap, &other_trap) == 0;
}

static bool goes_to(int signal, step_handler *handler)
{
    struct sigaction now;
    return sigaction(signal, NULL, &now) == 0 && (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handler;
}

bool step_installed(step_handler *fault)
{
    return goes_to(SIGSEGV, fault);
}

/** Another process follows this one's traps: a debugger. */
static bool is_traced(void)
{
    static const char key[] = "TracerPid:\t";
    char text[4096];
    FILE *f = fopen("/proc/self/status", "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    const char *at = strstr(text, key);
    return at && at[sizeof key - 1] != '0';
}

bool step_followed(void)
{
    static int traced = -1;
    sigset_t blocked;
    if (traced < 0)
        traced = is_traced();
    return !traced && our_trap && goes_to(SIGTRAP, our_trap) && !pthread_sigmask(SIG_BLOCK, NULL, &blocked) && !sigismember(&blocked, SIGTRAP);
}

void step_pass_on(int signal, siginfo_t *info, void *context)
{
    const struct sigaction *other = signal == SIGTRAP ? &other_trap : &other_fault;
    if (other->sa_flags & SA_SIGINFO) {
        other->sa_sigaction(signal, info, context);
    } else if (other->sa_handler == SIG_DFL) {
        sigaction(signal, other, NULL); /* the instruction faults again, and ends the program */
        if (signal == SIGTRAP)
            raise(signal);
    } else if (other->sa_handler != SIG_IGN) {
        other->sa_handler(signal);
    }
}

struct single_step step_begin(uint64_t address, const uint8_t *bytes, uint64_t left, ucontext_t *context)
{
    struct single_step s = {.on = true, .address = address,
                            .write = context->uc_mcontext.gregs[REG_ERR] & STEP_ERROR_WRITE,
                            .pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP],
                            .kept = left < STEP_BYTES ? left : STEP_BYTES};
    s.by = instruction_of_program(s.pc);
    memcpy(s.before, bytes, s.kept);
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    return s;
}

void step_on(void)
{
    __asm__ volatile("sub $128, %%rsp\n\t" /* the red zone */
                     "pushfq\n\t"
                     "orq %0, (%%rsp)\n\t"
                     "popfq\n\t"
                     "lea 128(%%rsp), %%rsp" : : "i"(TRAP_FLAG) : "memory", "cc");
}

void step_again(ucontext_t *context)
{
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

void step_end(ucontext_t *context)
{
    context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

bool step_has_come(const siginfo_t *info, const ucontext_t *context)
{
    return info->si_code == TRAP_TRACE || (info->si_code == TRAP_BRKPT && context->uc_mcontext.gregs[REG_EFL] & TRAP_FLAG);
}

uint64_t step_loads(const struct single_step *s)
{
    const uint8_t *pc = (const uint8_t *)(uintptr_t)s->pc;
    uint64_t n = s->by == s->pc && !instruction_masks_load(pc) ? instruction_loads(pc) : 0;
    return n < s->kept ? (n ? n : 1) : s->kept;
}

uint64_t step_stored(const struct single_step *s, const uint8_t *now)
{
    uint64_t n = instruction_stores((const uint8_t *)(uintptr_t)s->pc);
    for (uint64_t i = n; i < s->kept; i++)
        if (now[i] != s->before[i])
            n = i + 1;
    return n;
}

enum instruction_access step_did(const struct single_step *s, const uint8_t *now)
{
    enum instruction_access access = s->write ? instruction_access((const uint8_t *)(uintptr_t)s->pc) : ACCESS_LOAD;
    if (access != ACCESS_SWAP)
        return access;
    return memcmp(s->before, now, s->kept) ? ACCESS_UPDATE : ACCESS_LOAD;
}

bool string_begin(const ucontext_t *context, struct step_string *s)
{
    const greg_t *r = context->uc_mcontext.gregs;
    if (!instruction_string((const uint8_t *)(uintptr_t)r[REG_RIP], &s->what) ||
        r[REG_EFL] & DIRECTION_FLAG)
        return false;
    s->to = (uint64_t)r[REG_RDI];
    s->from = (uint64_t)r[REG_RSI];
    s->bytes = (uint64_t)r[REG_RCX] * s->what.width;
    return true;
}

bool string_fits(struct step_string *s)
{
    s->bytes -= s->bytes % s->what.width;
    return s->bytes && !(s->what.moves && s->to < s->from + s->bytes && s->from < s->to + s->bytes);
}

void string_do(ucontext_t *context, const struct step_string *s, uint8_t *to, const uint8_t *from)
{
    greg_t *r = context->uc_mcontext.gregs;
    if (s->what.moves)
        memcpy(to, from, s->bytes);
    else
        for (uint64_t i = 0; i < s->bytes; i += s->what.width)
            memcpy(to + i, &r[REG_RAX], s->what.width);
    r[REG_RDI] += (greg_t)s->bytes;
    r[REG_RSI] += s->what.moves ? (greg_t)s->bytes : 0;
    r[REG_RCX] -= (greg_t)(s->bytes / s->what.width);
    if (!r[REG_RCX])
        r[REG_RIP] += (greg_t)s->what.length;
}

#endif
