/**
 * @file test_runtime_remote_fuzz.c
 * A hostile client against `softgpu --serve`: garbage, wrong lengths, made-up handles and addresses, messages that end
 * in the middle. Bounded by counts, seeded: it repeats. REMOTE_SEEDS=N tries more.
 */
#include "runtime/api.h"
#include "remote_calls.h"

static void fuzz(uint64_t seed, int messages)
{
    static struct message m;
    static struct response r;
    struct server s = start();
    state = seed;
    int fd = connect_as(&s, WIRE_CALLS);
    register_program(fd);
    for (int i = 0; i < messages; i++) {
        make(&m);
        bool whole = below(50) != 0;
        bool ok = send_message(fd, &m, whole ? SIZE_MAX : below(200));
        /* Where fewer bytes come than were told of, the server waits: that is ours to end. */
        bool short_of = !whole || m.head.bulk_bytes > sizeof m.bulk || m.head.arg_bytes > WIRE_ARGS;
        if (ok && !short_of && (ok = take_answer(fd, &r)) && r.head.result_bytes >= 8) {
            uint64_t v;
            memcpy(&v, r.results, 8);
            remember(v);
        }
        if (!ok || short_of) {
            close(fd);
            fd = connect_as(&s, WIRE_CALLS);
        }
    }
    close(fd);
    works(&s);
    stop(&s);
}

/** A call that has to do with graphs, mostly with handles of the right kind. */
static void make_graph_call(struct message *m)
{
    static const uint32_t ids[] = {
        WIRE_cudaStreamCreate, WIRE_cudaEventCreate, WIRE_cudaMalloc, WIRE_cudaGraphCreate, WIRE_cudaGraphCreate,
        WIRE_cudaGraphClone, WIRE_cudaGraphDestroy, WIRE_cudaGraphDestroyNode, WIRE_cudaGraphInstantiate,
        WIRE_cudaGraphInstantiate, WIRE_cudaGraphLaunch, WIRE_cudaGraphLaunch, WIRE_cudaGraphExecUpdate,
        WIRE_cudaGraphExecDestroy, WIRE_cudaGraphNodeSetEnabled, WIRE_cudaStreamBeginCapture,
        WIRE_cudaStreamEndCapture, WIRE_cudaEventRecord, WIRE_cudaStreamWaitEvent, WIRE_cudaDeviceSynchronize,
        WIRE_cudaStreamDestroy, WIRE_cudaGraphNodeFindInClone, WIRE_LAUNCH, WIRE_COPY, WIRE_HOST_FUNCTION,
        WIRE_GRAPH_NODE, WIRE_GRAPH_NODE, WIRE_GRAPH_NODE, WIRE_GRAPH_NODE, WIRE_GRAPH_NODE, WIRE_GRAPH_NODE,
        WIRE_GRAPH_PARAMS, WIRE_GRAPH_DOT, WIRE_CAPTURE_INFO, WIRE_cudaGraphAddDependencies,
        WIRE_cudaGraphRemoveDependencies, WIRE_cudaGraphGetEdges, WIRE_cudaGraphNodeGetDependencies,
        WIRE_cudaStreamUpdateCaptureDependencies, WIRE_cudaStreamBeginCaptureToGraph, WIRE_cudaMemsetAsync, WIRE_cudaGraphKernelNodeSetAttribute, WIRE_cudaGraphUpload};
    memset(&m->head, 0, sizeof m->head);
    m->head.id = below(500) ? ids[below(sizeof ids / sizeof *ids)] : WIRE_cudaDeviceReset;
    if (m->head.id == WIRE_COPY)
        copy_call(m);
    else if (m->head.id == WIRE_GRAPH_NODE)
        node_call(m);
    else if (m->head.id < WIRE_REGISTER_BINARY)
        table_call(m);
    else
        other_call(m);
    static uint64_t capturing; /* its end is mostly meant for the stream that began */
    if (m->head.id == WIRE_cudaStreamBeginCapture) {
        memcpy(&capturing, m->args, 8);
        memcpy(m->args + 8, &(uint32_t){cudaStreamCaptureModeRelaxed}, 4);
    } else if (m->head.id == WIRE_cudaStreamEndCapture && below(8)) {
        memcpy(m->args, &capturing, 8);
    }
}

