/**
 * @file options.h
 * softgpu's options: one table, read from the command line by the CLI and from the environment by
 * the runtime library inside the program. `--seed 7` and SOFTGPU_SEED=7 are the same option.
 */
#ifndef SOFTGPU_OPTIONS_OPTIONS_H
#define SOFTGPU_OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "options/device_model.h"

/** How kernels run without checks: checked runs are interpreted. */
enum engine { ENGINE_AUTO, ENGINE_INTERPRET, ENGINE_COMPILE };

/** Devices that one program may have. */
#define MAX_DEVICES 8

/** No --step-limit given: checked runs have one that only an endless loop reaches, fast runs none. */
#define STEPS_UNSAID UINT64_MAX
#define STEPS_CHECKED (1ull << 31)

struct options {
    const struct device_model *device;
    int devices;              /**< how many of them the program sees */
    bool check;               /**< any checker on: one host thread, observed operations */
    char check_list[128];     /**< "all", "none" or names, comma-separated */
    uint64_t seed;
    int schedules;            /**< runs of each launch in check mode, the first in natural order; 0 = as
                                   long as they are cheap */
    bool exhaustive;
    enum engine engine;
    const char *cache;         /**< where machine code is kept: a folder; off; NULL: the user's own (compile/cache.h) */
    int threads;              /**< host threads in fast mode; 0 = all */
    uint64_t step_limit;      /**< warp instructions per launch; 0 = none; STEPS_UNSAID */
    uint64_t max_findings;
    uint64_t progress;        /**< seconds after which a launch's progress is told */
    const char *json_path, *timeline_path;
    const char *draw_path;    /**< where --exhaustive draws an execution of each outcome; NULL: nowhere */
    bool json_end;            /**< the findings file ends with a closing record */
    bool counters, trace;
    const char *counters_path;/**< where counters are written as JSON; NULL: to stderr */
    char dump[16];            /**< stage to dump: "", "tokens", "module", "code", "trace" */
    FILE *out;                /**< device printf goes here (stdout) */
};

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
