/**
 * @file scene.h
 * A random host program: kernels, copies, memsets and host functions in streams, events between them, waits, and what the host itself reads and
 * writes; and which of these happen before which, by the CUDA documentation alone (streams, events, the legacy default stream). Scenes of even seeds
 * have graphs, some launched twice, memory of a pool, managed memory, copies from and to pageable memory, the per-thread default stream and one of another priority, too.
 */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#define STREAMS 6          /* 0: the legacy default stream; 1, 2: blocking ones; 3: one that is not; wide scenes: 4: the thread's default stream; 5: urgent, not blocking */
#define LEGACY 0
#define NOT_BLOCKING 3
#define OF_THREAD 4
#define URGENT 5
#define EVENTS 3
#define DEVICE_BUFFERS 3
#define HOST_BUFFERS 3     /* page-locked, and, in wide scenes, managed; their numbers follow */
#define PINNED_BUFFERS 2
#define MANAGED (DEVICE_BUFFERS + 2)
#define POOLED (DEVICE_BUFFERS + HOST_BUFFERS) /* of the device's, by cudaMallocAsync; some wide scenes have it */
#define BUFFERS (POOLED + 1)
#define WORDS 256u         /* of each buffer */
#define MAX_STEPS 24

enum step_kind {
    STEP_KERNEL,           /**< reads a range, and stores what it makes of it in another */
    STEP_COPY,             /**< cudaMemcpyAsync; in wide scenes also between a buffer and pageable memory that nothing else uses */
    STEP_FILL,             /**< cudaMemsetAsync */
    STEP_ALLOC, STEP_FREE, /**< of POOLED, all of which they write as far as conflicts go */
    STEP_HOST_FUNCTION,    /**< reads or writes a range of a host's buffer */
    STEP_COPY_NOW,         /**< cudaMemcpy between the device and the host */
    STEP_HOST_READS, STEP_HOST_WRITES,
    STEP_RECORD, STEP_WAIT_EVENT, STEP_JOIN_EVENT, STEP_ASK_EVENT, STEP_JOIN_STREAM, STEP_ASK_STREAM, STEP_JOIN_ALL
};

struct range {
    int buffer;            /**< -1: none */
    uint32_t from, count;  /**< words */
};

struct step {
    enum step_kind kind;
    int stream, event;
    struct range reads, writes;
    int node;              /**< 1 and up: of a graph, which is launched in `stream` behind its last node; 0: of none */
    bool last;             /**< node */
    int lane;              /**< captured, in one of two streams; -1: the graph is made by hand */
    uint32_t after;        /**< a bit for each step that the node depends on */
    int again;             /**< 1 + the first node's step of the launch before of the same graph, which this one comes after; 0: it is the first */
};

struct scene {
    int count;
    struct step step[MAX_STEPS];
};

/** The scene with this number. */
void scene_make(struct scene *s, uint64_t seed, int number);

/** EITHER: two conflict, but softgpu does not say that it sees it (docs/judge_limits.md): by the host's own threads, by a host function that has run before the
 *  other was issued, behind a host function, which may have told the host that it is done, beside two functions for which others wait, or behind a function
 *  that has changed the place. */
enum scene_verdict { SCENE_ORDERED, SCENE_EITHER, SCENE_CONFLICTS };

/**
 * Do two of its accesses conflict that nothing orders?
 * @param steps  out: such a pair
 */
enum scene_verdict scene_verdict(const struct scene *s, int steps[2]);

/** What the steps are, on stderr. */
void scene_print(const struct scene *s);

#endif
