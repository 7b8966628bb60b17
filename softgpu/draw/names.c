/**
 * @file names.c
 * Names of engines and kinds of bar, and which runs on which; see runtime/timeline.h.
 */
#include "runtime/timeline.h"

static const char *const engine_names[ENGINE_COUNT] = {
    [ENGINE_NONE] = "", [ENGINE_COPY_IN] = "copy in", [ENGINE_COPY_OUT] = "copy out",
    [ENGINE_SMS] = "SMs", [ENGINE_HOST] = "host functions"};
static const char *const kind_names[BAR_KIND_COUNT] = {
    [BAR_KERNEL] = "kernel", [BAR_COPY_H2D] = "host to device", [BAR_COPY_D2H] = "device to host",
    [BAR_COPY_D2D] = "device to device", [BAR_COPY_H2H] = "host to host", [BAR_SET] = "memset",
    [BAR_HOST_FUNCTION] = "host function", [BAR_CALL] = "call"};

const char *timeline_engine_name(enum timeline_engine engine)
{
    return engine_names[engine];
}

const char *timeline_kind_name(enum bar_kind kind)
{
    return kind_names[kind];
}

const struct timeline_bar *timeline_find(const struct timeline *t, uint64_t op)
{
    for (int i = 0; op && i < t->bars.count; i++)
        if (t->bars.data[i].op == op)
            return &t->bars.data[i];
    return NULL;
}

enum timeline_engine timeline_engine_of(enum bar_kind kind)
{
    static const enum timeline_engine engines[BAR_KIND_COUNT] = {
        [BAR_KERNEL] = ENGINE_SMS,       [BAR_COPY_H2D] = ENGINE_COPY_IN,
        [BAR_COPY_D2H] = ENGINE_COPY_OUT, [BAR_COPY_D2D] = ENGINE_SMS,
        [BAR_COPY_H2H] = ENGINE_NONE,    [BAR_SET] = ENGINE_SMS,
        [BAR_HOST_FUNCTION] = ENGINE_HOST, [BAR_CALL] = ENGINE_NONE};
    return engines[kind];
}
