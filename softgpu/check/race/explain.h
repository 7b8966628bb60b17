/**
 * @file explain.h
 * From a conflict to a finding.
 */
#ifndef SOFTGPU_CHECK_RACE_EXPLAIN_H
#define SOFTGPU_CHECK_RACE_EXPLAIN_H

#include "check/race/race.h"

struct conflict_info {
    enum conflict conflict;
    const struct epoch *other;
    enum ptx_space space;
    uint64_t address;
    bool has_value;
    uint64_t now;              /**< the value that the acting access read or writes */
    uint64_t before;           /**< what the location held: the other's write, if it wrote */
    bool has_old;
    uint64_t old;              /**< an older value that the read may show */
    bool shown;                /**< and shows in this run */
    bool same_value;
    bool rests_on_read;        /**< … but the other's would be another one, had it read this one's */
    bool kept;                 /**< the read that the write conflicts with came before another write: what it got is not known */
    bool unchanged;            /**< of a read and a plain store: that leaves the value as it was */
    bool not_coherent;         /**< the read is ld.global.nc, */
    bool texture;              /**< or a texture's or a surface's */
    bool proxy_only;           /**< ordered, but no proxy fence is between the two, */
    bool proxy_elsewhere;      /**< … or one for another state space */
    enum { MAP_FINE, MAP_NOT_RELEASED, MAP_NOT_ACQUIRED } map_proxy; /**< ordered, but for this half of the fence for tensor maps */
    bool in_step;              /**< … by going in step */
    bool turn_ahead;           /**< … on nobody being a turn ahead */
    bool phase;                /**< … on what comes first between two barriers */
    bool lands_later;          /**< … on which of two writes stays */
    bool update;               /**< … by an update that came before (earlier.h) */
    bool ordering_only;        /**< no race: strong accesses relied on for order */
};
void explain(const struct actor *me, const struct conflict_info *info);
/** One more conflict of the two instructions, or an instruction and an operation, that `key` names: have as many been told as are worked out? Pairs of
 *  instructions have odd keys, others even ones, none 0. */
bool explained_often(struct race *race, uint64_t key);
/** The kernel's run that ends is made once more, and will tell again what it has told. */
void explain_take_back(struct race *race, struct function *kernel);
/** A conflict of the acting thread with an earlier access by the host (host_touch.c). */
void host_explain(const struct actor *me, const struct conflict_info *info);

#endif
