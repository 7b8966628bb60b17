/* There is room for every checker and the debugger in whatever keeps a slot for them, whoever needs more ends at once
 * with a word, and those who watch for a while get no slot. */
#include "unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "execute/grid_life.h"
#include "execute/nested.h"
#include "execute/observer.h"
#include "machine_fixture.h"

enum { ROWS = 0
#define CHECKER(name, symbol) + 1
#include "options/check_names.def"
#undef CHECKER
};

#define ROOM(type, member) (sizeof((struct type *)NULL)->member / sizeof(void *))

static void test_room(void)
{
    CU_ASSERT_EQUAL(OBSERVER_SLOTS, ROWS + 1);
    CU_ASSERT(ROOM(warp, check) >= OBSERVER_SLOTS && ROOM(block, check) >= OBSERVER_SLOTS);
    CU_ASSERT(ROOM(cluster, check) >= OBSERVER_SLOTS && ROOM(grid, check) >= OBSERVER_SLOTS);
    CU_ASSERT(ROOM(grid, inherited) >= OBSERVER_SLOTS && ROOM(nested_launch, kept) >= OBSERVER_SLOTS);
    CU_ASSERT(ROOM(observer_set, self) >= OBSERVER_SLOTS + 3 && ROOM(observer_set, hooks) >= OBSERVER_SLOTS + 3);
}

/* ---- As many as there are slots, each of which fills its own everywhere ---- */

struct state {
    int slot;
    int begun, seen, ended; /**< blocks, stores */
} states[OBSERVER_SLOTS + 1];

static void *create(struct machine *m, int slot)
{
    (void)m;
    states[slot].slot = slot;
    return &states[slot];
}

static void grid_begin(void *self, struct grid *g)
{
    g->check[((struct state *)self)->slot] = self;
}

static void block_begin(void *self, struct block *b)
{
    struct state *s = self;
    s->begun++;
    b->check[s->slot] = b->cluster->check[s->slot] = self;
    for (int i = 0; i < b->warp_count; i++)
        b->warps[i].check[s->slot] = self;
}

static bool has_all(const struct block *b)
{
    for (int slot = 0; slot < OBSERVER_SLOTS; slot++) {
        const void *mine = &states[slot];
        if (b->grid->check[slot] != mine || b->check[slot] != mine || b->cluster->check[slot] != mine)
            return false;
        for (int i = 0; i < b->warp_count; i++)
            if (b->warps[i].check[slot] != mine)
                return false;
    }
    return true;
}

static void store(void *self, const struct warp *w, const struct mem_access *a)
{
    struct state *s = self;
    (void)a;
    s->seen++;
    CU_ASSERT(has_all(w->block));
}

static void block_end(void *self, const struct block *b)
{
    struct state *s = self;
    s->ended++;
    CU_ASSERT(b->grid->check[s->slot] == self && b->check[s->slot] == self);
}

static const struct observer with_slot = {.name = "with a slot", .create = create, .grid_begin = grid_begin,
                                          .block_begin = block_begin, .store = store, .block_end = block_end};

static void count_store(void *self, const struct warp *w, const struct mem_access *a)
{
    (void)w, (void)a;
    ++*(int *)self;
}

static const struct observer for_a_while = {.name = "for a while", .store = count_store};

static const char program[] = PTX_HEADER
    ".visible .entry k(.param .u64 out)\n{\n  .reg .b32 %r<2>; .reg .b64 %d<2>;\n"
    "  ld.param.u64 %d1, [out];\n  mov.u32 %r1, 5;\n  st.relaxed.gpu.global.u32 [%d1], %r1;\n  bar.sync 0;\n"
    "  st.relaxed.gpu.global.u32 [%d1], %r1;\n  ret;\n}\n";

#define BLOCKS 3
#define WARPS 2

static void test_every_slot(void)
{
    struct options o = {.check = true, .schedules = 1};
    struct fixture f = fixture_open(program, &o);
    struct observer_set *set = machine_observers(f.machine);
    uint64_t params[1];
    int counted[2] = {0};
    fixture_alloc(&f, 4, &params[0]);
    memset(states, 0, sizeof states);
    for (int i = 0; i < OBSERVER_SLOTS; i++)
        observers_open(set, f.machine, &with_slot);
    observers_add(set, &for_a_while, &counted[0]);
    observers_add(set, &for_a_while, &counted[1]);
    CU_ASSERT(set->slots == OBSERVER_SLOTS && set->count == OBSERVER_SLOTS + 2);
    struct grid *g = fixture_start(&f, "k", BLOCKS, WARPS * 32, params);
    fixture_run(&f, 0);
    CU_ASSERT_EQUAL(g->status, GRID_DONE);
    grid_destroy(g);
    for (int i = 0; i < OBSERVER_SLOTS; i++)
        CU_ASSERT(states[i].begun == BLOCKS && states[i].ended == BLOCKS && states[i].seen == 2 * BLOCKS * WARPS);
    CU_ASSERT(counted[0] == 2 * BLOCKS * WARPS && counted[1] == counted[0]);
    observers_remove(set);
    observers_remove(set);
    CU_ASSERT_EQUAL(set->count, OBSERVER_SLOTS);
    fixture_close(&f);
}

/* ---- Whoever is too many ---- */

/** `open` with a slot, then `add` without, then `late` with one. @return whether that aborts, after `word` on stderr */
static bool aborts(int open, int add, int late, const char *word)
{
    int ends[2], status;
    char said[1000] = "";
    CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct options o = {.check = true, .schedules = 1};
        struct fixture f = fixture_open(program, &o);
        dup2(ends[1], STDERR_FILENO);
        for (int i = 0; i < open + add + late; i++)
            if (i < open || i >= open + add)
                observers_open(machine_observers(f.machine), f.machine, &with_slot);
            else
                observers_add(machine_observers(f.machine), &for_a_while, &status);
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t n, at = 0; (n = read(ends[0], said + at, sizeof said - 1 - (size_t)at)) > 0; at += n)
        ;
    close(ends[0]);
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(said, word);
}

static void test_too_many(void)
{
    CU_ASSERT(aborts(OBSERVER_SLOTS + 1, 0, 0, "check_names.def"));
    CU_ASSERT(aborts(OBSERVER_SLOTS, 4, 0, "MAX_OBSERVERS"));
    CU_ASSERT(aborts(0, 1, 1, "whoever has a slot"));
    CU_ASSERT(!aborts(OBSERVER_SLOTS, 3, 0, ""));
    CU_ASSERT(!aborts(1, 1, 0, ""));
}

UNIT_MAIN("observer", {"room for all", test_room}, {"every slot is one observer's", test_every_slot},
          {"whoever is too many ends at once", test_too_many})
