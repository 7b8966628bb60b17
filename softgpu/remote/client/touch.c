/**
 * @file touch.c
 * The program's own loads and stores of memory that it shares with the device, told to the server while
 * operations are outstanding: the client's half of runtime/memory/host_watch.c, in the same way. The mappings
 * are protected; an access faults, the server lets the device go on as for a poll, the page is opened for
 * one instruction, and the server is told what that touched (x86-64; elsewhere nothing is watched).
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "host/single_step.h"
#include "host/system_calls.h"
#include "memory/layout.h"
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

static __thread struct single_step step;
static __thread uint64_t stale; /**< bytes that the load is shown as they were; `before` comes back after it */
static pthread_mutex_t step_lock = PTHREAD_MUTEX_INITIALIZER; /**< one thread at a time */

static void protect_page(uintptr_t address, int access)
{
    mprotect((void *)(address & ~(STEP_PAGE - 1)), STEP_PAGE, access);
}

/** `old`: NULL, or room for t->old_bytes that the answer may bring. */
static void exchange_touch(struct call *c, const struct wire_touch *t, uint8_t *old)
{
    const void *entry = entry_site;
    entry_site = NULL;
    call_begin(c, WIRE_TOUCH, NULL);
    c->bulk_to = old;
    c->bulk_room = t->old_bytes;
    call_put(c, t, sizeof *t);
    call_do(c);
    entry_site = entry;
}

/** @return whether an access is to be followed */
static bool begin_touch(uintptr_t address, bool stores)
{
    struct call c;
    uint32_t follow = 0;
    exchange_touch(&c, &(struct wire_touch){.address = address, .access = stores ? ACCESS_STORE : ACCESS_LOAD}, NULL);
    call_get(&c, &follow, sizeof follow);
    return follow;
}

/** Into `old`, with room for `wanted`, what a load that came too early is to see. @return how many bytes:
 *  0 if it did not */
static uint64_t tell_load(uintptr_t address, uint64_t bytes, uint64_t pc, uint8_t *old, uint32_t wanted)
{
    struct call c;
    exchange_touch(&c, &(struct wire_touch){address, bytes, pc, wanted, TOUCH_LOADS, ACCESS_LOAD}, old);
    return c.answer.bulk_bytes;
}

static void end_touch(uintptr_t address, uint64_t touched, enum instruction_access access, uint64_t pc)
{
    struct call c;
    exchange_touch(&c, &(struct wire_touch){address, touched, pc, 0, TOUCH_ENDS, (uint16_t)access}, NULL);
}

static void begin_step(uintptr_t address, const struct shared_block *b, ucontext_t *context)
{
    uintptr_t end = b->base + b->bytes;
    size_t left = address < end ? end - address : 0;
    size_t in_page = STEP_PAGE - (address & (STEP_PAGE - 1)); /* the next page may be closed */
    uint8_t old[STEP_BYTES];
    protect_page(address, PROT_READ | PROT_WRITE);
    step = step_begin(address, (const uint8_t *)address, left < in_page ? left : in_page, context);
    stale = step.kept && !step.write
                ? tell_load(address, step_loads(&step), program_offset(step.by), old, (uint32_t)step.kept) : 0;
    memcpy((void *)address, old, stale); /* nothing else goes on until the access has ended */
}

/* ---- copies and fills by one instruction, a page at a time ---- */

/** Lessens `n` to what lies in one page and one block. @return whether it is shared memory */
static bool string_side(uintptr_t address, uint64_t *n, struct shared_block *b)
{
    uint64_t left = STEP_PAGE - address % STEP_PAGE;
    bool shared = shared_find(address, b) && address < b->base + b->bytes;
    if (shared && b->base + b->bytes - address < left)
        left = b->base + b->bytes - address;
    *n = *n < left ? *n : left;
    return shared;
}

