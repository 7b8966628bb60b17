/* The chooser: it is asked first, observers are told what it chose, and nobody else changes a value. */
#include "unit.h"

#include "execute/chooser.h"
#include "execute/grid_life.h"
#include "execute/observer.h"
#include "execute/warp.h"
#include "machine_fixture.h"

/* One thread: out[0] = *p, then *p = 5, then out[1] = atomicAdd(p, 1). */
static const char program[] = PTX_HEADER
    ".visible .entry k(.param .u64 p, .param .u64 out)\n{\n"
    "  .reg .b32 %r<4>; .reg .b64 %d<4>;\n"
    "  ld.param.u64 %d1, [p];\n  ld.param.u64 %d2, [out];\n"
    "  ld.relaxed.gpu.global.u32 %r1, [%d1];\n  st.global.u32 [%d2], %r1;\n"
    "  st.relaxed.gpu.global.u32 [%d1], 5;\n"
    "  atom.global.add.u32 %r2, [%d1], 1;\n  st.global.u32 [%d2+4], %r2;\n"
    "  ret;\n}\n";

/* One thread: waits until *p is 0. */
static const char waiting[] = PTX_HEADER
    ".visible .entry k(.param .u64 p, .param .u64 out)\n{\n"
    "  .reg .b32 %r<4>; .reg .b64 %d<4>; .reg .pred %q;\n"
    "  ld.param.u64 %d1, [p];\nL:\n"
    "  ld.relaxed.gpu.global.u32 %r1, [%d1];\n  setp.ne.u32 %q, %r1, 0;\n"
    "  @%q bra L;\n  ret;\n}\n";

struct script {
    uint64_t place;              /**< where choices are made */
    bool hides, stays, cuts;
    uint64_t read, rmw_read;     /**< 0: what is there */
    /* What the observer saw. */
    uint64_t seen_load, seen_old, seen_new;
    uint32_t seen_older, issued;
};

static bool choose_load(void *self, const struct warp *w, struct mem_access *a)
{
    const struct script *s = self;
    (void)w;
    if (a->address[0] == s->place && s->read) {
        a->value[0][0] = s->read;
        a->older[0] |= 1;
    }
    return !s->cuts;
}

static bool choose_store(void *self, const struct warp *w, const struct mem_access *a,
                         uint32_t hidden[MAX_ELEMENTS])
{
    const struct script *s = self;
    (void)w;
    if (a->address[0] == s->place && s->hides)
        hidden[0] |= 1;
    return true;
}

static bool choose_rmw_read(void *self, const struct warp *w, const struct element_of_access *at,
                            uint64_t *value)
{
    const struct script *s = self;
    (void)w;
    (void)at;
    if (s->rmw_read)
        *value = s->rmw_read;
    return true;
}

static bool choose_rmw_write(void *self, const struct warp *w, const struct element_of_access *at,
                             bool wrote, uint64_t value, bool *stays)
{
    const struct script *s = self;
    (void)w;
    (void)at;
    CU_ASSERT(wrote);
    CU_ASSERT_EQUAL(value, (s->rmw_read ? s->rmw_read : s->hides ? 7 : 5) + 1);
    *stays = s->stays;
    return true;
}

static const struct chooser chooser = {.name = "script", .load = choose_load, .store = choose_store,
                                       .rmw_read = choose_rmw_read, .rmw_write = choose_rmw_write};

static void see_load(void *self, const struct warp *w, const struct mem_access *a)
{
    struct script *s = self;
    (void)w;
    s->seen_load = a->value[0][0];
    s->seen_older = a->older[0];
}

static void see_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    struct script *s = self;
    (void)w;
    s->seen_old = a->old[0][0];
    s->seen_new = a->value[0][0];
}

static void see_issue(void *self, const struct warp *w, const struct insn *in)
{
    struct script *s = self;
    (void)w;
    (void)in;
    s->issued++;
}

static const struct observer watcher = {.name = "watcher", .issue = see_issue, .load = see_load, .atomic = see_atomic};

/** Runs the program on a place that holds 7. @return the grid's end; `left`: the place, then out */
static enum grid_status run_of(const char *text, struct script *s, const struct chooser *how, uint32_t left[3])
{
    struct options o = {.check = true, .schedules = 1};
    struct fixture f = fixture_open(text, &o);
    uint64_t params[2];
    uint8_t *place = fixture_alloc(&f, 4, &params[0]), *out = fixture_alloc(&f, 8, &params[1]);
    memcpy(place, &(uint32_t){7}, 4);
    s->place = params[0];
    struct observer_set *observers = machine_observers(f.machine);
    observers_add(observers, &watcher, s);
    observers->any_issue = observers->each_issue = true;
    machine_set_chooser(f.machine, how, s);
    struct grid *g = fixture_start(&f, "k", 1, 1, params);
    fixture_run(&f, 0);
    enum grid_status status = g->status;
    memcpy(left, place, 4);
    memcpy(left + 1, out, 8);
    grid_destroy(g);
    observers_remove(observers);
    fixture_close(&f);
    return status;
}

