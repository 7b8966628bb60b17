/**
 * @file graph_block.c
 * The book of memory that graphs allocate; see graph_block.h.
 */
#include "runtime/memory/graph_block.h"

#include <sys/mman.h>

#include "runtime/state/capture.h"
#include "runtime/state/host_thread.h"

#define ALIGNMENT 512
#define UNIT (32ull << 20)

static LIST(struct graph_block *) blocks;

struct graph_block *graph_block_new(size_t bytes, int device, uint8_t reach)
{
    size_t room = (bytes + 4095) / 4096 * 4096;
    void *host = room < bytes ? MAP_FAILED
                              : mmap(NULL, room, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    uint64_t base = host == MAP_FAILED ? 0 : memory_reserve(machine_memory(runtime.machine), bytes, ALIGNMENT);
    struct graph_block *b = base ? calloc(1, sizeof *b) : NULL;
    if (!b) {
        if (host != MAP_FAILED)
            munmap(host, room);
        return NULL;
    }
    *b = (struct graph_block){.base = base, .bytes = bytes, .device = device, .reach = reach, .host = host,
                              .made_by = runtime_thread()->call};
    *LIST_PUSH(&blocks) = b;
    return b;
}

struct graph_block *graph_block_at(uint64_t base)
{
    for (int i = 0; i < blocks.count; i++)
        if (blocks.data[i]->base == base)
            return blocks.data[i];
    return NULL;
}

static struct graph_block *around(uint64_t address)
{
    for (int i = 0; i < blocks.count; i++)
        if (address - blocks.data[i]->base < blocks.data[i]->bytes)
            return blocks.data[i];
    return NULL;
}

enum place graph_block_place(uint64_t address, uint64_t bytes)
{
    const struct graph_block *b = around(address);
    return b && bytes <= b->bytes && address - b->base <= b->bytes - bytes ? PLACE_DEVICE : place_of(address, bytes);
}

int graph_block_device(uint64_t address)
{
    const struct graph_block *b = around(address);
    return b ? b->device : memory_find(machine_memory(runtime.machine), address)->device;
}

void graph_block_begin(const struct graph_block *b)
{
    const struct allocation *there = memory_find(machine_memory(runtime.machine), b->base);
    if (there && !there->freed)
        return;
    struct allocation *a = memory_map_at(machine_memory(runtime.machine), b->base, b->host, b->bytes, true, b->device,
                                         b->reach);
    a->made_by = b->made_by;
}

/* Like that of cudaMallocAsync the memory is there from the call on, unless a launch before has it still: who uses it
 * too early is seen to be unordered, and does not find nothing at all. */
bool graph_block_take(struct graph_block *b)
{
    if (!b->backed && !memory_charge(machine_memory(runtime.machine), b->device, b->bytes))
        return false;
    b->live = b->backed = true;
    graph_block_begin(b);
    return true;
}

/* Its bytes are nobody's: the computer has them back. */
void graph_block_end(const struct graph_block *b)
{
    madvise(b->host, (b->bytes + 4095) / 4096 * 4096, MADV_DONTNEED);
}

uint64_t graph_blocks_held(int device)
{
    uint64_t bytes = 0;
    for (int i = 0; i < blocks.count; i++)
        if (blocks.data[i]->device == device && blocks.data[i]->backed)
            bytes += blocks.data[i]->bytes;
    return (bytes + UNIT - 1) / UNIT * UNIT;
}

void graph_blocks_trim(int device)
{
    for (int i = 0; i < blocks.count; i++) {
        struct graph_block *b = blocks.data[i];
        if (b->device != device || !b->backed || b->live)
            continue;
        memory_discharge(machine_memory(runtime.machine), device, b->bytes);
        b->backed = false;
    }
}

void graph_blocks_reset(int device)
{
    int kept = 0;
    for (int i = 0; i < blocks.count; i++) {
        struct graph_block *b = blocks.data[i];
        if (b->device != device) {
            blocks.data[kept++] = b;
            continue;
        }
        munmap(b->host, (b->bytes + 4095) / 4096 * 4096);
        free(b);
    }
    blocks.count = kept;
}

cudaError_t graph_block_capture(void **out, size_t bytes, int device, uint8_t reach, struct stream *s)
{
    struct graph_block *b = bytes ? graph_block_new(bytes, device, reach) : NULL;
    if (!b)
        return bytes ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
    struct operation *op = operation_new(OP_ALLOC, "cudaMallocAsync");
    op->address = b->base;
    *out = (void *)(uintptr_t)b->base;
    return capture_take(op, s);
}

cudaError_t graph_block_free(struct graph_block *b, struct stream *s)
{
    if (!b || (s->capture ? capture_frees(s, b->base) : !b->live))
        return cudaErrorInvalidValue;
    struct operation *op = operation_new(OP_FREE, "cudaFreeAsync");
    op->address = b->base;
    if (s->capture)
        return capture_take(op, s);
    b->live = false;
    operation_issue(op, s, NULL);
    return cudaSuccess;
}
