/**
 * @file copied_words.h
 * Words of shared memory that cp.async brings. While a copy may be under way, the shadow word tells of it; once its thread has waited for it, and a
 * barrier of the whole block has come, it lies plainly before all that follows, and a stamp says so (stamps_settle()).
 */
#ifndef SOFTGPU_CHECK_RACE_COPIED_WORDS_H
#define SOFTGPU_CHECK_RACE_COPIED_WORDS_H

#include "check/race/race.h"
#include "execute/async_copy.h"

/** The actor, who acts as its block's copies, writes its lane's piece, where that is whole words that have stamps, with everything in sight plainly
 *  before the thread. @return false: look closer; nothing has changed then */
bool copied_put(const struct actor *me, const struct copy_side *to);

#endif
