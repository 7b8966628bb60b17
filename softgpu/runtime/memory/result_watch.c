/**
 * @file result_watch.c
 * Results, steps and what is seen of them; see result_watch.h.
 *
 * Nothing is told, no lock is taken and no memory is allocated between two steps: the thread may be anywhere in the C library.
 */
#include "runtime/memory/result_watch.h"

#include "runtime/state/host_thread.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"

#if defined __x86_64__

#include <execinfo.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "host/operand.h"
#include "host/program_code.h"
#include "host/single_step.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/state/unwaited.h"

#define MAX_RESULTS 16           /* the latest */
#define MAX_SITES 64
/* A step takes 10 us. */
#define MAX_STEPS 10000u         /* from one call to the next */
#define MAX_SITE_STEPS 20000u    /* behind all copies that one line makes */
#define MAX_ALL_STEPS 100000u
#define MAX_REPEATS 64           /* of a string instruction, which is as many steps */
#define FRAMES 40

/** A result that the host does not know to be there. */
struct result {
    struct early_touch by;       /**< its copy */
    struct box_copy box;
};
static struct result results[MAX_RESULTS];
static int result_count;
static unsigned epoch;           /**< changes when one of them is known to be there */
static uint32_t all_steps;

/** Steps behind the copies of a line. */
static struct {
    const void *call;
    uint32_t steps;
} sites[MAX_SITES];

/** A thread that goes on by steps. */
static __thread struct {
    bool on;
    bool flagged;                /**< the processor steps */
    bool left;                   /**< the thread is in the program again */
    bool cut;                    /**< the steps have ended too early, which is to be told */
    unsigned epoch;
    uint32_t steps;
    struct result result[MAX_RESULTS];
    int count;
    struct early_touch touch[MAX_RESULTS];
    int touches;
} here;

/* ---- Results ---- */

void result_watch_note(const struct operation *op)
{
    if (!runtime.options.check || runtime.host_range)
        return;
    if (result_count == MAX_RESULTS)
        memmove(results, results + 1, (size_t)--result_count * sizeof *results);
    results[result_count++] = (struct result){.by = {.op = op->number, .name = op->name, .by = op->by}, .box = op->copy};
}

static void drop(int i)
{
    memmove(&results[i], &results[i + 1], (size_t)(--result_count - i) * sizeof *results);
}

void result_watch_known(void)
{
    int before = result_count;
    for (int i = result_count - 1; i >= 0; i--)
        if (op_set_has(&runtime.host_done, results[i].by.op))
            drop(i);
    if (result_count != before)
        __atomic_add_fetch(&epoch, 1, __ATOMIC_RELEASE);
}

/** Steps that may still be taken behind the copies of a line. */
static uint32_t *steps_of(const void *call)
{
    static uint32_t others;
    for (int i = 0; i < MAX_SITES; i++) {
        if (!sites[i].call)
            sites[i].call = call;
        if (sites[i].call == call)
            return &sites[i].steps;
    }
    return &others;
}

/** Whether another thread has told of the copy. From now on this one has. */
static bool told_before(uint64_t op)
{
    static uint64_t told[MAX_RESULTS * 2];
    static unsigned next;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i] == op)
            return true;
    told[next++ % (sizeof told / sizeof *told)] = op;
    return false;
}

static void tell_touches(void)
{
    for (int t = 0; t < here.touches; t++) {
        for (int i = result_count - 1; i >= 0; i--)
            if (results[i].by.op == here.touch[t].op)
                drop(i);
        if (!told_before(here.touch[t].op))
            unwaited_touched(&here.touch[t]);
    }
    here.touches = 0;
}

void result_watch_enter(void)
{
    if (here.on || here.steps) {
        *steps_of(here.result[0].by.by.call) += here.steps;
        all_steps += here.steps;
    }
    here.on = false;
    here.steps = 0;
    if (here.touches && runtime.machine)
        tell_touches();
    if (here.cut && runtime.machine)
        report_incomplete(machine_reporter(runtime.machine), INCOMPLETE_RESULTS);
    here.cut = false;
}

