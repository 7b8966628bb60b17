/**
 * @file test_runtime_remote.c
 * A client of `softgpu --serve` that behaves, and what one may not: addresses that are not its own, descriptors of all
 * kinds on the control socket, host functions that nobody runs, or that wait. At random: test_runtime_remote_fuzz.c.
 */
#include "remote_server.h"

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
        bool conditional = types[i] == cudaGraphNodeTypeConditional; /* what it points to is what it would get */
        if (conditional)
            p.conditional = (struct cudaConditionalNodeParams){.handle = 0x77770000, .size = 1, .phGraph_out = (cudaGraph_t *)(uintptr_t)0x77770000};
        struct wire_graph_node w = {.graph = graph, .what = GRAPH_NODE_ADD, .whole = 1};
        memcpy(w.params, &p, sizeof p);
        memset(&m.head, 0, sizeof m.head);
        m.head.id = WIRE_GRAPH_NODE;
        put(&m, &w, sizeof w);
        CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
        bool has = conditional || types[i] == cudaGraphNodeTypeMemAlloc || types[i] == cudaGraphNodeTypeMemFree;
        CU_ASSERT_EQUAL(r.head.status, has ? cudaErrorInvalidValue : cudaErrorNotSupported); /* and no pointer is followed */
    }
    close(fd);
    stop(&s);
}

/** Its threads have to notice who is gone before there is room again: until then it closes at once. */
static void wait_for_room(struct server *s)
{
    static struct message m;
    static struct response r;
    bool room = false;
    m.head.id = WIRE_cudaDeviceReset;
    for (int ms = 0; ms < ANSWER_MS && !room; ms += 5) {
        usleep(5000);
        int fd = connect_as(s, WIRE_CALLS);
        room = fd >= 0 && exchange(fd, &m, &r);
        close(fd);
    }
    CU_ASSERT_TRUE(room);
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
    wait_for_room(&s);
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

/** Of a host function that does not end the server asks whether it runs; a query gives up on one that rests. */
static void test_function_that_waits(void)
{
    static struct message m;
    static struct response r;
    struct server s = start();
    int fd = connect_as(&s, WIRE_CALLS), reverse = connect_as(&s, WIRE_HOST_FUNCTIONS), memory = connect_as(&s, WIRE_MEMORY);
    char ready, rests = 0, done = 1;
    CU_ASSERT_TRUE(wire_receive(reverse, &ready, 1, NULL) && wire_receive(memory, &ready, 1, NULL));
    struct wire_host_function w = {.function = 0x1000};
    memset(&m.head, 0, sizeof m.head);
    m.head.id = WIRE_HOST_FUNCTION;
    put(&m, &w, sizeof w);
    CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r) && r.head.status == cudaSuccess);
    memset(&m.head, 0, sizeof m.head);
    m.head.id = WIRE_cudaStreamQuery;
    put(&m, &(uint64_t){0}, 8);
    struct pollfd either[] = {{memory, POLLIN, 0}, {fd, POLLIN, 0}};
    struct wire_memory asked = {0};
    struct iovec part = {&rests, 1}, end = {&done, 1};
    for (int i = 0; i < 1000 && asked.what != MEMORY_RUNS; i++) { /* in virtual time it begins a little later */
        CU_ASSERT_TRUE_FATAL(send_message(fd, &m, SIZE_MAX) && poll(either, 2, ANSWER_MS) > 0);
        if (either[0].revents)
            CU_ASSERT_TRUE_FATAL(wire_receive(memory, &asked, sizeof asked, NULL) && wire_send(memory, &part, 1, -1));
        CU_ASSERT_TRUE_FATAL(take_answer(fd, &r));
        CU_ASSERT_EQUAL(r.head.status, cudaErrorNotReady);
    }
    CU_ASSERT_EQUAL(asked.what, MEMORY_RUNS);
    CU_ASSERT_TRUE(wire_send(reverse, &end, 1, -1));
    close(fd);
    close(memory);
    stop(&s);
    close(reverse);
}

/** A handle that points into a memory pool is none, were it a few bytes from one: what follows would be written over. */
static void test_within_a_pool(void)
{
    static struct message m;
    static struct response r;
    struct server s = start();
    int fd = connect_as(&s, WIRE_CALLS);
    memset(&m.head, 0, sizeof m.head);
    m.head.id = WIRE_cudaDeviceGetDefaultMemPool;
    put(&m, &(uint8_t){1}, 1);
    put(&m, &(uint64_t){0}, 8);
    put(&m, &(uint32_t){0}, 4);
    CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r) && r.head.status == cudaSuccess);
    uint64_t pool;
    memcpy(&pool, r.results, 8);
    for (uint64_t past = 0; past < 64; past += 4) {
        memset(&m.head, 0, sizeof m.head);
        m.head.id = WIRE_cudaMemPoolTrimTo;
        put(&m, &(uint64_t){pool + past}, 8);
        put(&m, &(uint64_t){0}, 8);
        CU_ASSERT_TRUE_FATAL(exchange(fd, &m, &r));
        CU_ASSERT_EQUAL(r.head.status, past ? cudaErrorInvalidValue : cudaSuccess);
    }
    close(fd);
    works(&s);
    stop(&s);
}

UNIT_MAIN("remote", {"a client that behaves", test_works}, {"addresses of others", test_foreign_addresses},
          {"nodes that point", test_nodes_that_point}, {"the control socket", test_control}, {"host functions", test_host_functions},
          {"a host function that waits", test_function_that_waits}, {"a handle within a pool", test_within_a_pool})
