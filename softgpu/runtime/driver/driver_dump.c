/**
 * @file driver_dump.c
 * Driver API: settings of core dumps. They are kept and given back, as an H200 has them (tests/runtime/small_facts.cu); softgpu writes no
 * core dumps, and says so to whoever asks for them. A fault's finding says what a dump would.
 */
#include <string.h>

#include "runtime/driver/driver.h"

#define TEXT_BYTES 1024

struct dump_settings {
    uint8_t on_fault, of_host, lightweight, by_user;
    int flags;
    char file[TEXT_BYTES], pipe[TEXT_BYTES];
};
/* Of the process, and of a context: there is one set for all contexts. */
static struct dump_settings settings[2] = {{.of_host = 1}, {.of_host = 1}};

struct field {
    void *at;
    size_t bytes;
};

static struct field field_of(CUcoredumpSettings which, bool global)
{
    struct dump_settings *s = &settings[global];
    switch (which) {
    case CU_COREDUMP_ENABLE_ON_EXCEPTION:
        return (struct field){&s->on_fault, 1};
    case CU_COREDUMP_TRIGGER_HOST:
        return (struct field){&s->of_host, 1};
    case CU_COREDUMP_LIGHTWEIGHT:
        return (struct field){&s->lightweight, 1};
    case CU_COREDUMP_ENABLE_USER_TRIGGER: /* these two are the process's only */
        return global ? (struct field){&s->by_user, 1} : (struct field){0};
    case CU_COREDUMP_PIPE:
        return global ? (struct field){s->pipe, TEXT_BYTES} : (struct field){0};
    case CU_COREDUMP_FILE:
        return (struct field){s->file, TEXT_BYTES};
    case CU_COREDUMP_GENERATION_FLAGS:
        return (struct field){&s->flags, sizeof s->flags};
    default:
        return (struct field){0};
    }
}

static CUresult get(CUcoredumpSettings which, bool global, void *value, size_t *bytes)
{
    struct field f = field_of(which, global);
    if (!f.bytes || !bytes || (value && *bytes < f.bytes))
        return CUDA_ERROR_INVALID_VALUE;
    *bytes = f.bytes;
    if (value)
        memcpy(value, f.at, f.bytes);
    return CUDA_SUCCESS;
}

static CUresult set(CUcoredumpSettings which, bool global, const void *value, const size_t *bytes)
{
    struct field f = field_of(which, global);
    if (!f.bytes || !value || !bytes || *bytes > f.bytes || (f.bytes < TEXT_BYTES && *bytes != f.bytes))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(f.at, value, *bytes);
    if (f.bytes == TEXT_BYTES)
        ((char *)f.at)[*bytes < TEXT_BYTES ? *bytes : TEXT_BYTES - 1] = '\0';
    if (settings[global].on_fault || settings[global].by_user)
        runtime_say("softgpu writes no core dumps: a fault's finding says where and why");
    return CUDA_SUCCESS;
}

CUresult cuCoredumpGetAttribute(CUcoredumpSettings which, void *value, size_t *bytes)
{
    DRIVER(get(which, false, value, bytes));
}

CUresult cuCoredumpSetAttribute(CUcoredumpSettings which, void *value, size_t *bytes)
{
    DRIVER(set(which, false, value, bytes));
}

CUresult cuCoredumpGetAttributeGlobal(CUcoredumpSettings which, void *value, size_t *bytes)
{
    DRIVER_NEEDING(NEEDS_NOTHING, get(which, true, value, bytes));
}

CUresult cuCoredumpSetAttributeGlobal(CUcoredumpSettings which, void *value, size_t *bytes)
{
    DRIVER_NEEDING(NEEDS_NOTHING, set(which, true, value, bytes));
}
