/**
 * @file fine_times.c
 * See fine_times.h.
 */
#include "check/race/clock/fine_times.h"

#include <string.h>

#include "check/race/clock/rooms.h"

static size_t bytes_of(uint32_t cap)
{
    return sizeof(struct fine) + cap * sizeof ((struct fine *)NULL)->at[0];
}

void fine_drop(struct fine *f)
{
    if (f && --f->refs == 0)
        room_drop(f, bytes_of(f->cap));
}

static uint32_t fine_find(const struct fine *f, uint32_t key)
{
    uint32_t lo = 0, hi = f->count;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (f->at[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

uint32_t fine_time(const struct fine *f, uint32_t key)
{
    uint32_t i = fine_find(f, key);
    return i < f->count && f->at[i].key == key ? f->at[i].time : 0;
}

bool fine_has_between(const struct fine *f, uint32_t first, uint32_t last)
{
    uint32_t i = fine_find(f, first);
    return i < f->count && f->at[i].key <= last;
}

/** For a change: *f, or a copy where others hold it; times only grow, so what it covers stays covered. */
static struct fine *fine_writable(struct fine *f, uint32_t extra)
{
    uint32_t count = f ? f->count : 0, need = count + extra;
    if (f && f->refs == 1) {
        if (need > f->cap) {
            uint32_t had = f->cap;
            f = room_grow(f, bytes_of(had), bytes_of(need + need / 2));
            f->cap = need + need / 2;
        }
        return f;
    }
    uint32_t cap = need + need / 4;
    struct fine *copy = room_new(bytes_of(cap));
    *copy = (struct fine){.refs = 1, .count = count, .cap = cap};
    lineage_of_both(&copy->lineage, f ? &f->lineage : NULL, NULL);
    for (uint32_t i = 0; i < count; i++)
        copy->at[i] = f->at[i];
    fine_drop(f);
    return copy;
}

void fine_add(struct fine **dst, uint32_t key, uint32_t time)
{
    if (*dst && fine_time(*dst, key) >= time)
        return;
    struct fine *f = *dst = fine_writable(*dst, 1);
    uint32_t i = fine_find(f, key);
    if (i == f->count || f->at[i].key != key) {
        memmove(&f->at[i + 1], &f->at[i], (f->count - i) * sizeof *f->at);
        f->count++;
        f->at[i].key = key;
    }
    f->at[i].time = time;
    lineage_add(&f->lineage, (struct lineage_time){.key = key, .time = time});
}

uint32_t fine_all(const struct fine *f, uint32_t threads)
{
    uint32_t lowest = f && f->count >= threads && threads ? f->at[0].time : 0;
    for (uint32_t i = 0; lowest && i < threads; i++) { /* keys of warps come behind those of threads */
        if (f->at[i].key != i)
            return 0;
        lowest = f->at[i].time < lowest ? f->at[i].time : lowest;
    }
    return lowest;
}

void fine_leave_later(struct fine **dst, uint32_t time)
{
    struct fine *f = *dst = fine_writable(*dst, 0);
    uint32_t left = 0;
    for (uint32_t i = 0; i < f->count; i++)
        if (f->at[i].time > time)
            f->at[left++] = f->at[i];
    f->count = left;
    lineage_begin(&f->lineage);
    if (left)
        return;
    fine_drop(f);
    *dst = NULL;
}

/** How many times from the first on are of the same keys in both, and no later in `small`; whole runs of eight. */
static uint32_t same_keys(const struct fine *big, const struct fine *small)
{
    uint32_t i = 0;
    for (; i + 8 <= small->count; i += 8) {
        uint32_t differs = 0;
        for (uint32_t k = i; k < i + 8; k++)
            differs |= (big->at[k].key ^ small->at[k].key) | (big->at[k].time < small->at[k].time);
        if (differs)
            break;
    }
    return i;
}

static bool holds(const struct fine *big, const struct fine *small)
{
    uint32_t at = same_keys(big, small);
    for (uint32_t i = at; i < small->count; i++, at++) {
        uint32_t key = small->at[i].key;
        if (!side_by_side(big->count, small->count))
            at = fine_find(big, key);
        while (at < big->count && big->at[at].key < key)
            at++;
        if (at == big->count || big->at[at].key != key || big->at[at].time < small->at[i].time)
            return false;
    }
    return true;
}

static bool fine_known(const struct fine *big, const struct lineage *small)
{
    if (lineage_knows(&big->lineage, small->number))
        return true;
    if (!lineage_knows_parts(&big->lineage, small))
        return false;
    for (uint32_t i = 0; i < small->count; i++)
        if (fine_time(big, small->more[i].key) < small->more[i].time)
            return false;
    return true;
}

/** Has `big` all times of `small`, or later ones? */
bool fine_covers(struct fine *big, const struct fine *small)
{
    if (!small || big == small)
        return true;
    if (!big || small->count > big->count)
        return false;
    if (lineage_knows(&big->lineage, small->lineage.number))
        return true;
    if (!fine_known(big, &small->lineage) && !holds(big, small))
        return false;
    lineage_note(&big->lineage, small->lineage.number);
    return true;
}

/** The later time of each key. */
static struct fine *fine_merge(const struct fine *a, const struct fine *b)
{
    struct fine *f = fine_writable(NULL, a->count + b->count);
    lineage_of_both(&f->lineage, &a->lineage, &b->lineage);
    for (uint32_t i = 0, j = 0; i < a->count || j < b->count; f->count++) {
        bool from_a = j == b->count || (i < a->count && a->at[i].key <= b->at[j].key);
        bool from_b = i == a->count || (j < b->count && b->at[j].key <= a->at[i].key);
        f->at[f->count] = from_a ? a->at[i] : b->at[j];
        if (from_a && from_b && b->at[j].time > a->at[i].time)
            f->at[f->count].time = b->at[j].time;
        i += from_a;
        j += from_b;
    }
    return f;
}

void fine_join(struct fine **dst, struct fine *src)
{
    struct fine *old = *dst;
    if (!src || old == src)
        return;
    if (!old || fine_covers(src, old)) {
        src->refs++;
        *dst = src;
        fine_drop(old);
    } else if (!side_by_side(old->count, src->count)) {
        struct lineage before = old->lineage;
        for (uint32_t i = 0; i < src->count; i++)
            fine_add(dst, src->at[i].key, src->at[i].time);
        if ((*dst)->lineage.number != before.number)
            lineage_of_both(&(*dst)->lineage, &before, &src->lineage);
    } else if (!fine_covers(old, src)) {
        *dst = fine_merge(old, src);
        fine_drop(old);
    }
}
