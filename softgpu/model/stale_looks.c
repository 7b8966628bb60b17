/**
 * @file stale_looks.c
 * See walk.h: reads that may come before what their thread has written, and whether it matters what they return then.
 *
 * Each change of a location that the walk has seen is put to each such read of it: memory is as it was behind the change, or as at the read where it held what the change has left, and the read misses it. The thread is followed
 * alone, with the older value and with the newest. If the first way changes no memory and comes to where the second one passes, or to
 * where the read is made again, with the same memory, then the older value has cost a turn, or an update that leaves what is there. What others do meanwhile is not asked.
 */
#include "model/walk.h"

#include <string.h>

#include "base/mix.h"

/** Reads that a thread is followed for; changes kept of a location; nodes that are made for all questions. */
#define MOST_READS 32
#define MOST_TURNS 24
#define MOST_NODES (1 << 14)
/** States kept of a look, and of all. */
#define MOST_STATES 128
#define MOST_ALL_STATES (1 << 15)

/** A thread at its next read, barrier or end. */
struct way_point {
    uint64_t rest, memory;           /**< what it does from there on; what memory holds, as a number */
    uint32_t wrote;                  /**< locations that its stores have changed on the way, one bit each; on the way with the newest value, to which they went */
};

struct way {
    struct way_point point[MOST_READS + 1];
    int count;
};

void walk_note_turn(struct walk *w, int location, uint64_t before, int thread)
{
    uint64_t key[] = {(uint64_t)location, before, w->memory[location]}, hash = 0;
    if (w->turns_of[location] == MOST_TURNS || w->users[location] == 1u << thread)
        return;
    for (size_t i = 0; i < sizeof key / sizeof *key; i++)
        hash = mix_in(hash, key[i]);
    if (!byte_set_add(&w->turned, hash, key, sizeof key)) {
        w->turns.data[byte_set_number(&w->turned, hash, key, sizeof key) - 1].writers |= 1u << thread;
        return;
    }
    struct walk_turn *turn = LIST_PUSH(&w->turns);
    *turn = (struct walk_turn){.location = location, .before = before, .writers = 1u << thread};
    memcpy(turn->memory, w->memory, sizeof turn->memory);
    w->turns_of[location]++;
}

static void keep_state(struct walk *w, struct stale_look *look)
{
    size_t bytes = sizeof *w->memory * (size_t)w->program->locations;
    uint64_t key[1 + MODEL_LOCATIONS] = {(uint64_t)(look - w->looks.data)}, hash = mix64(key[0]);
    if (look->states == MOST_STATES || w->look_states.count == MOST_ALL_STATES)
        return;
    memcpy(key + 1, w->memory, bytes);
    for (int l = 0; l < w->program->locations; l++)
        hash = mix_in(hash, w->memory[l]);
    if (!byte_set_add(&w->looked, hash, key, sizeof *key + bytes))
        return;
    struct look_state *state = LIST_PUSH(&w->look_states);
    state->before = look->latest;
    memcpy(state->memory, w->memory, sizeof state->memory);
    look->latest = w->look_states.count;
    look->states++;
}

void walk_note_stale(struct walk *w, struct stale_look look)
{
    while (w->look_at.count < w->nodes.count)
        *LIST_PUSH(&w->look_at) = 0;
    int *at = &w->look_at.data[look.node];
    if (!*at) {
        *LIST_PUSH(&w->looks) = look;
        *at = w->looks.count;
    }
    struct stale_look *kept = &w->looks.data[*at - 1];
    kept->past_delayed |= look.past_delayed;
    kept->past_update |= look.past_update;
    kept->others |= look.others;
    kept->stale |= look.stale;
    keep_state(w, kept);
}

/* ---- Following one thread ---- */

static void add_point(const struct walk *w, struct way *way, int node, const uint64_t *memory, uint32_t wrote)
{
    const struct model_step *step = w->nodes.data[node].step;
    struct way_point *p = &way->point[way->count++];
    *p = (struct way_point){.rest = step->rest ? step->rest : (uint64_t)node << 1, .wrote = wrote};
    for (int l = 0; l < w->program->locations; l++)
        p->memory = mix_in(p->memory, memory[l]);
}

