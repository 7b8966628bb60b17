/**
 * @file flow.h
 * The flow graph of a decoded function: its basic blocks, and beside them what the other files of this
 * folder have found out about it. Each is made when first asked for, once, and released with the image;
 * any thread may ask.
 */
#ifndef SOFTGPU_ANALYSE_FLOW_H
#define SOFTGPU_ANALYSE_FLOW_H

#include "analyse/blocks.h"
#include "code/image.h"

struct uses;
struct loops;
struct effects;
struct looks;
struct acts;
struct belongings;
struct counted_looks;
struct communication;
struct reached;
struct written;
struct quiet;
struct live;

struct flow {
    const struct function *function;
    struct blocks blocks;
    struct uses *uses;         /**< uses.h; NULL: not asked for yet */
    struct loops *loops;       /**< loops.h */
    struct effects *effects;   /**< effects.h */
    struct looks *looks;       /**< looks.h */
    struct acts *acts;         /**< acts.h */
    struct belongings *belongings; /**< belongs.h */
    struct counted_looks *counted_looks; /**< counted_looks.h */
    struct communication *communication; /**< communication.h */
    struct written *written;   /**< written.h */
    struct reached *reached[3]; /**< reach.h; which end each is for, who asks decides */
    struct quiet *quiet;       /**< quiet.h */
    struct flow_table *kept_ways; /**< thrown_away.h */
    struct flow_table *decisions; /**< decides.h */
    struct flow_table *held_uses; /**< held_back.h */
    struct live *live;        /**< live.h */
    bool *holds_back;
    uint8_t *tried, *polled, *handed, *leads, *goes; /**< flow_answer(): swaps.h, polls.h, varies.h, goes.h */
};

/** The graph of a function with a body. Instruction numbers in `blocks` count from function->entry. */
struct flow *flow_of(const struct function *f);
/** The function as blocks_build() wants it; registers are numbered by slot: offset / FLOW_SLOT. */
struct flow_source flow_source_of(const struct function *f);
#define FLOW_SLOT 64u

/** Does the function hold the instruction? */
static inline bool flow_holds(const struct function *f, const struct insn *in)
{
    return f->entry && in >= f->entry && in < f->end;
}

typedef void *flow_make_fn(struct arena *a, const void *context);
/** What `*slot` points to; where it is NULL, `make` makes it, in the arena of the function's image. */
void *flow_once(const struct function *f, void **slot, flow_make_fn *make, const void *context);
#define FLOW_ONCE(f, slot, make, context) ((__typeof__(*(slot)))flow_once(f, (void **)(slot), make, context))

/** Fills in what is known of an instruction, from zeros. @return false if there is nothing */
typedef bool flow_find_fn(const struct function *f, const struct insn *in, void *found);
/** What `find` knows of an instruction, `bytes` bytes; NULL: nothing, or it is none of the function's. `*slot` is for all
 *  of the function's instructions, made once. */
const void *flow_of_insn(const struct function *f, const struct insn *in, struct flow_table **slot, flow_find_fn *find, size_t bytes);

/** Yes or no about one of the function's instructions, asked when it is first wanted and kept in `*slot`. Several threads may ask. */
bool flow_answer(const struct function *f, const struct insn *in, uint8_t **slot, bool (*ask)(const struct function *f, const struct insn *in));

#endif
