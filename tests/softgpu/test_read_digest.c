/* Reads as one word: the same by vectors as lane by lane; whatever differs among two reads shows. */
#include <stdlib.h>

#include "base/mix.h"
#include "check/read_digest.h"
#include "unit.h"

/** A read with everything drawn from `seed`. */
static struct mem_access *read_of(uint64_t seed, uint32_t mask, bool row)
{
    struct mem_access *a = calloc(1, sizeof *a);
    CU_ASSERT_PTR_NOT_NULL_FATAL(a);
    a->mask = mask;
    a->row = row;
    for (unsigned l = 0; l < WARP_LANES; l++) {
        a->address[l] = row ? (seed << 12) + 4 * l : mix64(seed + l);
        a->value[0][l] = mix64(seed + 100 + l);
        a->old[0][l] = mix64(seed + 200 + l);
    }
    return a;
}

static void test_same(void)
{
    static const uint32_t masks[] = {UINT32_MAX, 1, 0x80000000u, 0xffff, 0x7fffffff};
    for (uint64_t seed = 1; seed < 200; seed++)
        for (unsigned i = 0; i < sizeof masks / sizeof *masks; i++)
            for (int row = 0; row < (i ? 1 : 2); row++) {
                struct mem_access *a = read_of(seed, masks[i], row);
                CU_ASSERT_EQUAL(read_digest(a, false), read_digest_plain(a, false));
                CU_ASSERT_EQUAL(read_digest(a, true), read_digest_plain(a, true));
                CU_ASSERT_NOT_EQUAL(read_digest(a, false), read_digest(a, true));
                free(a);
            }
}

static void test_lanes_tell(void)
{
    for (int row = 0; row < 2; row++) {
        struct mem_access *a = read_of(7, UINT32_MAX, row);
        uint64_t before = read_digest(a, false);
        for (unsigned l = 0; l < WARP_LANES; l++) {
            a->value[0][l]++;
            CU_ASSERT_NOT_EQUAL(read_digest(a, false), before);
            a->value[0][l]--;
            a->address[l] += 4;
            CU_ASSERT_EQUAL(read_digest(a, false) == before, row && l); /* of a row only the first one's is looked at */
            a->address[l] -= 4;
        }
        uint64_t first = a->value[0][0];
        a->value[0][0] = a->value[0][1];
        a->value[0][1] = first;
        CU_ASSERT_NOT_EQUAL(read_digest(a, false), before); /* which lane has which */
        free(a);
    }
}

UNIT_MAIN("read digest", {"vectors and lanes", test_same}, {"what differs shows", test_lanes_tell})
