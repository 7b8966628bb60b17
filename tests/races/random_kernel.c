/**
 * @file random_kernel.c
 * See random_kernel.h.
 */
#include "random_kernel.h"

#include <string.h>

#include "base/mix.h"

uint32_t random_below(uint64_t *state, uint32_t below)
{
    *state += MIX_STEP;
    return (uint32_t)(mix64(*state) >> 32) % below;
}

static bool one_in(uint64_t *r, uint32_t n)
{
    return random_below(r, n) == 0;
}

/** What happens to an array: all of its accesses have one width, or any, or it is only read, or mostly added to. */
struct use {
    unsigned unit, count;
    bool any_width, only_read, added;
};

static struct use use_of(uint64_t arrays, bool shared, int array)
{
    static const struct use uses[] = {{4, 1, 0, 0, 0}, {4, 1, 0, 0, 0}, {4, 1, 0, 1, 0}, {4, 1, 0, 0, 1}, {4, 1, 1, 0, 0},
                                      {1, 1, 0, 0, 0}, {2, 1, 0, 0, 0}, {8, 1, 0, 0, 0}, {4, 2, 0, 0, 0}, {4, 4, 0, 0, 0}};
    uint64_t state = arrays + (uint64_t)(shared ? GLOBAL_ARRAYS + array : array) * 77;
    return uses[random_below(&state, sizeof uses / sizeof uses[0])];
}

static void choose_place(uint64_t *r, struct step *s, const struct random_kernel *k, bool own)
{
    uint32_t f = own ? random_below(r, 7) : random_below(r, 20);
    s->form = f < 5 ? FORM_OWN : f < 6 ? FORM_REVERSED : f < 7 ? FORM_XOR : f < 12 ? FORM_AFFINE : f < 15 ? FORM_SHARED
              : f < 18 ? FORM_TABLE : FORM_FIXED;
    s->a = s->form == FORM_SHARED ? PICK(r, 1, 2, 5) : PICK(r, 0, 1, 1, 1, 2, 3);
    s->b = PICK(r, 0, 0, k->threads, 1);
    s->c = PICK(r, 0, 0, 1, k->threads);
    s->d = s->form == FORM_OWN     ? PICK(r, 0, 0, 0, 1, 2)
           : s->form == FORM_XOR   ? PICK(r, 1, 3, 16)
           : s->form == FORM_TABLE ? PICK(r, 0, 0, 5)
           : s->form == FORM_FIXED ? random_below(r, 40) : PICK(r, 0, 0, 1, 7, 32);
}

static void choose_guard(uint64_t *r, struct step *s, const struct random_kernel *k)
{
    s->predicated = one_in(r, 2);
    if (!one_in(r, 5) && !one_in(r, 4))
        return;
    s->guard = GUARD_BELOW + (int)random_below(r, GUARD_WARP);
    s->bound = s->guard == GUARD_EVERY   ? PICK(r, 2, 3, 4)
               : s->guard == GUARD_BLOCK ? random_below(r, k->blocks)
               : s->guard == GUARD_WARP  ? random_below(r, (k->threads + 31) / 32) : PICK(r, 1, 1, 16, 32, k->threads / 2);
}

/** Where all add, mostly as the others do. */
static void choose_atomic(uint64_t *r, struct step *s, bool added)
{
    uint32_t often = added ? 12 : 4;
    s->unit = one_in(r, often) ? 8 : 4;
    s->count = 1;
    s->near = one_in(r, often);
    s->used = one_in(r, 3);
    s->largest = one_in(r, 4);
}

struct atom atom_of(const struct step *s, int kernel, uint32_t block, uint32_t place)
{
    return (struct atom){.from = place, .block = block, .kernel = kernel, .unit = s->unit, .strong = s->act == ACT_ADD || s->strong, .near = s->near, .may_agree = s->act == ACT_ADD && s->largest && !s->used};
}

bool atoms_together(const struct atom *a, const struct atom *b)
{
    return a->strong && b->strong && a->from == b->from && a->unit == b->unit && ((a->kernel == b->kernel && a->block == b->block) || (!a->near && !b->near));
}