static void keep(uint32_t id, const struct response *r)
{
    int kind = id == WIRE_cudaGraphCreate || id == WIRE_cudaGraphClone || id == WIRE_cudaStreamEndCapture ? A_GRAPH
               : id == WIRE_GRAPH_NODE || id == WIRE_cudaGraphNodeFindInClone                             ? A_NODE
               : id == WIRE_cudaGraphInstantiate                                                          ? AN_EXEC
               : id == WIRE_cudaStreamCreate                                                              ? A_STREAM
               : id == WIRE_cudaEventCreate                                                               ? AN_EVENT
               : id == WIRE_cudaMalloc                                                                    ? A_POINTER
                                                                                                          : KINDS;
    if (kind < KINDS && r->head.status == cudaSuccess && r->head.result_bytes >= 8)
        memcpy(&kept[kind][below(8)], r->results, 8);
}

/** Handles of all kinds, as after a reset. */
static void prime(int fd)
{
    static struct message m;
    static struct response r;
    static const struct {
        uint32_t id;
        int kind;
        uint64_t second; /* flags, bytes */
        size_t bytes;
    } calls[] = {{WIRE_cudaGraphCreate, A_GRAPH, 0, 4}, {WIRE_cudaStreamCreate, A_STREAM, 0, 0},
                 {WIRE_cudaEventCreate, AN_EVENT, 0, 0}, {WIRE_cudaMalloc, A_POINTER, 4096, 8}};
    for (int i = 0; i < 32; i++) {
        uint64_t none = 0;
        memset(&m.head, 0, sizeof m.head);
        m.head.id = calls[i % 4].id;
        put(&m, &(uint8_t){1}, 1);
        put(&m, &none, 8);
        put(&m, &calls[i % 4].second, calls[i % 4].bytes);
        CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
        memcpy(&kept[calls[i % 4].kind][i / 4], r.results, 8);
    }
}

/** The same with calls of one kind, so that many of them succeed. */
static void test_graphs(void)
{
    static struct message m;
    static struct response r;
    const char *seeds = getenv("REMOTE_SEEDS");
    int launched = 0, captured = 0;
    for (int seed = 1; seed <= (seeds ? atoi(seeds) : 2); seed++) {
        struct server s = start();
        int fd = connect_as(&s, WIRE_CALLS);
        state = 0x9e3779b97f4a7c15ull * (unsigned)seed;
        graphs = true;
        memset(kept, 0, sizeof kept);
        register_program(fd);
        prime(fd);
        for (int i = 0; i < 6000; i++) {
            make_graph_call(&m);
            if (m.head.bulk_bytes > sizeof m.bulk)
                continue;
            bool ok = send_message(fd, &m, SIZE_MAX) && take_answer(fd, &r);
            if (ok)
                keep(m.head.id, &r);
            launched += ok && m.head.id == WIRE_cudaGraphLaunch && r.head.status == cudaSuccess;
            captured += ok && m.head.id == WIRE_cudaStreamEndCapture && r.head.status == cudaSuccess;
            if (!ok) {
                close(fd);
                fd = connect_as(&s, WIRE_CALLS);
            }
            if (ok && r.head.status == cudaErrorIllegalAddress) {
                memset(&m.head, 0, sizeof m.head);
                m.head.id = WIRE_cudaDeviceReset;
                CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
                prime(fd);
            }
        }
        graphs = false;
        close(fd);
        works(&s);
        stop(&s);
    }
    /* Else it would have tried nothing but errors. */
    CU_ASSERT_TRUE(launched > 5);
    CU_ASSERT_TRUE(captured > 0);
}

static void test_fuzz(void)
{
    const char *seeds = getenv("REMOTE_SEEDS");
    for (int seed = 1; seed <= (seeds ? atoi(seeds) : 4); seed++)
        fuzz(0x9e3779b97f4a7c15ull * (unsigned)seed, 2000);
}

/** Each call, in a host function or not, as the first one after a reset: there is no device yet, and a host function gets none. */
static void test_after_a_reset(void)
{
    static struct message m;
    static struct response r;
    struct server s = start();
    int fd = connect_as(&s, WIRE_CALLS);
    state = 0x9e3779b97f4a7c15ull;
    register_program(fd);
    for (uint32_t id = 0; id < WIRE_COUNT; id++)
        for (int i = 0; i < 6; i++) {
            if (id == WIRE_HOST_FUNCTION || id == WIRE_TOUCH) /* they hold others up */
                continue;
            memset(&m.head, 0, sizeof m.head);
            m.head.id = WIRE_cudaDeviceReset;
            CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
            make_whole(&m, id);
            m.head.flags = i % 3 ? WIRE_IN_HOST_FUNCTION : 0;
            if (m.head.bulk_bytes > sizeof m.bulk || exchange(fd, &m, &r))
                continue;
            close(fd);
            fd = connect_as(&s, WIRE_CALLS);
        }
    close(fd);
    works(&s);
    stop(&s);
}

UNIT_MAIN("remote at random", {"messages", test_fuzz}, {"graphs", test_graphs}, {"after a reset", test_after_a_reset})
