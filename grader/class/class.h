/**
 * @file class.h
 * Grading a class: ./grade LAB --submissions DIR [--jobs N] [--csv FILE] [--report DIR].
 *
 * DIR holds one entry a student: NAME.cu, or a folder NAME with kernel.cu in it. Each submission is
 * graded in a process of its own, so that none can touch another; its record is written at once
 * and whole to REPORT/records/NAME.json. A call on the same report folder goes on where an earlier
 * one ended: what is graded and unchanged is not graded again. All of a class have one seed.
 */
#ifndef GRADER_CLASS_CLASS_H
#define GRADER_CLASS_CLASS_H

#include <jansson.h>

#include "base/kit.h"
#include "class/course_yaml.h"
#include "options.h"
#include "record/record.h"

enum submission_state { SUBMISSION_READ, SUBMISSION_REJECTED };

struct submission {
    char *name;             /**< who: the entry's name without ".cu" */
    char *path;             /**< below the folder */
    enum submission_state state;
    const char *why;        /**< of a rejected one; static text */
    struct record *record;  /**< once graded; NULL if that failed */
    int64_t handed_in;      /**< seconds since 1970: --times' word, else when the file was last changed */
    int days_late;          /**< by course.yaml; 0 where that says nothing */
    json_t *hints;          /**< hints.json beside kernel.cu: how many steps of which hint; NULL if there is none */
};

struct class {
    struct submission *list;
    int count;
    char *folder;           /**< of the submissions */
    char *report;           /**< of the results */
    uint32_t seed;
    enum device_choice device; /**< softgpu, or the GPU too where --device gpu asks for it */
    struct course *course;  /**< course.yaml; NULL if there is none */
    const struct course_lab *due; /**< the lab in it */
};

/** Grades the class. Exit status: 0 all were judged, 2 not all. */
int class_grade(const struct kit *k, const struct options *o, const char *lab, struct trouble *t);

/* submissions.c */

/** Lists the folder in order of name; false with `t` if it cannot be read. Entries with names that
 *  are unsafe or double are listed as rejected. */
bool submissions_list(struct class *c, struct trouble *t);
/** Reads a file below the folder, or a submission's source, never through a link or out of the folder; NULL with `*why`. */
char *submission_file(const struct class *c, const char *file, const char **why);
char *submission_read(const struct class *c, const struct submission *s, const char **why);
void submissions_free(struct class *c);

/* hand_in.c */

/** Loads course.yaml and tells who is late. With --times each submission must have a line there. */
bool hand_in_times(struct class *c, const struct kit *k, const struct options *o, const char *lab, struct trouble *t);

/* gradebook.c */

/** student,lab,score,points,state,verdict,case,seed,sandbox; one line a submission, `points` for those that
 *  were rejected. No times: the
 *  same grades give the same bytes. Where a real GPU was used, also the points for speed, which do
 *  come from times, and whether it agrees with softgpu. Where the lab is due, also days_late and counted. */
void gradebook_csv(struct text *out, const struct class *c, const char *lab, int points);
/** False where an import must leave a student's grade as it is; else what counts, in hundredths of a point. */
bool gradebook_counted(const struct class *c, const struct submission *s, int *hundredths);
/** A CSV field by RFC 4180, with the comma or the line's end after it. */
void gradebook_field(struct text *out, const char *s, bool last);
/** The same grades with the columns that Moodle's or Canvas' import expects: the name is the username or login
 *  id, the column is called as the lab. Who has no score has no line, so that an import changes nothing of
 *  theirs. */
void gradebook_moodle(struct text *out, const struct class *c, const char *lab);
void gradebook_canvas(struct text *out, const struct class *c, const char *lab, int points);
/** How many of a class failed by the same thing first. */
struct cluster {
    const char *name;
    int count;
};
#define MAX_CLUSTERS (VERDICT_COUNT + 8)

/** What failed first: the cluster that a submission belongs to. */
const char *gradebook_cluster_of(const struct submission *s);
/** Fills `list`, the largest first; how many there are. */
int gradebook_clusters(const struct class *c, struct cluster list[MAX_CLUSTERS]);
/** The clusters in a few lines for a terminal. */
void gradebook_summary(struct text *out, const struct class *c);

/* gradebook_page.c */

/** A page of the class: how the points are spread, the clusters, everybody with a link to their page. */
void gradebook_page(struct text *out, const struct class *c, const char *title);

#endif
