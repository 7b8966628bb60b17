/**
 * @file remote_calls.h
 * Messages of each call to `softgpu --serve`, of the right shape and with made-up contents: what a hostile client sends
 * (test_runtime_remote_fuzz.c). Seeded: make() repeats from the same `state`.
 */
#ifndef TESTS_SOFTGPU_REMOTE_CALLS_H
#define TESTS_SOFTGPU_REMOTE_CALLS_H

#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "remote_server.h"

/** Kinds of handles. */
enum { NO_HANDLE, A_GRAPH, A_NODE, AN_EXEC, A_STREAM, AN_EVENT, A_POINTER, KINDS };
#define KIND_OF(type)                                                                              \
    _Generic((type){0}, cudaGraph_t: A_GRAPH, cudaGraphNode_t: A_NODE, cudaGraphExec_t: AN_EXEC,   \
             cudaStream_t: A_STREAM, cudaEvent_t: AN_EVENT, void *: A_POINTER, default: NO_HANDLE)

/** Arguments of each call that is sent, so that most messages get past the first check. */
struct shape {
    const char *name;
    size_t bytes;
    bool there;        /**< a byte before it says whether there is one */
    int kind;
    const char *count; /**< the argument that says how many there are in the bulk; NULL: it is no array */
    bool text;
};
static const struct {
    int count;
    struct shape args[9];
} shapes[WIRE_COUNT] = {
#define SHAPE_VAL(type, name) {#name, sizeof(type), false, KIND_OF(type), NULL, false}
#define SHAPE_OUT(type, name) {#name, sizeof(type), true, NO_HANDLE, NULL, false}
#define SHAPE_IN SHAPE_OUT
#define SHAPE_OUTS(type, name, count)                                                              \
    {#name, sizeof(type), true, !strcmp(#type, "cudaGraphNode_t") ? A_NODE : NO_HANDLE, #count, false}
#define SHAPE_INS SHAPE_OUTS
#define SHAPE_LIST SHAPE_OUTS
#define SHAPE_STRING(type, name) {#name, 1, true, NO_HANDLE, #name, true}
#define SHAPE_NONE {NULL, 0, false, NO_HANDLE, NULL, false}
#define COUNT_VAL(...) +1
#define COUNT_OUT COUNT_VAL
#define COUNT_IN COUNT_VAL
#define COUNT_OUTS COUNT_VAL
#define COUNT_INS COUNT_VAL
#define COUNT_LIST COUNT_VAL
#define COUNT_STRING COUNT_VAL
#define SHAPE(name, ...) [WIRE_##name] = {0 EACH(COUNT, __VA_ARGS__), {JOIN(SHAPE, __VA_ARGS__)}},
#define API(name, since, twin, here, remote, ...) IF_WIRED_##remote(SHAPE(name, __VA_ARGS__))
#include "runtime/api.def"
#undef API
};

static uint64_t state;

static uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static unsigned below(unsigned n)
{
    return (unsigned)(random_bits() % n);
}

/** Handles and addresses that the server gave, among values that it never would. */
static uint64_t pool[256] = {0, 1, 2, 3, 16, 4096, ~0ull, 1ull << 63, 0x7fffffff, 0x200000000000ull,
                             0x180000000000ull, 0x400000, 0xdeadbeef000ull};
static unsigned pool_count = 13;

/** What the latest graph calls gave, by kind; drawn from where `graphs` is set. */
static uint64_t kept[KINDS][8];
static bool graphs;

static uint64_t one_of(int kind)
{
    return kept[kind][below(8)];
}

static uint64_t value(void);
static uint64_t pointer(void)
{
    return graphs && below(50) ? one_of(A_POINTER) : value();
}

static uint64_t value(void)
{
    if (graphs && below(12))
        return one_of(1 + (int)below(KINDS - 1));
    switch (below(6)) {
    case 0:
        return below(5);
    case 1:
        return below(1 << 16);
    case 2:
        return pool[below(pool_count)] + below(64);
    case 3:
        return random_bits() >> below(64) << 44; /* sizes: far too large or none */
    default:
        return pool[below(pool_count)];
    }
}

static void remember(uint64_t v)
{
    if (pool_count < 256)
        pool[pool_count++] = v;
    else
        pool[13 + below(243)] = v;
}

static void fill(uint8_t *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t v = value();
        memcpy(to + i, &v, bytes - i < 8 ? bytes - i : 8);
    }
}

/** Whether an array of the call is as long as this argument says. */
static bool is_count(uint32_t id, const char *name)
{
    for (int i = 0; i < shapes[id].count; i++)
        if (shapes[id].args[i].count && !strcmp(shapes[id].args[i].count, name))
            return true;
    return false;
}

