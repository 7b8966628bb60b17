/**
 * @file kept.h
 * What nvcc made of a source, kept for the next time: where FENCEPOST_COMPILED names a folder, as `make test` does.
 *
 * A file is taken only for the same text, the same arguments and the same compiler; the text lies beside it and is
 * compared. Only what compiled is kept. Whoever may write to that folder decides what is graded, so no
 * class sets it.
 */
#ifndef GRADER_BUILD_KEPT_H
#define GRADER_BUILD_KEPT_H

#include "base/kit.h"

/** Writes to `product` what this command made of this text before; false if that is not kept. */
bool kept_take(const struct kit *k, char *const *argv, const char *text, const char *product);

/** Keeps `product`, which this command has made of this text. Where it cannot, nothing is lost. */
void kept_give(const struct kit *k, char *const *argv, const char *text, const char *product);

#endif
