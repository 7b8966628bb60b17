/**
 * @file graph_object.h
 * The program's objects that graphs keep alive.
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_OBJECT_H
#define SOFTGPU_RUNTIME_GRAPH_OBJECT_H

#include "runtime/graph/graph.h"

/** `to` holds what `from` holds. */
void objects_copy(struct exec *to, const struct graph *from);
void objects_clone(struct graph *to, const struct graph *from);
void objects_release(struct held_object *list, int count);

#endif
