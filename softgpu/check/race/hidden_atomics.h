/**
 * @file hidden_atomics.h
 * Private to the race checker: atomics before a word's last one, which a shadow word remembers by their chain alone.
 */
#ifndef SOFTGPU_CHECK_RACE_HIDDEN_ATOMICS_H
#define SOFTGPU_CHECK_RACE_HIDDEN_ATOMICS_H

#include "check/race/element.h"

/**
 * Against the present access. Where no thread hears of a word's atomics, which of them came first is chance: those before the last one, too, are
 * unordered with an access that nothing else puts behind them. (Where a thread uses what its atomic returns, that has observed them, PTX ISA 8.9.6,
 * and other runs show what else there is.)
 */
void check_hidden(const struct actor *me, const struct shadow_word *c, uint8_t flags, uint8_t unit, enum conflict kind, struct outcome *out);
/** Are there none that check_hidden() would have to ask about, for any thread of the actor's block? */
bool chain_is_behind_block(const struct actor *me, const struct shadow_word *c);

#endif
