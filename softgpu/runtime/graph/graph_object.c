/**
 * @file graph_object.c
 * The program's objects that graphs keep alive (cudaUserObjectCreate): counted references, and a destructor that
 * is called once nobody has one. It runs in a thread of its own, as it may on a GPU's host, without the lock.
 */
#include <pthread.h>

#include "runtime/graph/graph.h"
#include "runtime/graph/graph_exec.h"
#include "runtime/graph/graph_object.h"
#include "runtime/state/entry.h"
#include "runtime/state/execution.h"

/** What cudaUserObject_t points to. */
struct user_object {
    void *data;
    cudaHostFn_t destroy;
    uint64_t references;
};

static struct user_object *find(cudaUserObject_t handle)
{
    return handle_is(HANDLE_OBJECT, handle) ? (struct user_object *)handle : NULL;
}

static void *destroy(void *self)
{
    struct user_object *o = self;
    o->destroy(o->data);
    free(o);
    return NULL;
}

static void drop(struct user_object *o, unsigned count)
{
    pthread_t thread;
    o->references -= count < o->references ? count : o->references;
    if (o->references)
        return;
    handle_drop(HANDLE_OBJECT, o);
    if (pthread_create(&thread, NULL, destroy, o) == 0)
        pthread_detach(thread);
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *data, cudaHostFn_t destructor, unsigned count,
                                 unsigned flags)
{
    API_ENTER();
    if (!out || !destructor || !count || count > INT32_MAX || flags != cudaUserObjectNoDestructorSync)
        API_RETURN(cudaErrorInvalidValue);
    struct user_object *o = calloc(1, sizeof *o);
    if (!o)
        abort();
    *o = (struct user_object){data, destructor, count};
    handle_add(HANDLE_OBJECT, o);
    *out = (cudaUserObject_t)o;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned count)
{
    API_ENTER();
    struct user_object *o = find(handle);
    if (!o || !count || count > INT32_MAX)
        API_RETURN(cudaErrorInvalidValue);
    o->references += count;
    API_RETURN(cudaSuccess);
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned count)
{
    API_ENTER();
    struct user_object *o = find(handle);
    if (!o || !count || count > o->references)
        API_RETURN(cudaErrorInvalidValue);
    drop(o, count);
    API_RETURN(cudaSuccess);
}

/* ---- what graphs hold ---- */

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t handle, unsigned count, unsigned flags)
{
    API_ENTER();
    struct graph *g = graph_find(graph);
    struct user_object *o = find(handle);
    if (!g || !o || !count || count > INT32_MAX || (flags & ~(unsigned)cudaGraphUserObjectMove))
        API_RETURN(cudaErrorInvalidValue);
    if (!(flags & cudaGraphUserObjectMove))
        o->references += count;
    *LIST_PUSH(&g->objects) = (struct held_object){o, count};
    API_RETURN(cudaSuccess);
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t handle, unsigned count)
{
    API_ENTER();
    struct graph *g = graph_find(graph);
    struct user_object *o = find(handle);
    unsigned held = 0;
    for (int i = 0; g && i < g->objects.count; i++)
        held += g->objects.data[i].object == o ? g->objects.data[i].count : 0;
    if (!g || !o || !count)
        API_RETURN(cudaErrorInvalidValue);
    if (count > held) /* an H200 says nothing of what the graph does not hold */
        count = held;
    unsigned left = count;
    for (int i = 0; i < g->objects.count; i++) {
        struct held_object *h = &g->objects.data[i];
        unsigned of = h->object != o ? 0 : h->count < left ? h->count : left;
        h->count -= of;
        left -= of;
    }
    drop(o, count);
    API_RETURN(cudaSuccess);
}

void objects_clone(struct graph *to, const struct graph *from)
{
    for (int i = 0; i < from->objects.count; i++) {
        const struct held_object *h = &from->objects.data[i];
        if (!h->count)
            continue;
        h->object->references += h->count;
        *LIST_PUSH(&to->objects) = *h;
    }
}

void objects_copy(struct exec *to, const struct graph *from)
{
    for (int i = 0; i < from->objects.count; i++) {
        const struct held_object *h = &from->objects.data[i];
        if (!h->count)
            continue;
        h->object->references++;
        *LIST_PUSH(&to->objects) = (struct held_object){h->object, 1};
    }
    for (int i = 0; i < from->nodes.count; i++)
        if (from->nodes.data[i]->child)
            objects_copy(to, from->nodes.data[i]->child);
}

void objects_release(struct held_object *list, int count)
{
    for (int i = 0; i < count; i++)
        if (list[i].count)
            drop(list[i].object, list[i].count);
}
