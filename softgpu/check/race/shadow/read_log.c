/**
 * @file read_log.c
 * See read_log.h.
 */
#include "check/race/shadow/read_log.h"

#include <assert.h>
#include <stdlib.h>

#include "check/race/shadow/reader_group.h"

#define LOG_MOST (1u << 20)   /* reads: 28 MB */

void read_log_free(struct read_log *log)
{
    if (log)
        free(log->at);
    free(log);
}

void read_log_settle(struct shadow *s, uint32_t floor, struct readers *rs)
{
    struct read_log *log = s->log;
    uint32_t count = log ? log->count : 0;
    bool forgotten = count && log->newest < floor;
    for (uint32_t i = 0; i < count; i++) {
        struct reader e = log->at[i];
        struct shadow_word *c = shadow_at(s, 4ull * e.rest);
        c->flags &= ~(uint32_t)WORD_LOGGED;
        e.rest = 0;
        if (!forgotten && !word_group_add(c, &e, false))
            word_remember_read(rs, c, e, PRUNE_OLDER);
    }
    if (log)
        log->count = 0;
}

bool read_log_goes_on(struct shadow *s, uint32_t floor, struct readers *rs)
{
    if (s->log->floor == floor)
        return true;
    read_log_settle(s, floor, rs);
    return false;
}

bool read_log_add(struct shadow *s, uint64_t number, struct shadow_word *c, struct reader element, uint32_t floor,
                  struct readers *rs)
{
    struct read_log *log = s->log;
    if (number > UINT32_MAX)
        return false;
    if (!log) {
        log = s->log = calloc(1, sizeof *log);
        assert(log);
    }
    if (log->count && (log->floor != floor || log->count == LOG_MOST))
        read_log_settle(s, floor, rs);
    if (!log->count) {
        log->floor = floor;
        log->newest = 0;
    }
    if (log->count == log->room) {
        log->room = log->room ? 2 * log->room : 1024;
        log->at = realloc(log->at, log->room * sizeof *log->at);
        assert(log->at);
    }
    log->newest = element.agent > log->newest ? element.agent : log->newest;
    log->newest = c->read.agent > log->newest ? c->read.agent : log->newest;
    element.rest = (uint32_t)number;
    log->at[log->count++] = element;
    c->flags |= WORD_LOGGED;
    return true;
}
