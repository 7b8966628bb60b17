/**
 * @file declaration.h
 * One declaration of a preprocessed text: where it ends, and what it names (items.h).
 */
#ifndef GRADER_BUILD_DECLARATION_H
#define GRADER_BUILD_DECLARATION_H

#include "build/items.h"

/** @return behind the declaration at the token `i`, with what it names in `item`; -1: it is not understood */
int declaration_read(struct items *s, struct item *item, int i);

#endif
