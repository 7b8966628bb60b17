/**
 * @file nests.h
 * The loops of a flow graph, each within another: pieces from each of whose blocks a way leads back to it. Nothing is taken from the order of the text.
 */
#ifndef SOFTGPU_ANALYSE_NESTS_H
#define SOFTGPU_ANALYSE_NESTS_H

#include "analyse/blocks.h"

#define NEST_NONE 0 /**< no loop: the whole function */

/** Loops are numbered from 1 on, those around others first. */
struct nests {
    int count;      /**< one more than the last loop's number */
    int *of;        /**< by block: the innermost loop that holds it */
    int *head;      /**< by loop: the block by which ways come into it; of several the first in the text */
    int *around;    /**< by loop: the next one around it */
};

/** Finds them. Loops within more than 64 others are not told from the one around them. */
void nests_find(struct nests *n, const struct blocks *b);
void nests_free(struct nests *n);
/** Is the loop the other one, or within it? */
bool nest_within(const struct nests *n, int loop, int other);

#endif
