/**
 * @file lost_turns.c
 * See lost_turns.h. What a thread has read that is doubted stays open until it does something, which makes it matter, or comes round.
 */
#include "rerun/lost_turns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/flow.h"
#include "analyse/loops.h"
#include "analyse/paths.h"
#include "analyse/retries.h"
#include "base/list.h"
#include "base/mix.h"
#include "check/checkers.h"
#include "check/race/doubted.h"
#include "code/operands.h"
#include "execute/grid.h"
#include "execute/machine.h"
#include "execute/observer.h"
#include "report/finding.h"
#include "rerun/thread_number.h"

#define MAX_THREADS (1u << 12)
#define MAX_INSTRUCTIONS 2048
#define KEPT_LOOKS 8   /* of a thread, the last */
#define KEPT_OPEN 16   /* doubted reads of a thread; at more, all matter */

/** A strong look by the kernel's text, and the registers that may be read from there on: of those that the kernel ever writes, and but for
 *  those that hold what has been looked up on the way there. */
struct look {
    const struct insn *insn, *by;   /**< `by`: where it has been; NULL: there is no such */
    LIST(uint32_t) live;
};

/** A write that was missed by a read. */
struct missed_pair {
    uint32_t site, missed;
    bool matters;      /**< at least once the thread has done something before it came round */
};

struct turn_of {
    const struct insn *look;
    uint64_t state;    /**< of its live registers */
    uint32_t at;       /**< the thread's looks so far */
};

struct open_read {
    int pair;
    uint32_t at;
    uint64_t address, got;
    uint32_t reg;
};

struct thread_turns {
    struct turn_of turns[KEPT_LOOKS];
    struct open_read open[KEPT_OPEN];
    int turn_count, next, open_count;
    uint32_t looks;
};

struct lost_turns {
    struct machine *machine;
    struct race *race;
    const struct function *kernel;
    uint64_t threads, threads_per_block;
    struct thread_turns *of;
    LIST(struct look) looks;
    LIST(struct missed_pair) pairs;
};

static struct thread_turns *thread_of(struct lost_turns *t, const struct warp *w, int lane)
{
    uint64_t number = thread_number(w, lane);
    return number < t->threads ? &t->of[number] : NULL;
}

/* ---- What is live at a look */

static void add_live(const struct function *f, struct look *l, uint32_t reg)
{
    for (int i = 0; i < l->live.count; i++)
        if (l->live.data[i] == reg)
            return;
    if (path_reads(f, l->insn, reg) && !holds_what_was_looked_at(f, l->insn, reg, &l->by))
        *LIST_PUSH(&l->live) = reg;
}

static const struct look *look_at(struct lost_turns *t, const struct insn *insn)
{
    for (int i = 0; i < t->looks.count; i++)
        if (t->looks.data[i].insn == insn)
            return &t->looks.data[i];
    struct look *l = LIST_PUSH(&t->looks);
    *l = (struct look){.insn = insn};
    for (const struct insn *in = t->kernel->entry; in < t->kernel->end; in++) {
        struct operand_iter it = operands_of(in);
        for (struct operand o; operands_next(&it, &o);)
            if (o.write)
                add_live(t->kernel, l, o.reg);
    }
    return l;
}

static uint64_t state_at(const struct lost_turns *t, const struct look *l, const struct warp *w, int lane)
{
    uint64_t h = 0;
    for (int i = 0; i < l->live.count; i++) {
        unsigned width = function_register_width(t->kernel, l->live.data[i]);
        h = mix_in(h, warp_lane_word(warp_reg(w, l->live.data[i]), width, lane));
    }
    return h;
}

/* ---- A thread's way */

/** It does what others may see, or it itself. */
static void acts(struct lost_turns *t, struct thread_turns *of)
{
    for (int i = 0; i < of->open_count; i++)
        t->pairs.data[of->open[i].pair].matters = true;
    of->turn_count = of->next = of->open_count = 0;
}

static void lanes_act(struct lost_turns *t, const struct warp *w, uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        struct thread_turns *of = thread_of(t, w, __builtin_ctz(m));
        if (of)
            acts(t, of);
    }
}

/** What has been read since then is as if it had not been; but what the look itself has just read is of the next turn. */
static void lose(struct thread_turns *of, uint32_t since)
{
    int kept = 0;
    for (int i = 0; i < of->open_count; i++)
        if (of->open[i].at < since || of->open[i].at == of->looks)
            of->open[kept++] = of->open[i];
    of->open_count = kept;
}

