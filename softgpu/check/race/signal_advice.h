/**
 * @file signal_advice.h
 * Where one side is atomic or volatile and the other plain, or both are and it does not help; and where the signal of a message is
 * acquired. Private to advice.c.
 */
#ifndef SOFTGPU_CHECK_RACE_SIGNAL_ADVICE_H
#define SOFTGPU_CHECK_RACE_SIGNAL_ADVICE_H

#include "check/race/explain.h"
#include "report/finding.h"

/** An atomic or volatile access on one side and a plain one on the other. @return false if not */
bool advise_mixed(struct finding *f, const struct actor *me, const struct conflict_info *info);

/** Does one side write plainly what the other waits for by an atomic or volatile access, or look plainly at what it updates so? */
bool is_of_signal(const struct actor *me, const struct conflict_info *info);

/** Both atomic or volatile, and yet a race: of different sizes, or for too few threads. @return false if not */
bool advise_strong(struct finding *f, const struct actor *me, const struct conflict_info *info);

/** A lock that is given back by a plain store, or what is done under it. @return false if it is not so */
bool advise_plain_release(struct finding *f, const struct actor *me, const struct conflict_info *info);

/** Is the place itself what signals: polled, or looked at to decide whether to look again? Then a fence is not all that it needs. */
bool is_signal(const struct actor *me, const struct conflict_info *info);

/** Is `in` a read that only waits, in a loop behind which `then` stands? */
bool waits_past(const struct image *im, const struct insn *in, const struct insn *then);

/** Is one side a loop that waits for the other? */
bool is_polled(const struct actor *me, const struct conflict_info *info);

/** Does the read at `site` decide, on its own line, between ways that both lead on to what `me` does, or wait in a loop in which `me` does it?
 *  Then a fence right before that is behind the read on every way. */
bool read_chooses_way(const struct actor *me, uint32_t site);

/** Does its thread wait for something before the signal, and store nothing since, for which the signal would speak? Then it is an answer. */
bool signal_is_answer(const struct function *f, const struct insn *signal);

#endif
