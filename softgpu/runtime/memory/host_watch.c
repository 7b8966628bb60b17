/**
 * @file host_watch.c
 * Protection, faults and single steps (x86-64; elsewhere host accesses are not watched: host_unwatched.c).
 */
#include "runtime/memory/host_watch.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "execute/finding_place.h"
#include "execute/observer_asks.h"
#include "host/call_site.h"
#include "host/single_step.h"
#include "host/system_calls.h"
#include "memory/followed.h"
#include "memory/layout.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/memory/at_rest.h"
#include "runtime/memory/result_watch.h"
#include "runtime/memory/watched.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"
#include "runtime/state/value_op.h"
#include "runtime/state/execution.h"
#include "runtime/state/host_thread.h"

#if defined __x86_64__

/** Accesses that are followed before the watch gives up: each costs two signals. */
#define MAX_TOUCHES 20000
/** Loads before which the device stops at once when it has changed what they load: each may be one of many looks at a count. */
#define MAX_FOUND 1000

/** A thread that is led through an instruction holds the runtime's lock meanwhile. */
static __thread struct single_step step;
static __thread bool rests;      /**< nothing outstanding uses the memory: there is nothing to tell (at_rest.h) */
static __thread bool stale;      /**< the load is shown older bytes; `before` comes back after it */

static bool given_up;
static uint64_t touches;

/* ---- Protection ---- */

static bool may_be_closed(uintptr_t address)
{
    if (runtime_is_locked()) /* a library that the runtime uses reads a file */
        return false;
    runtime_lock();
    bool shared = runtime.machine && shared_at(address);
    runtime_unlock();
    return shared;
}

static void protect(struct watched *w, bool close)
{
    const struct allocation *a = w->allocation;
    if (close && !w->closed && !runtime.host_range)
        system_calls_follow(may_be_closed, at_rest_end);
    if (runtime.host_range) /* a client's mappings are the client's to protect */
        __atomic_add_fetch(&runtime.client_watch, close != w->closed, __ATOMIC_RELAXED);
    else if (!a->freed && a->front)
        mprotect(a->front, (a->bytes + STEP_PAGE - 1) / STEP_PAGE * STEP_PAGE,
                 close ? PROT_NONE : PROT_READ | PROT_WRITE);
    w->closed = close;
    w->opened = w->parted = false;
    w->open_end = w->grown = 0;
}

static void open_all(void)
{
    struct watched_list *all = watched_all();
    for (int i = 0; i < all->count; i++)
        if (all->data[i].closed)
            protect(&all->data[i], false);
    watched_forget();
}

static void give_up(void)
{
    given_up = true;
    open_all();
    report_incomplete(machine_reporter(runtime.machine), INCOMPLETE_HOST);
}

/* ---- What a load that came too early sees ---- */

/** The page in question as it was before pending work was let run. */
static __thread uint8_t old_page[STEP_PAGE];
static __thread uint64_t old_base;     /**< its address in the program's mapping */
static __thread struct op_set known;   /**< what the host knew to be done then */

static void keep_page(const struct allocation *a, uint64_t address)
{
    old_base = address & ~(STEP_PAGE - 1);
    uint64_t offset = old_base - a->base, left = a->bytes - offset;
    memcpy(old_page, a->host + offset, left < STEP_PAGE ? left : STEP_PAGE);
}

/** Tells the observers. @return whether a conflict was found */
static bool tell(uint64_t address, uint64_t bytes, enum instruction_access access, uint64_t pc)
{
    const struct operation *f = runtime_thread()->in_host_function ? runtime.host_function : NULL;
    if (access != ACCESS_STORE)
        values_seen_by_host(address, &known);
    struct host_touch t = {.address = address, .bytes = bytes, .write = access != ACCESS_LOAD, .updates = access == ACCESS_UPDATE, .pc = pc,
                           .done = f ? &f->before : &known, .function = f ? &f->by : NULL};
    return observers_host_touch(machine_observers(runtime.machine), &t);
}

/* ---- Faults ---- */

static void open_page(uint64_t address)
{
    mprotect((void *)(address & ~(STEP_PAGE - 1)), STEP_PAGE, PROT_READ | PROT_WRITE);
}

static void begin_step(struct allocation *a, uint64_t address, ucontext_t *context)
{
    uint64_t offset = address - a->base;
    uint64_t left = offset < a->bytes ? a->bytes - offset : 0;
    step = step_begin(address, a->host + offset, left, context);
    /* Where nothing makes a load wait, it gets the old bytes. */
    stale = left && !rests && !step.write && tell(address, step_loads(&step), ACCESS_LOAD, step.by);
    if (stale) {
        uint64_t left_in_page = STEP_PAGE - (address - old_base);
        memcpy(a->host + offset, old_page + (address - old_base),
               step.kept < left_in_page ? step.kept : left_in_page);
    }
    open_page(address);
}

