/**
 * @file nested_queries.c
 * The device runtime's functions that only tell something, and its heap; nested_calls.c has the others.
 */
#include <string.h>

#include "code/frame.h"
#include "execute/access.h"
#include "execute/nested_call.h"
#include "parse/module.h"

#define RUNTIME_VERSION 6000 /* the device runtime's own */

bool nested_give(struct warp *w, const struct insn *in, unsigned lane, uint64_t address, uint64_t value, unsigned bytes)
{
    struct insn *x = &w->worker->texel;
    uint64_t at[WARP_LANES] = {0}, values[2][WARP_LANES] = {{0}};
    uint32_t was = w->mask;
    *x = (struct insn){.op = &op_table[ROW_st], .site = in->site, .dst = REG_NONE, .dst2 = REG_NONE, .guard = REG_NONE,
                       .src = {REG_NONE, REG_NONE, REG_NONE, REG_NONE},
                       .mem = {.space = SPACE_GENERIC, .bytes = (uint8_t)bytes, .count = 1,
                               .type = bytes == 8 ? PTX_B64 : PTX_B32, .reg_bytes = (uint8_t)bytes, .address_bytes = 8}};
    at[lane] = address;
    values[0][lane] = value;
    warp_set_mask(w, 1u << lane);
    bool good = access_store_at(w, x, 1u << lane, at, values);
    warp_set_mask(w, was);
    return good;
}

/* ---- What there is to ask ---- */

CALL(do_last_error)
{
    FOR_LANES(lane, w->mask)
    {
        RETURN(w->errors[lane]);
        w->errors[lane] = 0;
    }
    return in + 1;
}

CALL(do_peek_error)
{
    FOR_LANES(lane, w->mask)
    RETURN(w->errors[lane]);
    return in + 1;
}

/** The words lie in memory for as long as the program runs: it may print them any time. */
static const struct insn *error_words(struct warp *w, const struct insn *in, const struct call_desc *d, bool name)
{
    struct machine *m = warp_machine(w);
    FOR_LANES(lane, w->mask)
    {
        const char *text = m->nested_host ? m->nested_host->words((int)ARGUMENT(0), name) : "";
        struct allocation *a = memory_alloc(m->memory, strlen(text) + 1, 8, ALLOC_VARIABLE, "error text");
        if (a) {
            memcpy(allocation_bytes(a), text, strlen(text) + 1);
            if (a->initialised)
                memset(a->initialised, 0xff, a->initialised_bytes);
        }
        RETURN(a ? a->base : 0);
    }
    worker_forget(w->worker);
    return in + 1;
}

CALL(do_error_string)
{
    return error_words(w, in, d, false);
}

CALL(do_error_name)
{
    return error_words(w, in, d, true);
}

/** `int f(int *value, …)`: value, unless there is an error. */
#define GIVE_INT(value, error)                                                                     \
    do {                                                                                           \
        int error_ = (error);                                                                      \
        if (!error_ && !nested_give(w, in, lane, ARGUMENT(0), (uint32_t)(value), 4))                      \
            return NULL;                                                                           \
        RETURN(nested_note(w, lane, error_));                                                             \
    } while (0)

CALL(do_device_attribute)
{
    FOR_LANES(lane, w->mask)
    {
        int value = 0, error = warp_machine(w)->nested_host->attribute(&value, (int)ARGUMENT(1), (int)ARGUMENT(2));
        GIVE_INT(value, error);
    }
    return in + 1;
}

CALL(do_device_limit)
{
    FOR_LANES(lane, w->mask)
    {
        uint64_t value = 0;
        int error = warp_machine(w)->nested_host->limit(&value, (int)ARGUMENT(1), w->block->grid->config.device);
        if (!error && !nested_give(w, in, lane, ARGUMENT(0), value, 8))
            return NULL;
        RETURN(nested_note(w, lane, error));
    }
    return in + 1;
}

CALL(do_get_device)
{
    FOR_LANES(lane, w->mask)
    GIVE_INT(w->block->grid->config.device, NESTED_OK);
    return in + 1;
}

CALL(do_device_count)
{
    FOR_LANES(lane, w->mask)
    GIVE_INT(warp_machine(w)->nested_host->devices, NESTED_OK);
    return in + 1;
}

CALL(do_runtime_version)
{
    FOR_LANES(lane, w->mask)
    GIVE_INT(RUNTIME_VERSION, NESTED_OK);
    return in + 1;
}

/* The first fields of struct cudaFuncAttributes. */
CALL(do_function_attributes)
{
    const struct machine *m = warp_machine(w);
    FOR_LANES(lane, w->mask)
    {
        const struct function *f = call_function_at(w, ARGUMENT(1));
        const struct device_model *device = m->options.device;
        uint64_t sizes[] = {f ? f->shared_bytes : 0, f ? f->image->constant_bytes : 0, f ? function_local_size(f) : 0};
        int numbers[] = {f ? m->nested_host->max_threads(f) : 0, f ? (int)f->registers : 0, f ? f->image->module->target_sm : 0,
                         device->major * 10 + device->minor, 0, f ? m->nested_host->max_dynamic_shared(f) : 0, -1};
        for (unsigned i = 0; f && i < 3; i++)
            if (!nested_give(w, in, lane, ARGUMENT(0) + 8 * i, sizes[i], 8))
                return NULL;
        for (unsigned i = 0; f && i < sizeof numbers / sizeof numbers[0]; i++)
            if (!nested_give(w, in, lane, ARGUMENT(0) + 24 + 4 * i, (uint32_t)numbers[i], 4))
                return NULL;
        RETURN(nested_note(w, lane, f ? NESTED_OK : NESTED_INVALID_VALUE));
    }
    return in + 1;
}

CALL(do_occupancy)
{
    FOR_LANES(lane, w->mask)
    {
        const struct function *f = call_function_at(w, ARGUMENT(1));
        int blocks = f ? machine_occupancy(warp_machine(w), f, (int)ARGUMENT(2), ARGUMENT(3)) : 0;
        GIVE_INT(blocks, f ? NESTED_OK : NESTED_INVALID_VALUE);
    }
    return in + 1;
}

CALL(do_nested_malloc)
{
    FOR_LANES(lane, w->mask)
    {
        struct allocation *a = builtin_allocate(w, ARGUMENT(1));
        if (!nested_give(w, in, lane, ARGUMENT(0), a ? a->base : 0, 8))
            return NULL;
        RETURN(nested_note(w, lane, a ? NESTED_OK : 2 /* cudaErrorMemoryAllocation */));
    }
    return in + 1;
}

CALL(do_nested_free)
{
    FOR_LANES(lane, w->mask)
    RETURN(0);
    return do_free(w, in, d);
}
