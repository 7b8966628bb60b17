/**
 * @file graph_forms.h
 * What graph_forms.c and graph_forms_get.c build on, in the library and in the remote client: cudaGraphAddNode() and the like, of
 * the API itself, and these.
 */
#ifndef SOFTGPU_RUNTIME_FORMS_GRAPH_FORMS_H
#define SOFTGPU_RUNTIME_FORMS_GRAPH_FORMS_H

#include "runtime/api.h"

/** Calls until forms_leave() count as made at `site` in the program. @return what to give forms_leave() */
const void *forms_enter(const void *site);
void forms_leave(const void *was);
/** The parameters of a node of that type; fails for a node of another one. */
cudaError_t forms_params(cudaGraphNode_t node, enum cudaGraphNodeType type,
                         struct cudaGraphNodeParams *out);

/* In an entry point's own body: the call is made where the program called that. */
#define FORM(call)                                                                                 \
    do {                                                                                           \
        const void *was_ = forms_enter(__builtin_return_address(0));                               \
        cudaError_t e_ = (call);                                                                   \
        forms_leave(was_);                                                                         \
        return e_;                                                                                 \
    } while (0)

#endif
