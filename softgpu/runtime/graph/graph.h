/**
 * @file graph.h
 * CUDA graphs: nodes and edges, made by hand or captured from streams; what has been instantiated; launches.
 *
 * A node holds a template of the operation that it stands for: an operation that is never issued. A launch
 * issues a copy of each, in an order that the edges allow, between two marks in its stream.
 *
 *   graph.c         graphs, nodes, edges, copies; handles
 *   graph_edit.c    the API that makes and changes graphs
 *   graph_query.c   the API that asks about them
 *   graph_edge.c    the kinds of edges
 *   graph_node.c    from a node's parameters to its operation, and back
 *   ../forms/graph_forms*.c  the API's many ways of saying such parameters (also the remote client's)
 *   graph_flat.c    a graph and its child graphs as one list in an order of execution
 *   graph_exec.c    instantiation, updates
 *   graph_launch.c  launches
 *   graph_device.c  graphs that kernels launch, and those whose kernels do
 *   graph_memory.c  memory that nodes allocate and free
 *   graph_condition.c  nodes that choose or repeat what they hold, by a value that kernels set
 *   graph_object.c  objects that graphs keep alive; graph_updatable.c  kernel nodes that kernels update
 *   graph_dot.c     a description for people
 *   capture.c, capture_rules.c  from streams to graphs
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_H
#define SOFTGPU_RUNTIME_GRAPH_H

#include "runtime/state/operation.h"

/** Nodes of stream memory operations: only the Driver API has a name for them. */
#define NODE_TYPE_BATCH_MEM_OP ((enum cudaGraphNodeType)12)

/** What cudaGraphNode_t points to. */
struct node {
    struct graph *graph;
    uint64_t id;     /**< never used again */
    uint64_t origin; /**< of the node that this one is a copy of; 0: none */
    enum cudaGraphNodeType type;
    struct operation *op;       /**< the template; OP_MARK for a node that does nothing by itself */
    LIST(struct node *) before; /**< what it depends on, in the order in which that was said */
    struct edge_kinds kinds;    /**< … and for each of them an enum edge_kind */
    const void *func;           /**< kernel nodes: the handle that was given */
    void **args; /**< … and pointers to its arguments, or to where they lie packed, for who asks; NULL: not asked */
    bool packed; /**< … as the program has packed them */
    struct cudaMemcpy3DParms copy; /**< copy nodes */
    struct cudaMemsetParams set;   /**< set nodes */
    cudaEvent_t event;             /**< record and wait nodes */
    struct graph *child;           /**< child graph nodes: owned */
    struct graph **bodies;         /**< conditional nodes: the graphs to choose from, owned; also the program's to read */
    unsigned body_count;
    enum cudaGraphConditionalNodeType condition_type;
    uint64_t condition;            /**< the handle, which is the address of its value */
    bool reached;                  /**< for walks along edges */
    int index;                     /**< for walks over its graph */
};

/** An object of the program's, and how many of its references are held. */
struct held_object {
    struct user_object *object;
    unsigned count;
};

/** What cudaGraph_t points to. */
struct graph {
    uint64_t id, origin;       /**< its own, and that of the graph that it is a copy of */
    LIST(struct node *) nodes; /**< in the order in which they were added */
    struct node *parent;       /**< of a child graph: the node that owns it */
    int depth;                 /**< levels of child graphs in it */
    int captures;              /**< that add to it now */
    struct exec *exec;         /**< of a graph that may only be instantiated once at a time */
    LIST(struct held_object) objects;
};

/** One step of a graph that has been laid out flat. */
struct step {
    struct operation *op; /**< its own template */
    enum cudaGraphNodeType type;
    cudaEvent_t event;
    uint64_t node;     /**< the id of the node that it comes from; 0: a child graph's beginning */
    struct node *from; /**< valid while its graph is */
    LIST(int) before;  /**< earlier steps; none: the graph's beginning */
    struct edge_kinds kinds;
    int first;         /**< of a child graph's end: its beginning */
    unsigned branch;
    bool off; /**< disabled: does nothing */
    bool held; /**< of a node that kernels update: the device has what the host has said */
    bool has_after; /**< some step comes after its end */
    struct steps *bodies; /**< of a conditional node, as in struct node */
    unsigned body_count;
    enum cudaGraphConditionalNodeType condition_type;
    uint64_t condition;
};
LIST_TYPE(steps, struct step);

/* ---- graph.c ---- */

enum handle_kind { HANDLE_GRAPH, HANDLE_NODE, HANDLE_EXEC, HANDLE_OBJECT };
/** Handles that are valid now. */
void handle_add(enum handle_kind kind, const void *p);
void handle_drop(enum handle_kind kind, const void *p);
bool handle_is(enum handle_kind kind, const void *p);
/** NULL where the handle is none. */
struct graph *graph_find(cudaGraph_t handle);
struct node *node_find(cudaGraphNode_t handle);

/** Nodes and steps that there may be at a time, and levels of child graphs. */
#define MAX_GRAPH_NODES (1 << 21)
#define MAX_GRAPH_DEPTH 64
/** How many there are. */
extern int graph_nodes;
/** All nodes of a graph, its child graphs' counted. */
int graph_count(const struct graph *g);

struct graph *graph_new(void);
void graph_free(struct graph *g);
/** A copy with copies of all nodes. */
struct graph *graph_copy(const struct graph *g);
/** Adds a node; takes over the reference to `op`. */
struct node *node_new(struct graph *g, enum cudaGraphNodeType type, struct operation *op);
void node_free(struct node *n);
/** A template as `op` is one, with its own arguments. */
struct operation *template_copy(const struct operation *op);
void template_free(struct operation *op);
/** `n` comes after that point of `before`. */
void node_add_edge(struct node *n, struct node *before, enum edge_kind kind);
/** @return the place of `before` among what `n` depends on, -1 if it is not there */
int node_edge(const struct node *n, const struct node *before);
/** From an edge's data, NULL: the default, and to them. @return false where there is no such kind */
bool edge_kind_of(const cudaGraphEdgeData *data, enum edge_kind *kind);
void edge_data_of(enum edge_kind kind, cudaGraphEdgeData *out);
/** Only kernels have such points, and only kernels can wait for what is behind them. */
bool edge_may_be(enum cudaGraphNodeType from, enum cudaGraphNodeType to, enum edge_kind kind);
/** Numbers the nodes from 0 in their `index`. */
void graph_number(const struct graph *g);
/** Destroys all graphs: cudaDeviceReset(). */
void graphs_reset(void);

/* ---- graph_node.c ---- */

/** Makes the operation that parameters describe, and fills in what `out` has to remember of them but
 *  `out->op`; and in `p` what the program asks for, such as an allocation's address. */
cudaError_t node_make(struct cudaGraphNodeParams *p, struct node *out, struct operation **op);
/** A node for an operation that a capture has taken; takes over the reference. */
struct node *node_of_operation(struct graph *g, struct operation *op);

/* ---- graph_flat.c ---- */

/** Lays `g` out. @return false where its edges make a circle */
bool graph_flatten(struct graph *g, struct steps *out);
void steps_free(struct steps *steps);

/** Whether `fresh` has the shape of `count` steps of `have` from `first` on, which begin after step `begin`;
 *  `why`, if not NULL, tells where not. */
bool steps_fit(const struct steps *have, int first, int count, int begin, const struct steps *fresh,
               cudaGraphExecUpdateResultInfo *why);

/* ---- graph_dot.c ---- */

bool graph_dot(struct graph *g, FILE *f);

#endif
