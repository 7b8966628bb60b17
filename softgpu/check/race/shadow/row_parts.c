/**
 * @file row_parts.c
 * See row_parts.h.
 */
#include "check/race/shadow/row_parts.h"

#include <assert.h>
#include <stdlib.h>

#define SPARE_MOST 4096

static struct row_parts *spare[SPARE_MOST];
static int spares;

static struct row_part part_of(const struct epoch *e, bool all, bool kept)
{
    const struct row_part nothing = {.of = 0};
    return all || kept ? (struct row_part){.by = *e, .of = all ? UINT16_MAX : 0, .kept = kept ? UINT16_MAX : 0, .warp = e->thread / 32} : nothing;
}

struct row_parts *row_parts_open(struct shadow_row *row)
{
    struct row_parts *p = spares ? spare[--spares] : malloc(sizeof *p);
    const struct epoch read = row->read, write = row->write;
    assert(p && !row->words);
    *p = (struct row_parts){.read[0] = part_of(&read, read.agent != 0, !read.agent && write.agent && (write.flags & EPOCH_KEPT)),
                            .write[0] = part_of(&write, write.agent != 0, false),
                            .old = write.agent && row->has_old ? UINT16_MAX : 0};
    row->read = row->write = (struct epoch){0};
    row->parts = p;
    row->parted = true;
    row->under = read.agent > write.agent ? read.agent : write.agent;
    return p;
}

void row_parts_free(struct shadow_row *row)
{
    if (!row->parted)
        return;
    free(row->parts->before);
    if (spares < SPARE_MOST)
        spare[spares++] = row->parts;
    else
        free(row->parts);
    row->read = row->write = (struct epoch){0};
    row->parted = row->has_old = false;
    row->under = 0;
}

/** What it tells of word `i`. */
static struct epoch epoch_in(const struct row_part *part, int i)
{
    struct epoch e = part->by;
    e.thread = (uint16_t)(e.thread + i);
    if (!(part->of >> i & 1))
        e.agent = 0;
    return e;
}

void row_parts_put_before(struct row_parts *p, struct row_part *write)
{
    if (!p->before)
        p->before = malloc(ROW_WORDS * sizeof *p->before);
    assert(p->before);
    for (uint32_t m = write->of; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        p->before[i] = write->by;
        p->before[i].thread = (uint16_t)(write->by.thread + i);
    }
    p->before_of |= write->of;
    p->before_newest = write->by.agent > p->before_newest ? write->by.agent : p->before_newest;
    write->of = 0;
}

void row_parts_forget(struct shadow_row *row)
{
    row_parts_free(row);
    row->asked -= row->asked > 0;
}

bool row_parts_any(const struct row_parts *p, bool reads, bool (*is)(const void *self, uint32_t agent), const void *self)
{
    for (int k = 0; k < PARTS; k++)
        if ((p->write[k].of && is(self, p->write[k].by.agent)) || (reads && p->read[k].of && is(self, p->read[k].by.agent)))
            return true;
    for (uint32_t m = p->before_of; m; m &= m - 1)
        if (is(self, p->before[__builtin_ctz(m)].agent))
            return true;
    return false;
}

void row_parts_told(struct shadow_row *row)
{
    struct row_parts parts = *row->parts;
    const uint8_t asked = row->asked;
    row->parts->before = NULL;
    row_parts_free(row);
    struct shadow_word *words = shadow_open_row(row);
    for (int i = 0; i < ROW_WORDS; i++) {
        if (parts.before_of >> i & 1)
            words[i].write = parts.before[i];
        for (int k = 0; k < PARTS; k++) {
            if ((parts.read[k].of | parts.read[k].kept) >> i & 1)
                words[i].read = epoch_in(&parts.read[k], i);
            if (parts.write[k].of >> i & 1)
                words[i].write = epoch_in(&parts.write[k], i);
        }
        words[i].flags = parts.old >> i & 1 ? WORD_OLD : 0;
    }
    free(parts.before);
    row->asked = asked + 2 < ROW_ASKED_MOST ? (asked + 2) & 0x3f : ROW_ASKED_MOST;
}
