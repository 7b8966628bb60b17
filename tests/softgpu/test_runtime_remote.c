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

#include "remote/wire.h"
#include "runtime/code/fatbin.h"
#include "unit.h"

#define ANSWER_MS 60000

static const char ptx[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                          ".visible .global .align 4 .u32 v;\n"
                          ".visible .entry k(.param .u64 p, .param .u32 x)\n{\n"
                          ".reg .u64 %a; .reg .u32 %x;\n"
                          "ld.param.u64 %a, [p]; ld.param.u32 %x, [x];\n"
                          "st.global.u32 [%a], %x; ret;\n}\n";

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

struct message {
    struct wire_call head;
    uint8_t args[WIRE_ARGS];
    uint8_t bulk[65536];
};
struct response {
    struct wire_answer head;
    uint8_t results[WIRE_ARGS];
    uint8_t bulk[1 << 17];
};

static void put(struct message *m, const void *data, size_t bytes)
{
    memcpy(m->args + m->head.arg_bytes, data, bytes);
    m->head.arg_bytes += (uint32_t)bytes;
}

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

/* ---- what is sent ---- */

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
    if (!there || m->head.bulk_bytes + bytes + 8 > sizeof m->bulk)
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
        [WIRE_LOAD] = 8,
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
        m->head.bulk_bytes = below(3) + sizeof ptx - below(2);
        memcpy(m->bulk + below(3), ptx, sizeof ptx);
    }
    put(m, data, bytes[m->head.id]);
}

static void make(struct message *m)
{
    memset(&m->head, 0, sizeof m->head);
    m->head.id = below(WIRE_COUNT);
    if (below(6) == 0)
        m->head.id = WIRE_LAUNCH + below(4);
    else if (below(6) == 0)
        m->head.id = WIRE_GRAPH_NODE;
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
    if (below(40) == 0) /* not as it should be */
        m->head.arg_bytes = below(WIRE_ARGS + 10);
    if (below(200) == 0)
        fill((uint8_t *)&m->head, sizeof m->head);
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
          {"addresses of others", test_foreign_addresses}, {"messages at random", test_fuzz},
          {"graphs at random", test_graphs},
          {"the control socket", test_control}, {"host functions", test_host_functions})