static void come_to(struct thread_turns *of, const struct insn *look, uint64_t state)
{
    int i = 0;
    while (i < of->turn_count && of->turns[i].look != look)
        i++;
    if (i < of->turn_count && of->turns[i].state == state)
        lose(of, of->turns[i].at);
    if (i == of->turn_count) {
        i = of->next;
        of->next = (of->next + 1) % KEPT_LOOKS;
        of->turn_count += of->turn_count < KEPT_LOOKS;
    }
    of->turns[i] = (struct turn_of){look, state, of->looks};
}

static void lanes_look(struct lost_turns *t, const struct warp *w, const struct mem_access *a)
{
    bool strong = order_is_strong(&a->insn->mem) && !insn_is_guarded(a->insn) && flow_holds(t->kernel, a->insn);
    const struct look *l = strong ? look_at(t, a->insn) : NULL;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        struct thread_turns *of = thread_of(t, w, lane);
        if (of && l)
            come_to(of, a->insn, state_at(t, l, w, lane));
        if (of)
            of->looks++;
    }
}

/** Is what was read still used behind the swap, which expected it? */
static bool is_kept_behind(const struct function *f, const struct insn *swap, uint32_t reg)
{
    return reg != swap->dst && path_reads(f, swap + 1, reg);
}

/** A swap that expects what was read there confirms it, or fails, as it may wherever others swap, too. */
static void lanes_swap(struct lost_turns *t, const struct warp *w, const struct mem_access *a)
{
    uint32_t expected = element_operand(a->insn, 0);
    bool known = a->insn->mem.count == 1 && a->insn->mem.bytes <= 8 && expected != a->insn->dst && flow_holds(t->kernel, a->insn);
    for (uint32_t m = known ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m), kept = 0;
        struct thread_turns *of = thread_of(t, w, lane);
        uint64_t value = of ? warp_lane_word(warp_reg(w, expected), a->insn->mem.bytes, lane) : 0;
        for (int i = 0; of && i < of->open_count; i++)
            if (of->open[i].address != a->address[lane] || of->open[i].got != value ||
                (!(a->wrote >> lane & 1) && is_kept_behind(t->kernel, a->insn, of->open[i].reg)))
                of->open[kept++] = of->open[i];
        if (of)
            of->open_count = kept;
    }
}

/** Told before the look that makes it (on_load()). */
static void on_doubted(void *self, const struct doubted_read *read)
{
    struct lost_turns *t = self;
    struct thread_turns *of = thread_of(t, read->warp, read->lane);
    int i = 0;
    while (i < t->pairs.count && (t->pairs.data[i].site != read->site || t->pairs.data[i].missed != read->missed))
        i++;
    if (i == t->pairs.count)
        *LIST_PUSH(&t->pairs) = (struct missed_pair){.site = read->site, .missed = read->missed};
    if (of && of->open_count < KEPT_OPEN)
        of->open[of->open_count++] = (struct open_read){i, of->looks, read->address, read->got, read->reg};
    else
        t->pairs.data[i].matters = true;
}

/** A run is over, perhaps before its threads were. */
static void all_act(struct lost_turns *t)
{
    for (uint64_t i = 0; i < t->threads; i++)
        acts(t, &t->of[i]);
}

/* ---- Hooks */

static void on_grid_begin(void *self, struct grid *g)
{
    (void)g;
    all_act(self);
}

static void on_load(void *self, const struct warp *w, const struct mem_access *a)
{
    lanes_look(self, w, a);
}

static void on_store(void *self, const struct warp *w, const struct mem_access *a)
{
    lanes_act(self, w, a->mask);
}

static void on_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    struct lost_turns *t = self;
    if (insn_only_reads(t->kernel, a->insn)) {
        lanes_look(t, w, a);
        return;
    }
    if (a->insn->mem.atom == ATOM_CAS)
        lanes_swap(t, w, a);
    lanes_act(t, w, a->insn->mem.atom == ATOM_CAS ? a->mask & a->wrote : a->mask); /* one that has failed is a look */
}

static void on_async(void *self, const struct warp *w, const struct async_event *e)
{
    (void)e;
    lanes_act(self, w, ~0u);
}

static void on_mbarrier(void *self, const struct warp *w, const struct mbarrier_event *e)
{
    (void)e;
    lanes_act(self, w, ~0u);
}

