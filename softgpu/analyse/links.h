/**
 * @file links.h
 * Links that are put behind a walk: a thread goes from node to node, and puts its own where it has come to. The place is what the walk has led to, which the
 * text does not say; that both are of one place shows when they run.
 */
#ifndef SOFTGPU_ANALYSE_LINKS_H
#define SOFTGPU_ANALYSE_LINKS_H

#include "analyse/acts.h"

/** The next strong store or exchange behind a->act, or where that is NULL behind a->check, by which a thread that comes from the check puts a node where it has looked: one that leads to
 *  what it has read, or to which that leads; or it keeps what it has read; or the walk has ended there. None that is among `known`. Fills in what it is as an act. No barrier lies
 *  between, and nobody looks at what an exchange returns. @return false: there is none */
bool link_next(const struct function *f, const struct acts *known, struct act *a);

#endif
