/**
 * @file pool_choice.c
 * Which memory pool a device's allocations come from, and the host's: the one that it has from the start, or one that the
 * program chose.
 */
#include "runtime/memory/pool_book.h"
#include "runtime/state/entry.h"

static struct pool first_pools[MAX_DEVICES], first_on_host, *current[MAX_DEVICES], *current_on_host;

static struct pool *begun(struct pool *p, struct pool as)
{
    if (!p->reuse[3]) {
        *p = as;
        for (int i = 0; i < 4; i++)
            p->reuse[i] = 1;
    }
    return p;
}

static struct pool *of_device(int device)
{
    return begun(&first_pools[device], (struct pool){.device = device, .reach = (uint8_t)(1u << device)});
}

static struct pool *of_the_host(void)
{
    return begun(&first_on_host, (struct pool){.on_host = true});
}

struct pool *pool_default(const struct pool *of_the_place_of)
{
    return of_the_place_of->on_host ? of_the_host() : of_device(of_the_place_of->device);
}

struct pool *pool_current(int device)
{
    return current[device] ? current[device] : of_device(device);
}

/* Whole pools only: a handle may be made up. */
bool pool_is_default(const struct pool *p)
{
    bool is = p == &first_on_host;
    for (int d = 0; d < MAX_DEVICES; d++)
        is |= p == &first_pools[d];
    return is;
}

void pool_choice_each(void (*each)(struct pool *p))
{
    for (int d = 0; d < MAX_DEVICES; d++)
        each(&first_pools[d]);
    each(&first_on_host);
}

void pool_choice_forget(const struct pool *p)
{
    if (current[p->device] == p)
        current[p->device] = NULL;
    if (current_on_host == p)
        current_on_host = NULL;
}

void pool_choice_reset(int device)
{
    first_pools[device] = (struct pool){0};
    current[device] = NULL;
}

static cudaError_t answer(cudaMemPool_t *out, int device, struct pool *(*of)(int device))
{
    if (!out)
        return cudaErrorInvalidValue;
    if (!device_exists(device))
        return cudaErrorInvalidDevice;
    *out = (cudaMemPool_t)of(device);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    API_ENTER();
    API_RETURN(answer(out, device, of_device));
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    API_ENTER();
    API_RETURN(device_exists(device) ? answer(out, device, pool_current) : cudaErrorInvalidValue);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t handle)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    if (!device_exists(device))
        API_RETURN(cudaErrorInvalidDevice);
    if (!p || p->imported || p->on_host || p->device != device)
        API_RETURN(cudaErrorInvalidValue);
    current[device] = p;
    API_RETURN(cudaSuccess);
}

/* ---- CUDA 13's forms, by location ---- */

/* Whether it is the host: every node of it has the same pools here. */
static bool names_host(const struct cudaMemLocation *location)
{
    return location->type == cudaMemLocationTypeHost || (location->type == cudaMemLocationTypeHostNuma && !location->id);
}

static cudaError_t by_location(cudaMemPool_t *out, const struct cudaMemLocation *location,
                               enum cudaMemAllocationType type, struct pool *(*of)(int device), struct pool *of_host)
{
    if (!location || type != cudaMemAllocationTypePinned)
        return cudaErrorInvalidValue;
    if (location->type == cudaMemLocationTypeDevice)
        return answer(out, location->id, of);
    if (!out || !names_host(location))
        return cudaErrorInvalidValue;
    if (memory_has_client())
        return runtime_unsupported("a memory pool on the host, in the sandbox,");
    *out = (cudaMemPool_t)of_host;
    return cudaSuccess;
}

cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                                     enum cudaMemAllocationType type)
{
    API_ENTER();
    API_RETURN(by_location(out, location, type, of_device, of_the_host()));
}

cudaError_t cudaMemGetMemPool(cudaMemPool_t *out, struct cudaMemLocation *location,
                              enum cudaMemAllocationType type)
{
    API_ENTER();
    API_RETURN(by_location(out, location, type, pool_current, current_on_host ? current_on_host : of_the_host()));
}

cudaError_t cudaMemSetMemPool(struct cudaMemLocation *location, enum cudaMemAllocationType type,
                              cudaMemPool_t handle)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    cudaMemPool_t unused;
    cudaError_t e = p ? by_location(&unused, location, type, pool_current, NULL) : cudaErrorInvalidValue;
    if (!e && (p->imported || p->on_host != names_host(location) || (!p->on_host && p->device != location->id)))
        e = cudaErrorInvalidValue;
    if (!e)
        *(p->on_host ? &current_on_host : &current[p->device]) = p;
    API_RETURN(e);
}
