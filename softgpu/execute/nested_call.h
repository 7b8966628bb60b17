/**
 * @file nested_call.h
 * Private to the device runtime's functions: how they are written.
 */
#ifndef SOFTGPU_EXECUTE_NESTED_CALL_H
#define SOFTGPU_EXECUTE_NESTED_CALL_H

#include "execute/access.h"
#include "execute/builtin.h"
#include "execute/call.h"
#include "execute/nested.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#define ARGUMENT(i) call_argument(w, d, (int)lane, i)
#define RETURN(value) call_set_result(w, d, (int)lane, (uint64_t)(value))
#define CALL(name) const struct insn *name(struct warp *w, const struct insn *in, const struct call_desc *d)

/** Each call's error is its thread's last one, too. @return it */
static inline uint64_t nested_note(struct warp *w, unsigned lane, int error)
{
    if (error) {
        w->errors[lane] = error;
        w->has_errors = true;
    }
    return (uint64_t)error;
}

/** Stores a result through a thread's pointer, as a store on this line. @return false after a fault */
bool nested_give(struct warp *w, const struct insn *in, unsigned lane, uint64_t address, uint64_t value, unsigned bytes);

#endif