/* ---- Copies and fills by one instruction ---- */

/** Where the bytes are for the runtime; lessens `n` to what lies in one page and one allocation. */
static uint8_t *string_side(uint64_t address, uint64_t *n)
{
    struct allocation *a = shared_at(address);
    uint64_t left = STEP_PAGE - address % STEP_PAGE, offset = a ? address - a->base : 0;
    if (a && a->bytes - offset < left)
        left = a->bytes - offset;
    *n = *n < left ? *n : left;
    return a ? a->host + offset : (uint8_t *)(uintptr_t)address;
}

static bool string_touch(uint64_t address, uint64_t bytes, enum instruction_access access, uint64_t pc)
{
    const struct allocation *a = shared_at(address);
    return a && tell(address, bytes, access, pc);
}

/** @return false if it is no such instruction, or one that has to go step by step */
static bool run_string(ucontext_t *context)
{
    struct step_string s;
    if (!string_begin(context, &s))
        return false;
    uint8_t *dst = string_side(s.to, &s.bytes);
    const uint8_t *src = s.what.moves ? string_side(s.from, &s.bytes) : NULL;
    if (!string_fits(&s))
        return false;
    uint64_t pc = instruction_of_program((uint64_t)context->uc_mcontext.gregs[REG_RIP]);
    bool early = s.what.moves && string_touch(s.from, s.bytes, ACCESS_LOAD, pc);
    if (early && s.from - old_base < STEP_PAGE && s.bytes <= STEP_PAGE - (s.from - old_base))
        src = old_page + (s.from - old_base);
    string_do(context, &s, dst, src);
    string_touch(s.to, s.bytes, ACCESS_STORE, pc);
    return true;
}

/** Is all that is outstanding one kernel? What comes behind one is else to be compared with what the host does before it has begun. */
static bool kernel_alone(void)
{
    int kernels = 0;
    for (const struct operation *o = runtime.queue_head; o; o = o->next)
        kernels += o->kind == OP_KERNEL ? 1 : o->kind == OP_MARK ? 0 : 2;
    return kernels == 1;
}

/** Also what would be late, as long as something comes to an end: only what has run is compared. And no further than to a change of what the host
 *  `loads`, an address or 0: what comes behind a signal is still to come then. */
static void let_device_go_on(uint64_t loads)
{
    static int found;
    struct allocation *a = loads && found < MAX_FOUND && kernel_alone() ? shared_at(loads) : NULL;
    if (a && loads - a->base < a->bytes)
        machine_look_for(runtime.machine, a->host + (loads - a->base), a->bytes - (loads - a->base));
    for (int before = runtime.queued + 1; runtime.queued && runtime.queued < before && !runtime.sticky;) {
        before = runtime.queued;
        engine_round(DRIVE_BACKGROUND);
        if (machine_has_found(runtime.machine))
            break;
        if (runtime.queued == before && runtime.host_functions && host_calls_wait())
            before++;
    }
    found += machine_has_found(runtime.machine);
    machine_look_for(runtime.machine, NULL, 0);
}

