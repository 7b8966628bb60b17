/**
 * @file access.c
 * Address resolution, and each way in which it can fail.
 */
#include "code/frame.h"
#include "execute/access.h"
#include "execute/block.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/grid.h"
#include "execute/reserved.h"
#include "execute/worker.h"
#include "memory/memory.h"
#include "execute/owner.h"

uint8_t *global_host_slow(struct worker *k, uint64_t address, uint64_t bytes)
{
    struct allocation *a = memory_find(k->machine->memory, address);
    if (!a || a->freed || bytes > a->bytes || address - a->base > a->bytes - bytes || !device_reaches(k->device, a))
        return NULL;
    uint8_t *host = allocation_bytes(a);
    if (a->kind != ALLOC_CONSTANT) {
        k->cache_base = a->base;
        k->cache_bytes = a->bytes;
        k->cache_host = host;
        k->cache_allocation = a;
    }
    return host + (address - a->base);
}

const uint8_t *access_peek(const struct warp *w, enum ptx_space space, uint64_t address, uint64_t bytes)
{
    const struct block *b = w->block;
    if (space == SPACE_SHARED)
        return address < b->shared_bytes && bytes <= b->shared_bytes - address ? b->shared + address : NULL;
    if (space != SPACE_GLOBAL && space != SPACE_CONST)
        return NULL;
    const uint8_t *host = global_host(w->worker, address, bytes);
    return host ? host : global_host_slow(w->worker, address, bytes);
}

/** The instruction cannot access `facts.bytes` bytes there. @return false */
static bool refuse(struct warp *w, const struct insn *in, int lane, enum finding_cause cause, enum ptx_space space,
                   uint64_t address, struct fault_facts facts)
{
    fault_at(w, in, lane,
             &(struct fault){.cause = cause, .space = space, .address = address, .facts = facts});
    return false;
}

/** The allocation right before which the address would lie, had an unsigned index not gone below 0: 2^32 elements further. NULL if there
 *  is none. */
static const struct allocation *below_zero(const struct memory *memory, uint64_t address, unsigned bytes)
{
    uint64_t meant = address - ((uint64_t)bytes << 32);
    const struct allocation *a = address > meant ? memory_nearest(memory, meant) : NULL;
    return a && meant < a->base && a->base - meant <= 64 * bytes ? a : NULL;
}

#define NEAR_BYTES (1u << 20) /* as far behind an allocation no other begins */

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/** The allocation from which an address is likely to have gone astray, if it is near none: `nearest`, or, if an argument of the kernel's leads
 *  into any, the nearest of those. */
static const struct allocation *astray_from(const struct warp *w, const struct allocation *nearest, uint64_t address)
{
    const struct grid *g = w->block->grid;
    const struct memory *memory = warp_machine(w)->memory;
    const struct allocation *found = NULL;
    if (nearest && distance(address, nearest->base) <= nearest->bytes + NEAR_BYTES)
        return nearest;
    for (uint32_t at = 0; at + sizeof(uint64_t) <= g->config.kernel->param_bytes; at += sizeof(uint64_t)) {
        uint64_t pointer;
        memcpy(&pointer, g->params + at, sizeof pointer);
        const struct allocation *a = memory_find(memory, pointer);
        if (a && a->kind != ALLOC_CONSTANT && (!found || distance(address, a->base) < distance(address, found->base)))
            found = a;
    }
    return found ? found : nearest;
}

