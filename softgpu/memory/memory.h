/**
 * @file memory.h
 * The device's memory: allocations, address spaces, translation of device addresses.
 *
 * A device address is a number in a range that the host process keeps unmapped, so that a host program that dereferences a device
 * pointer crashes here as it does on a GPU. Host memory that the device may touch (mapped, registered, managed) has the same address on
 * both sides. Allocations lie apart, with red zones between them that are wider than any array index is likely to stray. Addresses
 * depend only on the order and sizes of allocations: runs replay.
 */
#ifndef SOFTGPU_MEMORY_MEMORY_H
#define SOFTGPU_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum alloc_kind {
    ALLOC_DEVICE,       /**< cudaMalloc and kin */
    ALLOC_VARIABLE,     /**< `__device__` variable of a module */
    ALLOC_CONSTANT,     /**< `__constant__` variable */
    ALLOC_MANAGED, ALLOC_HOST /**< cudaHostAlloc */, ALLOC_REGISTERED /**< cudaHostRegister */,
    ALLOC_DEVICE_HEAP,  /**< malloc in device code */
};

/** One allocation. Freed ones stay listed for use-after-free until their addresses are reused. */
struct allocation {
    uint64_t base;       /**< device address */
    uint64_t bytes;      /**< as asked for */
    uint8_t *host;       /**< where byte 0 lives in this process; see allocation_bytes() */
    bool blank;          /**< nobody has looked at the bytes yet, and `host` does not hold them */
    uint8_t *front;      /**< memory shared with the host, checked mode: the mapping that the program uses,
                              at `base`, page-aligned; `host` is another of the same bytes. Else NULL */
    enum alloc_kind kind;
    bool freed, quiet, table; /**< quiet: only read now, and defined everywhere: loads need not be told (execute/quiet_global.h); table: the device library's, nobody writes it */
    uint8_t device;      /**< whose memory it is; of memory that the host shares: the device that was current */
    uint8_t reach;       /**< the devices whose kernels may use it, a bit each */
    bool own_reach;      /**< … which memory_let() does not change: of a pool */
    uint32_t id;         /**< index in the memory's list, never reused */
    int number;          /**< N of "allocN" for ALLOC_DEVICE and kin, in order of creation, else -1 */
    const char *name;    /**< a variable's name; NULL otherwise */
    char *label;         /**< what the program calls it in findings; NULL: "allocN" */
    char *fields;        /**< of its elements: see memory_label(); NULL: none are known */
    const void *made_by; /**< return address of the program's call that made it; NULL: unknown */
    uint64_t freed_by;   /**< operation that freed it */
    void *shadow;        /**< memory/shadow's cells; NULL in fast mode */
    void *initialised;   /**< what a checker knows of the bytes' definedness (check/uninit); NULL: nothing */
    uint64_t initialised_bytes; /**< of that */
    bool mapped;         /**< the bytes are somebody else's, given this address by memory_map_at() */
    bool in_file;        /**< memory_move_to_file(): other processes may use it */
    bool undefined;      /**< shared with the host, and holds an undefined value that a kernel stored: the host's
                              accesses are to be watched until it is gone */
};

/** The host's own threads may use such memory, at the same address. */
static inline bool alloc_kind_is_shared(enum alloc_kind kind)
{
    return kind == ALLOC_MANAGED || kind == ALLOC_HOST || kind == ALLOC_REGISTERED;
}

/* contents.c */
/** Private to memory/: the bytes become what they are before anybody has written them. */
void contents_poison(struct allocation *a);
/** Is it memory that the host shares, too large to be filled with poison? It holds zeros then, and nobody can tell what the host has written there. */
bool contents_are_unknown(const struct allocation *a);

/** Where the bytes of a live allocation lie, for whoever reads or writes any of them. */
static inline uint8_t *allocation_bytes(struct allocation *a)
{
    if (__builtin_expect(a->blank, 0))
        contents_poison(a);
    return a->host;
}

struct memory;

struct memory *memory_create(uint64_t limit_bytes, bool checked);
void memory_destroy(struct memory *m);

/** What is allocated from now on is this device's. */
void memory_choose(struct memory *m, int device);
/** Kernels of `device` may use what is allocated on `other` from now on, or may not; memory of pools apart. */
void memory_let(struct memory *m, int device, int other, bool may);
/** NULL when the device model's memory is exhausted. Contents are poisoned in checked mode, at the first
 *  look where there are many: an allocation costs the same, whatever its size. */
struct allocation *memory_alloc(struct memory *m, uint64_t bytes, unsigned align,
                                enum alloc_kind kind, const char *name);
