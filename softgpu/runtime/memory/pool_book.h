/**
 * @file pool_book.h
 * What is known of memory pools and of what was taken from them.
 */
#ifndef SOFTGPU_RUNTIME_POOL_BOOK_H
#define SOFTGPU_RUNTIME_POOL_BOOK_H

#include "runtime/state/outside.h"
#include "runtime/state/runtime.h"

/** What cudaMemPool_t points to. */
struct pool {
    struct pool *next;
    int device;
    uint8_t reach;                /**< devices that may access its memory, a bit each */
    uint64_t release_threshold;
    uint64_t used, used_high;
    uint64_t reserved, reserved_high; /**< what it holds, used or not */
    bool on_host;                 /**< its memory is the host's; `device` was current when it was made */
    int reuse[4];                 /**< by enum cudaMemPoolAttr; no effect */
    size_t max_bytes;             /**< 0 = none */
    bool shareable;               /**< made to be exported */
    bool imported;                /**< another process's: nothing can be taken from it */
    int handles;                  /**< imports of it, each of which is destroyed; else 1 */
    int fd;                       /**< of ours that is exported: the file that stands for it */
    struct outside_name name;     /**< of that file, here or there; no magic: not exported */
};

struct pool_block {
    void *pointer;
    size_t bytes;                 /**< 0 of another process's, which count there */
    uint64_t made;                /**< the operation that allocated it; 0 of another process's */
    struct pool *pool;
    int handles;                  /**< imports of it, each of which is freed; else 1 */
    struct outside_name name;     /**< of its file, if it is exported or imported */
};

struct pool *pool_find(cudaMemPool_t handle);
/** The imported one that is so named; NULL: none. */
struct pool *pool_imported_as(const struct outside_name *name);
/** A new one like that, with its own device's access. */
cudaMemPool_t pool_add(const struct pool *as);
/** Device memory with the pool's access. */
cudaError_t pool_alloc(const struct pool *pool, void **out, size_t bytes);
/** What begins there and was not freed, in the order of the calls; NULL: none. */
struct pool_block *pool_block_at(const void *pointer);
struct pool_block *pool_block_named(const struct pool *pool, const struct outside_name *name);
struct pool_block *pool_block_add(void *pointer, size_t bytes, struct pool *pool);
/** Each that there is. */
void pools_each(void (*each)(struct pool *p));
/** What was taken from it has its access, too. */
void pool_reach_changed(const struct pool *pool);
/* pool_choice.c */
/** The device's current one, and the one that each place has from the start. */
struct pool *pool_current(int device);
struct pool *pool_default(const struct pool *of_the_place_of);
bool pool_is_default(const struct pool *p);
void pool_choice_each(void (*each)(struct pool *p));
/** A pool ends; those of a device do. */
void pool_choice_forget(const struct pool *p);
void pool_choice_reset(int device);

/* pool_reserve.c */
/** So many bytes more are used. */
void pool_reserve(struct pool *p, uint64_t bytes);
/** Whether its limit allows so many bytes more. */
bool pool_has_room(const struct pool *p, uint64_t bytes);

/** pool_share.c: the pool ends; all do. */
void pool_unshare(struct pool *p);
void pool_share_reset(void);

#endif
