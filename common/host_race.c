/**
 * @file host_race.c
 * Vector clocks for host threads and the last accesses to each eight bytes; see host_race.h.
 *
 * A thread's clock counts its releases. An access is after another thread's if the thread has, by acquires,
 * heard of that thread's clock as it was then.
 */
#include "host_race.h"

#include "launch_stubs.h"

#include <stdint.h>
#include <string.h>

#define MAX_THREADS 32
#define MAX_OBJECTS 2048 /* that order; a power of two, as is the next */
#define MAX_CELLS 16384
#define PROBES 8
#define RECORDS 4
#define GRANULE 8

/** What a thread knows of every thread. */
struct knowledge {
    uint32_t of[MAX_THREADS];
};

struct object {
    uintptr_t at; /**< 0: free */
    struct knowledge k;
};

struct record {
    uint32_t clock;        /**< of the thread, at the access; 0: none */
    uint8_t thread, bytes; /**< bytes: a bit for each of the granule's */
    bool write, atomic;
};

struct cell {
    uintptr_t at;  /**< granule; 0: free */
    unsigned next; /**< record to be overwritten */
    struct record records[RECORDS];
};

static struct {
    bool on, full; /**< full: somebody was not followed, so nothing is said */
    int threads, races;
    uint32_t call;
    struct knowledge of[MAX_THREADS];
    /** Since they were cleared, which takes longer than most calls. */
    bool objects_used, cells_used;
    struct object objects[MAX_OBJECTS];
    struct cell cells[MAX_CELLS];
} watch;

/** The thread's number in the call `of_call`; counted anew in each, as threads may outlive one. */
static __thread struct {
    uint32_t of_call;
    int number;
} self;

static volatile bool busy;
static __thread int held; /* an atomic's operation and what it orders are one */

void host_race_lock(void)
{
    if (held++ == 0)
        while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
            ;
}

void host_race_unlock(void)
{
    if (--held == 0)
        __atomic_clear(&busy, __ATOMIC_RELEASE);
}

static bool watched(void)
{
    return __atomic_load_n(&watch.on, __ATOMIC_RELAXED) && self.of_call == watch.call;
}

static void hear(struct knowledge *who, const struct knowledge *of)
{
    for (int i = 0; i < MAX_THREADS; i++)
        if (who->of[i] < of->of[i])
            who->of[i] = of->of[i];
}

/** Forgets the call before. */
static void clear(void)
{
    if (watch.objects_used)
        memset(watch.objects, 0, sizeof watch.objects);
    if (watch.cells_used)
        memset(watch.cells, 0, sizeof watch.cells);
    watch.objects_used = watch.cells_used = false;
    memset(watch.of, 0, sizeof watch.of);
    watch.full = false;
    watch.races = 0;
}

void host_race_begin(void)
{
    host_race_lock();
    clear();
    watch.call++;
    watch.threads = 1;
    watch.of[0].of[0] = 1;
    self.of_call = watch.call;
    self.number = 0;
    watch.on = true;
    host_race_unlock();
}

int host_race_end(void)
{
    host_race_lock();
    watch.on = false;
    int races = watch.full ? 0 : watch.races;
    host_race_unlock();
    return races;
}

int host_race_fork(void)
{
    int number = -1;
    if (!watched())
        return -1;
    host_race_lock();
    if (watch.threads < MAX_THREADS) {
        number = watch.threads++;
        watch.of[number] = watch.of[self.number];
        watch.of[number].of[number] = 1;
        watch.of[self.number].of[self.number]++;
    }
    watch.full |= number < 0;
    host_race_unlock();
    return number;
}

void host_race_enter(int number)
{
    self.of_call = number < 0 ? 0 : watch.call;
    self.number = number;
}

void host_race_join(int number)
{
    if (!watched() || number < 0 || number >= watch.threads)
        return;
    host_race_lock();
    hear(&watch.of[self.number], &watch.of[number]);
    host_race_unlock();
}

