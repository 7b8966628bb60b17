/**
 * @file translator.c
 * See translator.h: the program's side.
 */
#include "compile/translator.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compile/translation.h"

#define STACK_BYTES 65536
#define LOOK_MS 10 /* how often somebody who waits looks whether there is hurry now */
#define MAX_OBJECT ((uint64_t)1 << 28)

/** The process, if there is one: the pipes to it and from it. */
static struct {
    bool runs, gentle;
    int to, from;
} child;

static bool gone;

bool translator_gone(void)
{
    return gone;
}

bool translator_begin(void)
{
    /* A program closes what it did not open, and counts on which number is free: the thread has descriptors of its own. */
    gone = syscall(SYS_close_range, 0u, ~0u, CLOSE_RANGE_UNSHARE) != 0;
    for (int fd = 0; fd < 3 && !gone; fd++)
        gone = open("/dev/null", O_RDWR) != fd;
    return !gone;
}

/** The command that belongs to this library (or program, in tests): ../bin/softgpu from its folder, or one further up. */
static bool find_command(char *path)
{
    static const char *const ways[] = {"../bin/softgpu", "../../bin/softgpu"};
    Dl_info here;
    char self[PATH_MAX];
    if (!dladdr((void *)(uintptr_t)translator_ask, &here) || !here.dli_fname ||
        !realpath(here.dli_fname[0] ? here.dli_fname : "/proc/self/exe", self))
        return false;
    if (!strchr(here.dli_fname, '/') && !realpath("/proc/self/exe", self)) /* a program found by PATH */
        return false;
    char *slash = strrchr(self, '/');
    for (size_t i = 0; slash && i < sizeof ways / sizeof ways[0]; i++) {
        if (snprintf(path, PATH_MAX, "%.*s/%s", (int)(slash - self), self, ways[i]) < PATH_MAX && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/** What the child needs between clone() and execve(): it shares this memory, and may call nothing but the system. */
struct start {
    int in, out;
    char *argv[4];
    char **environment;
    uint8_t *stack;
    int error;
};

__attribute__((no_sanitize_address)) /* it knows no stack but the threads' own */
static int become(void *arg)
{
    struct start *s = arg;
    if (dup2(s->in, 0) == 0 && dup2(s->out, 1) == 1) /* the others are closed by execve() */
        execve(s->argv[0], s->argv, s->environment);
    s->error = errno;
    _exit(127);
}

/** Where libraries are found, and what tests say; nothing else of the program's environment. */
static void choose_environment(char **list, int room)
{
    static const char *const kept[] = {"LD_LIBRARY_PATH=", "SOFTGPU_ISA="};
    extern char **environ;
    int count = 0;
    for (char **e = environ; e && *e && count < room - 1; e++)
        for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
            if (!strncmp(*e, kept[i], strlen(kept[i])))
                list[count++] = *e;
    list[count] = NULL;
}

/** A process between, which ends at once: the translator is nobody's child then. */
__attribute__((no_sanitize_address))
static int between(void *arg)
{
    struct start *s = arg;
    if (clone(become, s->stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, s) < 0)
        s->error = errno;
    _exit(0);
}

static bool start_process(struct start *s)
{
    uint8_t *stacks = aligned_alloc(16, 2 * STACK_BYTES);
    if (!stacks)
        return false;
    s->stack = stacks + STACK_BYTES;
    /* Without an exit signal the program's wait() and its handler of SIGCHLD do not hear of it. What is executed would have one. */
    pid_t pid = clone(between, stacks + STACK_BYTES, CLONE_VM | CLONE_VFORK, s);
    if (pid > 0)
        waitpid(pid, NULL, __WALL);
    free(stacks);
    return pid > 0 && !s->error;
}

static bool start(bool gently)
{
    char path[PATH_MAX], *environment[8];
    int to[2], from[2];
    if (!find_command(path) || pipe2(to, O_CLOEXEC))
        return false;
    if (pipe2(from, O_CLOEXEC)) {
        close(to[0]), close(to[1]);
        return false;
    }
    choose_environment(environment, 8);
    struct start s = {.in = to[0], .out = from[1], .environment = environment,
                      .argv = {path, (char *)"--translator", gently ? (char *)"gently" : NULL, NULL}};
    child.runs = start_process(&s);
    child.gentle = gently;
    close(to[0]);
    close(from[1]);
    child.to = to[1];
    child.from = from[0];
    if (!child.runs)
        close(to[1]), close(from[0]);
    return child.runs;
}

static void stop(void)
{
    if (child.runs) { /* nothing to read any more: it ends */
        close(child.to);
        close(child.from);
    }
    child.runs = false;
}

static bool wanted_sooner(const bool *gently)
{
    return child.gentle && !__atomic_load_n(gently, __ATOMIC_RELAXED);
}

/** Until there is an answer. @return false where it is wanted sooner than this process will do */
static bool await(const bool *gently)
{
    struct pollfd in = {.fd = child.from, .events = POLLIN};
    while (poll(&in, 1, child.gentle ? LOOK_MS : -1) <= 0)
        if (wanted_sooner(gently))
            return false;
    return true;
}

static void *receive(struct translation *t, char *why, size_t why_size)
{
    if (!translation_read(child.from, t, sizeof *t) || t->bytes > MAX_OBJECT)
        return NULL;
    char *bytes = malloc(t->bytes + 1);
    if (!bytes || !translation_read(child.from, bytes, t->bytes)) {
        free(bytes);
        return NULL;
    }
    bytes[t->bytes] = 0;
    if (t->is_object)
        return bytes;
    gone = t->never;
    snprintf(why, why_size, "%s", bytes);
    free(bytes);
    return NULL;
}

void *translator_ask(const char *text, size_t length, size_t *bytes, const bool *gently, char *why, size_t why_size)
{
    struct translation ask = {.bytes = length}, answer = {0};
    void *object = NULL;
    for (int tries = 0; tries < 3 && !object && !gone; tries++) { /* it may have been about to end, or there is hurry */
        why[0] = 0;
        if (child.runs && wanted_sooner(gently))
            stop();
        if (!child.runs && !start(__atomic_load_n(gently, __ATOMIC_RELAXED))) {
            snprintf(why, why_size, "no process can be started for LLVM");
            gone = true;
        } else if (translation_write(child.to, &ask, sizeof ask) && translation_write(child.to, text, length) && await(gently))
            object = receive(&answer, why, why_size);
        if (!object && why[0])
            break;
        if (!object)
            stop();
    }
    *bytes = answer.bytes;
    if (!object && !why[0])
        snprintf(why, why_size, "LLVM's process ended");
    return object;
}
