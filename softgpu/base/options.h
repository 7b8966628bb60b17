/**
 * @file options.h
 * softgpu's options: one table, read from the command line by the CLI and from the environment by
 * the runtime library inside the program. `--seed 7` and SOFTGPU_SEED=7 are the same option.
 */
#ifndef SOFTGPU_BASE_OPTIONS_H
#define SOFTGPU_BASE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct options;

/** One row of the table. */
struct option_row {
    const char *flag;       /**< "--seed" */
    const char *variable;   /**< "SOFTGPU_SEED" */
    const char *argument;   /**< "N", "FILE", …; NULL for a switch */
    const char *help;
};

/** Row `i`, NULL past the last. */
const struct option_row *option_row(int i);

/**
 * Fills `o` with the defaults and what the environment says.
 * Strings in `o` point into the environment or to constants.
 * @return false with one line in `error`
 */
bool options_from_env(struct options *o, char *error, size_t error_size);
/** Checks and sets one option by its row's flag. @return false with one line in `error` */
bool option_set(struct options *o, const char *flag, const char *value, char *error,
                size_t error_size);
void options_default(struct options *o);

#endif
