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
/** What was taken from it has its access, too. */
void pool_reach_changed(const struct pool *pool);
/** pool_share.c: the pool ends; all do. */
void pool_unshare(struct pool *p);
void pool_share_reset(void);

#endif