static void tell_stray(uint64_t address, const ucontext_t *context)
{
    const greg_t *r = context->uc_mcontext.gregs;
    host_watch_stray(&(struct host_stray){address, r[REG_ERR] & STEP_ERROR_WRITE, instruction_origin((uint64_t)r[REG_RIP])});
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    if (memory_opens(info->si_addr))
        return;
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    int error = errno;
    if (step.on || runtime_is_locked()) {
        /* The same instruction's second page; or the runtime itself, on the program's behalf. */
        struct watched *w = watched_at(address);
        if (w) {
            open_page(address);
            w->opened = true;
            return;
        }
        if (!step.on)
            tell_stray(address, context);
        step_pass_on(signal, info, context);
        return;
    }
    runtime_lock();
    struct watched *w = watched_at(address);
    if (!w && shared_at(address)) { /* opened since, by whoever held the lock: once more */
        runtime_unlock();
        errno = error;
        return;
    }
    if (!w) {
        tell_stray(address, context);
        runtime_unlock();
        step_pass_on(signal, info, context);
        return;
    }
    rests = w->closed && !w->users && !w->allocation->undefined;
    if (!rests) {
        op_set_copy(&known, &runtime.host_done);
        runtime.last_call_ms = runtime_clock_ms();
        keep_page(w->allocation, address);
        let_device_go_on(((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & STEP_ERROR_WRITE ? 0 : address);
        w = watched_at(address); /* others may have called meanwhile */
        if (w && w->closed && ++touches > MAX_TOUCHES)
            give_up();
    }
    if (given_up || !w || !w->closed) {
        open_page(address), runtime_unlock();
    } else if (rests ? at_rest_opens(w, address, context) : run_string(context)) {
        runtime_unlock();
    } else {
        begin_step(w->allocation, address, context); /* keeps the lock */
    }
    errno = error;
}

static void on_trap(int signal, siginfo_t *info, void *context)
{
    int error = errno;
    if (!step.on) {
        if (!step_has_come(info, context) || !result_watch_step(context))
            step_pass_on(signal, info, context);
        errno = error;
        return;
    }
    step_end(context);
    struct watched *w = watched_at(step.address);
    if (w) {
        const struct allocation *a = w->allocation;
        uint8_t *bytes = a->host + (step.address - a->base);
        if (stale)
            memcpy(bytes, step.before, step.kept);
        if (step.write && step.kept && !rests)
            tell(step.address, step_stored(&step, bytes), step_did(&step, bytes), step.by);
        if (w->opened)
            protect(w, w->closed);
        else if (w->closed)
            mprotect((void *)(step.address & ~(STEP_PAGE - 1)), STEP_PAGE, PROT_NONE);
    }
    step.on = false;
    if (w && !w->users && !w->allocation->undefined && !w->resting)
        host_watch_update(); /* what was watched for is over */
    runtime_unlock();
    result_watch_step(context);
    errno = error;
}

/* ---- When ---- */

void host_watch_issued(const struct operation *op)
{
    if (runtime.options.check && runtime.host_visible && !given_up)
        watched_note(op);
}

void host_watch_update(void)
{
    struct watched_list *all = watched_all();
    if (!runtime.machine || !all->count)
        return;
    watched_count_users();
    int kept = 0;
    for (int i = 0; i < all->count; i++) {
        struct watched *w = &all->data[i];
        bool used = w->users || w->allocation->undefined;
        if (!used && w->used)
            w->resting = at_rest_wanted(w->allocation);
        w->used = used;
        bool wanted = used || w->resting;
        bool close = wanted && !given_up && !runtime.sticky && !w->allocation->freed;
        if (close && !w->closed && !runtime.host_range && !step_installed(on_fault) && !step_install(on_fault, on_trap))
            close = false;
        if (close != w->closed || w->opened || (used && w->parted))
            protect(w, close);
        if (wanted)
            all->data[kept++] = *w;
    }
    all->count = kept;
}

static bool faults_are_followed(void)
{
    sigset_t no; /* blocked by this thread */
    return step_installed(on_fault) && !pthread_sigmask(SIG_BLOCK, NULL, &no) && !sigismember(&no, SIGSEGV);
}

void host_watch_start(void)
{
    if (!runtime.options.check || runtime.host_range)
        return;
    memory_guard(faults_are_followed);
    system_calls_follow(may_be_closed, at_rest_end);
    if (!step_installed(on_fault))
        step_install(on_fault, on_trap);
}

void host_watch_stop(void)
{
    open_all();
}

/* ---- For a client ---- */

int host_watch_closed(uint64_t *bases, int room)
{
    const struct watched_list *all = watched_all();
    int count = 0;
    for (int i = 0; i < all->count && count < room; i++)
        if (all->data[i].closed)
            bases[count++] = all->data[i].allocation->base;
    return count;
}

static bool is_closed(uint64_t address)
{
    const struct watched *w = runtime.machine ? watched_of(shared_at(address)) : NULL;
    return w && w->closed && !given_up;
}

void host_watch_thread_ends(void)
{
    op_set_free(&known);
}

bool host_watch_poll(uint64_t address, bool loads)
{
    runtime.last_call_ms = runtime_clock_ms();
    old_base = 0;
    op_set_copy(&known, &runtime.host_done);
    if (is_closed(address))
        keep_page(shared_at(address), address);
    if (runtime.machine)
        let_device_go_on(loads ? address : 0);
    if (is_closed(address) && ++touches > MAX_TOUCHES)
        give_up();
    return is_closed(address);
}

const uint8_t *host_watch_before(uint64_t address, uint64_t *left)
{
    uint64_t at = address - old_base;
    *left = STEP_PAGE - at;
    return old_base && at < STEP_PAGE ? old_page + at : NULL;
}

bool host_watch_touched(uint64_t address, uint64_t bytes, enum instruction_access access, uint64_t pc, bool *conflict)
{
    struct allocation *a = runtime.machine ? shared_at(address) : NULL;
    *conflict = false;
    if (!a || !bytes || bytes > STEP_PAGE || bytes > a->bytes - (address - a->base))
        return false;
    *conflict = tell(address, bytes, access, pc);
    return true;
}

#endif