/** An array in the bulk, from a multiple of 8; text has its length among the arguments, and mostly an end. */
static void put_array(struct message *m, const struct shape *s, uint64_t count)
{
    bool sized = strchr(s->count, '('); /* pool_attribute_bytes() */
    uint8_t there = below(8) != 0;
    uint64_t bytes = sized ? 8 : s->bytes * count;
    if (s->text)
        put(m, &bytes, sizeof bytes);
    put(m, &there, 1);
    if (!there || bytes > sizeof m->bulk - 8 || m->head.bulk_bytes + bytes + 8 > sizeof m->bulk)
        return;
    uint8_t *at = m->bulk + m->head.bulk_bytes;
    fill(at, WIRE_ALIGNED(bytes));
    for (uint64_t i = 0; graphs && s->kind && i < count && below(20); i++)
        memcpy(at + i * 8, &kept[s->kind][below(8)], 8);
    if (s->text && bytes)
        memcpy(at, "scale", bytes < 5 ? bytes : 5);
    if (s->text && bytes && below(8))
        at[bytes - 1] = 0;
    m->head.bulk_bytes += WIRE_ALIGNED(bytes);
}

static void table_call(struct message *m)
{
    uint8_t data[WIRE_ARGS];
    uint64_t count = below(10) ? below(4) : value();
    for (int i = 0; i < shapes[m->head.id].count; i++) {
        const struct shape *s = &shapes[m->head.id].args[i];
        uint8_t there = below(8) != 0;
        if (s->count) {
            put_array(m, s, count);
            continue;
        }
        if (s->there)
            put(m, &there, 1);
        fill(data, s->bytes);
        if (graphs && below(20)) {
            uint64_t v = s->kind ? one_of(s->kind) : below(5) == 0;
            memcpy(data, &v, s->bytes < 8 ? s->bytes : 8);
        }
        if (is_count(m->head.id, s->name))
            memcpy(data, &count, s->bytes < 8 ? s->bytes : 8);
        put(m, data, s->bytes);
    }
}

static void copy_call(struct message *m)
{
    struct wire_copy w;
    fill((uint8_t *)&w, sizeof w);
    w.call = below(9);
    w.kind = below(5);
    w.width = below(300);
    w.height = below(4) ? 1 : below(20);
    w.src_inline = below(2);
    w.dst_inline = below(2);
    if (below(20) == 0)
        w.width = value();
    m->head.bulk_bytes = w.src_inline ? w.width * w.height : 0;
    put(m, &w, sizeof w);
}

/** A node of a type that may be, with parameters that may do. */
static void node_call(struct message *m);

static void box_call(struct message *m)
{
    struct wire_copy_box w;
    struct cudaMemcpy3DParms p;
    fill((uint8_t *)&w, sizeof w);
    fill((uint8_t *)&p, sizeof p);
    p.extent = (struct cudaExtent){below(30), 1 + below(3), 1 + below(3)};
    p.kind = (enum cudaMemcpyKind)below(5);
    if (below(2))
        p.srcArray = p.dstArray = NULL;
    if (below(2))
        p.srcPos = p.dstPos = (struct cudaPos){below(2), below(2), 0};
    w.async = below(2);
    w.src_inline = below(2);
    w.dst_inline = below(2);
    w.row = below(8) ? p.extent.width : value();
    w.bytes = below(8) ? w.row * p.extent.height * p.extent.depth : value();
    memcpy(w.parms, &p, sizeof p);
    m->head.bulk_bytes = w.src_inline ? w.bytes : 0;
    put(m, &w, sizeof w);
}

