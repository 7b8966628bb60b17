/**
 * @file plain_vectors.h
 * Private to execute/: the steps of a plain access (plain_access.h) by vectors, made once for each kind of processor that has them.
 */
#ifndef SOFTGPU_EXECUTE_PLAIN_VECTORS_H
#define SOFTGPU_EXECUTE_PLAIN_VECTORS_H

#include "base/vectors.h"
#include "execute/access.h"
#include "execute/plain_access.h"
#include "execute/plain_called.h"

#define HALF (WARP_LANES / 2)

/** What plain_access.c and plain_called.c have lane by lane. */
struct plain_vectors {
    bool (*place_wide)(struct plain_access *p, const uint64_t *reg, uint64_t offset, uint64_t last);
    bool (*place_narrow)(struct plain_access *p, const uint32_t *reg, uint32_t offset, struct shared_room room);
    enum plain_shape (*shape)(const struct plain_access *p);
    void (*put)(uint32_t *to, uint32_t mask, const uint32_t *from);
    void (*read_row)(struct plain_access *p);
    void (*write_row)(const struct plain_access *p);
    unsigned (*sectors)(const struct plain_access *p);   /**< of the whole warp */
    void (*fill)(struct mem_access *a, const struct plain_access *p);
    plain_called_fn load[2], store[2], load_broadcast;   /**< global, shared */
};

extern const struct plain_vectors plain_vectors_avx2, plain_vectors_avx512;

/** Those for this processor; NULL: it goes lane by lane. */
static inline const struct plain_vectors *plain_vectors(void)
{
    return VECTORS_OF(plain_vectors);
}

/** What plain_full() has to say of each lane. */
static inline __attribute__((always_inline)) void plain_fill(struct mem_access *a, const struct plain_access *p)
{
    for (unsigned l = 0; l < WARP_LANES; l++)
        a->address[l] = p->base + p->at[l];
    for (unsigned l = 0; l < WARP_LANES; l++)
        a->host[l] = p->host + p->at[l];
    for (unsigned l = 0; l < WARP_LANES; l++)
        a->allocation[l] = p->allocation;
    for (unsigned l = 0; l < WARP_LANES; l++)
        a->value[0][l] = p->value[l];
}

#endif
