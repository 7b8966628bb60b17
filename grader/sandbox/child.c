/**
 * @file child.c
 * Starting, watching and ending child processes; see child.h. tree.c finds and kills what a child
 * started.
 */
#include "sandbox/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/tree.h"

#define MAX_PARALLEL 64
#define MAX_RUNNING (2 * MAX_PARALLEL) /* with companions */
#define MAX_FD 1024
#define MAX_WAITED 4
#define OWN_PROCESSES 4 /* bubblewrap's own among them */
#define LOOK_EARLY 0.1 /* seconds before the limit at which clocks are looked at */
#define TURN_MS 25 /* how often memory and clocks are looked at */
#define DISK_TURNS 8 /* and how many of these between looks at the disk */

static void set_limit(int what, rlim_t value)
{
    struct rlimit old, r = {value, value};
    if (getrlimit(what, &old) == 0 && old.rlim_max < value)
        r.rlim_cur = r.rlim_max = old.rlim_max;
    setrlimit(what, &r);
}

bool child_ends_with(pid_t parent)
{
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

/** In the child, between fork and exec. Says errno through `report` if it cannot go on. */
static void become(const struct child *c, pid_t parent, int out, int err, int report, unsigned processes)
{
    sigset_t none;
    bool entered = cgroup_enter(&c->group);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    setsid();
    if (!child_ends_with(parent))
        _exit(126);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    set_limit(RLIMIT_CORE, 0);
    set_limit(RLIMIT_CPU, c->limits.cpu_seconds);
    set_limit(RLIMIT_FSIZE, (rlim_t)c->limits.file_kib << 10);
    set_limit(RLIMIT_NPROC, processes);
    set_limit(RLIMIT_NOFILE, MAX_FD);
    int null = open("/dev/null", O_RDONLY);
    bool ok = entered && null >= 0 && dup2(null, 0) == 0 && dup2(out, 1) == 1 && dup2(err, 2) == 2 &&
              (!c->folder || chdir(c->folder) == 0);
    if (syscall(SYS_close_range, 3u, ~0u, CLOSE_RANGE_CLOEXEC))
        for (int fd = 3; fd < MAX_FD; fd++) /* a kernel before 5.11, or valgrind */
            fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (ok) {
        if (c->keep_fd > 2)
            fcntl(c->keep_fd, F_SETFD, 0);
        for (int i = 0; i < 2; i++)
            if (c->share_fd[i] > 2)
                fcntl(c->share_fd[i], F_SETFD, 0);
        if (c->confine)
            c->confine(c->confine_ctx);
        execve(c->argv[0], c->argv, c->env);
    }
    int why = errno;
    if (write(report, &why, sizeof why) < 0)
        _exit(126);
    _exit(127);
}

static void give_away(const struct child *c)
{
    for (int i = 0; i < 2; i++)
        if (c->share_fd[i] > 2)
            close(c->share_fd[i]);
}

static bool start(struct child *c)
{
    int out[2], err[2], report[2], why = 0;
    if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC) || pipe2(report, O_CLOEXEC))
        abort();
    unsigned processes = tree_count_user() + c->limits.processes;
    bool made = cgroup_make(&c->group, c->limits.memory_mib, c->limits.processes + OWN_PROCESSES);
    c->started = text_now();
    pid_t parent = getpid();
    c->pid = made ? fork() : -1;
    if (c->pid == 0)
        become(c, parent, out[1], err[1], report[1], processes);
    why = errno;
    close(out[1]);
    close(err[1]);
    close(report[1]);
    give_away(c);
    c->out_fd = out[0];
    c->err_fd = err[0];
    fcntl(c->out_fd, F_SETFL, O_NONBLOCK);
    fcntl(c->err_fd, F_SETFL, O_NONBLOCK);
    bool failed = c->pid < 0 || read(report[0], &why, sizeof why) == (ssize_t)sizeof why;
    close(report[0]);
    if (!failed) {
        c->pidfd = (int)syscall(SYS_pidfd_open, c->pid, 0);
        return true;
    }
    if (c->pid > 0)
        waitpid(c->pid, NULL, 0);
    close(c->out_fd);
    close(c->err_fd);
    cgroup_end(&c->group);
    c->end = CHILD_NOT_STARTED;
    c->code = why;
    return false;
}

/** Reads what is there. False once the stream has ended. */
static bool drain(struct child *c, int fd, struct text *into)
{
    char buffer[16384];
    size_t cap = (size_t)c->limits.output_kib << 10;
    for (;;) {
        ssize_t n = read(fd, buffer, sizeof buffer);
        if (n < 0)
            return errno == EAGAIN || errno == EINTR;
        if (n == 0)
            return false;
        size_t used = c->out.len + c->err.len;
        size_t room = used < cap ? cap - used : 0;
        text_add(into, buffer, (size_t)n < room ? (size_t)n : room);
        if ((size_t)n > room && c->end == CHILD_EXITED)
            c->end = CHILD_OUTPUT_LIMIT;
        if ((size_t)n > room)
            return true;
    }
}

