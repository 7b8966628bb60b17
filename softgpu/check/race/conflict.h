/**
 * @file conflict.h
 * Private to the race checker: one access against what a shadow word remembers of others.
 */
#ifndef SOFTGPU_CHECK_RACE_CONFLICT_H
#define SOFTGPU_CHECK_RACE_CONFLICT_H

#include "check/race/element.h"

/** Morally strong with an access of `agent`: both strong, scopes include each other's thread, and
 *  they overlap completely (PTX ISA 8.7). */
bool morally_strong(const struct actor *me, uint8_t flags, uint8_t unit, uint32_t agent, uint8_t their_flags, uint8_t their_unit);
/** A conflict with what is told as `other`: two stores that leave the same are less than two others. */
void note_conflict(const struct actor *me, struct outcome *out, enum conflict kind, const struct epoch *other);
/** Is an access by `me` morally strong with the word's last write? */
bool with_last_write(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit);
/** Has `me`, or something ordered before it, read the last strong write here? Then that write is
 *  ordered before `me`, one observation step and base causality (PTX ISA 8.9.6). */
bool write_observed(const struct actor *me, const struct shadow_word *c, uint32_t seq,
                    bool (*sees)(const struct actor *me, const struct reader *r));
/** Strong writes that the last one did not supersede, and atomics that it went on with, against the present access. */
void check_tips(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit,
                enum conflict kind, struct outcome *out);
/** The last write against the present access. @return true if it need not have happened before */
bool check_write(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit,
                 enum conflict kind, struct outcome *out);
/** Reads since the last write against a write. @return true if an unordered strong read stays */
bool check_reads(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit,
                 struct outcome *out);

#endif
