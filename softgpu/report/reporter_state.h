/**
 * @file reporter_state.h
 * Private to report/: what a reporter keeps of the findings.
 */
#ifndef SOFTGPU_REPORT_REPORTER_STATE_H
#define SOFTGPU_REPORT_REPORTER_STATE_H

#include <pthread.h>
#include <stdio.h>

#include "base/list.h"
#include "report/finding.h"

struct entry {
    struct finding finding;
    char *strings;         /**< owns the copies that `finding` points to */
    struct finding_event *events;
    uint64_t count;
    bool listed;           /**< by reporter_wanted(), as it stands */
    bool by_chance;        /**< reporter_by_chance() each time that it was told */
};

struct reporter {
    pthread_mutex_t lock;
    char *path;
    FILE *file;
    uint64_t seed;
    uint64_t max, conflicts, told_count;
    bool incomplete_told[INCOMPLETE_CAUSES]; /**< by report_incomplete_once() */
    bool truncated;
    bool closing;          /**< a closing record is asked for */
    bool lost;             /**< some line could not be written */
    bool ended;            /**< the program came to its end */
    void (*heard)(const struct finding *f);
    void (*told)(const struct finding *f, const char *line);
    LIST(struct entry) entries;
    LIST(char *) lines;    /**< raw lines, in order of arrival */
    bool replay;
    bool by_chance;        /**< what is told now */
    LIST(int) recurred;    /**< numbers of findings, while `replay` */
};

/** What one finding advises is compared with what others do (mends.h): each is as wide as is needed, and who does for which is noted. */
void compare_advice(struct reporter *r);
/** Releases what the entry owns. */
void entry_free(struct entry *e);

#endif