/** Looks at a tree's clocks. What they showed is kept: whoever has just ended, with bubblewrap still there, shows nothing. */
static void look(struct child *c)
{
    double waited = tree_waited(c->pid), ran = tree_ran(c->pid);
    c->waited = waited > c->waited ? waited : c->waited;
    c->ran = ran > c->ran ? ran : c->ran;
}

/** Whether the wall clock's limit is over. On a busy machine the time in which a run had to wait for a
 *  processor is not its own, up to MAX_WAITED times the limit: else who is graded beside others gets
 *  another verdict than who is graded alone. */
static bool is_late(struct child *c)
{
    double limit = c->limits.seconds, over = text_now() - c->started - limit;
    struct child *other = c->companion ? c->companion : c->primary; /* each waits for what the other does */
    if (over <= -LOOK_EARLY)
        return false;
    look(c);
    if (other && !other->over)
        look(other);
    return over > 0 && (over > MAX_WAITED * limit || over > c->waited + (other ? other->waited : 0));
}

/** Sets `end` if a limit is broken. */
static void watch(struct child *c)
{
    unsigned processes;
    uint64_t kib = tree_memory_kib(c->pid, &processes);
    if (c->end != CHILD_EXITED)
        return;
    if (kib > (uint64_t)c->limits.memory_mib << 10)
        c->end = CHILD_MEMORY_LIMIT;
    else if (processes > c->limits.processes + OWN_PROCESSES)
        c->end = CHILD_PROCESS_LIMIT;
    else if (is_late(c)) {
        c->end = CHILD_TIME_LIMIT;
        c->busy = c->ran + (c->companion ? c->companion->ran : 0);
    } else if (c->disk && c->turns++ % DISK_TURNS == 0 && tree_disk_kib(c->disk) > c->limits.disk_kib)
        c->end = CHILD_DISK_LIMIT;
}

/** Reaps a child that has ended or must end, and everything that it started. */
static void finish(struct child *c, struct child *const *others, int count)
{
    int status = 0;
    pid_t keep[MAX_RUNNING];
    for (int i = 0; i < count; i++)
        keep[i] = others[i]->pid;
    kill(-c->pid, SIGKILL);
    kill(c->pid, SIGKILL);
    while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
        ;
    c->seconds = text_now() - c->started;
    tree_kill_strays(keep, count);
    bool starved = cgroup_end(&c->group);
    if (c->out_fd >= 0)
        drain(c, c->out_fd, &c->out);
    if (c->err_fd >= 0)
        drain(c, c->err_fd, &c->err);
    for (int i = 0; i < 3; i++) {
        int fd = (int[]){c->pidfd, c->out_fd, c->err_fd}[i];
        if (fd >= 0)
            close(fd);
    }
    if (c->end == CHILD_EXITED && starved)
        c->end = CHILD_MEMORY_LIMIT;
    if (c->end != CHILD_EXITED)
        return;
    bool signalled = WIFSIGNALED(status) || (c->relayed && WEXITSTATUS(status) > 128);
    c->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128 * signalled;
    if (!signalled)
        return;
    c->end = c->code == SIGXCPU   ? CHILD_TIME_LIMIT
             : c->code == SIGXFSZ ? CHILD_OUTPUT_LIMIT
                                  : CHILD_SIGNALLED;
}

/** Without pidfd_open() (a kernel before 5.3, or valgrind) a child's end is asked for. */
static bool has_ended(const struct child *c)
{
    siginfo_t info = {0};
    return c->pidfd < 0 &&
           waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == c->pid;
}

/** Waits for something to happen, or until memory and clocks are to be looked at, which reads files of every process; fills `ended`. */
static void turn(struct child **running, int count, bool *ended, double *next_look)
{
    double left = (*next_look - text_now()) * 1e3;
    struct pollfd fds[3 * MAX_RUNNING];
    for (int i = 0; i < count; i++) {
        fds[3 * i] = (struct pollfd){running[i]->pidfd, POLLIN, 0};
        fds[3 * i + 1] = (struct pollfd){running[i]->out_fd, POLLIN, 0};
        fds[3 * i + 2] = (struct pollfd){running[i]->err_fd, POLLIN, 0};
    }
    if (poll(fds, (nfds_t)(3 * count), left > 0 ? (int)left + 1 : 0) < 0)
        for (int i = 0; i < 3 * count; i++)
            fds[i].revents = 0;
    bool looks = text_now() >= *next_look;
    *next_look = looks ? text_now() + TURN_MS * 1e-3 : *next_look;
    for (int i = 0; i < count; i++) {
        struct child *c = running[i];
        int *streams[2] = {&c->out_fd, &c->err_fd};
        struct text *into[2] = {&c->out, &c->err};
        for (int s = 0; s < 2; s++)
            if (fds[3 * i + 1 + s].revents && !drain(c, *streams[s], into[s])) {
                close(*streams[s]);
                *streams[s] = -1;
            }
        ended[i] = (fds[3 * i].revents & POLLIN) || has_ended(c);
        if ((looks || c->limits.seconds <= 0) && !ended[i]) /* who has ended in time is not late, however long ago that was */
            watch(c);
        ended[i] |= c->end != CHILD_EXITED;
    }
}

