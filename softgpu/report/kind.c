/**
 * @file kind.c
 * The names of finding kinds and levels, as the findings file and lab.yaml write them.
 */
#include "report/finding.h"

static const char *const kind_names[FIND_KIND_COUNT] = {
    [FIND_DATA_RACE] = "data-race",
    [FIND_MISSING_RELEASE] = "missing-release",
    [FIND_MISSING_ACQUIRE] = "missing-acquire",
    [FIND_ORDERING] = "ordering",
    [FIND_BARRIER_DIVERGENCE] = "barrier-divergence",
    [FIND_DEADLOCK] = "deadlock",
    [FIND_OUT_OF_BOUNDS] = "out-of-bounds",
    [FIND_MISALIGNED] = "misaligned",
    [FIND_USE_AFTER_FREE] = "use-after-free",
    [FIND_UNINITIALIZED_READ] = "uninitialized-read",
    [FIND_STREAM_RACE] = "stream-race",
    [FIND_LEAK] = "leak",
    [FIND_ASSERT] = "assert",
    [FIND_TRAP] = "trap",
    [FIND_STEP_LIMIT] = "step-limit",
    [FIND_UNSUPPORTED] = "unsupported",
};

const char *finding_kind_name(enum finding_kind kind)
{
    return kind_names[kind];
}

const char *finding_level_name(enum finding_level level)
{
    static const char *const names[] = {
        [LEVEL_INFO] = "info", [LEVEL_WARNING] = "warning", [LEVEL_ERROR] = "error"};
    return names[level];
}
