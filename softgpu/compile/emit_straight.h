/**
 * @file emit_straight.h
 * Private to compile/: what emit_straight.c knows of a block whose loads are all looked at first, for emit_sums.c.
 */
#ifndef SOFTGPU_COMPILE_EMIT_STRAIGHT_H
#define SOFTGPU_COMPILE_EMIT_STRAIGHT_H

#include "compile/emit_elements.h"

#define MOST_LOADS 32
#define MOST_GROUPS 8
#define STRAIGHT_TURNS 4 /* of a loop, that may be made at once (emit_turns.c) */

/** A load `x[i]` whose index a group has read. */
struct element {
    int at;                    /**< the instruction */
    struct indexed_text text;
    int group, word;           /**< the index */
    struct access access;
    struct value first, most;  /**< element 0's index and the highest one's, behind element 0: numbers */
    struct value loaded;       /**< what has been gathered */
};

struct straight {
    int first, last;           /**< instructions; the last one is a branch */
    struct group_of_loads groups[MOST_GROUPS];
    struct element elements[MOST_LOADS];
    int group_count, element_count;
    bool by_lanes;             /**< one lane's sum after another's (emit_sums.c): then */
    int sums[MOST_LOADS];      /**< the instructions that add the elements, in the text's order */
    int added[MOST_LOADS];     /**< which element each of them adds */
    int factor_group[MOST_LOADS], factor_word[MOST_LOADS]; /**< and times what */
    int web;                   /**< the sum */
    int turns;                 /**< of the loop that are written, the numbers of whose labels begin with … */
    int text;                  /**< … this, and those of the lanes' loop with … */
    int id;                    /**< … this */
    int step[MOST_GROUPS];     /**< bytes from a group's words to the next turn's; 0: the block is no loop that can be seen through */
};

/** Label names of a group's text in such a turn: instructions' numbers are those of the block's usual text. */
static inline int straight_group_id(const struct emit *e, const struct straight *s, int g, int turn)
{
    return e->p->count * (s->text + turn) + s->groups[g].first;
}
/** The group and the word that load `i` reads. @return false: it belongs to none */
bool straight_find_word(const struct straight *s, int i, int *group, int *word);
/** The instruction before number `i` in its block that has left in `reg` what `i` finds there; -1: none has. */
int straight_loaded_by(const struct emit *e, const struct straight *s, int i, uint32_t reg);

/** Is the block a loop whose turns can be foreseen: nothing but its loads and its sum hangs on what has been loaded? Fills in `step`. (emit_turns.c) */
bool turns_find(const struct emit *e, struct straight *s);
/** Several turns at once where all lanes go round as often, ends at label ZeID; else nothing has been done, and it is on. (emit_turns.c) */
void turns_emit(struct emit *e, struct straight *s, int id);
/** By instruction of the block: is it done with the loads, not by itself in a turn that runs ahead? The caller frees it. (emit_turns.c) */
bool *turns_hanging(const struct emit *e, const struct straight *s);
/** Writes the registers of a turn that do not hang on loads ('w'); or keeps what they hold in `kept` ('k'), or gives it back to them ('b'). (emit_turns.c) */
void turns_ahead(struct emit *e, const struct straight *s, const bool *hangs, struct value *kept, char what);
/** Is it a loop whose lanes may be served one after another, however often each goes round? Fills in `step`. (emit_uneven.c) */
bool uneven_find(const struct emit *e, struct straight *s);
/** Serves them, up to label Ze`done`; behind it nothing has been done. (emit_uneven.c) */
void uneven_emit(struct emit *e, struct straight *s, int done);
/** What the element's range is; where that is not known it is on to label ZfID. (emit_straight.c) */
void straight_find_range(struct emit *e, struct element *x, int id, int *range);
/** Counts what all loads of the turns come to. (emit_straight.c) */
void straight_count(struct emit *e, const struct straight *s);
/** The block's instructions but for its branch, its loads done. (emit_straight.c) */
void straight_rest(struct emit *e, const struct straight *s);

/** Is everything that is loaded only for one sum of products, and may each lane's be computed by itself? Fills in the rest of `s`. */
bool lanes_find(const struct emit *e, struct straight *s);
/** Do all elements lie within bounds? A vector of truths. The groups have been loaded. */
struct value lanes_ask(struct emit *e, const struct straight *s);
/** How many sectors the elements' loads touch. */
struct value lanes_sectors(struct emit *e, const struct straight *s);
/** Is instruction `i` done by lanes_add()? */
bool lanes_does(const struct straight *s, int i);
/** The loop over the lanes, in place of the last instruction that adds. */
void lanes_add(struct emit *e, const struct straight *s);

#endif
