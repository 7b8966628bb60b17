/**
 * @file session.h
 * A program under the debugger: its process, the copies of it to go back to, and what it stops at.
 *
 * A place is the number of the warp instruction that comes next, counted over the whole run. The program's own
 * process is only ever run forwards, and stands at the frontier, the farthest place that has been reached; at
 * earlier places a copy is looked at. So the program itself does everything once, and as without a debugger.
 *
 * Bounds: COPIES_MOST copies, and COPIES_BYTES of memory, with the program, as long as two copies fit; pages that none has
 * changed since are shared.
 */
#ifndef SOFTGPU_DEBUG_SESSION_SESSION_H
#define SOFTGPU_DEBUG_SESSION_SESSION_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/list.h"

#define COPIES_MOST 32
#define COPIES_BYTES (1ull << 30)

/** A sleeping copy of the program at a place. */
struct copy {
    int fd;
    pid_t pid;
    uint64_t at;
    long long runs;          /**< which run of a launch it is in */
    bool begins;             /**< at that run's first instruction */
};

struct session {
    char **program;          /**< and its arguments */
    const char *folder;      /**< to run in; NULL: here */
    int input, output, errors; /**< for the program; -1: ours */
    pid_t pid;               /**< 0: not started, or gone */
    int root;                /**< the end to the program's own process; -1: gone */
    int copy;                /**< to the copy that is looked at; -1: the program itself is */
    LIST(struct copy) copies;/**< in order of their places */
    uint64_t at, frontier;   /**< places: of what is looked at, of the program */
    json_t *frontier_stop;
    json_t *stop;            /**< why it last stopped: as debug/agent/answers.c describes it; NULL before the start */
    bool exited;
    int status;              /**< as a shell has it */
    json_t *breaks, *watches;/**< arrays: what a run stops at, in the terms of debug/agent/conditions.c; a breakpoint
                                  that "stands" has its line as "at", another a "message" why it does not */
    bool findings, launches, barriers, host;
    long long block, thread; /**< the thread that is looked at, */
    int frame;               /**< and which of its callers */
    char error[200];         /**< why the last call failed */
    /* While the program runs: */
    int listen;              /**< something to hear meanwhile; -1: nothing */
    bool (*heard)(struct session *s); /**< it can be read. @return false: end everything */
    void (*placed)(struct session *s, const json_t *b); /**< one of `breaks` has come to stand elsewhere; NULL: unheard */
    void *self;              /**< the front end's */
    int running;             /**< the end to which session_pause() goes; -1: nothing runs */
    bool interrupted;        /**< by session_pause() */
};

enum step_way { WAY_INSTRUCTION, WAY_LINE, WAY_OVER, WAY_OUT };

void session_init(struct session *s, char **program);
/** Starts the program, which stops at its first call of the CUDA runtime, or exits. @return false with s->error */
bool session_start(struct session *s);
/** Ends the program and all copies. */
void session_end(struct session *s);
/** Asks the process that is looked at. Takes `question` over. @return the answer, which may hold "error"; the
 *  caller's to release; never NULL */
json_t *session_ask(struct session *s, json_t *question);
/** Asks where the breakpoints stand; as long as nothing can be asked they wait for the next run. */
void session_place(struct session *s);
/** A question about the thread that is looked at. */
json_t *session_question(const struct session *s, const char *what);
/** From another thread's signal handler or `heard`: stop soon. */
void session_pause(struct session *s);

/* travel.c: each returns false with s->error where it stays; else s->stop says where it is. */

bool session_continue(struct session *s);
bool session_step(struct session *s, enum step_way way);
bool session_back(struct session *s);
bool session_step_back(struct session *s, enum step_way way);
bool session_go(struct session *s, uint64_t at);
/** Back to the last access that one of `watches`, which it takes over, is about. */
bool session_find_back(struct session *s, json_t *watches);

/* ahead.c */

/** What the next load of the thread that is looked at may return: debug/agent/could.c's answer, or its "error"; with "ahead" of the
 *  writes that come later in the run, up to AHEAD_MOST instructions on, or with "unseen" why they are not known. The caller's to
 *  release. */
json_t *session_could(struct session *s);
#define AHEAD_MOST 1000000

/* For travel.c and ahead.c. */

/** The copy from which to go to a place: the last one that is not past it; -1 if there is none. */
int session_copy_before(const struct session *s, uint64_t at);
/** To run a process that has been made of `from` up to `at`, for which a copy is kept on the way if that is far. */
json_t *session_order_until(const struct copy *from, uint64_t at);

/** Sends an order to run, which it takes over, and waits. @return the stop, NULL where the process is gone */
json_t *session_run(struct session *s, int fd, json_t *order);
/** A running process made of a copy. @return its end; -1: none */
int session_awake(struct session *s, const struct copy *c);
/** Makes `stop`, which it takes over, the present one. */
void session_stopped(struct session *s, json_t *stop);

#endif
