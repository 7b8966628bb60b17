/**
 * @file grid_run.h
 * Private to execute/: a grid while it runs, and where its blocks are resident.
 */
#ifndef SOFTGPU_EXECUTE_GRID_RUN_H
#define SOFTGPU_EXECUTE_GRID_RUN_H

#include "execute/machine.h"

/** A place on an SM that a started block holds; `block` is NULL until it first runs. */
struct resident {
    struct grid_run *run;
    uint64_t index;
    int sm;
    uint64_t cluster;      /**< number of its cluster, in order of start; and */
    uint32_t rank;         /**< its rank there */
    struct block *block;
    bool stuck;            /**< ran last without any lane that could run */
    int64_t priority;      /**< PCT: of its best ready warp, if `ranked` */
    int best;              /**< that warp, -1 if none is ready */
    bool ranked;           /**< the two above are up to date */
};

struct sm_use {
    int threads, blocks, registers, shared;
    const struct grid *grid;       /**< whose block left last, */
    uint64_t left_clock;           /**< and when, by the blocks' own clocks */
};

LIST_TYPE(nested_launches, struct nested_launch *);

enum { ROOM_ANYWHERE = -1, ROOM_NONE = -2 };

/** A grid with the parts that only the executor sees. `grid` comes first: grid_run() casts. */
struct grid_run {
    struct grid grid;
    const uint8_t *constants;      /**< the image's constant area, aligned to 64 */
    struct sm_use need;            /**< what one block takes of an SM */
    uint64_t next_block;           /**< first block that is not resident yet */
    int room;                      /**< the only SM that may have room for a block; ROOM_ANYWHERE, ROOM_NONE */
    uint64_t first_round;          /**< blocks that find room at once on an empty device */
    bool parallel;                 /**< its blocks may run on several host threads */
    bool ended_reported;
    char fault[512];
    uint64_t number;               /**< %gridid */
    uint64_t made;                 /**< a number that no other grid of the machine ever has */
    enum schedule_kind schedule;
    bool few_begin;                /**< its blocks take others over: no more than two clusters of it are resident */
    bool strays;                   /**< random: parts of a group may run ahead of the rest */
    struct family *family;         /**< nested.h; NULL: nobody has launched anything */
    struct grid_run *parent;
    struct nested_launch *launch;  /**< which began it; NULL: the host's */
    int open;                      /**< of its launches, tail launches aside, those that are not complete */
    struct nested_launches tails; /**< … that wait for all others */
    bool over;                     /**< its tails have begun */
    int fired, front;              /**< a graph: launched by its kernels; tails that the one which runs has put in front */
    struct op_set complete;        /**< checked mode: members that are complete when this grid is */
};

static inline struct grid_run *grid_run(struct grid *g)
{
    return (struct grid_run *)g;
}

/* griddep.c */
/** One more block, for good, that no dependent grid has to wait for. */
void grid_count_dependents_for(struct grid *g);

static inline bool grid_running(const struct grid *g)
{
    return __atomic_load_n(&g->status, __ATOMIC_RELAXED) == GRID_RUNNING;
}

#endif
