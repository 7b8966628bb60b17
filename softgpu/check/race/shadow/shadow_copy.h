/**
 * @file shadow_copy.h
 * Copies of what is remembered of memory, with release chains of their own: what is written later does not get into them.
 */
#ifndef SOFTGPU_CHECK_RACE_SHADOW_SHADOW_COPY_H
#define SOFTGPU_CHECK_RACE_SHADOW_SHADOW_COPY_H

#include "check/race/shadow/shadow_rows.h"

/** Puts a copy of `from` in the place of `to`. No read of either is logged (read_log_settle()). */
void shadow_row_copy(struct shadow_row *to, const struct shadow_row *from);
/** Has an agent from `agent` on been the last to write some word of it? `*strongly`: perhaps by a strong write, which others
 *  may have to hear. */
bool shadow_row_written_since(const struct shadow_row *row, uint32_t agent, bool *strongly);

#endif
