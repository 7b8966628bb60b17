/**
 * @file watch.c
 * The program's own loads and stores of memory that it shares with the device, told to the server while
 * operations are outstanding: the client's half of runtime/host_watch.c, in the same way. The mappings
 * are protected; an access faults, the server lets the device go on as for a poll, the page is opened for
 * one instruction, and the server is told what that touched (x86-64; elsewhere nothing is watched).
 */
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "base/instruction.h"
#include "remote/client/client.h"

static pthread_mutex_t state_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t state; /**< the newest change that is applied */

static bool never(uintptr_t base, const void *self)
{
    (void)base, (void)self;
    return false;
}

void watch_end(void)
{
    shared_protect(never, NULL);
}

#if defined __x86_64__

#define PAGE 4096ull
#define MAX_WRITE 64
#define TRAP_FLAG 0x100
#define DIRECTION_FLAG 0x400
#define ERROR_WRITE 2

/** The instruction that a thread is being led through. */
struct step {
    bool on, write;
    uintptr_t address, pc, by;
    uint8_t before[MAX_WRITE];
    size_t kept;
};
static __thread struct step step;
static pthread_mutex_t step_lock = PTHREAD_MUTEX_INITIALIZER; /**< one thread at a time */
static struct sigaction other_fault, other_trap;
static bool installed;

static void protect_page(uintptr_t address, int access)
{
    mprotect((void *)(address & ~(PAGE - 1)), PAGE, access);
}

/** @return whether an access is to be followed */
static bool tell(const struct wire_touch *t)
{
    struct call c;
    uint32_t follow = 0;
    const void *entry = entry_site;
    entry_site = NULL;
    call_begin(&c, WIRE_TOUCH, NULL);
    call_put(&c, t, sizeof *t);
    call_do(&c);
    call_get(&c, &follow, sizeof follow);
    entry_site = entry;
    return follow;
}

