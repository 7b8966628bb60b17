/**
 * @file course.c
 * See course.h: a run is watched. Program order, reads-from and coherence follow it; only a read that was shown an older value
 * points back: it must come before a write that the run had made already.
 */
#include "rerun/course_kept.h"

#include <assert.h>
#include <string.h>

#include "analyse/looks.h"
#include "base/mix.h"
#include "execute/machine.h"
#include "execute/observer.h"
#include "rerun/explore/place_key.h"
#include "rerun/thread_number.h"

/** A longer run is not asked. */
#define MAX_STEPS 16384
#define MAX_MISSED 512

/* ---- Numbers ---- */

static uint64_t slot_of(const struct numbers *n, uint64_t key)
{
    uint64_t h = mix64(key) & (n->size - 1);
    while (n->at[h] >= 0 && n->key[h] != key)
        h = (h + 1) & (n->size - 1);
    return h;
}

static void grow(struct numbers *n)
{
    struct numbers old = *n;
    n->size = old.size ? old.size * 2 : 64;
    n->key = malloc(n->size * sizeof *n->key);
    n->at = malloc(n->size * sizeof *n->at);
    assert(n->key && n->at);
    memset(n->at, -1, n->size * sizeof *n->at);
    for (uint64_t i = 0; i < old.size; i++)
        if (old.at[i] >= 0) {
            uint64_t h = slot_of(n, old.key[i]);
            n->key[h] = old.key[i];
            n->at[h] = old.at[i];
        }
    free(old.key);
    free(old.at);
}

/** @return the key's number; `*fresh` where it had none until now */
static int number_of(struct numbers *n, uint64_t key, bool *fresh)
{
    if ((uint64_t)n->count * 2 >= n->size)
        grow(n);
    uint64_t h = slot_of(n, key);
    *fresh = n->at[h] < 0;
    if (*fresh) {
        n->key[h] = key;
        n->at[h] = n->count++;
    }
    return n->at[h];
}

static int thread_of(struct course *c, const struct warp *w, int lane)
{
    bool fresh;
    int i = number_of(&c->thread_numbers, thread_key(w, lane), &fresh);
    if (fresh)
        *LIST_PUSH(&c->threads) = (struct thread){-1, -1, -1};
    return i;
}

static struct place *place_of_step(struct course *c, uint64_t key, uint64_t initial)
{
    bool fresh;
    int i = number_of(&c->place_numbers, key, &fresh);
    if (fresh)
        *LIST_PUSH(&c->places) = (struct place){.initial = initial};
    return &c->places.data[i];
}

/* ---- Steps ---- */

void course_comes_after(struct course *c, int step, int before)
{
    if (before < 0 || before == step)
        return;
    *LIST_PUSH(&c->links) = (struct link){before, c->after.data[step]};
    c->after.data[step] = c->links.count - 1;
}

static int add_step(struct course *c, const struct insn *in, uint64_t place, int thread)
{
    int step = c->steps.count;
    *LIST_PUSH(&c->steps) = (struct course_step){.in = in, .place = place, .thread = thread, .next = -1};
    *LIST_PUSH(&c->after) = -1;
    c->too_long |= c->steps.count >= MAX_STEPS;
    return step;
}

static int add_access(struct course *c, const struct warp *w, const struct mem_access *a, int lane)
{
    int number = thread_of(c, w, lane);
    uint64_t key = place_key(a->owner ? a->owner : w->block, (enum ptx_space)a->space, a->address[lane]);
    int step = add_step(c, a->insn, key, number);
    struct thread *t = &c->threads.data[number];
    if (t->last >= 0)
        c->steps.data[t->last].next = step;
    else
        t->first = step;
    course_comes_after(c, step, t->before);
    t->last = t->before = step;
    return step;
}

static void step_reads(struct course *c, struct place *p, int step)
{
    if (p->writes.count)
        course_comes_after(c, step, p->writes.data[p->writes.count - 1].step);
    *LIST_PUSH(&p->readers) = step;
}

static void step_writes(struct course *c, struct place *p, int step, uint64_t value)
{
    if (p->writes.count)
        course_comes_after(c, step, p->writes.data[p->writes.count - 1].step);
    for (int i = 0; i < p->readers.count; i++)
        course_comes_after(c, step, p->readers.data[i]);
    p->readers.count = 0;
    *LIST_PUSH(&p->writes) = (struct written){step, value};
    c->steps.data[step].writes = true;
}

/** The latest write but one that left the value, or the beginning, is the one that was read. No strong access may have written what has been
 *  missed: nothing comes after that one, then. */
static void step_misses(struct course *c, const struct place *p, int step, uint64_t value, bool looks)
{
    int i = p->writes.count - 2;
    while (i >= 0 && p->writes.data[i].value != value)
        i--;
    if (!p->writes.count || i + 1 >= p->writes.count || (i < 0 && p->initial != value))
        return;
    if (i >= 0)
        course_comes_after(c, step, p->writes.data[i].step);
    *LIST_PUSH(&c->missed) = (struct missed){step, p->writes.data[i + 1].step, looks};
    c->too_long |= c->missed.count > MAX_MISSED;
}

/* ---- Watching ---- */

static uint64_t contents(const struct mem_access *a, int lane, int element)
{
    unsigned bytes = a->insn->mem.bytes;
    uint64_t v = 0;
    memcpy(&v, a->host[lane] + (size_t)element * bytes, bytes < 8 ? bytes : 8);
    return v;
}

static bool is_kept(const struct course *c, const struct mem_access *a)
{
    return !c->too_long && access_is_shared(a) && order_is_strong(&a->insn->mem);
}

