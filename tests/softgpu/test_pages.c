/* Snapshots of memory that is followed by page protection: exact whoever writes, and at the cost of what is written. */
#include "unit.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/zeroed.h"
#include "memory/followed.h"
#include "memory/memory.h"
#include "memory/snapshot.h"

#define MB (1ull << 20)
#define RANGES 3

static volatile sig_atomic_t opened;

static void on_fault(int number, siginfo_t *info, void *context)
{
    (void)context;
    opened++;
    if (!memory_opens(info->si_addr))
        signal(number, SIG_DFL);
}

static bool always(void)
{
    return true;
}

static bool never(void)
{
    return false;
}

static void follow(bool (*may)(void))
{
    struct sigaction how = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    sigaction(SIGSEGV, &how, NULL);
    memory_guard(may);
    opened = 0;
}

static void keep(struct memory *m, int times)
{
    for (int i = 0; i < times; i++)
        memory_snapshot_free(memory_save(m));
}

/** An allocation that has been written, and not been changed for long. */
static struct allocation *at_rest(struct memory *m, uint64_t bytes)
{
    struct allocation *a = memory_alloc(m, bytes, 0, ALLOC_DEVICE, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    memset(memory_overwrite(m, a->base, bytes), 1, bytes);
    keep(m, 4);
    return a;
}

/** What is written after a snapshot comes back, and is met once a piece. */
static void test_written(void)
{
    follow(always);
    struct memory *m = memory_create(1000 * MB, true);
    struct allocation *a = at_rest(m, 3 * MB + 77);
    CU_ASSERT_EQUAL(opened, 0);
    struct memory_snapshot *s = memory_save(m);
    for (int run = 0; run < 3; run++) {
        for (int i = 0; i < 100; i++)
            a->host[MB + i] = 9;
        a->host[3 * MB + 76] = 9;
        CU_ASSERT_EQUAL(opened, 2);
        memory_restore(m, s);
        CU_ASSERT_EQUAL(a->host[MB] | a->host[MB + 99] | a->host[3 * MB + 76], 1);
    }
    memory_snapshot_free(s);
    a->host[MB] = 5;
    s = memory_save(m);
    a->host[MB] = 6;
    a->host[2 * MB] = 6;
    memory_restore(m, s);
    CU_ASSERT_EQUAL(a->host[MB], 5);
    CU_ASSERT_EQUAL(a->host[2 * MB], 1);
    memory_snapshot_free(s);
    memory_destroy(m);
}

/** What the runtime writes as a whole is opened beforehand; so is everything where faults are followed no more. */
static void test_opened(void)
{
    follow(always);
    struct memory *m = memory_create(1000 * MB, true);
    struct allocation *a = at_rest(m, 2 * MB), *b = at_rest(m, 2 * MB);
    memset(memory_overwrite(m, a->base + 5, MB), 2, MB);
    CU_ASSERT_EQUAL(opened, 0);
    a->host[2 * MB - 1] = 2;
    CU_ASSERT_EQUAL(opened, 1);
    memory_open_all();
    b->host[0] = b->host[MB] = 2;
    CU_ASSERT_EQUAL(opened, 1);
    keep(m, 4);
    b->host[0] = 3;
    CU_ASSERT_EQUAL(opened, 2);
    follow(never);
    keep(m, 6);
    b->host[MB] = a->host[0] = 3;
    CU_ASSERT_EQUAL(opened, 0);
    memory_destroy(m);
}

/** What is quiet is copied when somebody wants to go back, or takes another picture: it has not changed until then. */
static void test_later(void)
{
    follow(always);
    struct memory *m = memory_create(1000 * MB, true);
    struct allocation *quiet = at_rest(m, MB), *small = at_rest(m, 1000), *other = at_rest(m, MB);
    struct memory_snapshot *s = memory_save_later(m);
    quiet->quiet = small->quiet = true;
    memory_save_rest(s, true);
    quiet->host[0] = small->host[0] = 2; /* nobody may, but so it is seen that there was no copy */
    other->host[0] = 2;
    memory_restore(m, s);
    CU_ASSERT_EQUAL(quiet->host[0] & small->host[0], 2);
    CU_ASSERT_EQUAL(other->host[0], 1);
    for (int run = 0; run < 2; run++) {
        quiet->host[0] = small->host[0] = other->host[0] = 3;
        memory_restore(m, s);
        CU_ASSERT_EQUAL(quiet->host[0] & small->host[0], 2);
        CU_ASSERT_EQUAL(other->host[0], 1);
    }
    memory_snapshot_free(s);
    s = memory_save_later(m);
    memory_save_rest(s, true);
    struct memory_snapshot *further = memory_save(m);
    quiet->host[0] = small->host[0] = other->host[0] = 4;
    memory_restore(m, further);
    CU_ASSERT_EQUAL(quiet->host[0] & small->host[0], 2);
    quiet->host[0] = small->host[0] = other->host[0] = 5;
    memory_snapshot_free(further);
    memory_restore(m, s);
    CU_ASSERT_EQUAL(quiet->host[0] & small->host[0], 2);
    CU_ASSERT_EQUAL(other->host[0], 1);
    memory_snapshot_free(s);
    s = memory_save_later(m);
    quiet->quiet = small->quiet = false;
    memory_save_rest(s, true);
    quiet->host[0] = small->host[0] = 6;
    memory_restore(m, s);
    CU_ASSERT_EQUAL(quiet->host[0] & small->host[0], 2);
    memory_snapshot_free(s);
    memory_destroy(m);
}

/** Only memory of this process alone is closed. */
static void test_apart(void)
{
    follow(always);
    struct memory *m = memory_create(1000 * MB, true);
    struct allocation *managed = memory_alloc(m, MB, 0, ALLOC_MANAGED, NULL);
    uint8_t *own = mmap(NULL, MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct allocation *registered = memory_map_host(m, own, MB, ALLOC_REGISTERED);
    uint64_t base = memory_reserve(m, MB, 1);
    uint8_t *physical = mmap(NULL, MB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct allocation *mapped = memory_map_at(m, base, physical, MB, true, 0, 1);
    keep(m, 5);
    managed->front[9] = managed->host[10] = own[9] = physical[9] = 1;
    CU_ASSERT_EQUAL(opened, 0);
    struct memory_snapshot *s = memory_save(m);
    managed->host[9] = own[9] = physical[9] = 2;
    memory_restore(m, s);
    CU_ASSERT_EQUAL(managed->front[9] + own[9] + physical[9], 3);
    CU_ASSERT(!registered->freed && !mapped->freed);
    memory_snapshot_free(s);
    memory_destroy(m);
    munmap(own, MB);
    munmap(physical, MB);
}

static void release_bits(void *self, struct allocation *a)
{
    memory_initialised_ends(self, a);
    zeroed_free(a->initialised, a->initialised_bytes);
    a->initialised = NULL;
}

static void make_bits(void *self, struct allocation *a)
{
    (void)self;
    a->initialised = zeroed_new(a->initialised_bytes = MB);
}

/** Memory that is freed while a snapshot stands comes back, with what is known of it; what comes to lie at its place meanwhile is left alone. */
static void test_freed(void)
{
    follow(always);
    struct memory *m = memory_create(1000 * MB, true);
    memory_set_hooks(m, make_bits, release_bits, m);
    struct allocation *a = at_rest(m, 4 * MB);
    uint8_t *bits = a->initialised;
    bits[7] = 1;
    keep(m, 4);
    struct memory_snapshot *s = memory_save(m);
    bits[8] = 2;
    CU_ASSERT(opened == 2 && bits[7] == 1); /* it was closed before it was first written, too */
    memory_free(m, a->base);
    uint8_t *other = mmap(NULL, 8 * MB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_FALSE(memory_opens(other));
    memory_restore(m, s);
    CU_ASSERT_FALSE_FATAL(a->freed);
    CU_ASSERT_EQUAL(((uint8_t *)a->initialised)[7], 1);
    CU_ASSERT_EQUAL(((uint8_t *)a->initialised)[8], 0);
    CU_ASSERT(a->host[0] == 1 && a->host[4 * MB - 1] == 1);
    a->host[5] = 3;
    memory_restore(m, s);
    CU_ASSERT_EQUAL(a->host[5], 1);
    memory_free(m, a->base);
    memory_snapshot_free(s);
    keep(m, 3);
    munmap(other, 8 * MB);
    memory_destroy(m);
}

/* ---- By random: writes and snapshots beside plain copies ---- */

struct picture {
    struct memory_snapshot *s;
    uint8_t *bytes[RANGES];
};

static const uint64_t sizes[RANGES] = {MB + 4096, 200000, 5 * MB + 13};

static struct picture picture_of(struct memory *m, struct allocation **a)
{
    struct picture p = {.s = memory_save(m)};
    for (int i = 0; i < RANGES; i++)
        p.bytes[i] = memcpy(malloc(sizes[i]), a[i]->host, sizes[i]);
    return p;
}

static bool is_picture(const struct picture *p, struct allocation **a)
{
    bool same = true;
    for (int i = 0; i < RANGES; i++)
        same &= !memcmp(p->bytes[i], a[i]->host, sizes[i]);
    return same;
}

static void picture_free(struct picture *p)
{
    memory_snapshot_free(p->s);
    for (int i = 0; i < RANGES; i++)
        free(p->bytes[i]);
}

/** Stores here and there, rows of stores, and some of what is there already. */
static void write_some(struct allocation **a, unsigned *seed)
{
    int times = rand_r(seed) % 4;
    for (int t = 0; t < times; t++) {
        int i = rand_r(seed) % RANGES;
        uint64_t at = ((uint64_t)rand_r(seed) << 8) % sizes[i], row = rand_r(seed) % 8 ? 1 : (uint64_t)rand_r(seed) % 100000;
        uint8_t value = rand_r(seed) % 5 ? (uint8_t)rand_r(seed) : a[i]->host[at];
        for (uint64_t b = at; b < at + row && b < sizes[i]; b++)
            a[i]->host[b] = value;
    }
}

static void test_random(void)
{
    unsigned seed = 7;
    follow(always);
    struct memory *m = memory_create(1000 * MB, true);
    struct allocation *a[RANGES];
    for (int i = 0; i < RANGES; i++)
        a[i] = at_rest(m, sizes[i]);
    for (int launch = 0; launch < 40; launch++) {
        struct picture start = picture_of(m, a);
        for (int run = rand_r(&seed) % 3; run >= 0; run--) {
            write_some(a, &seed);
            struct picture one = picture_of(m, a);
            write_some(a, &seed);
            struct picture two = picture_of(m, a);
            memory_restore(m, start.s);
            CU_ASSERT_TRUE(is_picture(&start, a));
            write_some(a, &seed);
            memory_restore(m, two.s);
            CU_ASSERT_TRUE(is_picture(&two, a));
            memory_restore(m, one.s);
            CU_ASSERT_TRUE(is_picture(&one, a));
            picture_free(&two);
            picture_free(&one);
        }
        write_some(a, &seed);
        picture_free(&start);
        write_some(a, &seed);
    }
    CU_ASSERT(opened > 20);
    memory_destroy(m);
}

UNIT_MAIN("pages", {"what is written comes back", test_written}, {"opened beforehand", test_opened}, {"memory that is not closed", test_apart},
          {"freed meanwhile", test_freed}, {"copied later", test_later}, {"random writes beside copies", test_random})
