/**
 * @file kinds.c
 * The names of finding kinds and levels, as the findings file and lab.yaml write them; see kinds.def.
 */
#include "report/kinds.h"

const struct kind_info finding_kinds[FIND_KIND_COUNT] = {
#define C(e) 1u << FIND_##e
#define KIND(e, name, level, causes, meaning, rule) [FIND_##e] = {name, LEVEL_##level, causes, meaning, rule},
#include "report/kinds.def"
};

static const char *const lines[FINDING_LINE_COUNT] = {
#define KIND(...)
#define LINE(e, name) [LINE_##e] = name,
#include "report/kinds.def"
};

const char *finding_kind_name(enum finding_kind kind)
{
    return finding_kinds[kind].name;
}

const char *finding_line_name(enum finding_line line)
{
    return lines[line];
}

const char *finding_level_name(enum finding_level level)
{
    static const char *const names[] = {
        [LEVEL_OF_KIND] = "", [LEVEL_INFO] = "info", [LEVEL_WARNING] = "warning", [LEVEL_ERROR] = "error"};
    return names[level];
}
