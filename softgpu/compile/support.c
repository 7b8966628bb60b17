/**
 * @file support.c
 * See support.h.
 */
#include "compile/support.h"

#include <stdlib.h>
#include <string.h>

#include "execute/access.h"
#include "execute/bind.h"
#include "execute/handlers.h"
#include "execute/plain_called.h"
#include "execute/plain_steps.h"
#include "execute/warp_run.h"
#include "execute/worker.h"
#include "memory/memory.h"

/** What compiled code gives back when it has not begun: a register differs among lanes that it takes to be alike. */
#define REFUSED ((const struct insn *)1)

const struct insn *compiled_enter(struct warp *w, const struct insn *in)
{
    const struct image *im = w->block->grid->config.kernel->image;
    const struct machine_code *code = &im->machine_code[in - im->code];
    bool kept = w->kept == in;
    w->kept = NULL;
    if (w->unwatched && !*w->closely && w->group_count == 1 && (uintptr_t)w->limit == UINTPTR_MAX) {
        const struct insn *next = code->run(w, code->entry | kept);
        if ((uintptr_t)next & MACHINE_CODE_WAITS) {
            in = (const struct insn *)((uintptr_t)next & ~(uintptr_t)MACHINE_CODE_WAITS);
            w->kept = im->machine_code[in + 1 - im->code].run ? in + 1 : NULL; /* the code there takes it back: without, it would be believed when the warp stands elsewhere */
            return op_bar_sync(w, in);
        }
        if (next != REFUSED && next != in)
            return next;
    }
    return bind_handler(in)(w, in);
}

/** The host's place of a device address, NULL where it is not found at once; worker->recent[slot] remembers the allocation. */
static uint8_t *compiled_host(struct worker *k, uint64_t address, uint64_t bytes, uint32_t slot)
{
    uint8_t *host = global_host_any(k, address, bytes);
    if (host)
        k->recent[slot] = (struct recent_range){k->cache_base, k->cache_bytes, k->cache_host};
    return host;
}

/** The allocation that was used last, if it is quiet, is where the load found its words whose number `slot` is. */
static void compiled_quiet(struct worker *k, uint32_t slot)
{
    if (k->cache_bytes && k->cache_allocation->quiet)
        k->recent[slot] = (struct recent_range){k->cache_base, k->cache_bytes, k->cache_host};
}

/** Only `mask` goes on at `pc`; the other lanes follow by compiled_park(). */
static void compiled_leave(struct warp *w, const struct insn *pc, uint32_t mask)
{
    struct group *g = &w->groups[w->current];
    g->pc = pc;
    g->mask = mask;
    if (w->mask != mask)
        warp_set_mask(w, mask);
}

/** The lanes `mask` (none: nothing) stand at `pc` as a group of their own. */
static void compiled_park(struct warp *w, const struct insn *pc, uint32_t mask)
{
    if (!mask)
        return;
    w->groups[w->group_count++] =
        (struct group){.pc = pc, .frame = w->frame_offset, .mask = mask, .state = GROUP_READY};
    if (pc < w->limit)
        w->limit = pc;
}

/** The handler of `in`, for the lanes of `mask`; `n` instructions and `l` of lanes are to be counted, up to `start`. @return what it gives */
static const struct insn *compiled_does(struct warp *w, const struct insn *in, handler_fn handler, uint64_t n, uint64_t l, const struct insn *start, uint32_t mask)
{
    w->instructions += n;
    w->lane_instructions += l;
    w->run_start = start;
    run_lanes(w, mask);
    return handler(w, in);
}

/** The same of all lanes of the warp, which may stop, or part. @return CODE_GOES_ON, or where the code is left: there, and where checkers want to see each instruction of the
 *  warp from now on */
static const struct insn *compiled_calls(struct warp *w, const struct insn *in, handler_fn handler, uint64_t n, uint64_t l, const struct insn *start, uint32_t mask)
{
    const struct insn *next = compiled_does(w, in, handler, n, l, start, mask);
    bool on = next == in + 1 && w->group_count == 1 && w->mask == mask && !*w->closely;
    return on ? (const struct insn *)CODE_GOES_ON : next;
}

/** Under the checks: the code is left, with the running group at `pc`. */
static void compiled_stands(struct warp *w, const struct insn *pc)
{
    parting_end(w);
    parting_stand(w, pc);
}

void *compiled_symbol(const void *self, const char *name)
{
    const struct {
        const char *name;
        uintptr_t place;
    } *at, known[] = {{"warp_set_mask", (uintptr_t)warp_set_mask}, {"compiled_host", (uintptr_t)compiled_host},
                      {"compiled_leave", (uintptr_t)compiled_leave}, {"compiled_quiet", (uintptr_t)compiled_quiet}, {"compiled_park", (uintptr_t)compiled_park},
                      {"compiled_stands", (uintptr_t)compiled_stands}, {"parting_part", (uintptr_t)parting_part},
                      {"parting_stand", (uintptr_t)parting_stand}, {"parting_meet", (uintptr_t)parting_meet},
                      {"parting_meet_all", (uintptr_t)parting_meet_all}, {"parting_end", (uintptr_t)parting_end},
                      {"compiled_does", (uintptr_t)compiled_does}, {"compiled_calls", (uintptr_t)compiled_calls},
                      {"plain_load_shared", (uintptr_t)plain_called(true, true)}, {"plain_load_global", (uintptr_t)plain_called(true, false)},
                      {"plain_load_broadcast", (uintptr_t)plain_called_broadcast()},
                      {"plain_store_shared", (uintptr_t)plain_called(false, true)}, {"plain_store_global", (uintptr_t)plain_called(false, false)},
                      {NULL, 0}};
    const struct function *f = self;
    char *end;
    if (!strcmp(name, "code"))
        return (void *)(uintptr_t)f->entry;
    if (name[0] == 'h' && name[1] >= '0' && name[1] <= '9') {
        unsigned long i = strtoul(name + 1, &end, 10);
        return *end || i >= (unsigned long)(f->end - f->entry) ? NULL : (void *)(uintptr_t)bind_handler(f->entry + i);
    }
    for (at = known; at->name && strcmp(at->name, name);)
        at++;
    return (void *)at->place;
}