struct step *random_access(uint64_t *r, struct random_kernel *k, uint64_t arrays, uint32_t calm)
{
    struct step *s = &k->step[k->count++];
    s->block = ANY_BLOCK;
    s->shared = one_in(r, 2);
    s->array = (int)random_below(r, s->shared ? SHARED_ARRAYS : GLOBAL_ARRAYS);
    struct use use = use_of(arrays, s->shared, s->array);
    uint32_t f = random_below(r, 100);
    s->act = f < 57 ? ACT_LOAD : f < 92 ? ACT_STORE : ACT_ADD;
    if (use.only_read && !s->shared)
        s->act = ACT_LOAD;
    if (use.added && !one_in(r, 10))
        s->act = ACT_ADD;
    s->unit = use.any_width ? PICK(r, 1, 2, 4, 8) : use.unit;
    s->count = use.any_width && s->unit == 4 ? PICK(r, 1, 2, 4) : use.count;
    if (s->act == ACT_ADD)
        choose_atomic(r, s, use.added);
    s->same = one_in(r, 3);
    choose_place(r, s, k, random_below(r, 100) < calm);
    choose_guard(r, s, k);
    k->has_shared |= s->shared;
    return s;
}

/** One step, or a loop with a few. */
static void choose_steps(uint64_t *r, struct random_kernel *k, uint64_t arrays, uint32_t calm, bool inside)
{
    uint32_t f = random_below(r, 100);
    if (f < 33)
        k->step[k->count++].act = f < 28 ? ACT_BARRIER : ACT_WARP_BARRIER;
    else if (f >= 50 || inside)
        random_access(r, k, arrays, calm);
    else {
        struct step *s = &k->step[k->count++];
        s->act = ACT_LOOP;
        s->turns = 1 + random_below(r, 4);
        for (int n = 1 + (int)random_below(r, 3); n; n--)
            choose_steps(r, k, arrays, calm, true);
        k->step[k->count++].act = ACT_LOOP_END;
    }
}

void random_kernel(struct random_kernel *k, int number, uint64_t seed, uint64_t arrays)
{
    uint64_t r = mix64(seed * MIX_STEP + (uint64_t)number);
    *k = (struct random_kernel){.number = number};
    k->blocks = PICK(&r, 1, 1, 2, 3, 4);
    k->threads = PICK(&r, 32, 33, 64, 96, 128, 64);
    uint32_t calm = PICK(&r, 40, 75, 90, 97, 100);
    for (int n = 2 + (int)random_below(&r, 6); n; n--)
        choose_steps(&r, k, arrays, calm, false);
}

/* ---- What the steps mean ---- */

uint32_t table_word(uint32_t at)
{
    return (at * 421 + 97) % TABLE_WORDS; /* 421 is odd: each once */
}

static uint32_t elements(const struct step *s)
{
    return (s->shared ? SHARED_BYTES : GLOBAL_BYTES) / (s->unit * s->count);
}

bool step_taken(const struct random_kernel *k, const struct step *s, uint32_t block, uint32_t thread)
{
    if (s->block != ANY_BLOCK && s->block != block)
        return false;
    switch (s->guard) {
    case GUARD_NONE: return true;
    case GUARD_BELOW: return thread < s->bound;
    case GUARD_FROM: return thread >= s->bound;
    case GUARD_EVERY: return thread % s->bound == 0;
    case GUARD_BLOCK: return block == s->bound;
    case GUARD_WARP: return thread / 32 == s->bound;
    case GUARD_LAST: return block == k->blocks - 1 && thread < s->bound;
    }
    return false;
}

uint32_t step_owner(const struct random_kernel *k, const struct step *s, uint32_t block)
{
    return s->remote ? (block + 1) % k->blocks : block;
}

uint32_t step_place(const struct random_kernel *k, const struct step *s, uint32_t block, uint32_t thread, uint32_t turn)
{
    uint32_t x = s->shared ? thread : block * k->threads + thread, all = s->shared ? k->threads : k->blocks * k->threads, at = 0;
    switch (s->form) {
    case FORM_OWN:
    case FORM_CLAIMED: at = x + s->d; break;
    case FORM_REVERSED: at = all - 1 - x; break;
    case FORM_XOR: at = x ^ s->d; break;
    case FORM_AFFINE: at = s->a * thread + s->b * block + s->c * turn + s->d; break;
    case FORM_SHARED: at = (thread >> s->a) + s->b * block + s->d; break;
    case FORM_TABLE: at = table_word((x + s->d) % TABLE_WORDS); break;
    case FORM_FIXED: at = s->d; break;
    }
    return (at + s->base) % elements(s) * s->unit * s->count;
}

struct step copy_source(const struct step *s)
{
    return (struct step){.act = ACT_LOAD, .array = s->source, .unit = s->unit, .count = s->count, .form = FORM_OWN, .block = s->block, .guard = s->guard, .bound = s->bound};
}

uint32_t step_value(const struct random_kernel *k, const struct step *s, uint32_t block, uint32_t thread)
{
    return s->same ? 5 : 7 + thread + 1000 * block + (uint32_t)step_line(k, s);
}

int step_line(const struct random_kernel *k, const struct step *s)
{
    return k->number * LINES_A_KERNEL + 2 + (int)(s - k->step);
}
