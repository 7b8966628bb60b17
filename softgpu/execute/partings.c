/**
 * @file partings.c
 * How lanes part and meet in compiled code that checkers watch. Groups, their order and the branches at which they have parted are the checkers' to see, as the interpreter would have them;
 * but most partings are over before any looks. So what happens is written down first, and done when somebody wants to know (parting_end()): whoever calls a handler, tells of an access, or
 * leaves the code. Where all lanes meet and nobody has asked, there is one group again, as before. A warp that has several groups already parts and meets at once.
 */
#include "execute/engine.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

static void stand(struct warp *w, const struct insn *pc)
{
    struct group *g = &w->groups[w->current];
    g->pc = pc;
    g->frame = w->frame_offset;
}

static void meet(struct warp *w, const struct insn *pc, uint32_t running)
{
    if (running)
        stand(w, pc);
    w->current = warp_merge_first(w);
}

void parting_end(struct warp *w)
{
    struct partings *p = &w->worker->partings;
    const uint32_t count = p->count;
    p->count = 0;
    for (const struct parting *at = p->of; at < p->of + count; at++) {
        if (at->meets)
            meet(w, at->at, at->running);
        else if (at->waiting)
            warp_part(w, at->at, at->running, at->waiting);
        else
            stand(w, at->at);
    }
}

/** Room for one more; NULL: it is to be done at once. */
static inline struct parting *write_down(struct warp *w)
{
    struct partings *p = &w->worker->partings;
    if (w->group_count > 1)
        return NULL;
    if (p->count < PARTINGS)
        return &p->of[p->count++];
    parting_end(w);
    return NULL;
}

void parting_part(struct warp *w, const struct insn *in, uint32_t running, uint32_t waiting)
{
    struct parting *p = write_down(w);
    if (!p) {
        warp_part(w, in, running, waiting);
        return;
    }
    *p = (struct parting){.at = in, .running = running, .waiting = waiting};
    if (w->fuel > GROUP_PATIENCE) { /* as warp_part() does, which will find nothing left to do */
        w->reserve += w->fuel - GROUP_PATIENCE;
        w->fuel = GROUP_PATIENCE;
    }
}

void parting_stand(struct warp *w, const struct insn *pc)
{
    struct parting *p = w->worker->partings.count ? write_down(w) : NULL;
    if (p)
        *p = (struct parting){.at = pc};
    else
        stand(w, pc);
}

void parting_meet(struct warp *w, const struct insn *pc, uint32_t running)
{
    struct parting *p = w->worker->partings.count ? write_down(w) : NULL;
    if (p)
        *p = (struct parting){.at = pc, .running = running, .meets = true};
    else
        meet(w, pc, running);
}

void parting_meet_all(struct warp *w, const struct insn *pc, uint32_t running)
{
    struct partings *p = &w->worker->partings;
    if (!p->count) {
        meet(w, pc, running);
        return;
    }
    p->count = 0;
    stand(w, pc);
    w->groups[0].parted = NULL;
}
