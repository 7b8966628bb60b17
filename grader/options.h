/**
 * @file options.h
 * The command line as a structure. `./grade --help` prints options.c's table.
 */
#ifndef GRADER_OPTIONS_H
#define GRADER_OPTIONS_H

#include "base/text.h"

enum device_choice { DEVICE_AUTO, DEVICE_SOFTGPU, DEVICE_GPU };
enum gradebook_choice { GRADEBOOK_PLAIN, GRADEBOOK_MOODLE, GRADEBOOK_CANVAS };
enum color_choice { COLOR_AUTO, COLOR_NEVER, COLOR_ALWAYS };

#define MAX_LABS 100

struct options {
    const char *labs[MAX_LABS];
    int labs_count;
    const char *root;      /**< --root: the kit's folder, for tests */
    const char *file;      /**< --file; NULL: the lab's kernel.cu */
    bool solution;
    const char *only;      /**< --case: a case or a part */
    bool has_seed;
    uint32_t seed;
    int schedules;         /**< 0: as the spec says */
    int jobs;              /**< 0: as many as cores */
    int more_pairs;        /**< so many more where each is a program and its device, which wait for each other; not from the command line */
    enum device_choice device;
    enum color_choice color;
    const char *format;    /**< a name in report/report.h's table */
    const char *output;    /**< NULL: stdout */
    int sandbox;           /**< 'A' … 'D': only this level; 0: the best */
    int require_sandbox;   /**< 'A' … 'D': the least; 0: any */
    const char *submissions, *csv, *report; /**< a class: class/class.h */
    const char *course;    /**< another course.yaml than the kit's */
    const char *times;     /**< when each was handed in */
    enum gradebook_choice gradebook; /**< whose columns the CSV has */
    int slurm;             /**< tasks of a Slurm array; 0: none */
    bool gpus;             /**< one GPU a task */
    int slice, slices;     /**< --slice 3/8: of a class, only every 8th from the 3rd on */
    const char *source;    /**< the text of `file`, already read; NULL: read it */
    bool fresh; /**< nothing of the last grade is kept */
    bool watch, debug;
    bool hint, verbose, help, version, quick;
    const char *replay;    /**< --replay FILE, a record; SEED/CASE has become seed and only */
    const char *salt;      /**< where stats keeps the key of its pseudonyms */
    const char *folders;   /**< "class" or "stats": the "labs" are report folders */
    const char *dev;       /**< "check" or "mutants"; the labs are its arguments */
};

/** False with `t` filled on a wrong command line. Strings point into argv. */
bool options_parse(struct options *o, int argc, char **argv, struct trouble *t);
/** Prints the help text on stdout. */
void options_help(void);

#endif
