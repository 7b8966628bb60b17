/* Device memory: placement, lookup, limits, freeing, mapped host memory, snapshots. */
#include "unit.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host_memory.h"
#include "base/zeroed.h"
#include "memory/memory.h"
#include "memory/snapshot.h"
#include "memory/space.h"

#define MB (1ull << 20)

static void test_place(void)
{
    struct memory *m = memory_create(1ull << 40, false);
    uint64_t end = 0;
    for (int i = 0; i < 50; i++) {
        uint64_t bytes = (uint64_t)i * 977 + 1;
        struct allocation *a = memory_alloc(m, bytes, 0, ALLOC_DEVICE, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(a);
        CU_ASSERT_EQUAL(a->base % 512, 0);
        CU_ASSERT(a->base >= end + MB);
        CU_ASSERT_EQUAL(a->number, i);
        CU_ASSERT_EQUAL(a->host[0] | a->host[bytes - 1], 0);
        end = a->base + bytes;
    }
    struct allocation *big = memory_alloc(m, 5000 * MB, 4096, ALLOC_DEVICE, NULL);
    struct allocation *next = memory_alloc(m, 1, 0, ALLOC_DEVICE, NULL);
    CU_ASSERT_EQUAL(big->base % 4096, 0);
    CU_ASSERT(next->base >= big->base + 2 * 5000 * MB);
    memory_destroy(m);
}

static void test_addresses_replay(void)
{
    uint64_t first[3];
    for (int round = 0; round < 2; round++) {
        struct memory *m = memory_create(1ull << 40, false);
        for (int i = 0; i < 3; i++) {
            enum alloc_kind kind = i == 2 ? ALLOC_MANAGED : ALLOC_DEVICE;
            uint64_t base = memory_alloc(m, 1000u << i, 0, kind, NULL)->base;
            if (round == 0)
                first[i] = base;
            CU_ASSERT_EQUAL(base, first[i]);
        }
        memory_destroy(m);
    }
}

static void test_find(void)
{
    struct memory *m = memory_create(1ull << 40, false);
    struct allocation *a[40];
    for (int i = 0; i < 40; i++)
        a[i] = memory_alloc(m, i % 7 == 6 ? 150 * MB + 12345 : (uint64_t)i * 300 + 5, 0,
                            ALLOC_DEVICE, NULL);
    for (int i = 0; i < 40; i++) {
        uint64_t base = a[i]->base, bytes = a[i]->bytes;
        CU_ASSERT_PTR_EQUAL(memory_find(m, base), a[i]);
        CU_ASSERT_PTR_EQUAL(memory_find(m, base + bytes / 2), a[i]);
        CU_ASSERT_PTR_EQUAL(memory_find(m, base + bytes - 1), a[i]);
        CU_ASSERT_PTR_NULL(memory_find(m, base + bytes));
        CU_ASSERT_PTR_NULL(memory_find(m, base - 1));
        CU_ASSERT_PTR_EQUAL(memory_nearest(m, base + bytes + 7), a[i]);
        CU_ASSERT_PTR_EQUAL(memory_translate(m, base + 1, bytes - 1), a[i]->host + 1);
        CU_ASSERT_PTR_NULL(memory_translate(m, base + 1, bytes));
        CU_ASSERT_PTR_NULL(memory_translate(m, base, UINT64_MAX));
    }
    CU_ASSERT_PTR_NULL(memory_find(m, 0));
    CU_ASSERT_PTR_NULL(memory_find(m, UINT64_MAX));
    memory_destroy(m);
}

static void test_free(void)
{
    struct memory *m = memory_create(1ull << 40, false);
    struct allocation *a = memory_alloc(m, 1000, 0, ALLOC_DEVICE, NULL);
    uint64_t base = a->base;
    CU_ASSERT_EQUAL(memory_used(m), 1000);
    CU_ASSERT_FALSE(memory_free(m, base + 1));
    CU_ASSERT_FALSE(memory_free(m, base - 512));
    CU_ASSERT_TRUE(memory_free(m, base));
    CU_ASSERT_FALSE(memory_free(m, base));
    CU_ASSERT_EQUAL(memory_used(m), 0);
    CU_ASSERT_PTR_EQUAL(memory_find(m, base + 999), a);
    CU_ASSERT_TRUE(a->freed);
    CU_ASSERT_PTR_NULL(memory_translate(m, base, 1));
    CU_ASSERT_NOT_EQUAL(memory_alloc(m, 1000, 0, ALLOC_DEVICE, NULL)->base, base);
    memory_destroy(m);
}

static void test_limit(void)
{
    struct memory *m = memory_create(100 * MB, false);
    CU_ASSERT_PTR_NULL(memory_alloc(m, 100 * MB + 1, 0, ALLOC_DEVICE, NULL));
    CU_ASSERT_PTR_NULL(memory_alloc(m, UINT64_MAX, 0, ALLOC_DEVICE, NULL));
    CU_ASSERT_PTR_NULL(memory_alloc(m, UINT64_MAX, 0, ALLOC_HOST, NULL));
    struct allocation *a = memory_alloc(m, 60 * MB, 0, ALLOC_DEVICE, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    CU_ASSERT_PTR_NULL(memory_alloc(m, 60 * MB, 0, ALLOC_DEVICE, NULL));
    CU_ASSERT_TRUE(memory_free(m, a->base));
    CU_ASSERT_PTR_NOT_NULL(memory_alloc(m, 60 * MB, 0, ALLOC_DEVICE, NULL));
    memory_destroy(m);
}

/** A device pointer that the host follows must crash it, as on a GPU. */
static void test_host_dereference(void)
{
    struct memory *m = memory_create(100 * MB, false);
    volatile char *p = (char *)(uintptr_t)memory_alloc(m, 64, 0, ALLOC_DEVICE, NULL)->base;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        _exit(*p);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CU_ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    memory_destroy(m);
}

static void test_shared_with_host(void)
{
    struct memory *m = memory_create(100 * MB, false);
    struct allocation *managed = memory_alloc(m, 5000, 0, ALLOC_MANAGED, NULL);
    CU_ASSERT_EQUAL(managed->base, (uint64_t)(uintptr_t)managed->host);
    ((char *)(uintptr_t)managed->base)[4999] = 7;
    CU_ASSERT_EQUAL(*(char *)memory_translate(m, managed->base + 4999, 1), 7);

    /* Neighbours in one granule, neither aligned. */
    char *host = malloc(4096);
    struct allocation *a = memory_map_host(m, host + 10, 90, ALLOC_REGISTERED);
    struct allocation *b = memory_map_host(m, host + 100, 50, ALLOC_REGISTERED);
    uint64_t base = (uint64_t)(uintptr_t)host;
    CU_ASSERT_PTR_EQUAL(memory_find(m, base + 99), a);
    CU_ASSERT_PTR_EQUAL(memory_find(m, base + 100), b);
    CU_ASSERT_PTR_NULL(memory_find(m, base + 150));
    CU_ASSERT_TRUE(memory_free(m, base + 10));
    CU_ASSERT_PTR_NULL(memory_translate(m, base + 10, 1));
    CU_ASSERT_PTR_EQUAL(memory_translate(m, base + 100, 50), host + 100);
    host[120] = 3; /* registering ends, the host's memory does not */
    CU_ASSERT_PTR_NULL(memory_map_host(m, NULL, 5, ALLOC_REGISTERED));
    CU_ASSERT_PTR_NULL(memory_map_host(m, host, UINT64_MAX, ALLOC_REGISTERED));
    memory_destroy(m);
    free(host);
}

static void test_poison(void)
{
    struct memory *m = memory_create(100 * MB, true);
    struct allocation *a = memory_alloc(m, 64, 0, ALLOC_DEVICE, NULL);
    struct allocation *v = memory_alloc(m, 64, 4, ALLOC_VARIABLE, "count");
    CU_ASSERT_NOT_EQUAL(a->host[0], 0);
    CU_ASSERT_EQUAL(v->host[0], 0);
    CU_ASSERT_EQUAL(v->number, -1);
    CU_ASSERT_STRING_EQUAL(v->name, "count");
    memory_destroy(m);
}

static bool holds_poison(struct allocation *a)
{
    const uint8_t *p = allocation_bytes(a);
    return p[0] == p[a->bytes / 2] && p[0] == p[a->bytes - 1] && p[0] != 0;
}

static long pages_touched(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_minflt;
}

/** What is large is poisoned when somebody looks, and asking where it lies is not looking. */
static void test_blank(void)
{
    struct memory *m = memory_create(1ull << 40, true);
    long before = pages_touched();
    struct allocation *huge = memory_alloc(m, 1ull << 37, 0, ALLOC_DEVICE, NULL);
    struct allocation *a = memory_alloc(m, 500 * MB + 3, 0, ALLOC_DEVICE, NULL);
    CU_ASSERT_TRUE(pages_touched() - before < 1000);
    CU_ASSERT_PTR_EQUAL(memory_holds(m, a->base + 5, 100 * MB), a);
    CU_ASSERT_PTR_NULL(memory_holds(m, a->base + 5, 500 * MB));
    CU_ASSERT_TRUE(huge->blank && a->blank);
    struct allocation *b = memory_alloc(m, 2 * MB, 0, ALLOC_DEVICE, NULL);
    CU_ASSERT_TRUE(b->blank && holds_poison(b));
    CU_ASSERT_FALSE(b->blank);
    struct allocation *c = memory_alloc(m, 1200 * MB, 0, ALLOC_DEVICE, NULL);
    CU_ASSERT_TRUE(holds_poison(c));
    memset((uint8_t *)memory_translate(m, c->base, 1) + 100 * MB, 7, 5 * MB);
    CU_ASSERT_TRUE(holds_poison(c));
    CU_ASSERT_TRUE(memory_free(m, huge->base)); /* never looked at */
    memory_destroy(m);
}

/** A process whose files may not grow large has all of its memory none the less. */
static void test_file_limit(void)
{
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){MB, MB});
        struct memory *m = memory_create(1000 * MB, true);
        struct allocation *a = memory_alloc(m, 200 * MB, 0, ALLOC_DEVICE, NULL);
        struct allocation *b = memory_alloc(m, 20 * MB, 0, ALLOC_MANAGED, NULL);
        _exit(a && b && holds_poison(a) && holds_poison(b) ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/** How many of the bytes from `at` on, whole pages, lie in memory. */
static uint64_t resident(const void *at, uint64_t bytes)
{
    uint64_t pages = bytes / 4096, in = 0;
    unsigned char *each = malloc(pages);
    CU_ASSERT_EQUAL_FATAL(mincore((void *)(uintptr_t)at, bytes, each), 0);
    for (uint64_t i = 0; i < pages; i++)
        in += each[i] & 1;
    free(each);
    return in * 4096;
}

/** What the host shares and is very large takes no memory until somebody uses it; what is not is poison. Page-locked memory is no more than the host has. */
static void test_large_shared(void)
{
    static const enum alloc_kind kinds[] = {ALLOC_MANAGED, ALLOC_HOST};
    struct memory *m = memory_create(1ull << 40, true);
    for (int i = 0; i < 2; i++) {
        struct allocation *a = memory_alloc(m, (1ull << 30) + 1, 0, kinds[i], NULL), *b = memory_alloc(m, 70 * MB, 0, kinds[i], NULL);
        CU_ASSERT_TRUE_FATAL(a && b);
        CU_ASSERT_TRUE(contents_are_unknown(a) && !contents_are_poison(a));
        CU_ASSERT_TRUE(resident(a->host, 1ull << 30) < MB);
        CU_ASSERT_TRUE(!contents_are_unknown(b) && contents_are_poison(b));
        ((char *)(uintptr_t)a->base)[1 << 30] = 7;
        CU_ASSERT_EQUAL(*(char *)memory_translate(m, a->base + (1 << 30), 1), 7);
        CU_ASSERT_TRUE(memory_free(m, a->base) && memory_free(m, b->base));
    }
    struct allocation *device = memory_alloc(m, 1ull << 36, 0, ALLOC_DEVICE, NULL);
    CU_ASSERT_TRUE(device->blank && !contents_are_unknown(device));
    CU_ASSERT_PTR_NULL(memory_alloc(m, host_memory_whole() + 1, 0, ALLOC_HOST, NULL));
    memory_destroy(m);
}

/** Who writes everything pays for no poison; who writes a part does. */
static void test_overwrite(void)
{
    struct memory *m = memory_create(1000 * MB, true);
    struct allocation *a = memory_alloc(m, MB, 0, ALLOC_DEVICE, NULL);
    uint8_t *p = memory_overwrite(m, a->base, MB);
    CU_ASSERT_PTR_EQUAL(p, a->host);
    CU_ASSERT_FALSE(a->blank);
    memset(p, 1, MB);
    CU_ASSERT_PTR_EQUAL(memory_overwrite(m, a->base, MB), p);
    CU_ASSERT_EQUAL(((uint8_t *)memory_translate(m, a->base, MB))[MB - 1], 1);
    struct allocation *b = memory_alloc(m, MB, 0, ALLOC_DEVICE, NULL);
    CU_ASSERT_PTR_EQUAL(memory_overwrite(m, b->base, MB - 1), b->host);
    CU_ASSERT_TRUE(holds_poison(b));
    CU_ASSERT_PTR_NULL(memory_overwrite(m, b->base, MB + 1));
    memory_destroy(m);
}

/** A snapshot knows what was blank, and whether somebody looked in between makes no difference. */
static void test_snapshot_of_blank(void)
{
    struct memory *m = memory_create(1000 * MB, true);
    struct allocation *a = memory_alloc(m, MB, 0, ALLOC_DEVICE, NULL);
    struct memory_snapshot *s = memory_save(m);
    uint64_t untouched = memory_digest(m, s);
    a->initialised = zeroed_new(a->initialised_bytes = MB / 8);
    CU_ASSERT_TRUE(holds_poison(a));
    CU_ASSERT_EQUAL(memory_digest(m, s), untouched);
    a->host[MB - 1] = 1;
    ((uint8_t *)a->initialised)[MB / 8 - 1] = 0x80;
    CU_ASSERT_NOT_EQUAL(memory_digest(m, s), untouched);
    memory_restore(m, s);
    CU_ASSERT_TRUE(a->blank && holds_poison(a));
    CU_ASSERT_EQUAL(((uint8_t *)a->initialised)[MB / 8 - 1], 0);
    CU_ASSERT_EQUAL(memory_digest(m, s), untouched);
    zeroed_free(a->initialised, a->initialised_bytes);
    a->initialised = NULL;
    memory_free(m, a->base);
    memory_restore(m, s);
    CU_ASSERT_TRUE(!a->freed && a->blank && holds_poison(a));
    memory_snapshot_free(s);
    memory_destroy(m);
}

static int made, gone;

static void on_made(void *self, struct allocation *a)
{
    (void)self, (void)a;
    made++;
}

static void on_gone(void *self, struct allocation *a)
{
    (void)self;
    gone += a->host != NULL; /* still there when told */
}

static void test_snapshot(void)
{
    struct memory *m = memory_create(1000 * MB, false);
    struct allocation *a = memory_alloc(m, 1000, 0, ALLOC_DEVICE, NULL);
    struct allocation *b = memory_alloc(m, 300000, 0, ALLOC_DEVICE, NULL);
    a->host[5] = 1;
    b->host[299999] = 2;
    made = gone = 0;
    memory_set_hooks(m, on_made, on_gone, NULL);
    struct memory_snapshot *s = memory_save(m);
    a->host[5] = 9;
    memory_free(m, b->base);
    struct allocation *c = memory_alloc(m, 50, 0, ALLOC_DEVICE_HEAP, NULL);
    memory_restore(m, s);
    CU_ASSERT_EQUAL(a->host[5], 1);
    CU_ASSERT_FALSE(b->freed);
    CU_ASSERT_EQUAL(b->host[299999], 2);
    CU_ASSERT_TRUE(c->freed);
    CU_ASSERT_EQUAL(memory_used(m), 301000);
    CU_ASSERT_EQUAL(made, 2); /* c, and b again */
    CU_ASSERT_EQUAL(gone, 2);
    a->host[5] = 8;
    memory_restore(m, s); /* as often as wanted */
    CU_ASSERT_EQUAL(a->host[5], 1);
    memory_snapshot_free(s);
    memory_destroy(m);
}

/** Page faults of the process until now, those without a disk. */
static long faults(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return u.ru_minflt;
}

/** Pages of address space. */
static long pages(void)
{
    long n = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%ld", &n) != 1)
        n = 0;
    if (f)
        fclose(f);
    return n;
}

/* The end costs what was used, not what could have been: the table of all addresses has 8,192 pages. And all that was used is given back. */
static void test_end(void)
{
    long most = 0, before = 0;
    for (int round = 0; round < 60; round++) {
        struct memory *m = memory_create(1ull << 40, false);
        for (int i = 0; i < 12; i++)
            CU_ASSERT_PTR_NOT_NULL_FATAL(memory_alloc(m, 20 * MB, 0, ALLOC_DEVICE, NULL));
        long touched = faults();
        memory_destroy(m);
        touched = faults() - touched;
        most = touched > most ? touched : most;
        if (round == 9)
            before = pages();
    }
    CU_ASSERT(most < 2000);
    CU_ASSERT(before > 0 && pages() - before < 10000); /* 50 rounds, each with 768 pages of table or more */
}

UNIT_MAIN("memory", {"placement and red zones", test_place},
          {"addresses replay", test_addresses_replay}, {"lookup", test_find}, {"free", test_free},
          {"limit", test_limit}, {"host dereference crashes", test_host_dereference},
          {"memory shared with the host", test_shared_with_host}, {"poison", test_poison},
          {"poison at the first look", test_blank}, {"a limit on files", test_file_limit},
          {"very large memory that the host shares", test_large_shared},
          {"overwriting what is blank", test_overwrite},
          {"snapshots of what is blank", test_snapshot_of_blank},
          {"snapshots", test_snapshot}, {"the end", test_end})