/** @return false if it is no such instruction, or one that has to go step by step */
static bool run_string(ucontext_t *context)
{
    struct step_string s;
    struct shared_block to_block, from_block;
    if (!string_begin(context, &s))
        return false;
    bool to_shared = string_side(s.to, &s.bytes, &to_block);
    bool from_shared = s.what.moves && string_side(s.from, &s.bytes, &from_block);
    if (!string_fits(&s))
        return false;
    uint64_t pc = program_offset(instruction_of_program((uint64_t)context->uc_mcontext.gregs[REG_RIP]));
    static uint8_t old[STEP_PAGE]; /* step_lock */
    const uint8_t *from = (const uint8_t *)s.from;
    if (from_shared && tell_load(s.from, s.bytes, pc, old, (uint32_t)s.bytes) == s.bytes)
        from = old;
    if (to_shared)
        protect_page(s.to, PROT_READ | PROT_WRITE);
    if (from_shared)
        protect_page(s.from, PROT_READ | PROT_WRITE);
    string_do(context, &s, (uint8_t *)s.to, from);
    if (to_shared && to_block.closed)
        protect_page(s.to, PROT_NONE);
    if (from_shared && from_block.closed)
        protect_page(s.from, PROT_NONE);
    end_touch(s.to, to_shared ? s.bytes : 0, ACCESS_STORE, pc);
    return true;
}

/* ---- signals ---- */

/** The program uses device memory itself, and dies of it: the server says where. */
static void tell_stray(uintptr_t address, const ucontext_t *context)
{
    const greg_t *r = context->uc_mcontext.gregs;
    bool shared = address - (HOST_BASE - STEP_PAGE) < HOST_BYTES + STEP_PAGE; /* or right before it: free() looks there */
    struct call c;
    if ((address - DEVICE_BASE >= DEVICE_BYTES && !shared) || exchanging)
        return;
    struct instruction_origin by = instruction_origin((uint64_t)r[REG_RIP]);
    struct wire_stray s = {.address = address, .write = (r[REG_ERR] & STEP_ERROR_WRITE) != 0, .owner = by.owner};
    for (int i = 0; i < by.count; i++)
        s.frames[i] = program_offset(by.frames[i]);
    call_begin(&c, WIRE_STRAY, NULL);
    call_put(&c, &s, sizeof s);
    call_do(&c);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    uintptr_t address = (uintptr_t)info->si_addr;
    struct shared_block b;
    int error = errno;
    if (!shared_find(address, &b)) {
        tell_stray(address, context);
        step_pass_on(signal, info, context);
        return;
    }
    if (step.on || exchanging) { /* an instruction's second page; or this library */
        shared_open(address);
        errno = error;
        return;
    }
    pthread_mutex_lock(&step_lock);
    if (!begin_touch(address, ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & STEP_ERROR_WRITE)) {
        shared_open(address);
        pthread_mutex_unlock(&step_lock);
    } else if (run_string(context)) {
        pthread_mutex_unlock(&step_lock);
    } else {
        begin_step(address, &b, context); /* keeps step_lock */
    }
    errno = error;
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
    struct shared_block b;
    if (!step.on) {
        step_pass_on(signal, info, context);
        return;
    }
    int error = errno;
    step_end(context);
    uint64_t bytes = step.write && step.kept ? step_stored(&step, (const uint8_t *)step.address) : 0;
    enum instruction_access access = step_did(&step, (const uint8_t *)step.address);
    memcpy((void *)step.address, step.before, stale);
    if (shared_find(step.address, &b) && b.closed)
        protect_page(step.address, PROT_NONE);
    end_touch(step.address, bytes, access, program_offset(step.by));
    step.on = false;
    errno = error;
    pthread_mutex_unlock(&step_lock);
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

static bool may_be_closed(uintptr_t address)
{
    struct shared_block b;
    return shared_find(address, &b);
}

void watch_start(void)
{
    system_calls_follow(may_be_closed, NULL);
    if (!step_installed(on_fault))
        step_install(on_fault, on_trap);
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
        if (wanted.count && !step_installed(on_fault) && !step_install(on_fault, on_trap))
            wanted.count = 0;
        if (wanted.count)
            system_calls_follow(may_be_closed, NULL);
        shared_protect(is_wanted, &wanted);
        __atomic_store_n(&state, number, __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&state_lock);
}

#else

void watch_start(void)
{
}

void watch_apply(uint64_t change)
{
    (void)change, (void)state_lock, (void)state;
}

#endif
