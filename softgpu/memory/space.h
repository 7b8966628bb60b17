/**
 * @file space.h
 * Private to memory/: the reserved address range, the lookup table and struct memory itself.
 *
 * The table has two levels over granules of 512 bytes. A first-level entry covers 64 MiB and is
 * empty, the number of the only allocation in it, or a second-level table with an
 * allocation number per granule. Both levels are lazily committed mappings, so that their cost
 * follows the memory that is in use and a lookup is two loads.
 */
#ifndef SOFTGPU_MEMORY_SPACE_H
#define SOFTGPU_MEMORY_SPACE_H

#include "base/list.h"
#include "memory/layout.h"
#include "memory/memory.h"
#include "memory/texture_object.h"

#define GRANULE_BITS 9
#define REGION_BITS 26
#define ADDRESS_BITS 47
#define REGION_GRANULES (1u << (REGION_BITS - GRANULE_BITS))
#define REGION_COUNT (1u << (ADDRESS_BITS - REGION_BITS))

#define RED_ZONE_MIN (1ull << 20)
#define HEAP_RED_ZONE 4096ull
#define POISON_BYTE 0xc5
#define MEMORY_DEVICES 8

/** A granule that several mapped host ranges share: found by a search instead. */
#define GRANULE_SHARED UINT32_MAX

/** Of an allocation: its bytes, and what a checker knows of them. */
enum followed { FOLLOWED_BYTES, FOLLOWED_INITIALISED, FOLLOWED };

/** One first-level entry: at most one of the two is set. Numbers are allocation id + 1. */
struct region {
    uint32_t *granules;
    uint32_t only;
};

struct memory {
    uint64_t limit, used[MEMORY_DEVICES];  /**< of each device */
    uint8_t reach[MEMORY_DEVICES];         /**< of each device's memory: struct allocation */
    uint8_t device;                        /**< whose memory is allocated now */
    bool checked;
    bool outside;                        /**< other processes may write some of it */
    struct region *regions;              /**< REGION_COUNT entries, lazily committed: nobody goes through it */
    LIST(uint32_t *) granules;           /**< of all regions that have some */
    LIST(struct allocation *) all;       /**< by id */
    LIST(struct backing { uint64_t bytes; bool mapped; int fd; struct pages *followed[FOLLOWED]; }) backing; /**< by id: how to release
                                                                    it; fd 0: no memory file */
    struct memory_snapshot *first;       /**< the snapshot to which the followed ranges' copies belong; NULL: none stands */
    int further;                         /**< snapshots that stand beside it */
    LIST(struct texture *) textures;     /**< by handle, from 1 on */
    uint64_t next_device, next_host;     /**< where the next allocation may begin */
    uint64_t reserved_base, reserved_bytes;
    enum place_reserved (*reserved)(uint64_t address); /**< NULL: nothing is */
    int next_number;
    void (*allocated)(void *self, struct allocation *a);
    void (*freed)(void *self, struct allocation *a);
    void *hook_self;
};

void space_enter(struct memory *m, const struct allocation *a);
/** Forgets the allocation, so that its addresses may be used again. */
void space_leave(struct memory *m, const struct allocation *a);

/** The next free device range; 0 when the address space is used up. */
uint64_t space_place(struct memory *m, uint64_t bytes, uint64_t align, enum alloc_kind kind);
/** A new allocation of the device whose turn it is, not yet known to anybody. */
struct allocation *space_record(struct memory *m, uint64_t base, uint64_t bytes, enum alloc_kind kind,
                                const char *name);
/** From now on addresses lead to it, and observers have heard of it. */
void space_announce(struct memory *m, struct allocation *a);

/** Gives a (re)created allocation its host bytes. @return false when the host has none left */
bool backing_create(struct memory *m, struct allocation *a);

/** The allocation's bytes are about to go elsewhere: snapshot.c follows them no more. */
void followed_end(struct memory *m, const struct allocation *a);

/** May this process make a memory file of so many bytes? One beyond its limit would end it by a signal. */
bool contents_may_be_file(uint64_t bytes);
/** Does the allocation hold what it held when it was made, as far as one can see? */
bool contents_are_poison(const struct allocation *a);

static inline uint64_t round_up(uint64_t n, uint64_t to)
{
    return (n + to - 1) / to * to;
}

#endif
