/**
 * @file support.c
 * See support.h.
 */
#include "compile/support.h"

#include "execute/access.h"
#include "execute/bind.h"
#include "execute/handlers.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

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
            w->kept = in + 1;
            return op_bar_sync(w, in);
        }
        if (next != REFUSED && next != in)
            return next;
    }
    return bind_handler(in)(w, in);
}

uint8_t *compiled_host(struct worker *k, uint64_t address, uint64_t bytes, uint32_t slot)
{
    uint8_t *host = global_host_any(k, address, bytes);
    if (host)
        k->recent[slot] = (struct host_range){k->cache_base, k->cache_bytes, k->cache_host};
    return host;
}

void compiled_leave(struct warp *w, const struct insn *pc, uint32_t mask)
{
    struct group *g = &w->groups[w->current];
    g->pc = pc;
    g->mask = mask;
    if (w->mask != mask)
        warp_set_mask(w, mask);
}

void compiled_park(struct warp *w, const struct insn *pc, uint32_t mask)
{
    if (!mask)
        return;
    w->groups[w->group_count++] =
        (struct group){.pc = pc, .frame = w->frame_offset, .mask = mask, .state = GROUP_READY};
    if (pc < w->limit)
        w->limit = pc;
}

void compiled_stands(struct warp *w, const struct insn *pc)
{
    struct group *g = &w->groups[w->current];
    g->pc = pc;
    g->frame = w->frame_offset;
}

void compiled_meets(struct warp *w, const struct insn *pc, uint32_t running)
{
    if (running)
        compiled_stands(w, pc);
    w->current = warp_merge_first(w);
}