bool result_watch_leave(void)
{
    if (!result_count || !runtime.machine || runtime_thread()->in_host_function || runtime.sticky || all_steps >= MAX_ALL_STEPS ||
        *steps_of(results[result_count - 1].by.by.call) >= MAX_SITE_STEPS || !step_followed())
        return false;
    program_code_learn();
    here.count = 0;
    for (int i = result_count - 1; i >= 0; i--)
        here.result[here.count++] = results[i];
    here.epoch = __atomic_load_n(&epoch, __ATOMIC_ACQUIRE);
    here.left = here.cut = false;
    here.steps = 0;
    return true;
}

void result_watch_begin(void)
{
    here.on = here.flagged = true;
    step_on();
}

void result_watch_stop(void)
{
    result_count = 0;
    __atomic_add_fetch(&epoch, 1, __ATOMIC_RELEASE);
}

/* ---- What an instruction touches ---- */

/** Is the byte part of the box? */
static bool holds(const struct box_copy *c, uint64_t address)
{
    uint64_t at = address - c->dst, slice = 0;
    if (address < c->dst)
        return false;
    if (c->depth > 1) {
        slice = at / c->dst_slice;
        at %= c->dst_slice;
    }
    uint64_t row = c->height > 1 ? at / c->dst_pitch : 0, in_row = c->height > 1 ? at % c->dst_pitch : at;
    return slice < c->depth && row < c->height && in_row < c->width;
}

/** @param all  whether all of the bytes have to be part of it; else one is enough. Long rows of bytes are looked at by their ends, and
 *  the box's beginning */
static bool meets(const struct box_copy *c, uint64_t address, uint64_t bytes, bool all)
{
    uint64_t extent = (c->depth - 1) * c->dst_slice + (c->height - 1) * c->dst_pitch + c->width;
    if (address >= c->dst + extent || address + bytes <= c->dst)
        return false;
    if (bytes > STEP_BYTES)
        return holds(c, address) || holds(c, address + bytes - 1) || c->dst - address < bytes;
    for (uint64_t b = 0; b < bytes; b++)
        if (holds(c, address + b) != all)
            return !all;
    return all;
}

static void note(struct early_touch touch, enum early_what what, uint64_t pc)
{
    void *frames[FRAMES];
    int n = backtrace(frames, FRAMES), i = 0;
    touch.what = what;
    while (i < n && (uint64_t)(uintptr_t)frames[i] != pc)
        i++;
    for (; i < n && touch.count < EARLY_FRAMES; i++)
        if (program_code_is((uint64_t)(uintptr_t)frames[i]))
            touch.frames[touch.count++] = (uint64_t)(uintptr_t)frames[i] - ((uint64_t)(uintptr_t)frames[i] != pc); /* within the call */
    here.touch[here.touches++] = touch;
}

/** @param all  see meets() */
static void look(uint64_t address, uint64_t bytes, enum early_what what, bool all, uint64_t pc)
{
    for (int i = here.count - 1; i >= 0; i--) {
        if (!meets(&here.result[i].box, address, bytes, all) || __atomic_load_n(&epoch, __ATOMIC_ACQUIRE) != here.epoch)
            continue;
        if (here.touches < MAX_RESULTS)
            note(here.result[i].by, what, pc);
        memmove(&here.result[i], &here.result[i + 1], (size_t)(--here.count - i) * sizeof here.result[0]);
    }
}

