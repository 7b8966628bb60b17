/**
 * @file graph_edge.c
 * The kinds of edges, as the program describes them: by the port of the node that one begins at, and a type.
 */
#include <string.h>

#include "runtime/graph/graph.h"

bool edge_kind_of(const cudaGraphEdgeData *d, enum edge_kind *kind)
{
    static const unsigned char none[sizeof d->reserved];
    *kind = EDGE_END;
    if (!d)
        return true;
    bool awaited = d->type == cudaGraphDependencyTypeProgrammatic;
    if (d->to_port || d->type > cudaGraphDependencyTypeProgrammatic || memcmp(d->reserved, none, sizeof none))
        return false;
    if (d->from_port == cudaGraphKernelNodePortDefault)
        return !awaited;
    *kind = d->from_port == cudaGraphKernelNodePortProgrammatic ? EDGE_TRIGGER_AWAITED : awaited ? EDGE_BEGUN_AWAITED : EDGE_BEGUN;
    return d->from_port == cudaGraphKernelNodePortLaunchCompletion || (d->from_port == cudaGraphKernelNodePortProgrammatic && awaited);
}

void edge_data_of(enum edge_kind kind, cudaGraphEdgeData *out)
{
    static const cudaGraphEdgeData edge_data[] = {
        [EDGE_TRIGGER_AWAITED] = {.from_port = cudaGraphKernelNodePortProgrammatic, .type = cudaGraphDependencyTypeProgrammatic},
        [EDGE_BEGUN_AWAITED] = {.from_port = cudaGraphKernelNodePortLaunchCompletion, .type = cudaGraphDependencyTypeProgrammatic},
        [EDGE_BEGUN] = {.from_port = cudaGraphKernelNodePortLaunchCompletion},
    };
    *out = edge_data[kind];
}

bool edge_may_be(enum cudaGraphNodeType from, enum cudaGraphNodeType to, enum edge_kind kind)
{
    return kind == EDGE_END || (from == cudaGraphNodeTypeKernel && (kind == EDGE_BEGUN || to == cudaGraphNodeTypeKernel));
}
