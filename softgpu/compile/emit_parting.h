/**
 * @file emit_parting.h
 * Private to compile/: how lanes part and meet under the checks. Checkers look at a warp's groups (struct group), down to their order and the
 * branch at which each has parted from others; so there the code keeps the groups as the interpreter would have them, beside its masks: as notes, of which they are made when somebody looks (execute/partings.c).
 * Where nobody checks, parting_told() is false and nothing is written.
 */
#ifndef SOFTGPU_COMPILE_EMIT_PARTING_H
#define SOFTGPU_COMPILE_EMIT_PARTING_H

#include "compile/emit.h"

static inline bool parting_told(const struct emit *e)
{
    return e->p->f->image->checked;
}

/** At branch `in` the lanes `waiting` part from those that run on, and wait. Takes care of the fuel, too. */
void parting_parts(struct emit *e, const struct insn *in, const char *running, const char *waiting);
/** The running lanes are to wait at `block`, for others come first. */
void parting_waits(struct emit *e, int block);
/** Lanes that wait at `block` go on there, with the running ones `running`, if any; `all`: they are the whole warp. */
void parting_meets(struct emit *e, int block, const char *running, bool all);
/** Somebody is about to look at the groups. */
void parting_ends(struct emit *e);
/** The running lanes branch backward at `in`: do they go without others of the warp to where the warp meets? */
void parting_goes_back(struct emit *e, const struct insn *in);
/** The code is left with the running lanes at `in`. */
void parting_leaves(struct emit *e, const struct insn *in);

#endif
