/**
 * @file session.c
 * The program's process, its copies, and what is said to them.
 */
#include "debug/session/session.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debug/talk.h"

void session_init(struct session *s, char **program)
{
    *s = (struct session){.program = program, .input = -1, .output = -1, .errors = -1, .root = -1, .copy = -1,
                          .breaks = json_array(), .watches = json_array(), .findings = true, .listen = -1, .running = -1};
}

/* ---- Copies ---- */

/** A number of kB in a file of the process, in bytes; 0 where it cannot be read. */
static uint64_t kilobytes(pid_t pid, const char *file, const char *key)
{
    char path[64], line[160];
    unsigned long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, file);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (!strncmp(line, key, strlen(key)) && sscanf(line + strlen(key), "%lu", &kb) == 1)
            break;
    if (f)
        fclose(f);
    return (uint64_t)kb << 10;
}

/** What the copies and the program take of the machine's memory; what several share counts once. */
static uint64_t taken_bytes(const struct session *s)
{
    uint64_t sum = kilobytes(s->pid, "smaps_rollup", "Pss:");
    for (int i = 0; i < s->copies.count; i++)
        sum += kilobytes(s->copies.data[i].pid, "smaps_rollup", "Pss:");
    return sum;
}

/** Is it more than the bound? Asked of the system only where it could be: pages are counted one by one. */
static bool too_much(const struct session *s)
{
    uint64_t each = kilobytes(s->pid, "status", "VmRSS:");
    return each * (uint64_t)(s->copies.count + 1) > COPIES_BYTES && taken_bytes(s) > COPIES_BYTES;
}

/** The end of processes: the program's status is kept, copies are ours since nobody else has them. */
static void reap(struct session *s, bool wait)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(wait && s->pid ? s->pid : -1, &status, wait && s->pid ? 0 : WNOHANG)) > 0)
        if (pid == s->pid) {
            s->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            s->exited = true;
            s->pid = 0;
        }
}

static void drop_copy(struct session *s, int i)
{
    close(s->copies.data[i].fd);
    memmove(&s->copies.data[i], &s->copies.data[i + 1], (size_t)(s->copies.count - i - 1) * sizeof s->copies.data[0]);
    s->copies.count--;
}

/** The one whose loss costs least: a short way back to the one before it, for its distance from the frontier. */
static int least_wanted(const struct session *s)
{
    int least = 1;
    double best = 0;
    for (int i = 1; i + 1 < s->copies.count; i++) {
        const struct copy *c = &s->copies.data[i];
        double gap = (double)(c[1].at - c[-1].at), age = (double)(s->copies.data[s->copies.count - 1].at - c->at) + 1;
        double worth = gap / age * (c->begins ? 4 : 1);
        if (i == 1 || worth < best) {
            best = worth;
            least = i;
        }
    }
    return least;
}

static void keep_copy(struct session *s, const json_t *m, int fd)
{
    struct copy c = {.fd = fd, .pid = (pid_t)talk_number(m, "pid", 0), .at = (uint64_t)talk_number(m, "at", 0),
                     .runs = talk_number(m, "runs", 0), .begins = talk_true(m, "begins")};
    int i = session_copy_before(s, c.at) + 1;
    if (i > 0 && s->copies.data[i - 1].at == c.at) {
        close(fd);
        return;
    }
    if (s->copies.count == COPIES_MOST && i < s->copies.count) /* first: the new one would be the least wanted */
        drop_copy(s, least_wanted(s));
    i = session_copy_before(s, c.at) + 1;
    (void)LIST_PUSH(&s->copies);
    memmove(&s->copies.data[i + 1], &s->copies.data[i], (size_t)(s->copies.count - 1 - i) * sizeof c);
    s->copies.data[i] = c;
    while (s->copies.count > COPIES_MOST || (s->copies.count > 2 && too_much(s)))
        drop_copy(s, least_wanted(s));
    reap(s, false); /* those that have been dropped: a long run would fill the system's table of processes */
}

int session_awake(struct session *s, const struct copy *c)
{
    int ends[2];
    if (!talk_pair(ends))
        return -1;
    bool sent = talk_send(c->fd, json_pack("{s:s}", "do", "wake"), ends[1]);
    close(ends[1]);
    if (sent)
        return ends[0];
    close(ends[0]);
    snprintf(s->error, sizeof s->error, "a copy of the program is gone");
    return -1;
}

/* ---- Life ---- */

static _Noreturn void become(const struct session *s, int fd)
{
    char number[16];
    int files[] = {s->input, s->output, s->errors};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* a terminal's Ctrl-C is for the debugger */
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    for (int i = 0; i < 3; i++)
        if (files[i] >= 0)
            dup2(files[i], i);
    fcntl(fd, F_SETFD, 0);
    snprintf(number, sizeof number, "%d", fd);
    setenv(TALK_VARIABLE, number, 1);
    if (s->folder && chdir(s->folder) != 0) {
        fprintf(stderr, "softgpu: cannot go to %s: %s\n", s->folder, strerror(errno));
        _exit(127);
    }
    execvp(s->program[0], s->program);
    fprintf(stderr, "softgpu: cannot run %s: %s\n", s->program[0], strerror(errno));
    _exit(127);
}

bool session_start(struct session *s)
{
    int ends[2];
    session_end(s);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGPIPE, SIG_IGN);
    if (!talk_pair(ends)) {
        snprintf(s->error, sizeof s->error, "cannot make a socket: %s", strerror(errno));
        return false;
    }
    fflush(NULL);
    s->pid = fork();
    if (s->pid == 0)
        become(s, ends[1]);
    close(ends[1]);
    s->root = ends[0];
    s->exited = false;
    s->at = s->frontier = 0;
    if (s->pid < 0) {
        s->pid = 0;
        snprintf(s->error, sizeof s->error, "cannot start a process: %s", strerror(errno));
        session_end(s);
        return false;
    }
    session_stopped(s, session_run(s, s->root, NULL));
    return true;
}