/** The place of one element of what the step accesses. */
static struct place *element_place(struct course *c, const struct mem_access *a, int element, int step, uint64_t initial)
{
    return place_of_step(c, c->steps.data[step].place + (uint64_t)element * a->insn->mem.bytes, initial);
}

static void on_load(void *self, const struct warp *w, const struct mem_access *a)
{
    struct course *c = self;
    unsigned rows = a->insn->mem.bytes == 16 ? 2 : 1;
    const struct function *f = is_kept(c, a) ? image_function_at(w->block->grid->config.kernel->image, a->insn) : NULL;
    for (uint32_t m = is_kept(c, a) ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m), step = add_access(c, w, a, lane);
        for (int e = 0; e < a->insn->mem.count; e++) {
            struct place *p = element_place(c, a, e, step, contents(a, lane, e));
            if (a->older[e] >> lane & 1)
                step_misses(c, p, step, a->value[(unsigned)e * rows][lane], element_only_looks(f, a->insn, (unsigned)e));
            else
                step_reads(c, p, step);
        }
    }
}

static void on_store(void *self, const struct warp *w, const struct mem_access *a)
{
    struct course *c = self;
    unsigned rows = a->insn->mem.bytes == 16 ? 2 : 1;
    for (uint32_t m = is_kept(c, a) ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m), step = add_access(c, w, a, lane);
        for (int e = 0; e < a->insn->mem.count; e++)
            step_writes(c, element_place(c, a, e, step, contents(a, lane, e)), step, a->value[(unsigned)e * rows][lane]);
    }
}

static void on_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    struct course *c = self;
    unsigned rows = a->insn->mem.bytes == 16 ? 2 : 1;
    for (uint32_t m = is_kept(c, a) ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m), step = add_access(c, w, a, lane);
        for (int e = 0; e < a->insn->mem.count; e++) {
            uint64_t old = a->old[(unsigned)e & 1][lane];
            struct place *p = element_place(c, a, e, step, old);
            if (a->older[0] >> lane & 1) {
                step_misses(c, p, step, old, false);
                c->steps.data[step].writes = a->wrote >> lane & 1;
            } else if (a->wrote >> lane & 1)
                step_writes(c, p, step, a->value[(unsigned)e * rows][lane]);
            else
                step_reads(c, p, step);
        }
    }
}

/** All of `threads` come to one point. */
static void meet(struct course *c, const int *threads, int count)
{
    int step = add_step(c, NULL, 0, -1);
    for (int i = 0; i < count; i++) {
        course_comes_after(c, step, c->threads.data[threads[i]].before);
        c->threads.data[threads[i]].before = step;
    }
}

static void on_barrier_arrive(void *self, const struct warp *w, const struct insn *in, int barrier, enum barrier_kind kind)
{
    struct course *c = self;
    (void)in;
    for (uint32_t m = kind == BARRIER_ARRIVE || c->too_long ? 0 : w->mask; m; m &= m - 1)
        *LIST_PUSH(&c->parties) = (struct party){w->block, barrier, thread_of(c, w, __builtin_ctz(m))};
}

static void on_barrier_complete(void *self, const struct block *b, int barrier)
{
    struct course *c = self;
    int kept = 0, count = 0, *threads = malloc(((size_t)c->parties.count + 1) * sizeof *threads);
    assert(threads);
    for (int i = 0; i < c->parties.count; i++)
        if (c->parties.data[i].block == b && c->parties.data[i].barrier == barrier)
            threads[count++] = c->parties.data[i].thread;
        else
            c->parties.data[kept++] = c->parties.data[i];
    c->parties.count = kept;
    if (count)
        meet(c, threads, count);
    free(threads);
}

static void on_warp_sync(void *self, const struct warp *w, const struct insn *in, uint32_t members)
{
    struct course *c = self;
    int threads[WARP_LANES], count = 0;
    (void)in;
    for (uint32_t m = c->too_long ? 0 : members; m; m &= m - 1)
        threads[count++] = thread_of(c, w, __builtin_ctz(m));
    if (count)
        meet(c, threads, count);
}

static const struct observer course_observer = {
    .name = "course",
    .load = on_load,
    .store = on_store,
    .atomic = on_atomic,
    .barrier_arrive = on_barrier_arrive,
    .barrier_complete = on_barrier_complete,
    .warp_sync = on_warp_sync,
};

/* ---- Begin and end ---- */

struct course *course_begin(struct machine *m)
{
    struct course *c = calloc(1, sizeof *c);
    assert(c);
    c->machine = m;
    grow(&c->thread_numbers);
    grow(&c->place_numbers);
    observers_add(machine_observers(m), &course_observer, c);
    return c;
}

bool course_end(struct course *c)
{
    observers_remove(machine_observers(c->machine));
    return !c->too_long;
}

void course_free(struct course *c)
{
    for (int i = 0; i < c->places.count; i++) {
        LIST_FREE(&c->places.data[i].writes);
        LIST_FREE(&c->places.data[i].readers);
    }
    LIST_FREE(&c->places);
    LIST_FREE(&c->threads);
    LIST_FREE(&c->steps);
    LIST_FREE(&c->after);
    LIST_FREE(&c->links);
    LIST_FREE(&c->missed);
    LIST_FREE(&c->parties);
    free(c->thread_numbers.key);
    free(c->thread_numbers.at);
    free(c->place_numbers.key);
    free(c->place_numbers.at);
    free(c);
}

const struct course_steps *course_steps(const struct course *c)
{
    return &c->steps;
}

int course_thread(const struct course *c, const struct warp *w, int lane)
{
    return c->thread_numbers.at[slot_of(&c->thread_numbers, thread_key(w, lane))];
}

int course_first(const struct course *c, int thread)
{
    return c->threads.data[thread].first;
}

int course_threads(const struct course *c)
{
    return c->threads.count;
}
