/**
 * @file test_runtime_remote.c
 * A hostile client against `softgpu --serve`: garbage, wrong lengths, made-up handles and addresses,
 * descriptors of all kinds, connections that end in the middle. The server must answer or close, and
 * end with status 0 once the client is gone. Bounded by counts, seeded: it repeats.
 */
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "remote_calls.h"
#include "unit.h"

#define ANSWER_MS 60000

struct server {
    pid_t pid;
    int control, lifeline;
};

static struct server start(void)
{
    int pair[2], life[2];
    char number[32], path[256];
    const char *build = getenv("BUILD");
    snprintf(path, sizeof path, "%s/bin/softgpu", build ? build : "build");
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    CU_ASSERT_EQUAL_FATAL(pipe2(life, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        const struct rlimit files = {8 << 20, 8 << 20}; /* of memory shared with us, too */
        /* Made-up sizes must not cost the machine its memory. */
        const struct rlimit stack = {1 << 20, 1 << 20};
#ifndef __SANITIZE_ADDRESS__ /* which reserves terabytes */
        const struct rlimit data = {512 << 20, 512 << 20};
        setrlimit(RLIMIT_DATA, &data);
#endif
        setrlimit(RLIMIT_STACK, &stack);
        fcntl(pair[1], F_SETFD, 0);
        fcntl(life[0], F_SETFD, 0);
        setrlimit(RLIMIT_FSIZE, &files);
        setenv("SOFTGPU_STEP_LIMIT", "100000", 1);
        setenv("SOFTGPU_CHECK", "all", 1);
        snprintf(number, sizeof number, "%d,%d", pair[1], life[0]);
        if (!getenv("REMOTE_VERBOSE"))
            dup2(open("/dev/null", O_WRONLY), 2);
        execl(path, path, "--serve", number, (char *)NULL);
        _exit(127);
    }
    close(pair[1]);
    close(life[0]);
    return (struct server){pid, pair[0], life[1]};
}

/** The server must end by itself, with status 0, once we are gone. */
static void stop(struct server *s)
{
    int status = -1;
    close(s->control);
    close(s->lifeline);
    for (int ms = 0; ms < ANSWER_MS && waitpid(s->pid, &status, WNOHANG) == 0; ms += 5)
        usleep(5000);
    if (status == -1) {
        kill(s->pid, SIGKILL);
        waitpid(s->pid, &status, 0);
        CU_FAIL("the server does not end");
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        printf("\n  wait status %x", status);
    CU_ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int connect_as(struct server *s, char purpose)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return -1;
    struct iovec part = {&purpose, 1};
    bool ok = wire_send(s->control, &part, 1, pair[1]);
    close(pair[1]);
    CU_ASSERT_TRUE_FATAL(ok);
    return pair[0];
}

struct response {
    struct wire_answer head;
    uint8_t results[WIRE_ARGS];
    uint8_t bulk[1 << 17];
};

/** Sends as much of a message as `cut` says; false once the connection is closed. */
static bool send_message(int fd, struct message *m, size_t cut)
{
    struct iovec parts[] = {{&m->head, sizeof m->head},
                            {m->args, m->head.arg_bytes < sizeof m->args ? m->head.arg_bytes : sizeof m->args},
                            {m->bulk, m->head.bulk_bytes <= sizeof m->bulk ? m->head.bulk_bytes : 0}};
    for (int i = 0; i < 3; i++) {
        parts[i].iov_len = parts[i].iov_len < cut ? parts[i].iov_len : cut;
        cut -= parts[i].iov_len;
    }
    return wire_send(fd, parts, 3, -1);
}

/** The answer; false where the server closed instead. Neither within a minute is a failure. */
static bool take_answer(int fd, struct response *r)
{
    struct pollfd p = {fd, POLLIN, 0};
    int passed = -1;
    if (poll(&p, 1, ANSWER_MS) != 1) {
        CU_FAIL("the server neither answers nor closes");
        return false;
    }
    bool ok = wire_receive(fd, &r->head, sizeof r->head, &passed);
    if (passed >= 0)
        close(passed);
    return ok && r->head.result_bytes <= WIRE_ARGS &&
           wire_receive(fd, r->results, r->head.result_bytes, NULL) &&
           r->head.bulk_bytes <= sizeof r->bulk &&
           wire_receive(fd, r->bulk, r->head.bulk_bytes, NULL);
}

static bool exchange(int fd, struct message *m, struct response *r)
{
    return send_message(fd, m, SIZE_MAX) && take_answer(fd, r);
}

/** A fat binary with one kernel, registered under the address 0x7777…77. */
static void register_program(int fd)
{
    static struct message m;
    static struct response r;
    uint8_t *b = m.bulk, *e = b + 16;
    uint64_t host = 0x7777777777777777ull, handle = 0;
    uint32_t magic = FATBIN_MAGIC, version = 1;
    size_t padded = (sizeof ptx + 7) / 8 * 8;
    memset(&m, 0, sizeof m);
    memcpy(b, &magic, 4);
    b[4] = 1;
    b[6] = 16;
    memcpy(b + 8, &(uint64_t){0x40 + padded}, 8);
    e[0] = 1;
    e[4] = 0x40;
    memcpy(e + 8, &(uint64_t){padded}, 8);
    e[0x1a] = 8;
    e[0x1c] = 75;
    e[0x28] = 0x11;
    memcpy(e + 0x40, ptx, sizeof ptx);
    m.head.id = WIRE_REGISTER_BINARY;
    m.head.bulk_bytes = 16 + 0x40 + padded;
    put(&m, &version, sizeof version);
    CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
    CU_ASSERT_EQUAL_FATAL(r.head.result_bytes, 8);
    memcpy(&handle, r.results, 8);
    memset(&m.head, 0, sizeof m.head);
    m.head.id = WIRE_REGISTER_FUNCTION;
    m.head.bulk_bytes = 1;
    m.bulk[0] = 'k';
    put(&m, &handle, 8);
    put(&m, &host, 8);
    CU_ASSERT_TRUE(exchange(fd, &m, &r));
    CU_ASSERT_EQUAL(r.head.status, cudaSuccess);
}

/** A call that must work, to see that the server is whole: memory there and back. */
static void works(struct server *s)
{
    static struct message m;
    static struct response r;
    uint64_t address = 0;
    char text[16] = "fifteen letters";
    int fd = connect_as(s, WIRE_CALLS);
    memset(&m.head, 0, sizeof m.head);
    m.head.id = WIRE_cudaDeviceReset; /* whatever fault stands */
    CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
    m.head.id = WIRE_cudaMalloc;
    put(&m, &(uint8_t){1}, 1);
    put(&m, &(uint64_t){0}, 8);
    put(&m, &(uint64_t){16}, 8);
    CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
    CU_ASSERT_EQUAL(r.head.status, cudaSuccess);
    memcpy(&address, r.results, 8);
    struct wire_copy w = {.call = COPY_LINEAR, .kind = cudaMemcpyHostToDevice, .dst = address,
                          .width = 16, .height = 1, .src_inline = 1};
    memset(&m.head, 0, sizeof m.head);
    m.head.id = WIRE_COPY;
    m.head.bulk_bytes = 16;
    memcpy(m.bulk, text, 16);
    put(&m, &w, sizeof w);
    CU_ASSERT_TRUE(exchange(fd, &m, &r) && r.head.status == cudaSuccess);
    w = (struct wire_copy){.call = COPY_LINEAR, .kind = cudaMemcpyDeviceToHost, .src = address,
                           .width = 16, .height = 1, .dst_inline = 1};
    memset(&m.head, 0, sizeof m.head);
    m.head.id = WIRE_COPY;
    put(&m, &w, sizeof w);
    CU_ASSERT_TRUE(exchange(fd, &m, &r) && r.head.status == cudaSuccess);
    CU_ASSERT_EQUAL(r.head.bulk_bytes, 16);
    CU_ASSERT_EQUAL(memcmp(r.bulk, text, 16), 0);
    close(fd);
}

static void test_works(void)
{
    struct server s = start();
    int fd = connect_as(&s, WIRE_CALLS);
    register_program(fd);
    close(fd);
    works(&s);
    stop(&s);
}

/** A host address that is neither shared nor in the message: never touched, an invalid value. */
static void test_foreign_addresses(void)
{
    static struct message m;
    static struct response r;
    struct server s = start();
    int fd = connect_as(&s, WIRE_CALLS);
    for (uint32_t call = 0; call < 4; call++)
        for (int side = 0; side < 2; side++) {
            uint64_t ours = (uint64_t)(uintptr_t)&s;
            struct wire_copy w = {.call = call, .kind = cudaMemcpyHostToHost, .dst = ours, .src = ours,
                                  .dst_pitch = 8, .src_pitch = 8, .width = 8, .height = 1};
            w.src_inline = side == 0;
            w.dst_inline = side == 1;
            memset(&m.head, 0, sizeof m.head);
            m.head.id = WIRE_COPY;
            m.head.bulk_bytes = w.src_inline ? 8 : 0;
            put(&m, &w, sizeof w);
            CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
            CU_ASSERT_EQUAL(r.head.status, cudaErrorInvalidValue);
        }
    close(fd);
    stop(&s);
}

/** Nodes that point to more than the message brought: no client of ours sends them, and no pointer is followed. */
static void test_nodes_that_point(void)
{
    static struct message m;
    static struct response r;
    static const enum cudaGraphNodeType types[] = {cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemFree,
                                                   cudaGraphNodeTypeConditional,
                                                   cudaGraphNodeTypeExtSemaphoreSignal,
                                                   cudaGraphNodeTypeExtSemaphoreWait};
    struct server s = start();
    int fd = connect_as(&s, WIRE_CALLS);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        uint64_t graph;
        memset(&m.head, 0, sizeof m.head);
        m.head.id = WIRE_cudaGraphCreate;
        put(&m, &(uint8_t){1}, 1);
        put(&m, &(uint64_t){0}, 8);
        put(&m, &(uint32_t){0}, 4);
        CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r) && r.head.status == cudaSuccess);
        memcpy(&graph, r.results, sizeof graph);
        struct cudaGraphNodeParams p = {.type = types[i]};
        if (types[i] == cudaGraphNodeTypeMemAlloc) {
            p.alloc.poolProps.allocType = cudaMemAllocationTypePinned;
            p.alloc.poolProps.location.type = cudaMemLocationTypeDevice;
            p.alloc.bytesize = 64;
            p.alloc.accessDescs = (const struct cudaMemAccessDesc *)(uintptr_t)0x77770000;
            p.alloc.accessDescCount = 1;
        }
        struct wire_graph_node w = {.graph = graph, .what = GRAPH_NODE_ADD, .whole = 1};
        memcpy(w.params, &p, sizeof p);
        memset(&m.head, 0, sizeof m.head);
        m.head.id = WIRE_GRAPH_NODE;
        put(&m, &w, sizeof w);
        CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
        CU_ASSERT_EQUAL(r.head.status, cudaErrorNotSupported);
    }
    close(fd);
    stop(&s);
}

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

