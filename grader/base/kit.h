/**
 * @file kit.h
 * Where the kit's parts are: its root, the build folder, the labs, nvcc.
 *
 * A lab is a folder labs/labNN_topic; there is no other registry.
 */
#ifndef GRADER_BASE_KIT_H
#define GRADER_BASE_KIT_H

#include "base/text.h"

struct kit {
    char *root;      /**< absolute */
    char *build;     /**< "ROOT/build" */
    char *nvcc;      /**< absolute; NULL if there is none */
    char **labs;     /**< folder names in order */
    int labs_count;
};

/** Finds the kit from the running binary (ROOT/build/bin/grade), or from `root` if not NULL. */
bool kit_open(struct kit *k, const char *root, struct trouble *t);
void kit_close(struct kit *k);

/** The folder that a user's word means: "lab03", "3", "03" or "lab03_last_block"; NULL with `t`
 *  naming the labs that exist. */
const char *kit_find_lab(const struct kit *k, const char *word, struct trouble *t);
/** "lab03" of "lab03_last_block"; the caller frees. */
char *kit_short_name(const char *lab);
/** The folder in which nvcc and the toolkit's other programs are, where there is one; the caller frees. */
char *kit_tools(const struct kit *k);
/** "ROOT/…": the caller frees. */
char *kit_path(const struct kit *k, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * Makes ROOT/build/run/HOST-PID, a private scratch folder of this process, and removes those that dead
 * processes left. The caller frees the path and removes the folder with text_remove_tree().
 */
char *kit_scratch(const struct kit *k, struct trouble *t);

#endif