/** What a step writes. @return false if `quiet` and an update changes memory */
static bool write_all(const struct model_step *step, uint64_t *memory, uint32_t *wrote, bool quiet)
{
    for (int i = 0; i < step->count; i++) {
        const struct model_event *e = &step->event[i];
        bool changes = e->kind == EVENT_WRITE && memory[e->location] != e->value;
        if (e->kind != EVENT_WRITE)
            continue;
        if (changes && e->pair >= 0 && quiet)
            return false;
        memory[e->location] = e->value;
        *wrote |= e->pair >= 0 || (quiet && !changes) ? 0 : 1u << e->location;
    }
    return true;
}

/** From the node on, where the thread reads `value` and then what memory holds; no further than to where it would only go on so. */
static void follow(struct walk *w, int thread, int node, uint64_t value, const uint64_t *begin, bool quiet, struct way *way)
{
    uint64_t memory[MODEL_LOCATIONS];
    uint32_t wrote = 0;
    memcpy(memory, begin, sizeof memory);
    way->count = 0;
    add_point(w, way, node, memory, 0);
    while (way->count <= MOST_READS) {
        int then = walk_node_after(w, thread, node, value);
        if (then < 0)
            return;
        const struct model_step *step = w->nodes.data[then].step;
        bool again = step->stop == STOP_AGAIN;
        for (int i = 0; i < (step->rounds ? step->rounds : 1) && again; i++)
            then = w->nodes.data[then].parent;
        if (!again && !write_all(step, memory, &wrote, quiet))
            return;
        add_point(w, way, then, memory, wrote);
        if (again || step->stop != STOP_READ)
            return;
        node = then;
        value = memory[step->read.location];
    }
}

/** Does one way come to where the other one is, and has it changed nothing that the other does not? */
static bool meets(const struct way *stale, const struct way *newest)
{
    for (int i = 1; i < stale->count; i++)
        for (int k = 0; k < newest->count; k++)
            if (stale->point[i].rest == newest->point[k].rest && stale->point[i].memory == newest->point[k].memory &&
                !(stale->point[i].wrote & ~newest->point[k].wrote))
                return true;
    return false;
}

/** May the look, where memory is so, go elsewhere by `older`? */
static bool leads_elsewhere(struct walk *w, const struct stale_look *look, const uint64_t *memory, uint64_t older)
{
    struct way stale, newest;
    follow(w, look->thread, look->node, memory[w->nodes.data[look->node].step->read.location], memory, false, &newest);
    follow(w, look->thread, look->node, older, memory, true, &stale);
    return !meets(&stale, &newest);
}

/** May it, in one of the states that memory had there, or behind a change that the walk has seen? */
static bool matters(struct walk *w, const struct stale_look *look, uint64_t most)
{
    int location = w->nodes.data[look->node].step->read.location;
    for (int i = 0; i < w->turns.count; i++) {
        const struct walk_turn *turn = &w->turns.data[i];
        if (turn->location != location || !(turn->writers & ~(1u << look->thread)))
            continue;
        if (w->names.count >= most || leads_elsewhere(w, look, turn->memory, turn->before))
            return true;
        const struct look_state *state;
        for (int k = look->latest; k; k = state->before) {
            state = &w->look_states.data[k - 1];
            if (state->memory[location] == turn->memory[location] && (w->names.count >= most || leads_elsewhere(w, look, state->memory, turn->before)))
                return true;
        }
    }
    return false;
}

static void add_bare(struct walk *w, const struct stale_look *look)
{
    uint32_t bit = 1u << w->nodes.data[look->node].step->read.location;
    for (uint32_t m = look->others; m; m &= m - 1) {
        struct bare *b = &w->bare[look->thread][__builtin_ctz(m)];
        b->past_delayed |= m & -m & look->past_delayed ? bit : 0;
        b->past_update |= m & -m & look->past_update ? bit : 0;
        b->stale |= look->stale ? bit : 0;
        b->any |= bit;
    }
}

void walk_sum_stale(struct walk *w, bool asks)
{
    uint64_t most = w->names.count + MOST_NODES;
    memset(w->bare, 0, sizeof w->bare);
    for (int i = 0; i < w->looks.count; i++)
        if (!asks || matters(w, &w->looks.data[i], most))
            add_bare(w, &w->looks.data[i]);
}
