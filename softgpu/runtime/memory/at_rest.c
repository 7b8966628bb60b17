/**
 * @file at_rest.c
 * Which pages are opened, and when (x86-64); see at_rest.h.
 */
#include "runtime/memory/at_rest.h"

#include <sys/mman.h>

#include "execute/observer_asks.h"
#include "host/single_step.h"
#include "memory/followed.h"
#include "runtime/memory/host_watch.h"
#include "runtime/memory/watched.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/runtime.h"

/** Loads that are let through one by one before all is opened: each costs two signals. */
#define MAX_STEPS 20000
/** What is larger is not looked through before it is closed, but as the program comes to it. */
#define SMALL (1ull << 20)
#define MAX_ROW (16ull << 20)
/** What a function of a library reads at once, at most, of which less may count: aligned. */
#define WIDEST 64ull

static bool ended;

bool at_rest_wanted(struct allocation *a)
{
    struct observer_set *set = machine_observers(runtime.machine);
    return !ended && a->front && !a->freed && !runtime.host_range && runtime.options.check &&
           (a->bytes > SMALL ? !contents_are_unknown(a) : !observers_written(set, a, 0, a->bytes));
}

#if defined __x86_64__

void at_rest_begin(struct allocation *a)
{
    if (at_rest_wanted(a))
        watched_with(a)->resting = true;
}

static void open_everything(struct watched *w)
{
    w->resting = false;
    w->parted = true;
    mprotect(w->allocation->front, (w->allocation->bytes + STEP_PAGE - 1) / STEP_PAGE * STEP_PAGE, PROT_READ | PROT_WRITE);
}

static void end(void)
{
    struct watched_list *all = watched_all();
    ended = true;
    for (int i = 0; i < all->count; i++)
        all->data[i].resting = false;
    host_watch_update();
}

void at_rest_end(void)
{
    bool free = !runtime_is_locked();
    if (free)
        runtime_lock();
    end();
    memory_open_all();
    if (free)
        runtime_unlock();
}

/** Opens the page at an offset, and an eighth of the row of pages that have been opened up to there. `written`: as far as they hold something. */
static void open_row(struct watched *w, uint64_t page, bool written)
{
    struct allocation *a = w->allocation;
    uint64_t row = page == w->open_end ? w->grown / 8 : 0, end = page + STEP_PAGE, last = page + (row < MAX_ROW ? row : MAX_ROW);
    if (page != w->open_end)
        w->grown = 0;
    while (end < last && end < a->bytes && (!written || observers_written(machine_observers(runtime.machine), a, end, STEP_PAGE)))
        end += STEP_PAGE;
    mprotect(a->front + page, end - page, PROT_READ | PROT_WRITE);
    w->parted = true;
    w->grown += end - page;
    w->open_end = end;
}

/** @return whether the observers know better of it */
static bool look(uint64_t address, uint64_t bytes, uint64_t pc)
{
    struct host_touch t = {.address = address, .bytes = bytes, .pc = pc, .done = &runtime.host_done};
    return observers_host_look(machine_observers(runtime.machine), &t);
}

/** The bytes that an instruction loads from `*address` on; begins, where that is not known, before it. */
static uint64_t loaded(uint64_t *address, uint64_t base, uint64_t at, uint64_t pc)
{
    uint64_t bytes = at == pc ? instruction_loads((const uint8_t *)(uintptr_t)pc) : 0;
    if (bytes)
        return bytes;
    *address = *address / WIDEST * WIDEST;
    *address = *address < base ? base : *address;
    return WIDEST;
}

bool at_rest_opens(struct watched *w, uint64_t address, const void *context)
{
    static uint64_t steps;
    const greg_t *r = ((const ucontext_t *)context)->uc_mcontext.gregs;
    struct allocation *a = w->allocation;
    struct observer_set *set = machine_observers(runtime.machine);
    uint64_t offset = address - a->base, page = offset / STEP_PAGE * STEP_PAGE;
    struct step_string s;
    if (offset >= a->bytes) /* a library's wide load, behind the end */
        return false;
    bool write = r[REG_ERR] & STEP_ERROR_WRITE;
    if (write || observers_written(set, a, page, STEP_PAGE)) {
        open_row(w, page, !write);
        return true;
    }
    uint64_t at = (uint64_t)r[REG_RIP], pc = instruction_of_program(at);
    if (string_begin(context, &s) && s.what.moves) {
        if (look(address, s.bytes, pc))
            open_everything(w);
        else
            open_row(w, page, false);
        return true;
    }
    uint64_t from = address, bytes = loaded(&from, a->base, at, pc);
    bool any = at == pc && instruction_masks_load((const uint8_t *)(uintptr_t)pc);
    for (uint64_t b = 0; !any && b < bytes && from - a->base + b < a->bytes; b++)
        any = observers_written(set, a, from - a->base + b, 1);
    if (!any && look(from, bytes, pc)) {
        open_everything(w);
        return true;
    }
    if (++steps > MAX_STEPS) {
        end();
        return true;
    }
    return false;
}

#else

void at_rest_begin(struct allocation *a)
{
    (void)a;
}

bool at_rest_opens(struct watched *w, uint64_t address, const void *context)
{
    (void)w, (void)address, (void)context;
    return true;
}

void at_rest_end(void)
{
}

#endif
