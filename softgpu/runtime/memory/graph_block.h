/**
 * @file graph_block.h
 * Memory that a graph's node allocates: its addresses are known as soon as there is the node, its bytes are there
 * from a launch's allocation to the free that comes after it, in that graph or outside.
 */
#ifndef SOFTGPU_RUNTIME_GRAPH_BLOCK_H
#define SOFTGPU_RUNTIME_GRAPH_BLOCK_H

#include "runtime/memory/copy.h"
#include "runtime/state/runtime.h"
#include "runtime/state/stream.h"

struct graph_block {
    uint64_t base, bytes;
    int device;
    uint8_t reach;       /**< devices that may use it, a bit each */
    const void *made_by; /**< the program's call */
    void *host;
    bool live;           /**< allocated by a launch and not freed, in the order of the calls */
    bool backed;         /**< a launch has taken memory for it, and no trim has given it back */
};

/** NULL where there are no addresses left. */
struct graph_block *graph_block_new(size_t bytes, int device, uint8_t reach);
/** The one whose memory begins there; NULL: none. */
struct graph_block *graph_block_at(uint64_t base);
/** place_of() for a graph's node, which may use what a node before it allocates. */
enum place graph_block_place(uint64_t address, uint64_t bytes);
/** Whose memory it is, a graph's or any other. */
int graph_block_device(uint64_t address);
/** A launch that allocates it has been called. @return false where the device's memory does not suffice */
bool graph_block_take(struct graph_block *b);
/** The allocation takes place, if it has not yet, and its end. */
void graph_block_begin(const struct graph_block *b);
void graph_block_end(const struct graph_block *b);
/** What graphs on a device hold, whole units of 32 MiB as an H200's driver has it. */
uint64_t graph_blocks_held(int device);
/** What is not in use is given back. */
void graph_blocks_trim(int device);
/** All of a device's are gone. */
void graph_blocks_reset(int device);

/** cudaMallocAsync() in a stream that captures: a node of the graph's. */
cudaError_t graph_block_capture(void **out, size_t bytes, int device, uint8_t reach, struct stream *s);
/** cudaFreeAsync() of a block, or in a stream that captures; NULL: of other memory. */
cudaError_t graph_block_free(struct graph_block *b, struct stream *s);

#endif
