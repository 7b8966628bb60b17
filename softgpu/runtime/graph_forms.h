/**
 * @file graph_forms.h
 * What graph_forms.c builds on, in the library and in the remote client: cudaGraphAddNode() and the like, of
 * the API itself, and these.
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_FORMS_H
#define SOFTGPU_RUNTIME_GRAPH_FORMS_H

#include "runtime/api.h"

/** Calls until forms_leave() count as made at `site` in the program. @return what to give forms_leave() */
const void *forms_enter(const void *site);
void forms_leave(const void *was);
/** The parameters of a node of that type; fails for a node of another one. */
cudaError_t forms_params(cudaGraphNode_t node, enum cudaGraphNodeType type,
                         struct cudaGraphNodeParams *out);

#endif
