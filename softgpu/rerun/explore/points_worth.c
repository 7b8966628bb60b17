/**
 * @file points_worth.c
 * Which kernels the model is asked about in an ordinary run (by_model.h).
 */
#include <string.h>

#include "rerun/explore/by_model.h"

/** Functions that a kernel calls, of which as many are looked at. */
#define CALLED 32

struct found {
    bool strong, loops, beyond;
    const struct function *seen[CALLED];
    int count;
};

/** @return false where it has been looked at, or there are too many */
static bool is_new(struct found *s, const struct function *f)
{
    for (int i = 0; i < s->count; i++)
        if (s->seen[i] == f) {
            s->loops = true; /* it may call itself */
            return false;
        }
    if (s->count == CALLED)
        return !(s->beyond = true);
    s->seen[s->count++] = f;
    return true;
}

/** A failed assert() ends the launch, and what is printed is not compared: no thread's memory hangs on either. */
static bool changes_nothing(const char *builtin)
{
    return strcmp(builtin, "__assertfail") == 0 || strcmp(builtin, "vprintf") == 0;
}

static void look_at_callee(struct found *s, const struct function *f);

static void look_at(struct found *s, const struct function *f)
{
    for (const struct insn *in = f->entry; in < f->end; in++) {
        enum insn_class c = insn_class(in);
        bool is_strong = (c == INSN_LOAD || c == INSN_STORE || c == INSN_ATOMIC) && order_is_strong(&in->mem);
        s->beyond |= c == INSN_COPY || insn_row(in) == ROW_cp_mbarrier || c == INSN_IMAGE || c == INSN_TENSOR || c == INSN_SWITCH ||
                     (is_strong && in->mem.count > 1);
        s->loops |= c == INSN_BRANCH && in->target <= in;
        s->strong |= is_strong;
        if (c == INSN_CALL)
            look_at_callee(s, ((const struct call_desc *)in->extra)->callee);
    }
}

/** `f` NULL: whatever a pointer leads to. */
static void look_at_callee(struct found *s, const struct function *f)
{
    if (!f || (!f->entry && !changes_nothing(f->name)))
        s->beyond = true;
    else if (f->entry && is_new(s, f))
        look_at(s, f);
}

uint64_t points_worth(const struct function *f)
{
    struct found s = {.seen = {f}, .count = 1};
    look_at(&s, f);
    return s.beyond || !s.strong ? 0 : s.loops ? LOOP_POINTS : LAUNCH_POINTS;
}

bool draws_worth(const struct function *f)
{
    struct found s = {.seen = {f}, .count = 1};
    look_at(&s, f);
    return s.strong;
}