/** An address in no allocation, or not wholly in one. */
static bool wild(struct warp *w, const struct insn *in, int lane, uint64_t address, unsigned bytes)
{
    struct memory *memory = warp_machine(w)->memory;
    const struct allocation *a = memory_find(memory, address);
    if (!a)
        a = memory_nearest(memory, address);
    struct fault_facts f = {.bytes = bytes, .address = address};
    if (address < NULL_BYTES) {
        f.number = warp_machine(w)->heap_refused;
        return refuse(w, in, lane, CAUSE_NULL, SPACE_GENERIC, 0, f);
    }
    enum place_reserved reserved = memory_reserved_at(memory, address);
    bool far = !a || address - a->base + (1ull << 32) > a->bytes + (2ull << 32);
    if (reserved == PLACE_NO_ACCESS || (reserved && far)) { /* else it may be an index that is too large */
        f.number = reserved;
        return refuse(w, in, lane, CAUSE_WILD, SPACE_GENERIC, 0, f);
    }
    const struct allocation *wrapped = below_zero(memory, address, bytes);
    if (wrapped) {
        f.size = wrapped->bytes;
        f.offset = (int64_t)(address - wrapped->base);
        return refuse(w, in, lane, CAUSE_PAST_END, SPACE_GLOBAL, address - ((uint64_t)bytes << 32), f);
    }
    if (far)
        return refuse(w, in, lane, CAUSE_WILD, SPACE_GENERIC, 0, f);
    const struct allocation *of = astray_from(w, a, address);
    bool before = address < of->base;
    f.size = of->bytes;
    f.offset = (int64_t)(before ? of->base - address : address - of->base);
    return refuse(w, in, lane, before ? CAUSE_BEFORE_START : CAUSE_PAST_END, SPACE_GLOBAL, of == a ? address : of->base, f);
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
    struct fault_facts f = {.bytes = bytes};
    bool inside = a && address - a->base < a->bytes, aligned = !(address & (bytes - 1));
    bool taken = inside && a->freed && memory_reserved_at(warp_machine(w)->memory, address) == PLACE_NO_ACCESS;
    if (!inside || taken || (aligned && address - a->base + bytes > a->bytes))
        return wild(w, in, lane, address, bytes);
    f.offset = (int64_t)(address - a->base);
    if (a->freed)
        return refuse(w, in, lane, CAUSE_FREED, SPACE_GLOBAL, address, f);
    if (!device_reaches(w->worker->device, a)) {
        f.number = alloc_kind_is_shared(a->kind) ? FAULT_ON_HOST : a->device;
        f.size = (uint64_t)w->worker->device;
        return refuse(w, in, lane, a->own_reach ? CAUSE_NO_POOL_ACCESS : CAUSE_NO_PEER_ACCESS, SPACE_GLOBAL, address, f);
    }
    if (!aligned)
        return refuse(w, in, lane, CAUSE_MISALIGNED, SPACE_GLOBAL, address, f);
    if (write && a->kind == ALLOC_CONSTANT && warp_machine(w)->checked) /* a GPU goes on: it lies in global memory */
        fault_note(w, in, lane, &(struct fault){.cause = CAUSE_CONSTANT, .space = SPACE_GLOBAL, .address = address, .facts = f});
    out->space = a->kind == ALLOC_CONSTANT && !write ? SPACE_CONST : SPACE_GLOBAL;
    out->host = global_host_slow(w->worker, address, bytes);
    out->allocation = a;
    return true;
}

/** An address in a space's own window, as a signed offset from its start. */
static int64_t signed_offset(const struct insn *in, uint64_t offset)
{
    return in->mem.address_bytes == 4 ? (int64_t)(int32_t)offset : (int64_t)offset;
}

/** An address behind the block's own shared memory: the block of its cluster that it leads to; NULL after a fault. */
static struct block *peer_of(struct warp *w, const struct insn *in, int lane, uint64_t offset, unsigned bytes)
{
    struct block *b = w->block;
    const struct cluster *c = b->cluster;
    uint64_t rank = shared_rank(offset, b->rank);
    struct fault_facts f = {.bytes = bytes, .offset = signed_offset(in, offset), .size = b->shared_bytes, .number = rank};
    bool mapped = rank < SHARED_RANKS && (in->mem.space == SPACE_GENERIC || in->mem.cluster);
    if (!mapped || c->count == 1)
        refuse(w, in, lane, CAUSE_OUTSIDE_SHARED, SPACE_SHARED, offset, f);
    else if (rank >= c->count)
        refuse(w, in, lane, CAUSE_NO_SUCH_BLOCK, SPACE_GENERIC, 0, (struct fault_facts){.number = rank, .size = c->count});
    else if (!c->blocks[rank])
        fault_after_exit(w, in, lane, (uint32_t)rank);
    else
        return c->blocks[rank];
    return NULL;
}