static void pass_to(const struct sigaction *other, int signal, siginfo_t *info, void *context)
{
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

static void begin_step(uintptr_t address, const struct shared_block *b, ucontext_t *context)
{
    uintptr_t end = b->base + b->bytes;
    size_t in_page = PAGE - (address & (PAGE - 1)); /* the next page may be closed */
    step = (struct step){.on = true, .address = address,
                         .write = context->uc_mcontext.gregs[REG_ERR] & ERROR_WRITE,
                         .pc = (uintptr_t)context->uc_mcontext.gregs[REG_RIP],
                         .kept = address < end ? end - address : 0};
    step.kept = step.kept < MAX_WRITE ? step.kept : MAX_WRITE;
    step.kept = step.kept < in_page ? step.kept : in_page;
    step.by = instruction_of_program(step.pc);
    protect_page(address, PROT_READ | PROT_WRITE);
    memcpy(step.before, (const void *)address, step.kept);
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

/* ---- copies and fills by one instruction, a page at a time ---- */

/** Lessens `n` to what lies in one page and one block. @return whether it is shared memory */
static bool string_side(uintptr_t address, uint64_t *n, struct shared_block *b)
{
    uint64_t left = PAGE - address % PAGE;
    bool shared = shared_find(address, b) && address < b->base + b->bytes;
    if (shared && b->base + b->bytes - address < left)
        left = b->base + b->bytes - address;
    *n = *n < left ? *n : left;
    return shared;
}

/** @return false if it is no such instruction, or one that has to go step by step */
static bool run_string(ucontext_t *context)
{
    greg_t *r = context->uc_mcontext.gregs;
    struct instruction_string s;
    struct shared_block to_block, from_block;
    if (!instruction_string((const uint8_t *)r[REG_RIP], &s) || r[REG_EFL] & DIRECTION_FLAG)
        return false;
    uintptr_t to = (uintptr_t)r[REG_RDI], from = (uintptr_t)r[REG_RSI];
    uint64_t n = (uint64_t)r[REG_RCX] * s.width;
    bool to_shared = string_side(to, &n, &to_block);
    bool from_shared = s.moves && string_side(from, &n, &from_block);
    n -= n % s.width;
    if (!n || (s.moves && to < from + n && from < to + n))
        return false;
    if (to_shared)
        protect_page(to, PROT_READ | PROT_WRITE);
    if (from_shared)
        protect_page(from, PROT_READ | PROT_WRITE);
    if (s.moves)
        memcpy((void *)to, (const void *)from, n);
    else
        for (uint64_t i = 0; i < n; i += s.width)
            memcpy((char *)to + i, &r[REG_RAX], s.width);
    if (to_shared && to_block.closed)
        protect_page(to, PROT_NONE);
    if (from_shared && from_block.closed)
        protect_page(from, PROT_NONE);
    uint64_t pc = program_offset(instruction_of_program((uintptr_t)r[REG_RIP]));
    tell(&(struct wire_touch){to_shared ? to : from, n, pc, to_shared && from_shared ? from : 0,
                              to_shared, 1});
    r[REG_RDI] += (greg_t)n;
    r[REG_RSI] += s.moves ? (greg_t)n : 0;
    r[REG_RCX] -= (greg_t)(n / s.width);
    if (!r[REG_RCX])
        r[REG_RIP] += (greg_t)s.length;
    return true;
}

/* ---- signals ---- */

static void on_fault(int signal, siginfo_t *info, void *context)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    struct shared_block b;
    int error = errno;
    if (!shared_find(address, &b)) {
        pass_to(&other_fault, signal, info, context);
        return;
    }
    if (step.on || exchanging) { /* an instruction's second page; or this library */
        shared_open(address);
        errno = error;
        return;
    }
    pthread_mutex_lock(&step_lock);
    if (!tell(&(struct wire_touch){.address = address})) {
        shared_open(address);
        pthread_mutex_unlock(&step_lock);
    } else if (run_string(context)) {
        pthread_mutex_unlock(&step_lock);
    } else {
        begin_step(address, &b, context); /* keeps step_lock */
    }
    errno = error;
}

static size_t bytes_written(void)
{
    const uint8_t *now = (const uint8_t *)step.address;
    size_t n = instruction_stores((const uint8_t *)step.pc);
    for (size_t i = 0; i < step.kept; i++)
        if (now[i] != step.before[i])
            n = i + 1;
    return n;
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
    struct shared_block b;
    if (!step.on) {
        pass_to(&other_trap, signal, info, context);
        return;
    }
    int error = errno;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    struct wire_touch t = {step.address, step.write ? bytes_written() : 1, program_offset(step.by), 0,
                           step.write, 1};
    if (shared_find(step.address, &b) && b.closed)
        protect_page(step.address, PROT_NONE);
    tell(&t);
    step.on = false;
    errno = error;
    pthread_mutex_unlock(&step_lock);
}

static bool install(void)
{
    struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    struct sigaction trap = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    void *frame;
    backtrace(&frame, 1); /* loads what it needs, outside of a handler */
    return sigaction(SIGSEGV, &fault, &other_fault) == 0 &&
           sigaction(SIGTRAP, &trap, &other_trap) == 0;
}

/* ---- when ---- */

struct wanted {
    size_t count;
    uint64_t bases[WIRE_WATCHED];
};

static bool is_wanted(uintptr_t base, const void *self)
{
    const struct wanted *w = self;
    for (size_t i = 0; i < w->count; i++)
        if (w->bases[i] == base)
            return true;
    return false;
}

void watch_apply(uint64_t change)
{
    static struct wanted wanted;
    struct call c;
    uint64_t number = 0;
    if (change <= __atomic_load_n(&state, __ATOMIC_RELAXED) && !shared_is_opened())
        return;
    pthread_mutex_lock(&state_lock);
    call_begin(&c, WIRE_WATCH, NULL);
    c.bulk_to = wanted.bases;
    c.bulk_room = sizeof wanted.bases;
    if (call_do(&c) == cudaSuccess) {
        call_get(&c, &number, sizeof number);
        wanted.count = c.answer.bulk_bytes / sizeof *wanted.bases;
        if (wanted.count && !installed && !(installed = install()))
            wanted.count = 0;
        shared_protect(is_wanted, &wanted);
        __atomic_store_n(&state, number, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&state_lock);
}

#else

void watch_apply(uint64_t change)
{
    (void)change, (void)state_lock, (void)state;
}

#endif
