/* Plain accesses: how their lanes lie, what they read and leave, and the word that tells them apart are the same by vectors as lane by
   lane; a struct mem_access that is made of one says the same. */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/known_reads.h"
#include "check/new_values.h"
#include "check/read_digest.h"
#include "execute/plain_access.h"
#include "execute/worker.h"
#include "unit.h"

#define HALF (WARP_LANES / 2)
#define AREA 4096u

static uint8_t area[AREA], copy[AREA];
static const struct op_info load = {.insn_class = INSN_LOAD}, atomic = {.insn_class = INSN_ATOMIC};
static const struct insn weak = {.op = &load, .mem.order = ORDER_WEAK}, relaxed = {.op = &atomic, .mem.order = ORDER_RELAXED};

/** Lane l's place, in bytes from the first one's. */
static uint32_t place_of_lane(enum plain_shape shape, unsigned l)
{
    switch (shape) {
    case PLAIN_ROW: return 4 * l;
    case PLAIN_ROWS: return 4 * (l % HALF) + 400 * (l / HALF);
    case PLAIN_PAIRS: return 4 * (l % HALF);
    case PLAIN_HALVES: return 400 * (l / HALF);
    case PLAIN_ONE: return 0;
    default: return 4 * (unsigned)(mix64(l) % 64);
    }
}

static struct plain_access access_of(enum plain_shape shape, uint32_t mask, uint64_t seed)
{
    struct plain_access p = {.insn = &weak, .mask = mask, .host = area, .base = 0x7f0000001000, .space = SPACE_GLOBAL};
    uint32_t from = 4 * (uint32_t)(mix64(seed) % 64);
    for (unsigned l = 0; l < WARP_LANES; l++) {
        p.at[l] = mask >> l & 1 ? from + place_of_lane(shape, l) : (uint32_t)mix64(seed + l);
        p.value[l] = (uint32_t)mix64(seed + 100 + l);
    }
    return p;
}

static enum plain_shape told(const struct plain_access *p)
{
    enum plain_shape shape = plain_shape_of(p);
    CU_ASSERT_EQUAL(shape, plain_shape_by_lanes(p));
    return shape;
}

static void test_shapes(void)
{
    for (enum plain_shape s = PLAIN_ANY; s <= PLAIN_ONE; s++)
        for (uint64_t seed = 0; seed < 50; seed++) {
            struct plain_access p = access_of(s, UINT32_MAX, seed);
            CU_ASSERT_EQUAL(told(&p), s);
            for (unsigned l = 0; l < WARP_LANES; l++) { /* one lane elsewhere */
                p.at[l] += 2048;
                CU_ASSERT_EQUAL(told(&p), PLAIN_ANY);
                p.at[l] -= 2048;
            }
            p = access_of(s, 0xfff0fffe, seed);
            CU_ASSERT_EQUAL(told(&p), s == PLAIN_ROW || s == PLAIN_ONE ? s : PLAIN_ANY);
            p = access_of(s, 1u << seed % WARP_LANES, seed);
            CU_ASSERT_EQUAL(told(&p), PLAIN_ROW);
        }
    struct plain_access p = access_of(PLAIN_ROW, 0xffff0000, 0); /* lane 0 would lie before the beginning */
    for (unsigned l = HALF; l < WARP_LANES; l++)
        p.at[l] = 4 * (l - HALF);
    CU_ASSERT_EQUAL(told(&p), PLAIN_ROW);
}

/** Of whole warps, whose places lie below 2^31, wherever in a sector the memory begins. */
static void test_sectors(void)
{
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct plain_access p = access_of((enum plain_shape)(seed % (PLAIN_ONE + 1)), UINT32_MAX, seed);
        p.host = area + seed % 64;
        for (unsigned l = 0; seed % 5 == 4 && l < WARP_LANES; l++)
            p.at[l] = (uint32_t)mix64(seed * WARP_LANES + l) & 0x7ffffffc;
        unsigned sectors = 1;
        for (unsigned l = 1; l < WARP_LANES; l++)
            sectors += ((uintptr_t)p.host + p.at[l]) / 32 != ((uintptr_t)p.host + p.at[l - 1]) / 32;
        CU_ASSERT_EQUAL(plain_sectors(&p), sectors);
        CU_ASSERT_EQUAL(plain_sectors_by_lanes(&p), sectors);
        p.mask = 1;
        CU_ASSERT_EQUAL(plain_sectors(&p), 1);
    }
}

