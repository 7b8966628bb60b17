/**
 * @file points_worth.c
 * Which kernels the model is asked about in an ordinary run (by_model.h).
 */
#include "rerun/explore/by_model.h"

uint64_t points_worth(const struct function *f)
{
    bool strong = false, loops = false;
    for (const struct insn *in = f->entry; in < f->end; in++) {
        enum insn_class c = insn_class(in);
        bool is_strong = (c == INSN_LOAD || c == INSN_STORE || c == INSN_ATOMIC) && order_is_strong(&in->mem);
        if (c == INSN_COPY || c == INSN_MBARRIER || c == INSN_IMAGE || c == INSN_TENSOR || c == INSN_CALL || c == INSN_SWITCH ||
            (is_strong && in->mem.count > 1))
            return 0;
        loops |= c == INSN_BRANCH && in->target <= in;
        strong |= is_strong;
    }
    return !strong ? 0 : loops ? LOOP_POINTS : LAUNCH_POINTS;
}