void session_end(struct session *s)
{
    if (s->copy >= 0)
        close(s->copy);
    if (s->root >= 0)
        close(s->root);
    s->copy = s->root = -1;
    while (s->copies.count)
        drop_copy(s, s->copies.count - 1);
    if (s->pid > 0) {
        kill(s->pid, SIGKILL);
        reap(s, true);
    }
    reap(s, false);
    json_decref(s->stop);
    json_decref(s->frontier_stop);
    s->stop = s->frontier_stop = NULL;
}

/* ---- Talking ---- */

/** What the program's side says of a breakpoint. One that has stood waits nowhere: a copy from before its code was loaded
 *  would say so. @return it, if that is news; else NULL */
static json_t *take_place(struct session *s, const json_t *m)
{
    size_t i;
    json_t *b;
    json_array_foreach(s->breaks, i, b) {
        bool stands = talk_true(m, "stands"), stood = talk_true(b, "stands");
        if (talk_number(b, "id", 0) != talk_number(m, "id", -1) || (stood && !stands))
            continue;
        bool same = stood == stands && talk_number(b, "at", 0) == talk_number(m, "at", 0) &&
                    !strcmp(talk_text(b, "message", ""), talk_text(m, "message", ""));
        json_object_set_new(b, "stands", json_boolean(stands));
        json_object_del(b, "message");
        for (int k = 0; k < 2; k++) {
            const char *key = k ? "message" : "at";
            if (json_object_get(m, key))
                json_object_set(b, key, json_object_get(m, key));
        }
        return same ? NULL : b;
    }
    return NULL;
}

void session_place(struct session *s)
{
    size_t i;
    json_t *m, *one;
    if (s->running >= 0 || (s->copy < 0 && s->root < 0))
        return;
    m = session_ask(s, json_pack("{s:s,s:O}", "do", "places", "breaks", s->breaks));
    json_array_foreach(json_object_get(m, "places"), i, one)
        take_place(s, one);
    json_decref(m);
}

/** Waits for a message from `fd`, and hears what else there is. @return false: nobody will answer */
static bool wait_for(struct session *s, int fd)
{
    if (s->heard && !s->heard(s)) /* what has come together with the request that made it run */
        return false;
    for (;;) {
        struct pollfd p[2] = {{.fd = fd, .events = POLLIN}, {.fd = s->listen, .events = POLLIN}};
        int n = poll(p, s->listen >= 0 ? 2 : 1, -1);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0 && p[0].revents)
            return true;
        if (n > 0 && p[1].revents && s->heard && !s->heard(s))
            return false;
    }
}

json_t *session_run(struct session *s, int fd, json_t *order)
{
    json_t *stop = NULL;
    s->running = fd;
    s->interrupted = false;
    if (order && !talk_send(fd, order, -1)) {
        s->running = -1;
        return NULL;
    }
    while (wait_for(s, fd)) {
        int came;
        json_t *m = talk_receive(fd, &came);
        if (!m)
            break;
        if (!strcmp(talk_text(m, "event", ""), "stopped")) {
            stop = m;
            break;
        }
        if (!strcmp(talk_text(m, "event", ""), "copy") && came >= 0)
            keep_copy(s, m, came);
        else if (came >= 0)
            close(came);
        json_t *moved = !strcmp(talk_text(m, "event", ""), "placed") ? take_place(s, m) : NULL;
        if (moved && s->placed)
            s->placed(s, moved);
        json_decref(m);
    }
    s->running = -1;
    reap(s, false);
    return stop;
}

void session_pause(struct session *s)
{
    s->interrupted = true;
    if (s->running >= 0)
        talk_pause(s->running);
}

json_t *session_question(const struct session *s, const char *what)
{
    return json_pack("{s:s,s:I,s:I,s:i}", "do", what, "block", (json_int_t)s->block, "thread", (json_int_t)s->thread, "frame",
                     s->frame);
}

json_t *session_ask(struct session *s, json_t *question)
{
    int fd = s->copy >= 0 ? s->copy : s->root;
    if (fd < 0 || !talk_send(fd, question, -1)) {
        if (fd < 0)
            json_decref(question);
        return json_pack("{s:s}", "error", "the program does not run");
    }
    for (;;) {
        json_t *m = talk_receive(fd, NULL);
        if (!m)
            return json_pack("{s:s}", "error", "the program is gone");
        if (talk_true(m, "reply"))
            return m;
        json_decref(m);
    }
}

/** The process is gone: the program's own at its end, a copy only if something is wrong. */
static json_t *gone(struct session *s)
{
    bool root = s->copy < 0;
    if (root && s->root >= 0)
        close(s->root);
    if (root) {
        s->root = -1;
        if (s->pid > 0)
            reap(s, true);
    }
    return json_pack("{s:s,s:I,s:i,s:s}", "reason", root ? "exited" : "lost", "at", (json_int_t)s->at, "status", s->status,
                     "text", "");
}

void session_stopped(struct session *s, json_t *stop)
{
    if (!stop)
        stop = gone(s);
    json_decref(s->stop);
    s->stop = stop;
    s->at = (uint64_t)talk_number(stop, "at", (long long)s->at);
    s->frame = 0;
    if (json_object_get(stop, "block")) {
        s->block = talk_number(stop, "block", 0);
        s->thread = talk_number(stop, "thread", 0);
    }
    if (s->copy >= 0)
        return;
    s->frontier = s->at;
    json_decref(s->frontier_stop);
    s->frontier_stop = json_incref(stop);
}
