/**
 * @file remote_server.h
 * `softgpu --serve` for tests that are its clients: start() to stop(), and messages to it between. It must answer or
 * close, and end with status 0 once the client is gone.
 */
#ifndef TESTS_SOFTGPU_REMOTE_SERVER_H
#define TESTS_SOFTGPU_REMOTE_SERVER_H

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

static const char ptx[] = ".version 8.0\n.target sm_75\n.address_size 64\n"
                          ".visible .global .align 4 .u32 v;\n"
                          ".visible .entry k(.param .u64 p, .param .u32 x)\n{\n"
                          ".reg .u64 %a; .reg .u32 %x;\n"
                          "ld.param.u64 %a, [p]; ld.param.u32 %x, [x];\n"
                          "st.global.u32 [%a], %x; ret;\n}\n";

struct message {
    struct wire_call head;
    uint8_t args[WIRE_ARGS];
    uint8_t bulk[65536];
};
static void put(struct message *m, const void *data, size_t bytes)
{
    memcpy(m->args + m->head.arg_bytes, data, bytes);
    m->head.arg_bytes += (uint32_t)bytes;
}

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

#endif