static enum grid_status run(struct script *s, const struct chooser *how, uint32_t left[3])
{
    return run_of(program, s, how, left);
}

static void test_nobody_chooses(void)
{
    struct script s = {.read = 3, .rmw_read = 9, .hides = true};
    uint32_t left[3];
    CU_ASSERT_EQUAL(run(&s, NULL, left), GRID_DONE);
    CU_ASSERT(left[0] == 6 && left[1] == 7 && left[2] == 5);
    CU_ASSERT(s.seen_load == 7 && s.seen_older == 0 && s.seen_old == 5 && s.seen_new == 6);
}

static void test_newest_chosen(void)
{
    struct script s = {.stays = true};
    uint32_t left[3];
    CU_ASSERT_EQUAL(run(&s, &chooser, left), GRID_DONE);
    CU_ASSERT(left[0] == 6 && left[1] == 7 && left[2] == 5);
    CU_ASSERT(s.seen_load == 7 && s.seen_older == 0 && s.seen_old == 5 && s.seen_new == 6);
}

static void test_older_chosen(void)
{
    struct script s = {.read = 3, .rmw_read = 9, .stays = true};
    uint32_t left[3];
    CU_ASSERT_EQUAL(run(&s, &chooser, left), GRID_DONE);
    CU_ASSERT(left[0] == 10 && left[1] == 3 && left[2] == 9);
    CU_ASSERT(s.seen_load == 3 && s.seen_older == 1 && s.seen_old == 9 && s.seen_new == 10);
}

/** Both writes come before what is in memory already. */
static void test_overtaken(void)
{
    struct script s = {.hides = true};
    uint32_t left[3];
    CU_ASSERT_EQUAL(run(&s, &chooser, left), GRID_DONE);
    CU_ASSERT(left[0] == 7 && left[1] == 7 && left[2] == 7);
    CU_ASSERT(s.seen_old == 7 && s.seen_new == 8);
}

static void test_cut(void)
{
    struct script s = {.cuts = true, .stays = true};
    uint32_t left[3];
    CU_ASSERT_EQUAL(run(&s, &chooser, left), GRID_CANCELLED);
}

/** It ends where it is, though the thread would go on. */
static void test_cut_loop(void)
{
    struct script s = {.cuts = true};
    uint32_t left[3];
    CU_ASSERT_EQUAL(run_of(waiting, &s, &chooser, left), GRID_CANCELLED);
    CU_ASSERT(s.issued > 0 && s.issued < 10);
}

/** All threads stand before their first load. */
struct crowd {
    uint64_t last_block;
    bool more;
};

static bool crowd_visible(void *self, const struct warp *w, const struct group *g)
{
    struct crowd *c = self;
    c->last_block = w->block->index > c->last_block ? w->block->index : c->last_block;
    return insn_is_memory(g->pc) && g->pc->mem.space == SPACE_GLOBAL;
}

static int crowd_next(void *self, int count, bool more)
{
    struct crowd *c = self;
    CU_ASSERT(count > 0);
    c->more = more;
    return more ? -1 : 0;
}

/** Where more stand than can be chosen from, nobody asks where all the others would: that takes a time that grows with their number's square. */
static void test_crowd(void)
{
    static const struct chooser how = {.name = "crowd", .visible = crowd_visible, .next = crowd_next};
    struct options o = {.check = true, .schedules = 1};
    struct fixture f = fixture_open(program, &o);
    struct crowd c = {0};
    uint64_t params[2];
    fixture_alloc(&f, 4, &params[0]);
    fixture_alloc(&f, 8, &params[1]);
    machine_set_schedule(f.machine, SCHEDULE_CHOSEN, 0);
    machine_set_chooser(f.machine, &how, &c);
    struct grid *g = fixture_start(&f, "k", 8, 256, params);
    fixture_run(&f, 0);
    CU_ASSERT_EQUAL(g->status, GRID_CANCELLED);
    CU_ASSERT(c.more && c.last_block == 1);
    grid_destroy(g);
    fixture_close(&f);
}

UNIT_MAIN("chooser", {"nobody chooses", test_nobody_chooses}, {"the newest is chosen", test_newest_chosen},
          {"an older value is chosen", test_older_chosen}, {"writes that are overtaken", test_overtaken},
          {"a run that is cut", test_cut}, {"a loop that is cut", test_cut_loop},
          {"more than can be chosen from", test_crowd})
