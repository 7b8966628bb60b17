/**
 * @file access.c
 * Address resolution, and the sentence for each way in which it can fail.
 */
#include "execute/access.h"

#include <inttypes.h>
#include <stdio.h>

uint8_t *global_host_slow(struct worker *k, uint64_t address, uint64_t bytes)
{
    struct allocation *a = memory_find(k->machine->memory, address);
    if (!a || a->freed || bytes > a->bytes || address - a->base > a->bytes - bytes)
        return NULL;
    if (a->kind != ALLOC_CONSTANT) {
        k->cache_base = a->base;
        k->cache_bytes = a->bytes;
        k->cache_host = a->host;
        k->cache_allocation = a;
    }
    return a->host + (address - a->base);
}

/** alloc3, or in quotes the name of a variable or by memory_label(). */
static const char *allocation_name(const struct allocation *a, char buffer[64])
{
    if (a->name || a->label) {
        snprintf(buffer, 64, "\"%s\"", a->name ? a->name : a->label);
        return buffer;
    }
    if (a->number < 0)
        return "memory from malloc() in device code";
    snprintf(buffer, 64, "alloc%d", a->number);
    return buffer;
}

static const char *verb(const struct insn *in)
{
    const char *name = memory_operation_name(in);
    return name[0] == 'l' ? "reads" : name[0] == 's' ? "writes" : "updates";
}

static bool misaligned(struct warp *w, const struct insn *in, int lane, enum ptx_space space,
                       uint64_t address, unsigned bytes)
{
    fault_at(w, in, lane, FIND_MISALIGNED, GRID_MISALIGNED, space, address,
             "%s %u bytes at an address that is not a multiple of %u", verb(in), bytes, bytes);
    return false;
}

/** An address in no allocation, or not wholly in one. */
static bool wild(struct warp *w, const struct insn *in, int lane, uint64_t address, unsigned bytes)
{
    char buffer[64];
    struct memory *memory = warp_machine(w)->memory;
    const struct allocation *a = memory_find(memory, address);
    if (!a)
        a = memory_nearest(memory, address);
    if (address < 4096) {
        fault_at(w, in, lane, FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, SPACE_GENERIC, 0,
                 "%s %u bytes through a null pointer (address 0x%" PRIx64 ")", verb(in), bytes,
                 address);
    } else if (!a || address - a->base + (1ull << 32) > a->bytes + (2ull << 32)) {
        fault_at(w, in, lane, FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, SPACE_GENERIC, 0,
                 "%s %u bytes at 0x%" PRIx64 ", which is no device memory: a host pointer, or one "
                 "that was never set",
                 verb(in), bytes, address);
    } else if (address < a->base) {
        fault_at(w, in, lane, FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, SPACE_GLOBAL, address,
                 "%s %u bytes %" PRIu64 " bytes before the start of %s, which holds %" PRIu64
                 " bytes",
                 verb(in), bytes, a->base - address, allocation_name(a, buffer), a->bytes);
    } else {
        fault_at(w, in, lane, FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, SPACE_GLOBAL, address,
                 "%s %u bytes at offset %" PRIu64 " of %s, which holds %" PRIu64 " bytes",
                 verb(in), bytes, address - a->base, allocation_name(a, buffer), a->bytes);
    }
    return false;
}

static bool place_global(struct warp *w, const struct insn *in, int lane, uint64_t address,
                         unsigned bytes, bool write, struct place *out)
{
    out->host = global_host(w->worker, address, bytes);
    if (out->host && !(address & (bytes - 1))) {
        out->allocation = w->worker->cache_allocation;
        return true;
    }
    struct allocation *a = memory_find(warp_machine(w)->memory, address);
    char buffer[64];
    if (!a || bytes > a->bytes || address - a->base > a->bytes - bytes)
        return wild(w, in, lane, address, bytes);
    if (a->freed) {
        fault_at(w, in, lane, FIND_USE_AFTER_FREE, GRID_ILLEGAL_ADDRESS, SPACE_GLOBAL, address,
                 "%s %u bytes at offset %" PRIu64 " of %s, which has been freed", verb(in), bytes,
                 address - a->base, allocation_name(a, buffer));
        return false;
    }
    if (address & (bytes - 1))
        return misaligned(w, in, lane, SPACE_GLOBAL, address, bytes);
    if (write && a->kind == ALLOC_CONSTANT) {
        fault_at(w, in, lane, FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, SPACE_GLOBAL, address,
                 "writes %u bytes to %s, which is constant memory", bytes,
                 allocation_name(a, buffer));
        return false;
    }
    out->space = a->kind == ALLOC_CONSTANT ? SPACE_CONST : SPACE_GLOBAL;
    out->host = global_host_slow(w->worker, address, bytes);
    out->allocation = a;
    return true;
}

