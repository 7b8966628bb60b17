/* Whole warps' reads of rows that are kept beside the chunks (row_reads.h): whatever comes when, rows say what they would have said had each read been put
   into them. */
#include "base/mix.h"
#include "check/race/shadow/row_reads.h"
#include "unit.h"

#define CHUNKS 12
#define ROWS (CHUNKS * CHUNK_ROWS)
#define WORD 0x20

static uint64_t seed;
static struct epoch last[ROWS]; /* each row's reader, had it been put there */
static unsigned kept, put, merged;

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(mix64(++seed) % below);
}

static bool same(const struct epoch *a, const struct epoch *b)
{
    return a->agent == b->agent && (!a->agent || (a->time == b->time && a->site == b->site && a->thread == b->thread && a->unit == b->unit));
}

static void look(struct shadow *s, uint32_t row)
{
    CU_ASSERT_TRUE(same(&shadow_row_at(s, (uint64_t)row * ROW_BYTES)->read, &last[row]));
}

static void read_rows(struct shadow *s, const struct row_read *e, uint32_t floor)
{
    uint32_t entries = s->row_reads ? s->row_reads->count : 0;
    bool is_kept = row_reads_add(s, e, floor);
    kept += is_kept;
    put += !is_kept;
    merged += is_kept && s->row_reads->count == entries;
    for (unsigned half = 0; half < 2; half++) {
        uint32_t row = e->row + half * (uint32_t)e->apart;
        const struct epoch now = {.agent = e->agent, .time = e->time, .site = e->site, .unit = WORD, .thread = (uint16_t)(e->warp * 32 + half * ROW_WORDS)};
        bool comes = last[row].agent < floor;
        CU_ASSERT_TRUE(comes || !is_kept);
        if (!is_kept)
            look(s, row);
        if (!comes)
            continue;
        last[row] = now;
        if (!is_kept)
            shadow_row_at(s, (uint64_t)row * ROW_BYTES)->read = now;
    }
}

/** A warp goes through rows by a step, two instructions by turns. */
static void warp_reads(struct shadow *s, uint32_t agent, uint32_t floor)
{
    struct row_read e = {.row = draw(ROWS / 2), .apart = draw(3) ? 1 : (int32_t)draw(40) + 1, .count = 1, .agent = agent, .time = 1 + draw(3), .warp = (uint16_t)draw(8)};
    uint32_t step = draw(90) + 1, times = 1 + draw(8), site = draw(40);
    if (draw(4) == 0) {
        e.row += (uint32_t)e.apart;
        e.apart = -e.apart;
    }
    for (uint32_t i = 0; i < times && e.row + 42 < ROWS; i++, e.row += step) {
        e.site = site + i % 2;
        read_rows(s, &e, floor);
    }
}

static void run(unsigned launches, unsigned looks)
{
    struct shadow *s = shadow_new(ROWS * ROW_BYTES);
    uint32_t agent = 1, first[40];
    memset(last, 0, sizeof last);
    for (unsigned l = 0; l < launches; l++) {
        first[l] = agent;
        uint32_t floor = first[draw(3) ? l : l - draw(l < 4 ? l + 1 : 4)]; /* or of another stream: some of the last ones are not ordered before it */
        for (unsigned blocks = 1 + draw(12); blocks > 0; blocks--, agent++)
            for (unsigned warps = draw(6); warps > 0; warps--) {
                warp_reads(s, agent, floor);
                if (looks && !draw(looks))
                    look(s, draw(ROWS));
            }
    }
    for (uint32_t row = 0; row < ROWS; row += 1 + draw(3)) {
        const struct shadow_word *c = shadow_peek(s, (uint64_t)row * ROW_BYTES);
        CU_ASSERT_EQUAL(c != NULL, last[row].agent != 0);
        CU_ASSERT_TRUE(!c || same(&c->read, &last[row]));
    }
    shadow_free(s);
}

static void test_same(void)
{
    for (unsigned i = 0; i < 600; i++)
        run(1 + i % 30, i % 3 ? 50 * (i % 3) * (i % 7) : 0);
    CU_ASSERT_TRUE(kept > 10000 && put > 10000 && merged > 1000);
}

/** Launch after launch reads the same: entries stay few. And one reads more than there is room for. */
static void test_many(void)
{
    struct shadow *s = shadow_new(ROWS * ROW_BYTES);
    memset(last, 0, sizeof last);
    for (uint32_t agent = 1; agent <= 100; agent++)
        for (uint32_t row = 0; row < ROWS; row += 2)
            read_rows(s, &(struct row_read){.row = row, .apart = 1, .count = 1, .agent = agent, .time = row % 5, .site = row % 3}, agent);
    CU_ASSERT_TRUE(!s->chunk[0] && s->row_reads->count <= s->row_reads->most);
    for (uint32_t row = 0; row < ROWS; row++)
        look(s, row);
    shadow_free(s);
}

UNIT_MAIN("row_reads", {"as if put into the rows", test_same}, {"launch after launch", test_many})