/** Makes existing host memory visible to the device at its own address. */
struct allocation *memory_map_host(struct memory *m, void *host, uint64_t bytes,
                                   enum alloc_kind kind);
/** False if `base` is not the start of a live allocation. */
bool memory_free(struct memory *m, uint64_t base);
/** The live or freed allocation that contains `address`, or NULL. O(1). */
struct allocation *memory_find(const struct memory *m, uint64_t address);
/** Names an allocation in findings: "in", or with the fields of its elements, of four bytes where nothing is said,
 *  "queue{items:8 total current}". Nothing happens if the address is in none. */
void memory_label(struct memory *m, uint64_t address, const char *label);
/** The part of an allocation at `offset` by its fields: "[22].count", ".total" where there is one element. "" if
 *  no fields are known, or none begins there. */
void memory_part(const struct allocation *a, uint64_t offset, char *out, size_t size);
/** The nearest allocation around an address that is in none, for messages. NULL if none. */
struct allocation *memory_nearest(const struct memory *m, uint64_t address);
/** The live allocation that holds all of `bytes` bytes at `address`, or NULL. */
struct allocation *memory_holds(const struct memory *m, uint64_t address, uint64_t bytes);
/** Host pointer for `bytes` bytes at `address`, or NULL if they are not all in one live
 *  allocation. */
void *memory_translate(const struct memory *m, uint64_t address, uint64_t bytes);
/** The same for a caller that writes all of them before anybody reads any. */
void *memory_overwrite(const struct memory *m, uint64_t address, uint64_t bytes);
/** From now on memory that the device shares with the host is made as sealed memory files, for another
 *  process to map at the same address (remote/); where that address is taken there is none. */
void memory_share_with_client(void);
/** Whether there is such a process. */
bool memory_has_client(void);
/** The memory file of the live allocation that starts at `address`, -1 if it has none. Not the
 *  caller's to close. */
int memory_descriptor(const struct memory *m, uint64_t address);
/** The bytes of a live allocation go into a memory file, which is the memory's from now on, to be shared. Nothing may be
 *  using them. @return false where there is no room */
bool memory_move_to_file(struct memory *m, struct allocation *a, int fd);
/** The same, but the bytes are the file's. */
bool memory_take_file(struct memory *m, struct allocation *a, int fd);
/** Whether other processes may write device memory, at any time. */
void memory_set_outside(struct memory *m, bool outside);
bool memory_is_outside(const struct memory *m);
uint64_t memory_used(const struct memory *m);
/** The same of one device. */
uint64_t memory_used_of(const struct memory *m, int device);
uint64_t memory_limit(const struct memory *m);
/** Calls `fn` for each allocation, in order of creation. */
void memory_each(struct memory *m, void (*fn)(void *self, struct allocation *a), void *self);

/* ---- mapped.c: addresses and memory apart (cuMemMap) ---- */

/** Takes device addresses that no allocation gets. @return 0 when they are used up */
uint64_t memory_reserve(struct memory *m, uint64_t bytes, uint64_t align);
/** The same of addresses that were given to somebody by a memory before this one; those below them are not given any more. */
void memory_reserve_again(struct memory *m, uint64_t base, uint64_t bytes);
/** What is known of addresses that are no allocation's: `ask` tells of those that were reserved. */
enum place_reserved { PLACE_UNKNOWN, PLACE_RESERVED, PLACE_NO_ACCESS /**< mapped, too */ };
void memory_set_reserved(struct memory *m, enum place_reserved (*ask)(uint64_t address));
enum place_reserved memory_reserved_at(const struct memory *m, uint64_t address);
/** Counts bytes of a device's memory that are not an allocation yet. @return false if there are not so many */
bool memory_charge(struct memory *m, int device, uint64_t bytes);
void memory_discharge(struct memory *m, int device, uint64_t bytes);
/** An allocation at reserved addresses, of a device's bytes that stay the caller's; memory_free() ends it.
 *  `fresh`: nobody has written them yet. `reach`: as in struct allocation. */
struct allocation *memory_map_at(struct memory *m, uint64_t base, void *host, uint64_t bytes, bool fresh, int device,
                                 uint8_t reach);

/** Called after each allocation is made and before each is freed. */
void memory_set_hooks(struct memory *m, void (*allocated)(void *self, struct allocation *a),
                      void (*freed)(void *self, struct allocation *a), void *self);

/** In a process that fork() has made: memory that the device shares with the host is this process's own from now
 *  on. Call it before the other process goes on. @return false where the host does not grant it */
bool memory_separate(struct memory *m);

#endif