static void node_call(struct message *m)
{
    struct wire_graph_node w;
    struct cudaGraphNodeParams p;
    fill((uint8_t *)&w, sizeof w);
    fill((uint8_t *)&p, sizeof p);
    p.type = (enum cudaGraphNodeType)below(16);
    if (p.type == cudaGraphNodeTypeKernel) {
        memset(&p.kernel.func, 0x77, sizeof p.kernel.func);
        p.kernel.gridDim = p.kernel.blockDim = (dim3){1, 1, 1};
        p.kernel.sharedMemBytes = 0;
    } else if (p.type == cudaGraphNodeTypeMemcpy) {
        p.memcpy = (struct cudaMemcpyNodeParams){
            .copyParams = {.srcPtr = {(void *)(uintptr_t)pointer(), 64, 64, 1},
                           .dstPtr = {(void *)(uintptr_t)pointer(), 64, 64, 1},
                           .extent = {below(64), 1 + below(2), 1},
                           .kind = (enum cudaMemcpyKind)below(5)}};
    } else if (p.type == cudaGraphNodeTypeMemset) {
        p.memset.elementSize = 1u << below(3);
        p.memset.width = below(64);
        p.memset.height = 1;
    }
    if (graphs) {
        w.graph = one_of(A_GRAPH);
        w.node = one_of(A_NODE);
        for (int i = 0; i < 8; i++)
            memcpy(m->bulk + i * 8, &kept[A_NODE][below(8)], 8);
        if (p.type == cudaGraphNodeTypeGraph)
            p.graph = (struct cudaChildGraphNodeParams){.graph = (cudaGraph_t)(uintptr_t)one_of(A_GRAPH)};
        if (p.type == cudaGraphNodeTypeEventRecord || p.type == cudaGraphNodeTypeWaitEvent)
            p.eventRecord.event = (cudaEvent_t)(uintptr_t)one_of(AN_EVENT);
        if (p.type == cudaGraphNodeTypeMemset)
            p.memset.dst = (void *)(uintptr_t)one_of(A_POINTER);
    }
    w.what = below(10) ? below(3) : below(5);
    if (w.what == GRAPH_NODE_CHANGE && graphs)
        w.graph = one_of(AN_EXEC);
    w.count = below(10) ? below(3) : value();
    w.packed = below(10) ? 12 : value();
    w.whole = below(8) != 0;
    memcpy(w.params, &p, sizeof p);
    m->head.bulk_bytes = w.count * 8 + w.packed;
    if (graphs && w.count < 4) { /* where a kernel writes */
        uint64_t to = one_of(A_POINTER);
        memcpy(m->bulk + w.count * 8, &to, 8);
    }
    put(m, &w, sizeof w);
}

static void other_call(struct message *m)
{
    size_t bytes[WIRE_COUNT] = {
        [WIRE_REGISTER_BINARY] = 4, [WIRE_REGISTER_FUNCTION] = 16, [WIRE_REGISTER_VARIABLE] = 16,
        [WIRE_REGISTER_MANAGED] = 16, [WIRE_MANAGED] = 8, [WIRE_LABEL] = 8,
        [WIRE_PARAMETERS] = 8, [WIRE_LAUNCH] = sizeof(struct wire_launch),
        [WIRE_CLUSTERS] = sizeof(struct wire_launch) + 4, [WIRE_LABEL_STREAM] = 8, [WIRE_STRAY] = sizeof(struct wire_stray),
        [WIRE_LOAD] = 16,
        [WIRE_SHARE] = sizeof(struct wire_share), [WIRE_PIN] = sizeof(struct wire_pin),
        [WIRE_UNPIN] = 8, [WIRE_HOST_FUNCTION] = sizeof(struct wire_host_function),
        [WIRE_TOUCH] = sizeof(struct wire_touch), [WIRE_GRAPH_PARAMS] = 12, [WIRE_GRAPH_DOT] = 8,
        [WIRE_CAPTURE_INFO] = 12,
        [WIRE_MISSING] = 4};
    uint8_t data[256];
    fill(data, bytes[m->head.id]);
    if (m->head.id == WIRE_LAUNCH && below(2))
        for (int i = 0; i < 6; i++) {
            uint32_t n = 1 + below(3);
            memcpy(data + offsetof(struct wire_launch, grid) + (size_t)i * 4, &n, 4);
        }
    if (m->head.id == WIRE_LAUNCH && below(2))
        memset(data, 0x77, 8); /* the kernel that is there */
    m->head.bulk_bytes = below(3) ? 12 : below(300);
    fill(m->bulk, 512);
    if (m->head.id == WIRE_LOAD && below(4)) {
        memcpy(data, &(uint64_t){below(3)}, 8);
        memcpy(data + 8, &(uint64_t){below(3) * 40}, 8);
        m->head.bulk_bytes = below(3) + sizeof ptx - below(2);
        memcpy(m->bulk + below(3), ptx, sizeof ptx);
    }
    put(m, data, bytes[m->head.id]);
}

/** A call of that number, as long as it should be. */
static void make_whole(struct message *m, uint32_t id)
{
    memset(&m->head, 0, sizeof m->head);
    m->head.id = id;
    m->head.flags = below(4);
    m->head.site = value();
    if (m->head.id == WIRE_COPY)
        copy_call(m);
    else if (m->head.id < WIRE_REGISTER_BINARY)
        table_call(m);
    else if (m->head.id == WIRE_GRAPH_NODE)
        node_call(m);
    else if (m->head.id == WIRE_COPY_BOX)
        box_call(m);
    else
        other_call(m);
}

static void make(struct message *m)
{
    uint32_t id = below(WIRE_COUNT);
    if (below(6) == 0)
        id = WIRE_LAUNCH + below(4);
    else if (below(6) == 0)
        id = WIRE_GRAPH_NODE;
    make_whole(m, id);
    if (below(40) == 0) /* not as it should be */
        m->head.arg_bytes = below(WIRE_ARGS + 10);
    if (below(200) == 0)
        fill((uint8_t *)&m->head, sizeof m->head);
}

#endif
