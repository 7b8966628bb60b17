/**
 * @file course_yaml.h
 * course.yaml: what the labs weigh, when they are due, and what a late one costs (docs/class.md).
 */
#ifndef GRADER_CLASS_COURSE_YAML_H
#define GRADER_CLASS_COURSE_YAML_H

#include <stdbool.h>
#include <stdint.h>

#include "base/kit.h"

struct course_late {
    int grace_minutes;   /**< so late is not late */
    int percent_per_day; /**< of what was earned, for each day begun since the lab was due */
    int days;            /**< later than these a lab counts nothing; 0: there is no such end */
};

struct course_lab {
    char *lab;                /**< as the kit's users call it; in a loaded course the short name, "lab03" */
    double weight;
    char *due;                /**< NULL: whenever */
    struct course_late *late; /**< NULL: the course's */
    int64_t due_time;         /**< of `due`, seconds since 1970 */
};

struct course {
    char *title, *time_zone; /**< NULL if not said */
    struct course_late late;
    struct course_lab *labs;
    unsigned labs_count;
};

/**
 * Reads the course of the kit.
 * @param path  --course's file, or NULL: course.yaml of the kit, if it has one
 * @return false with `t` filled (file, line and key) if it cannot be read; `*c` is NULL where there is none,
 *         else released with course_free()
 */
bool course_load(const struct kit *k, const char *path, struct course **c, struct trouble *t);
void course_free(struct course *c);

/** The row of a lab by its short name; NULL if there is none, or no course. */
const struct course_lab *course_find(const struct course *c, const char *lab);

/** How many days late, each begun one counted; 0 within the grace. */
int course_days_late(const struct course *c, const struct course_lab *l, int64_t handed_in);
/** What of `earned` counts after so many days, in hundredths of a point. */
int course_counted(const struct course *c, const struct course_lab *l, int earned, int days);
/** Hundredths as a number without needless zeros: "24", "19.2"; the caller frees. */
char *course_points(int hundredths);

/* course_time.c */

/**
 * A point in time: "2026-11-20 23:59 Europe/Berlin", "2026-11-20T22:59:30Z", "2026-11-20 23:59 +01:00"; without a
 * zone, `zone` (NULL: none is known). Of a time that a clock shows twice, the later.
 * @return NULL, or what is wrong with it; static text
 */
const char *course_time(const char *text, const char *zone, int64_t *seconds);
/** The ISO week of a time, in UTC: "2026-W47". */
void course_week(int64_t seconds, char week[16]);

#endif
