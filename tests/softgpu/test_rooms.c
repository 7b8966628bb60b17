/**
 * @file test_rooms.c
 * Rooms of all sizes that are made, grown, shrunk and dropped in any order: each keeps its bytes, and no two are one.
 */
#include <stdint.h>
#include <string.h>

#include "base/host_memory.h"
#include "check/race/clock/rooms.h"
#include "unit.h"

#define ROOMS 64
#define OPERATIONS 40000
#define MOST 3000

static struct {
    unsigned char *at, mark;
    size_t bytes;
} room[ROOMS];

static uint64_t state = 1;

static uint32_t drawn(uint32_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 33) % below;
}

/** Of the first `bytes`, how many are not the room's own? */
static int lost(int i, size_t bytes)
{
    int n = 0;
    for (size_t b = 0; b < bytes; b++)
        n += room[i].at[b] != room[i].mark;
    return n;
}

static int one_operation(int i)
{
    size_t bytes = 1 + (drawn(2) ? drawn(MOST) : drawn(200)), had = room[i].bytes;
    int bad = room[i].at ? lost(i, had) : 0;
    if (room[i].at && drawn(2)) {
        room_drop(room[i].at, had);
        room[i].at = NULL;
        return bad;
    }
    if (room[i].at) {
        room[i].at = room_grow(room[i].at, had, bytes);
        bad += lost(i, had < bytes ? had : bytes);
    } else {
        room[i].at = room_new(bytes);
    }
    room[i].bytes = bytes;
    room[i].mark = (unsigned char)drawn(256);
    memset(room[i].at, room[i].mark, bytes);
    return bad;
}

static void test_kept(void)
{
    int bad = 0;
    for (int n = 0; n < OPERATIONS; n++)
        bad += one_operation((int)drawn(ROOMS));
    for (int i = 0; i < ROOMS; i++) {
        bad += room[i].at ? lost(i, room[i].bytes) : 0;
        room_drop(room[i].at, room[i].at ? room[i].bytes : 0);
        room[i].at = NULL;
    }
    CU_ASSERT_EQUAL(bad, 0);
}

#define MANY (80u << 20)

/** Of much more than before the host is looked at, and of as much once more. */
static void test_host(void)
{
    void *p = room_new(MANY);
    CU_ASSERT_EQUAL(host_memory_short(), 0);
    host_memory_keep(1); /* no host has that */
    for (int i = 0; i < 2; i++) {
        p = room_grow(p, MANY, 2 * MANY);
        CU_ASSERT(host_memory_short() >= 2 * MANY);
        host_memory_set_short(0);
        void *small = room_new(100);
        CU_ASSERT_EQUAL(host_memory_short(), 0); /* not at each */
        room_drop(small, 100);
        room_drop(p, 2 * MANY);
        p = room_new(MANY);
        host_memory_set_short(0);
    }
    host_memory_keep(32);
    p = room_grow(p, MANY, 4 * MANY);
    CU_ASSERT_EQUAL(host_memory_short(), 0);
    room_drop(p, 4 * MANY);
}

UNIT_MAIN("rooms", {"keep their bytes", test_kept}, {"look at the host's memory", test_host})
