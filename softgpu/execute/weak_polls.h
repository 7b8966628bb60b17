/**
 * @file weak_polls.h
 * Weak loads by which a thread waits, with a fence between one look and the next: `while (!*flag) __threadfence();`. That is a race, and told; until then the loop burns
 * its fuel as one that polls by strong loads does (note_poll()), in place of going round for a whole turn.
 */
#ifndef SOFTGPU_EXECUTE_WEAK_POLLS_H
#define SOFTGPU_EXECUTE_WEAK_POLLS_H

#include "code/image.h"

/** May it wait so, by the text? A loop that does anything but look and compute goes round for that: it keeps its turn. */
bool load_polls_weakly(const struct function *f, const struct insn *in);
/** Such a load, otherwise as any. */
const struct insn *load_weak_poll(struct warp *w, const struct insn *in);

#endif
