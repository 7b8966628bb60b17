/**
 * @file read_log.c
 * See read_log.h.
 */
#include "check/race/shadow/read_log.h"

#include <assert.h>
#include <stdlib.h>

#include "check/race/shadow/reader_group.h"

#define LOG_MOST (1u << 20)   /* entries: 32 MB */

void read_log_free(struct read_log *log)
{
    if (log)
        free(log->at);
    free(log);
}

static void append(struct read_log *log, uint32_t number, const struct shadow_word *c)
{
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 1024;
        log->at = realloc(log->at, log->room * sizeof *log->at);
        assert(log->at);
    }
    log->at[log->count++] = (struct put_by){.number = number, .read = c->read, .group = c->agents};
}

/** The words' present readers become their last entries. */
static void put_by_present(struct shadow *s, struct read_log *log)
{
    for (uint32_t i = 0, count = log->count; i < count; i++) {
        struct shadow_word *c = shadow_at(s, 4ull * log->at[i].number);
        if (!(c->flags & WORD_LOGGED))
            continue;
        c->flags &= ~(uint32_t)WORD_LOGGED;
        if (c->read.agent)
            append(log, log->at[i].number, c);
        c->read.agent = 0;
    }
}

/** Of words that a later launch's read has taken over nothing is asked any more. */
static void leave_out_taken(struct shadow *s, struct read_log *log)
{
    for (uint32_t i = 0; i < log->count; i++)
        if (!(shadow_at(s, 4ull * log->at[i].number)->flags & WORD_LOGGED))
            log->at[i].read.agent = 0;
}

void read_log_settle(struct shadow *s, uint32_t floor, struct readers *rs)
{
    struct read_log *log = s->log;
    if (!log || !log->count)
        return;
    if (log->newest < floor) { /* forgotten */
        for (uint32_t i = 0; i < log->count; i++)
            shadow_at(s, 4ull * log->at[i].number)->flags &= ~(uint32_t)WORD_LOGGED;
    } else {
        leave_out_taken(s, log);
        put_by_present(s, log);
        for (uint32_t i = 0; i < log->count; i++)
            word_take_up(rs, shadow_at(s, 4ull * log->at[i].number), &log->at[i].read, log->at[i].group);
    }
    log->count = 0;
}

void read_log_go_on(struct shadow *s, uint32_t floor, struct readers *rs)
{
    if (s->log->floor != floor)
        read_log_settle(s, floor, rs);
}

bool read_log_is_before(const struct shadow *s, uint32_t floor)
{
    const struct read_log *log = s->log;
    return log && log->count && log->alone && log->newest < floor;
}

bool read_log_put_by(struct shadow *s, uint64_t number, struct shadow_word *c, uint32_t floor, bool alone, struct readers *rs)
{
    struct read_log *log = s->log;
    if (number > UINT32_MAX || (c->flags & WORD_LANES))
        return false;
    if (!log) {
        log = s->log = calloc(1, sizeof *log);
        assert(log);
    }
    if (log->count && (log->floor != floor || log->count >= LOG_MOST))
        read_log_settle(s, floor, rs);
    if (!log->count) {
        log->floor = floor;
        log->newest = 0;
        log->alone = true;
    }
    log->alone &= alone;
    log->newest = c->read.agent > log->newest ? c->read.agent : log->newest;
    append(log, (uint32_t)number, c);
    c->read.agent = 0;
    c->flags |= WORD_LOGGED;
    return true;
}