/** Functions of the C library that scan: they read the first byte, at least, of what they are given. */
static void look_at_arguments(const greg_t *r, uint64_t pc)
{
    static const struct {
        void *function;
        bool second, counted;    /**< so they do of a second argument; only if the third one is not 0 */
    } all[] = {{(void *)strlen, false, false}, {(void *)strcmp, true, false}, {(void *)strchr, false, false}, {(void *)strrchr, false, false},
               {(void *)memchr, false, true}, {(void *)memcmp, true, true}, {(void *)strncmp, true, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((uint64_t)(uintptr_t)all[i].function == pc && (!all[i].counted || r[REG_RDX])) {
            look((uint64_t)r[REG_RDI], 1, EARLY_READ, false, pc);
            if (all[i].second)
                look((uint64_t)r[REG_RSI], 1, EARLY_READ, false, pc);
        }
    if ((uint64_t)(uintptr_t)free == pc && r[REG_RDI])
        look((uint64_t)r[REG_RDI], malloc_usable_size((void *)r[REG_RDI]), EARLY_FREE, false, pc);
}

/** @return whether steps may go on through the system call: one that blocks signals would be the program's end */
static bool look_at_system_call(const greg_t *r, uint64_t pc)
{
    static const uint16_t harmless[] = {
        SYS_close, SYS_fstat, SYS_lseek, SYS_mmap, SYS_mprotect, SYS_munmap, SYS_brk, SYS_ioctl, SYS_writev, SYS_sched_yield, SYS_madvise, SYS_nanosleep,
        SYS_getpid, SYS_fcntl, SYS_gettimeofday, SYS_gettid, SYS_time, SYS_futex, SYS_clock_gettime, SYS_clock_nanosleep, SYS_openat, SYS_newfstatat, SYS_getrandom};
    long number = r[REG_RAX];
    bool reads = number == SYS_write || number == SYS_pwrite64 || number == SYS_sendto;
    if (reads || number == SYS_read || number == SYS_pread64 || number == SYS_recvfrom) {
        if (r[REG_RDX] > 0)
            look((uint64_t)r[REG_RSI], (uint64_t)r[REG_RDX], reads ? EARLY_READ : EARLY_WRITE, false, pc);
        return true;
    }
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (harmless[i] == number)
            return true;
    return false;
}

/** Looks at the instruction that comes next. @return whether the one after it can be looked at, too */
static bool look_at_next(const ucontext_t *context, bool program)
{
    const greg_t *r = context->uc_mcontext.gregs;
    const uint8_t *pc = (const uint8_t *)(uintptr_t)r[REG_RIP];
    uint64_t at = (uint64_t)r[REG_RIP];
    struct step_string s;
    struct operand o;
    if (!program)
        look_at_arguments(r, at);
    if (pc[0] == 0x0f && pc[1] == 0x05)
        return look_at_system_call(r, at);
    if (string_begin(context, &s)) {
        if (s.bytes && s.what.moves)
            look(s.from, s.bytes, EARLY_READ, false, at);
        if (s.bytes)
            look(s.to, s.bytes, EARLY_WRITE, false, at);
        return r[REG_RCX] <= MAX_REPEATS;
    }
    /* What a library's function loads beside what it was asked for is no use of it. */
    if (operand_of(context, &o) && (program || !o.guesses))
        look(o.address, o.bytes, o.stores ? EARLY_WRITE : EARLY_READ, !program, at);
    return true;
}

bool result_watch_step(void *context)
{
    ucontext_t *c = context;
    uint64_t pc = (uint64_t)c->uc_mcontext.gregs[REG_RIP];
    if (!here.flagged)
        return false;
    bool program = program_code_is(pc);
    here.left |= program;
    if (here.on && here.left && !runtime_is_locked() && (program || !program_code_is_ours(pc)) && !look_at_next(c, program))
        here.on = false, here.cut = here.count > 0;
    if (here.on && ++here.steps >= MAX_STEPS)
        here.on = false, here.cut = here.count > 0;
    if (!here.count || __atomic_load_n(&epoch, __ATOMIC_ACQUIRE) != here.epoch)
        here.on = here.cut = false;
    here.flagged = here.on;
    if (here.on)
        step_again(c);
    else
        step_end(c);
    return true;
}

#else

void result_watch_note(const struct operation *op)
{
    (void)op;
}

void result_watch_known(void)
{
}

void result_watch_enter(void)
{
}

bool result_watch_leave(void)
{
    return false;
}

void result_watch_begin(void)
{
}

bool result_watch_step(void *context)
{
    (void)context;
    return false;
}

void result_watch_stop(void)
{
}

#endif