/** The control socket: wrong purposes, no descriptor, descriptors that are no sockets, too many. */
static void test_control(void)
{
    struct server s = start();
    int pipes[2], held[2 * WIRE_CONNECTIONS], count = 0;
    char purposes[] = {WIRE_CALLS, WIRE_HOST_FUNCTIONS, 'x', 0};
    CU_ASSERT_EQUAL_FATAL(pipe(pipes), 0);
    for (int i = 0; i < 200; i++) {
        struct iovec part = {&purposes[i % 4], 1};
        int pass = i % 3 == 0 ? pipes[0] : i % 3 == 1 ? s.control : -1;
        CU_ASSERT_TRUE(wire_send(s.control, &part, 1, pass));
    }
    close(pipes[0]);
    close(pipes[1]);
    for (int i = 0; i < 300; i++) { /* more than it takes at a time; most say nothing */
        int fd = connect_as(&s, i % 10 ? WIRE_CALLS : WIRE_HOST_FUNCTIONS);
        if (fd >= 0)
            held[count++] = fd;
    }
    for (int i = 0; i < count; i++)
        close(held[i]);
    usleep(200000); /* its threads have to notice before there is room again */
    works(&s);
    stop(&s);
}

/** Host functions: nobody runs them, or who should never answers. */
static void test_host_functions(void)
{
    static struct message m;
    static struct response r;
    for (int way = 0; way < 3; way++) {
        struct server s = start();
        int fd = connect_as(&s, WIRE_CALLS), reverse = way ? connect_as(&s, WIRE_HOST_FUNCTIONS) : -1;
        char ready;
        CU_ASSERT_TRUE(!way || wire_receive(reverse, &ready, 1, NULL));
        struct wire_host_function w = {.function = 0x1000, .data = 0x2000, .callback = way == 1};
        memset(&m.head, 0, sizeof m.head);
        m.head.id = WIRE_HOST_FUNCTION;
        put(&m, &w, sizeof w);
        CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
        CU_ASSERT_EQUAL(r.head.status, cudaSuccess);
        memset(&m.head, 0, sizeof m.head);
        m.head.id = WIRE_cudaDeviceSynchronize;
        CU_ASSERT_TRUE(send_message(fd, &m, SIZE_MAX));
        struct wire_reverse asked;
        if (way) {
            CU_ASSERT_TRUE(wire_receive(reverse, &asked, sizeof asked, NULL));
            CU_ASSERT_EQUAL(asked.function, 0x1000);
            CU_ASSERT_EQUAL(asked.data, 0x2000);
        }
        if (way == 1) /* gone without a word; way 2: silent until the end */
            close(reverse);
        if (way < 2)
            CU_ASSERT_TRUE(take_answer(fd, &r) && r.head.status == cudaSuccess);
        close(fd);
        stop(&s);
        if (way == 2)
            close(reverse);
    }
}

UNIT_MAIN("remote", {"a client that behaves", test_works},
          {"addresses of others", test_foreign_addresses},
          {"nodes that point elsewhere", test_nodes_that_point}, {"messages at random", test_fuzz},
          {"graphs at random", test_graphs},
          {"the control socket", test_control}, {"host functions", test_host_functions})
