/**
 * @file trace.h
 * `--dump trace`: one line for each warp instruction, on stderr.
 */
#ifndef SOFTGPU_EXECUTE_TRACE_H
#define SOFTGPU_EXECUTE_TRACE_H

#include "execute/warp.h"

/** Prints where the warp's running group stands and what it is about to execute. */
void trace_insn(const struct warp *w, const struct insn *in);

#endif
