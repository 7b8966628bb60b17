/**
 * @file value_op.h
 * Operations that wait for a value in memory, or write one (cuStreamWaitValue32 and its like), and events of other
 * processes, which are such values outside of the device's memory (stream/ipc_event.c).
 *
 * A write comes after what is before it in its stream and releases that at system scope; a wait that has seen what a
 * stream wrote comes after all that this write came after.
 */
#ifndef SOFTGPU_RUNTIME_STATE_VALUE_OP_H
#define SOFTGPU_RUNTIME_STATE_VALUE_OP_H

#include "runtime/state/operation.h"

enum value_how { VALUE_AT_LEAST, VALUE_EQUAL, VALUE_AND, VALUE_NOR, VALUE_WRITE };

struct value_step {
    enum value_how how;
    unsigned bytes;              /**< 4 or 8 */
    uint64_t address, value;
    uint64_t *outside;           /**< not NULL: instead of `address`, a word that other processes have, too */
};

/** What one operation does, a step behind the other; shared by a graph's node and its launches. */
struct value_steps {
    int refs, count;
    void *given;                 /**< of a node: the list that the program gave, or one that says the same; owned */
    void *given_context;
    unsigned given_count;
    struct value_step step[];
};

/** An operation of these steps, which are copied. */
struct operation *value_op(const char *name, const struct value_step *steps, int count);
void value_steps_drop(struct value_steps *s);
/** Do both do the same, but for addresses and values? An instantiated graph's node may change so much. */
bool value_steps_alike(const struct value_steps *a, const struct value_steps *b);
/** The operation of a graph's node. @param params  the driver API's CUDA_BATCH_MEM_OP_NODE_PARAMS */
cudaError_t value_node_make(const void *params, struct operation **op);

/** Can the operation, whose dependencies are done, take a step? */
bool value_ready(const struct operation *op);
/** Takes as many steps as it can. @return whether it was the last */
bool value_go_on(struct operation *op);
/** Does an operation wait for a value, with nothing else in its way? */
bool values_wait(void);
/** Nothing that has been issued can go on, and the calling thread waits. If nobody else can ever write the value
 *  that is waited for, that is told, and what is queued ends with an error. */
void values_give_up(void);
/** The host has read what is there: where a stream wrote it, the host, and what knows `also`, comes after that. */
void values_seen_by_host(uint64_t address, struct op_set *also);
/** After a reset: forgets what has been written. */
void values_reset(void);

#endif
