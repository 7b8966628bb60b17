/**
 * @file speakers.h
 * Threads that signal, or wait, for others of their warp or block, which they have not met. Private to advice.c.
 */
#ifndef SOFTGPU_CHECK_RACE_SPEAKERS_H
#define SOFTGPU_CHECK_RACE_SPEAKERS_H

#include "check/race/explain.h"
#include "report/finding.h"

/** The acting thread's block-mate as if it acted. */
struct actor speakers_mate(const struct actor *me, uint32_t thread);

/** Had the other's thread, before its access, read what the acting thread has written by that instruction? */
bool speakers_other_has_seen(const struct actor *me, const struct epoch *other, const struct insn *signal);

/** Has one of the threads `from` to before `end` of the other's block told `me` of a moment that is no earlier than the other's access? Its thread
 *  itself has not. */
bool speakers_told(const struct actor *me, const struct epoch *other, uint32_t from, uint32_t end);

/** Where the code waits for others before it comes here, in threads apart: past the wait leads a way, too, and no barrier of the block (of the warp) is
 *  behind it. Others are other blocks; with `same_warp` also other warps of the block. NULL: it does not. */
const struct insn *speakers_wait_apart(const struct actor *me, bool same_warp);

/** Does the other's read, which came before the acting thread's write, stand behind a wait that one thread has made for others, without a barrier
 *  between, while no thread signals for them behind it? Then it is the read that comes too early. */
bool speakers_wait_before(const struct actor *me, const struct insn *read);

/** Two warps of a block, of which one thread has signalled, or has waited, for others: at an mbarrier, by a flag. @return false where it is not so */
bool advise_speaker_of_warp(struct finding *f, const struct actor *me, const struct conflict_info *info);

/** Was the read that saw the other's signal meant for nothing of the kind? Nobody asks what it got: it waits for nothing and decides nothing, and no
 *  barrier hands on what it saw. */
bool speakers_heard_idly(const struct actor *me, uint32_t read);

#endif