/** The program's address is made of one .shared variable, and leads out of it into another, or into nothing: a GPU goes on. */
static void note_outside(struct warp *w, const struct insn *in, int lane, uint64_t offset, unsigned bytes)
{
    bool before = offset < in->object;
    fault_note(w, in, lane, &(struct fault){.cause = before ? CAUSE_BEFORE_VARIABLE : CAUSE_PAST_VARIABLE, .space = SPACE_SHARED,
                                            .address = in->object, .facts = {.bytes = bytes, .size = in->mem.object_bytes,
                                            .offset = before ? (int64_t)(in->object - offset) : (int64_t)(offset - in->object)}});
}

static bool place_shared(struct warp *w, const struct insn *in, int lane, uint64_t offset,
                         unsigned bytes, struct place *out)
{
    struct block *b = w->block;
    if (__builtin_expect(offset >> SHARED_RANK_SHIFT != 0, 0)) {
        b = peer_of(w, in, lane, offset, bytes);
        if (!b)
            return false;
        offset &= SHARED_WINDOW_BYTES - 1;
        out->address = offset;
        out->owner = b;
    }
    if (b == w->block && offset - RESERVED_OFFSET <= RESERVED_BYTES - bytes && !(offset & (bytes - 1))) {
        out->address = reserved_placed(b->shared_bytes, offset);
        out->host = b->shared + out->address;
        b->reserved_used = true;
        return true;
    }
    struct fault_facts f = {.bytes = bytes, .offset = signed_offset(in, offset), .size = b->shared_bytes};
    if (bytes > b->shared_bytes || offset > b->shared_bytes - bytes) {
        f.number = b->grid->config.dynamic_shared;
        f.text = b->grid->config.kernel->dynamic_shared;
        return refuse(w, in, lane, b == w->block ? CAUSE_OUTSIDE_SHARED : CAUSE_OUTSIDE_PEER, SPACE_SHARED, offset, f);
    }
    if (offset & (bytes - 1))
        return refuse(w, in, lane, CAUSE_MISALIGNED, SPACE_SHARED, offset, f);
    struct shared_room room;
    if (b == w->block && in->mem.object_bytes && warp_machine(w)->checked && (!shared_room(b, in, bytes, &room) || (uint32_t)offset - room.first > room.span))
        note_outside(w, in, lane, offset, bytes);
    out->host = b->shared + offset;
    return true;
}

/**
 * The activation beside whose .local variables the access lies: in the gap before or behind them, so that the program's index, or a pointer that it has
 * handed on, has led out of them. A frame of a caller's lies before its callee's in the file, and in local memory.
 */
static const struct activation *beside_variables(const struct warp *w, int lane, uint64_t offset, unsigned bytes, uint32_t *base)
{
    uint32_t frame = w->frame_offset;
    for (int i = w->activation_count - 1; i >= 0; i--) {
        const struct activation *a = &w->activations[i];
        if (a->offset != frame)
            continue;
        const struct frame_header *h = (const struct frame_header *)(w->file + frame);
        const struct function *f = a->function;
        *base = h->local_base[lane];
        if (f->local_end > f->local_first && offset < (uint64_t)*base + f->local_behind && offset + bytes > *base &&
            (offset < *base + f->local_first || offset + bytes > (uint64_t)*base + f->local_end))
            return a;
        if (offset >= *base || i == 0)
            return NULL;
        frame = h->caller_frame[lane];
    }
    return NULL;
}

