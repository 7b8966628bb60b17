/* How a warp's lanes go through memory: as each shape was made, so it is told, by vectors as lane by lane; one lane that goes elsewhere
   is enough for another. */
#include <stdlib.h>

#include "base/mix.h"
#include "check/race/joining.h"
#include "unit.h"

static struct warp_state warp;
static const struct actor me = {.ws = &warp};

static enum shape shape_told(struct mem_access *a)
{
    enum shape shape = shape_of(&me, a);
    CU_ASSERT_EQUAL(shape, shape_one_by_one(a->address));
    return shape;
}

/** Lane l's place, in words, of a pattern; `far`: how far apart. */
static uint64_t place_of_lane(enum shape shape, unsigned l, uint64_t far)
{
    switch (shape) {
    case SHAPE_ONE_WORD: return 0;
    case SHAPE_HALVES: return l / HALF * far;
    case SHAPE_PAIRS: return l % HALF * far;
    case SHAPE_APART: return l * far;
    default: return (l + 1) % WARP_LANES * far;
    }
}

static void test_patterns(void)
{
    static const enum shape shapes[] = {SHAPE_ONE_WORD, SHAPE_HALVES, SHAPE_PAIRS, SHAPE_APART, SHAPE_ANY};
    static const uint64_t bases[] = {4, 64, 0x7f0000000100, UINT64_MAX - 0xffffff};
    struct mem_access *a = calloc(1, sizeof *a);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    a->mask = UINT32_MAX;
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (unsigned b = 0; b < sizeof bases / sizeof *bases; b++)
            for (uint64_t far = 1; far < 2000; far += 1 + 7 * far) {
                for (unsigned l = 0; l < WARP_LANES; l++)
                    a->address[l] = bases[b] + 4 * place_of_lane(shapes[s], l, far);
                CU_ASSERT_EQUAL(shape_told(a), shapes[s]);
                for (unsigned l = 0; l < WARP_LANES; l++) { /* one lane elsewhere: before all others */
                    uint64_t was = a->address[l];
                    a->address[l] = bases[b] - 4;
                    enum shape now = shape_told(a);
                    CU_ASSERT_TRUE(now == SHAPE_ANY || (now == SHAPE_APART && shapes[s] == SHAPE_APART && l == 0));
                    a->address[l] = was;
                }
            }
    free(a);
}

/** Few different places, so that all shapes come up. */
static void test_random(void)
{
    struct mem_access *a = calloc(1, sizeof *a);
    int found[SHAPE_HALVES + 1] = {0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    a->mask = UINT32_MAX;
    for (uint64_t seed = 0; seed < 20000; seed++) {
        uint64_t at = mix64(seed) % 4, step = mix64(seed + 1) % 3;
        for (unsigned l = 0; l < WARP_LANES; l++, at += 4 * (mix64(seed * 64 + l) % 16 ? step : mix64(seed + l) % 3))
            a->address[l] = seed % 2 && l >= HALF ? a->address[l - HALF] : at;
        found[shape_told(a)]++;
    }
    CU_ASSERT_TRUE(found[SHAPE_ANY] && found[SHAPE_PAIRS] && found[SHAPE_APART] && found[SHAPE_ONE_WORD]);
    free(a);
}

static void test_times(void)
{
    struct mem_access *a = calloc(1, sizeof *a);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    a->mask = UINT32_MAX;
    CU_ASSERT_EQUAL(shape_of(&me, a), SHAPE_ONE_WORD);
    for (int l = 0; l < WARP_LANES; l++) {
        warp.time[l]++;
        CU_ASSERT_EQUAL(shape_of(&me, a), SHAPE_ANY);
        warp.time[l]--;
        a->mask = ~(1u << l);
        CU_ASSERT_EQUAL(shape_of(&me, a), SHAPE_ANY);
        a->mask = UINT32_MAX;
    }
    free(a);
}

UNIT_MAIN("lane shapes", {"patterns", test_patterns}, {"random addresses", test_random}, {"times and masks", test_times})
