/**
 * @file bind.c
 * The one place that knows which function runs which instruction: writes insn->run and insn->body.
 */
#include "execute/bind.h"

#include <assert.h>

#include "analyse/held_back.h"
#include "execute/access.h"
#include "execute/alu/alu.h"
#include "execute/handlers.h"
#include "execute/dropped_loads.h"
#include "execute/weak_polls.h"

/** Handlers of X and H rows; NULL where the operands decide, or where no instruction has the row. */
static const handler_fn handlers[ROW_COUNT] = {
#define X(id, mnemonic, forms, section, defines, what, function, handler, ...) [ROW_##id] = handler,
#define H(id, section, what, handler, ...) [ROW_##id] = handler,
#include "code/ops.def"
};

static handler_fn operation(const struct insn *in, bool checked)
{
    if (in->op->plain)
        return alu_handler(insn_row(in));
    switch (insn_class(in)) {
    case INSN_LOAD:
        return select_load(in, checked);
    case INSN_STORE:
        return select_store(in, checked);
    case INSN_ATOMIC:
        return select_atomic(in, checked);
    default:
        return handlers[insn_row(in)] ? handlers[insn_row(in)] : select_special(in);
    }
}

static void bind(struct insn *in, bool checked)
{
    in->body = operation(in, checked);
    assert(in->body);
    if (in->op->extra == EXTRA_COMPARE)
        bind(&((struct set_desc *)in->extra)->compare, checked);
    in->run = bind_handler(in);
}

handler_fn bind_handler(const struct insn *in)
{
    if (insn_is_guarded(in) && insn_class(in) != INSN_BRANCH)
        return insn_may_split(in) ? op_guarded_split : op_guarded;
    return in->body;
}

void bind_entry(struct insn *in, handler_fn enter)
{
    __atomic_store_n(&in->run, enter, __ATOMIC_RELEASE);
}

/** Checked loads whose value some lanes drop, and weak ones that poll. */
static void bind_loads(struct image *im, const struct function *f)
{
    for (struct insn *in = &im->code[f->entry - im->code]; f->entry && in < f->end; in++) {
        if (insn_class(in) != INSN_LOAD || in->mem.space == SPACE_PARAM)
            continue;
        if (load_kept_way(f, in) || load_held_uses(f, in))
            in->body = load_perhaps_dropped;
        else if (load_polls_weakly(f, in))
            in->body = load_weak_poll;
        in->run = bind_handler(in);
    }
}

void image_bind(struct image *im, bool checked)
{
    im->checked = checked;
    for (uint32_t i = 0; i < im->code_count; i++)
        bind(&im->code[i], checked);
    for (int i = 0; checked && i < im->function_count; i++)
        bind_loads(im, im->functions[i]);
}