/** The object at this address, made where there is none; NULL where there is no room. */
static struct object *object_at(uintptr_t at)
{
    unsigned h = (unsigned)((at >> 2) * 0x9e3779b9u) % MAX_OBJECTS;
    watch.objects_used = true;
    for (unsigned i = 0; i < PROBES; i++) {
        struct object *o = &watch.objects[(h + i) % MAX_OBJECTS];
        if (o->at && o->at != at)
            continue;
        o->at = at;
        return o;
    }
    watch.full = true;
    return NULL;
}

void host_race_release(const volatile void *object)
{
    if (!watched())
        return;
    host_race_lock();
    struct object *o = object_at((uintptr_t)object);
    if (o)
        hear(&o->k, &watch.of[self.number]);
    watch.of[self.number].of[self.number]++;
    host_race_unlock();
}

void host_race_acquire(const volatile void *object)
{
    if (!watched())
        return;
    host_race_lock();
    struct object *o = object_at((uintptr_t)object);
    if (o)
        hear(&watch.of[self.number], &o->k);
    host_race_unlock();
}

static struct cell *cell_at(uintptr_t granule, bool make)
{
    unsigned h = (unsigned)(granule * 0x9e3779b9u >> 7) % MAX_CELLS;
    struct cell *c = NULL;
    for (unsigned i = 0; i < PROBES; i++) {
        c = &watch.cells[(h + i) % MAX_CELLS];
        if (c->at == granule)
            return c;
        if (!c->at)
            break;
    }
    if (!make)
        return NULL;
    *c = (struct cell){.at = granule}; /* a free one, or one that is forgotten */
    return c;
}

/** Compares with the last accesses, and is then one of them. */
static void access_granule(uintptr_t granule, struct record now)
{
    watch.cells_used = true;
    struct cell *c = cell_at(granule, true);
    struct record *mine = NULL;
    for (int i = 0; i < RECORDS; i++) {
        struct record *r = &c->records[i];
        if (!r->clock)
            continue;
        if (r->thread == now.thread) {
            bool alike = r->write == now.write && r->atomic == now.atomic;
            if (alike && (r->clock == now.clock || r->bytes == now.bytes))
                mine = r;
        } else if (r->bytes & now.bytes && (r->write || now.write) && !(r->atomic && now.atomic) &&
                   r->clock > watch.of[now.thread].of[r->thread]) {
            watch.races += !launch_stub_owns(granule * GRANULE +
                                             (unsigned)__builtin_ctz(r->bytes & now.bytes));
        }
    }
    if (mine)
        now.bytes |= mine->bytes;
    else
        mine = &c->records[c->next++ % RECORDS];
    *mine = now;
}

void host_race_access(const volatile void *p, size_t bytes, bool write, bool atomic)
{
    /* One thread alone is in order with itself, and its accesses are before those of who it starts. */
    if (!watched() || watch.threads < 2)
        return;
    uintptr_t at = (uintptr_t)p, end = at + bytes;
    host_race_lock();
    for (; at < end; at = (at / GRANULE + 1) * GRANULE) {
        unsigned first = at % GRANULE, count = GRANULE - first;
        if (count > end - at)
            count = (unsigned)(end - at);
        access_granule(at / GRANULE,
                       (struct record){watch.of[self.number].of[self.number], (uint8_t)self.number,
                                       (uint8_t)(((1u << count) - 1) << first), write, atomic});
    }
    host_race_unlock();
}

void host_race_forget(const void *p, size_t bytes)
{
    uintptr_t first = (uintptr_t)p / GRANULE, last = ((uintptr_t)p + bytes) / GRANULE;
    if (!__atomic_load_n(&watch.on, __ATOMIC_RELAXED) || watch.threads < 2)
        return;
    host_race_lock();
    if (last - first < MAX_CELLS / PROBES) {
        for (uintptr_t g = first; g <= last; g++) {
            struct cell *c = cell_at(g, false);
            if (c)
                memset(c->records, 0, sizeof c->records);
        }
    } else {
        for (unsigned i = 0; i < MAX_CELLS; i++)
            if (watch.cells[i].at >= first && watch.cells[i].at <= last)
                memset(watch.cells[i].records, 0, sizeof watch.cells[i].records);
    }
    host_race_unlock();
}
