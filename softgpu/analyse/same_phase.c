/**
 * @file same_phase.c
 * See same_phase.h.
 */
#include "analyse/same_phase.h"

#include "analyse/flow.h"
#include "analyse/paths.h"
#include "analyse/varies.h"

/** For path_find(): the phase may end there. What is not known to do nothing of the kind counts. */
static bool ends_phase(const struct insn *in, const void *context)
{
    (void)context;
    switch (insn_class(in)) {
    case INSN_COMPUTE: case INSN_HINT: case INSN_BRANCH: case INSN_SWITCH: case INSN_RETURN: case INSN_EXIT: case INSN_TRAP: case INSN_SLEEP:
        return false;
    case INSN_LOAD: case INSN_STORE: case INSN_ATOMIC:
        return in->mem.order == ORDER_ACQUIRE || in->mem.order == ORDER_RELEASE || in->mem.order == ORDER_ACQ_REL;
    default:
        return true;
    }
}

/** Is it an order by itself, or contended for? */
static bool orders(const struct insn *in)
{
    return (in->mem.order != ORDER_RELAXED && in->mem.order != ORDER_VOLATILE) || (insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_CAS);
}

static bool is_write(const struct insn *in, const void *write)
{
    return in == write;
}

/** Does everybody who comes to the read come by the write? */
static bool comes_by(const struct function *f, const struct insn *write, const struct insn *read)
{
    return write == f->entry || path_find(f, f->entry, read, is_write, write) == PATH_NONE;
}

/** Do the two ways of a branch each lead to one of them, and meet behind, before the phase ends? So stand two writes under conditions that exclude each
 *  other, as the compiler sees. */
static bool in_two_ways(const struct function *f, const struct insn *a, const struct insn *b)
{
    for (const struct insn *in = f->entry; in + 1 < f->end; in++) {
        if (insn_class(in) != INSN_BRANCH || !insn_is_guarded(in) || !flow_holds(f, in->target))
            continue;
        if ((path_passes_by(f, in, in + 1, a, ends_phase, false) && path_passes_by(f, in, in->target, b, ends_phase, false)) ||
            (path_passes_by(f, in, in + 1, b, ends_phase, false) && path_passes_by(f, in, in->target, a, ends_phase, false)))
            return true;
    }
    return false;
}

static bool writes(const struct insn *in)
{
    return insn_class(in) == INSN_STORE || insn_class(in) == INSN_ATOMIC;
}

enum phase phase_between(const struct function *f, const struct insn *write, const struct insn *read)
{
    if (!flow_holds(f, write) || !flow_holds(f, read) || write == read || orders(write) || orders(read) ||
        address_is_handed(f, write) || address_is_handed(f, read))
        return PHASE_APART;
    enum path on = path_find(f, write, read, ends_phase, NULL), back = path_find(f, read, write, ends_phase, NULL);
    if (on == PATH_NONE && back != PATH_NONE)
        return PHASE_READ_FIRST;
    if (on == PATH_NONE && writes(read) && in_two_ways(f, write, read))
        return PHASE_WRITE_FIRST;
    if (on == PATH_NONE || back != PATH_NONE)
        return PHASE_APART;
    return on == PATH_ROUND || comes_by(f, write, read) || path_leaves_out(f, write, read, ends_phase) ? PHASE_WRITE_FIRST : PHASE_APART;
}

bool phase_leads_on(const struct function *f, const struct insn *write, const struct insn *read)
{
    return flow_holds(f, write) && flow_holds(f, read) && path_find(f, read, write, ends_phase, NULL) != PATH_NONE;
}

bool phase_ends_between(const struct function *f, const struct insn *in)
{
    return flow_holds(f, in) && path_find(f, in, in, ends_phase, NULL) == PATH_NONE;
}