/** The children that run: companions among them. */
struct pool {
    struct child_feed *feed;
    struct child *running[MAX_RUNNING];
    int count, primaries;
    double next_look; /**< at memory and clocks */
};

bool child_broke_limit(const struct child *c)
{
    return c->end == CHILD_TIME_LIMIT || c->end == CHILD_MEMORY_LIMIT ||
           c->end == CHILD_OUTPUT_LIMIT || c->end == CHILD_DISK_LIMIT || c->end == CHILD_PROCESS_LIMIT;
}

/** A child has ended and been reaped: the other of its pair may have to end, or both are done. */
static void after(struct pool *p, struct child *c)
{
    struct child *first = c->primary ? c->primary : c;
    c->over = true;
    if (c == first && c->companion && c->companion->lifeline > 2)
        close(c->companion->lifeline);
    if (c == first)
        p->primaries--;
    else if (child_broke_limit(c))
        first->end = c->end;
    else if (!first->over && (c->end != CHILD_EXITED || c->code != 0))
        first->end = CHILD_SIGNALLED; /* without its companion there is nothing for it to do */
    if (first->over && (!first->companion || first->companion->over))
        p->feed->done(p->feed->ctx, first);
}

static bool launch(struct pool *p, struct child *c)
{
    c->end = CHILD_EXITED;
    c->over = false;
    bool started = start(c);
    if (started)
        p->running[p->count++] = c;
    return started;
}

static void launch_pair(struct pool *p, struct child *c)
{
    struct child *companion = c->companion;
    c->primary = NULL;
    p->primaries++;
    if (companion && !launch(p, companion)) {
        companion->over = true;
        c->end = CHILD_NOT_STARTED;
        c->code = companion->code;
        give_away(c);
        after(p, c);
        return;
    }
    if (companion)
        companion->primary = c;
    if (!launch(p, c))
        after(p, c); /* a companion finds its socket closed */
}

void child_pool(struct child_feed *feed, int parallel)
{
    struct pool p = {.feed = feed};
    bool ended[MAX_RUNNING];
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* a daemonised grandchild comes to us, not to init */
    parallel = parallel < 1 ? 1 : parallel > MAX_PARALLEL ? MAX_PARALLEL : parallel;
    for (;;) {
        for (struct child *c; p.primaries < parallel && p.count + 2 <= MAX_RUNNING;) {
            c = feed->next(feed->ctx);
            if (!c)
                break;
            launch_pair(&p, c);
        }
        if (!p.count)
            return;
        turn(p.running, p.count, ended, &p.next_look);
        if (feed->idle)
            feed->idle(feed->ctx);
        for (int i = p.count - 1; i >= 0; i--) {
            if (!ended[i])
                continue;
            struct child *c = p.running[i];
            p.running[i] = p.running[--p.count];
            finish(c, p.running, p.count);
            after(&p, c);
        }
    }
}

static struct { struct child_feed *feed; int parallel; } beside;
struct one {
    struct child *child;
    struct child_feed *beside; /**< NULL: none */
    bool started, over;
};

static struct child *next_one(void *ctx)
{
    struct one *o = ctx;
    if (o->started)
        return o->beside && !o->over && (!o->beside->patient || o->child->out.len) ? o->beside->next(o->beside->ctx) : NULL;
    o->started = true;
    return o->child;
}

static void done_one(void *ctx, struct child *c)
{
    struct one *o = ctx;
    o->over |= c == o->child;
    if (c != o->child)
        o->beside->done(o->beside->ctx, c);
    else if (o->beside && o->beside->main_done)
        o->beside->main_done(o->beside->ctx);
}

void child_run_beside(struct child_feed *feed, int parallel)
{
    beside.feed = feed;
    beside.parallel = parallel;
}

void child_run(struct child *c)
{
    struct one one = {.child = c, .beside = c->quick ? NULL : beside.feed};
    struct child_feed feed = {.next = next_one, .done = done_one, .ctx = &one};
    child_pool(&feed, one.beside ? beside.parallel : 1);
}

void child_clear(struct child *c)
{
    text_free(&c->out);
    text_free(&c->err);
}