/** As note_outside(): a GPU goes on. */
static void note_outside_frame(struct warp *w, const struct insn *in, int lane, const struct activation *a, uint64_t at, unsigned bytes)
{
    bool before = at < a->function->local_first;
    fault_note(w, in, lane, &(struct fault){.cause = CAUSE_BESIDE_LOCAL, .space = SPACE_LOCAL, .address = at, .facts = {
        .bytes = bytes, .size = a->function->local_end - a->function->local_first, .text = a->function->name,
        .number = before ? a->function->local_first - at : 0, .offset = before ? 0 : (int64_t)(at - a->function->local_first)}});
}

/** The address was taken of another thread's variable, or of another block's: that of the same place in one's own memory is used, and a GPU goes on. */
static void note_others(struct warp *w, const struct insn *in, int lane, enum ptx_space space, uint64_t generic, unsigned bytes)
{
    uint64_t owner = generic_owner_of(generic), own = space == SPACE_LOCAL ? owner_of_lane(w, lane) : owner_of_block(w->block);
    if (owner && owner != own)
        fault_note(w, in, lane, &(struct fault){.cause = space == SPACE_LOCAL ? CAUSE_OTHERS_LOCAL : CAUSE_OTHERS_SHARED, .space = space,
                                                .address = generic % (space == SPACE_LOCAL ? OWNER_BYTES : SHARED_WINDOW_BYTES),
                                                .facts = {.bytes = bytes, .number = generic_launches_differ(owner, own)}});
}

static bool place_local(struct warp *w, const struct insn *in, int lane, uint64_t offset,
                        unsigned bytes, struct place *out)
{
    struct fault_facts f = {.bytes = bytes, .offset = signed_offset(in, offset), .size = w->local_top[lane]};
    if (bytes > w->local_top[lane] || offset > w->local_top[lane] - bytes)
        return refuse(w, in, lane, CAUSE_OUTSIDE_LOCAL, SPACE_LOCAL, offset, f);
    if (offset & (bytes - 1))
        return refuse(w, in, lane, CAUSE_MISALIGNED, SPACE_LOCAL, offset, f);
    uint32_t base;
    const struct activation *a = in->mem.call_slot || !warp_machine(w)->checked ? NULL : beside_variables(w, lane, offset, bytes, &base);
    if (a)
        note_outside_frame(w, in, lane, a, offset - base, bytes);
    out->host = w->local + (size_t)lane * w->local_stride + offset;
    return true;
}

static bool place_param(struct warp *w, const struct insn *in, int lane, uint64_t offset,
                        unsigned bytes, bool write, struct place *out)
{
    const struct grid *g = w->block->grid;
    unsigned size = g->config.kernel->param_bytes;
    if (write || bytes > size || offset > size - bytes)
        return refuse(w, in, lane, CAUSE_OUTSIDE_PARAMETERS, SPACE_GENERIC, 0,
                      (struct fault_facts){.bytes = bytes, .offset = (int64_t)offset, .size = size});
    out->host = g->params + offset;
    return true;
}

bool access_place(struct warp *w, const struct insn *in, int lane, uint64_t address,
                  unsigned bytes, bool write, struct place *out)
{
    enum ptx_space space = in->mem.space;
    if (space == SPACE_GENERIC) {
        uint64_t generic = address;
        space = generic_resolve(&address);
        if ((space == SPACE_LOCAL || space == SPACE_SHARED) && warp_machine(w)->checked)
            note_others(w, in, lane, space, generic, bytes);
        if (space == SPACE_SHARED)
            address = owner_without_rank(w->block, address);
    } else if (space == SPACE_LOCAL && in->mem.frame_relative) {
        address += ((const struct frame_header *)w->frame)->local_base[lane];
    }
    *out = (struct place){.space = space, .address = address, .owner = w->block};
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