static bool place_shared(struct warp *w, const struct insn *in, int lane, uint64_t offset,
                         unsigned bytes, struct place *out)
{
    const struct block *b = w->block;
    if (offset - RESERVED_OFFSET <= RESERVED_BYTES - bytes && !(offset & (bytes - 1))) {
        out->space = SPACE_RESERVED;
        out->host = block_reserved(b) + (offset - RESERVED_OFFSET);
        return true;
    }
    if (bytes > b->shared_bytes || offset > b->shared_bytes - bytes) {
        fault_at(w, in, lane, FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, SPACE_SHARED, offset,
                 "%s %u bytes at offset %" PRId64
                 " of the block's shared memory, which holds %u bytes",
                 verb(in), bytes,
                 in->mem.address_bytes == 4 ? (int64_t)(int32_t)offset : (int64_t)offset,
                 b->shared_bytes);
        return false;
    }
    if (offset & (bytes - 1))
        return misaligned(w, in, lane, SPACE_SHARED, offset, bytes);
    out->host = b->shared + offset;
    return true;
}

static bool place_local(struct warp *w, const struct insn *in, int lane, uint64_t offset,
                        unsigned bytes, struct place *out)
{
    if (bytes > w->local_top[lane] || offset > w->local_top[lane] - bytes) {
        fault_at(w, in, lane, FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, SPACE_LOCAL, offset,
                 "%s %u bytes outside its local variables (offset %" PRId64 ", %u bytes in use)",
                 verb(in), bytes,
                 in->mem.address_bytes == 4 ? (int64_t)(int32_t)offset : (int64_t)offset,
                 w->local_top[lane]);
        return false;
    }
    if (offset & (bytes - 1))
        return misaligned(w, in, lane, SPACE_LOCAL, offset, bytes);
    out->host = w->local + (size_t)lane * w->local_stride + offset;
    return true;
}

static bool place_param(struct warp *w, const struct insn *in, int lane, uint64_t offset,
                        unsigned bytes, bool write, struct place *out)
{
    const struct grid *g = w->block->grid;
    unsigned size = g->config.kernel->param_bytes;
    if (write || bytes > size || offset > size - bytes) {
        fault_at(w, in, lane, FIND_OUT_OF_BOUNDS, GRID_ILLEGAL_ADDRESS, SPACE_GENERIC, 0,
                 "%s %u bytes at offset %" PRIu64 " of the kernel's parameters (%u bytes, "
                 "read-only)",
                 verb(in), bytes, offset, size);
        return false;
    }
    out->host = g->params + offset;
    return true;
}

bool access_place(struct warp *w, const struct insn *in, int lane, uint64_t address,
                  unsigned bytes, bool write, struct place *out)
{
    enum ptx_space space = in->mem.space;
    if (space == SPACE_GENERIC) {
        space = generic_resolve(&address);
    } else if (space == SPACE_LOCAL && in->mem.frame_relative) {
        address += ((const struct frame_header *)w->frame)->local_base[lane];
    }
    *out = (struct place){.space = space, .address = address};
    if (space == SPACE_CONST)
        out->space = SPACE_GLOBAL;
    switch (space) {
    case SPACE_SHARED:
        return place_shared(w, in, lane, address, bytes, out);
    case SPACE_LOCAL:
        return place_local(w, in, lane, address, bytes, out);
    case SPACE_PARAM:
        return place_param(w, in, lane, address, bytes, write, out);
    default:
        return place_global(w, in, lane, address, bytes, write, out);
    }
}
