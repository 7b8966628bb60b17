/**
 * @file names.c
 * Names of engines and kinds of bar, and which runs on which; see timeline/timeline.h.
 */
#include "timeline/timeline.h"

#include "base/issuer.h"

static const char *const engine_names[ENGINE_COUNT] = {
    [ENGINE_NONE] = "", [ENGINE_COPY_IN] = "copy in", [ENGINE_COPY_OUT] = "copy out",
    [ENGINE_SMS] = "SMs", [ENGINE_HOST] = "host functions"};
static const char *const kind_names[BAR_KIND_COUNT] = {
    [BAR_KERNEL] = "kernel", [BAR_COPY_H2D] = "host to device", [BAR_COPY_D2H] = "device to host",
    [BAR_COPY_D2D] = "device to device", [BAR_COPY_H2H] = "host to host", [BAR_SET] = "memset",
    [BAR_COPY_PEER] = "peer to peer",
    [BAR_HOST_FUNCTION] = "host function", [BAR_CALL] = "call"};

const char *timeline_engine_name(enum timeline_engine engine)
{
    return engine_names[engine];
}

/** Rows below a million are streams' of device 0, so that they keep their numbers. */
#define BRANCH 1000000
#define IN_DEVICE ((1ull << STREAM_BITS) - 1)

uint64_t timeline_row(uint64_t stream, unsigned branch)
{
    return stream + (uint64_t)branch * BRANCH;
}

uint64_t timeline_stream_of(uint64_t row)
{
    return (row & ~IN_DEVICE) | (row & IN_DEVICE) % BRANCH;
}

unsigned timeline_branch_of(uint64_t row)
{
    return (unsigned)((row & IN_DEVICE) / BRANCH);
}

bool timeline_row_before(uint64_t row, uint64_t other)
{
    uint64_t a = timeline_stream_of(row), b = timeline_stream_of(other);
    return a != b ? a < b : row < other;
}

const char *timeline_wait_name(enum wait_kind kind)
{
    static const char *const names[WAIT_KIND_COUNT] = {
        [WAIT_EVENT] = "event", [WAIT_DEFAULT_STREAM] = "default stream", [WAIT_HOST] = "host",
        [WAIT_GRAPH] = "graph"};
    return names[kind];
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
        [BAR_COPY_PEER] = ENGINE_COPY_OUT,
        [BAR_HOST_FUNCTION] = ENGINE_HOST, [BAR_CALL] = ENGINE_NONE};
    return engines[kind];
}