static void test_values(void)
{
    static const uint32_t masks[] = {UINT32_MAX, 1, 0x80000000u, 0xffff, 0xffff0000, 0x5a5a1234};
    struct worker *k = aligned_alloc(_Alignof(struct worker), sizeof *k);
    CU_ASSERT_PTR_NOT_NULL_FATAL(k);
    memset(k, 0, sizeof *k);
    struct warp w = {.worker = k};
    for (uint64_t seed = 0; seed < 300; seed++)
        for (unsigned i = 0; i < sizeof masks / sizeof *masks; i++) {
            struct plain_access p = access_of((enum plain_shape)(seed % (PLAIN_ONE + 1)), masks[i], seed);
            uint32_t reg[WARP_LANES] = {0}, before[WARP_LANES];
            p.shape = (uint8_t)plain_shape_of(&p);
            for (unsigned j = 0; j < AREA; j++)
                area[j] = copy[j] = (uint8_t)mix64(seed + j);
            memcpy(before, p.value, sizeof before);
            plain_write(&p);
            for (unsigned l = 0; l < WARP_LANES; l++)
                if (p.mask >> l & 1)
                    memcpy(copy + p.at[l], &before[l], 4);
            CU_ASSERT_FALSE(memcmp(area, copy, AREA));
            plain_fetch(&p);
            plain_to_register(&p, reg);
            const struct mem_access *a = plain_full(&w, &p);
            CU_ASSERT(a->mask == p.mask && a->row == (p.mask == UINT32_MAX && seed % (PLAIN_ONE + 1) == PLAIN_ROW));
            for (unsigned l = 0; l < WARP_LANES; l++) {
                uint32_t now = 0;
                if (p.mask >> l & 1)
                    memcpy(&now, copy + p.at[l], 4);
                CU_ASSERT_EQUAL(reg[l], now); /* others stay */
                if (p.mask >> l & 1)
                    CU_ASSERT(a->address[l] == p.base + p.at[l] && a->host[l] == area + p.at[l] && a->value[0][l] == now);
            }
        }
    free(k);
}

/** Of an atomic it says what there was before, too. */
static void test_atomic(void)
{
    struct worker *k = aligned_alloc(_Alignof(struct worker), sizeof *k);
    CU_ASSERT_PTR_NOT_NULL_FATAL(k);
    memset(k, 0xff, sizeof *k);
    struct warp w = {.worker = k};
    struct plain_access p = access_of(PLAIN_ANY, 0x5a5a1234, 1);
    p.insn = &relaxed;
    for (unsigned l = 0; l < WARP_LANES; l++)
        p.old[l] = (uint32_t)mix64(l);
    p.full = false;
    const struct mem_access *a = plain_full(&w, &p);
    CU_ASSERT(a->wrote == p.mask && !a->older[0]);
    for (unsigned l = 0; l < WARP_LANES; l++)
        CU_ASSERT(!(p.mask >> l & 1) || (a->old[0][l] == (uint32_t)mix64(l) && a->value[0][l] == p.value[l]));
    free(k);
}

static void test_digest(void)
{
    static const uint32_t masks[] = {UINT32_MAX, 1, 0x80000000u, 0xffff, 0x7fffffff};
    for (uint64_t seed = 1; seed < 200; seed++)
        for (unsigned i = 0; i < sizeof masks / sizeof *masks; i++) {
            struct plain_access p = access_of(PLAIN_ANY, masks[i], seed);
            uint64_t before = read_digest_word(&p);
            CU_ASSERT_EQUAL(before, read_digest_word_by_lanes(&p));
            for (unsigned l = 0; l < WARP_LANES; l++) {
                p.value[l]++;
                CU_ASSERT_EQUAL(read_digest_word(&p) != before, masks[i] >> l & 1);
                p.value[l]--;
                p.at[l] += 4;
                CU_ASSERT_EQUAL(read_digest_word(&p) != before, masks[i] >> l & 1);
                p.at[l] -= 4;
            }
            p.base += 4;
            CU_ASSERT_NOT_EQUAL(read_digest_word(&p), before);
            p.base -= 4;
            uint32_t first = p.value[0];
            p.value[0] = p.value[1];
            p.value[1] = first;
            CU_ASSERT_EQUAL(read_digest_word(&p) != before, masks[i] & 1); /* which lane has which */
        }
}

/** A store changes memory where one of its lanes brings another value. */
static void test_new_values(void)
{
    static const uint32_t masks[] = {UINT32_MAX, 1, 0x80000000u, 0xffff, 0xffff0000, 0x5a5a1234};
    for (uint64_t seed = 0; seed < 100; seed++)
        for (unsigned i = 0; i < sizeof masks / sizeof *masks; i++) {
            struct plain_access p = access_of((enum plain_shape)(seed % (PLAIN_ONE + 1)), masks[i], seed);
            p.shape = (uint8_t)plain_shape_of(&p);
            plain_fetch(&p);
            CU_ASSERT_FALSE(plain_has_new_values(&p));
            for (unsigned l = 0; l < WARP_LANES; l++) {
                p.value[l] ^= 0x1000;
                CU_ASSERT_EQUAL(plain_has_new_values(&p), masks[i] >> l & 1);
                p.value[l] ^= 0x1000;
            }
        }
}

/** A warp knows what it has read since there was progress, and nothing from before. */
static void test_known_reads(void)
{
    struct known_reads r = {0};
    struct insn in[2 * KEPT_READS];
    for (int i = 0; i < 2 * KEPT_READS; i++) {
        struct read_by by = {&in[i % KEPT_READS], UINT32_MAX};
        known_reads_since(&r, 1);
        CU_ASSERT_EQUAL(known_reads_has(&r, NULL, &by, 7 + (uint64_t)(i % KEPT_READS), false), i >= KEPT_READS);
    }
    for (int i = 0; i < 2; i++) {
        known_reads_since(&r, 2);
        CU_ASSERT_EQUAL(known_reads_has(&r, NULL, &(struct read_by){in, UINT32_MAX}, 7, false), i == 1);
    }
}

UNIT_MAIN("plain accesses", {"shapes", test_shapes}, {"sectors", test_sectors}, {"values", test_values}, {"atomic", test_atomic}, {"digest", test_digest}, {"new values", test_new_values},
          {"known reads", test_known_reads})