static void *on_launches(void *self, const struct warp *w, int lane)
{
    lanes_act(self, w, 1u << lane);
    return NULL;
}

static void on_barrier_arrive(void *self, const struct warp *w, const struct insn *in, int barrier, enum barrier_kind kind)
{
    (void)in, (void)barrier, (void)kind;
    lanes_act(self, w, w->mask);
}

static void on_instruction(void *self, const struct warp *w, const struct insn *in)
{
    (void)in;
    lanes_act(self, w, w->mask);
}

static void on_warp_arrive(void *self, const struct warp *w, const struct insn *in, const uint32_t members[32])
{
    (void)in, (void)members;
    lanes_act(self, w, w->mask);
}

static void on_leave(void *self, const struct warp *w, uint32_t lanes)
{
    lanes_act(self, w, lanes);
}

static const struct observer turns_observer = {
    .name = "lost turns",
    .grid_begin = on_grid_begin,
    .load = on_load,
    .store = on_store,
    .atomic = on_atomic,
    .async = on_async,
    .mbarrier = on_mbarrier,
    .launches = on_launches,
    .grid_dependency = on_instruction,
    .barrier_arrive = on_barrier_arrive,
    .cluster_arrive = on_instruction,
    .cluster_wait = on_instruction,
    .warp_arrive = on_warp_arrive,
    .tensor = on_instruction,
    .exit = on_leave,
};

/* ---- Begin and end */

/** Is all that a thread keeps in its registers? */
static bool keeps_registers_only(const struct function *f)
{
    bool is = f->end - f->entry <= MAX_INSTRUCTIONS;
    for (const struct insn *in = f->entry; is && in < f->end; in++) {
        enum insn_class c = insn_class(in);
        is = c != INSN_CALL && c != INSN_STACK && c != INSN_GRID && c != INSN_TENSOR && c != INSN_IMAGE && c != INSN_UNSUPPORTED &&
             (c != INSN_STORE || in->mem.space != SPACE_LOCAL);
    }
    return is;
}

struct lost_turns *lost_turns_begin(const struct replay *replay, const struct grid *natural)
{
    const struct function *kernel = replay->configs[0]->kernel;
    struct race *race = observers_find(machine_observers(replay->machine), &race_checker);
    uint64_t threads = natural->blocks * natural->threads_per_block;
    if (replay->count != 1 || !race || threads > MAX_THREADS || !keeps_registers_only(kernel))
        return NULL;
    struct lost_turns *t = calloc(1, sizeof *t);
    assert(t);
    *t = (struct lost_turns){.machine = replay->machine, .race = race, .kernel = kernel, .threads = threads,
                             .threads_per_block = natural->threads_per_block, .of = calloc(threads, sizeof *t->of)};
    assert(t->of);
    observers_add(machine_observers(t->machine), &turns_observer, t);
    race_tell_doubts(race, on_doubted, t);
    return t;
}

void lost_turns_stop(struct lost_turns *t)
{
    if (!t)
        return;
    all_act(t);
    race_tell_doubts(t->race, NULL, NULL);
    observers_remove(machine_observers(t->machine));
}

static bool is_at(const struct lost_turns *t, uint32_t site, const struct finding_access *a)
{
    const struct site *s = &t->kernel->image->sites[site];
    return s->line == a->line && (s->file == a->file || (s->file && a->file && strcmp(s->file, a->file) == 0));
}

bool lost_turns_only(const void *self, const struct finding *f)
{
    const struct lost_turns *t = self;
    bool any = false;
    if (!t || f->kind != FIND_ORDERING || f->level != LEVEL_WARNING || f->cause != CAUSE_RELAXED || f->access_count != 2)
        return false;
    for (int i = 0; i < t->pairs.count; i++) {
        const struct missed_pair *p = &t->pairs.data[i];
        if (!is_at(t, p->missed, &f->accesses[0]) || !is_at(t, p->site, &f->accesses[1]))
            continue;
        if (p->matters)
            return false;
        any = true;
    }
    return any;
}

void lost_turns_end(struct lost_turns *t)
{
    if (!t)
        return;
    for (int i = 0; i < t->looks.count; i++)
        LIST_FREE(&t->looks.data[i].live);
    LIST_FREE(&t->looks);
    LIST_FREE(&t->pairs);
    free(t->of);
    free(t);
}
