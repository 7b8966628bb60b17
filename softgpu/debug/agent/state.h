/**
 * @file state.h
 * Private to debug/agent: what its files share.
 */
#ifndef SOFTGPU_DEBUG_AGENT_STATE_H
#define SOFTGPU_DEBUG_AGENT_STATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/list.h"
#include "execute/machine.h"
#include "execute/observer.h"

struct history;
struct later;

/** A thread of the grid at hand. */
struct thread_at {
    uint64_t block;
    uint32_t thread;
};

/** A place in the source at which a run stops, and for whom. Numbers of -1: any. */
struct breakpoint {
    int id;
    char *file;            /**< the end of a path; NULL: `function` */
    int asked;             /**< the line */
    int line;              /**< and the one that it stands on, which has code */
    char *function;        /**< plain name; stops at its first instruction */
    int64_t block, thread, warp;
    char *condition;       /**< NULL: always */
};

/** Accesses at which a run stops. */
struct data_watch {
    int id;
    bool shared;           /**< of block `owner`; else global memory */
    uint64_t owner, address, bytes;
    bool reads, writes;
    int64_t block, thread; /**< by this thread; -1: by any */
    int64_t site;          /**< by this instruction; -1: by any */
};

/** Follows one thread. */
enum step_kind { STEP_NONE, STEP_INSTRUCTION, STEP_LINE, STEP_OVER, STEP_OUT };
struct step {
    enum step_kind kind;
    uint64_t run;          /**< the run that it is about */
    struct thread_at thread;
    int line;              /**< where it stands */
    char *file;
    uint32_t depth;
    /* Backwards: */
    bool whole;            /**< where the scan begins, the thread has not */
    bool any_before;       /**< it has come by since the run began */
    int line_before;
    const char *file_before;
};

/** Why a run stopped. */
struct stop {
    const char *reason;    /**< "breakpoint", "watch", "finding", "step", "launch", "barrier", "host", "there", "end", … */
    int id;                /**< of the breakpoint or watch */
    bool has_thread;
    struct thread_at thread;
    char text[160];
    json_t *finding;       /**< its line of the findings file, borrowed */
};

/** What the debugger has asked a run to stop at. */
struct conditions {
    bool scan;             /**< not to stop at them, but to remember the last one */
    bool here;             /**< the instruction at which it stands counts, too */
    uint64_t until;        /**< stops before this one in any case; UINT64_MAX: nowhere */
    bool findings, launches, barriers, host;
    LIST(struct breakpoint) breaks;
    uint64_t loads;        /**< machine_loads() when they were placed */
    LIST(struct data_watch) watches;
    struct step step;
    json_t *last;          /**< of a scan */
};

/** Which instructions of an image conditions look at. */
struct marks {
    const struct image *image;
    uint32_t count;
    uint8_t *flags;        /**< 0, or 1 + the breakpoint's index, one an instruction; 255: several */
};

struct agent {
    int fd;
    bool open;             /**< attached, and not yet detached */
    struct machine *machine;
    struct rerun *rerun;
    pid_t (*copy)(void);
    int slot;
    bool in_launch;        /**< of several runs */
    bool hidden;           /**< the present run does not count */
    bool is_copy;          /**< of the program's process */
    bool alone;            /**< the program has no other thread: a copy may go on past the launch */
    uint64_t count;        /**< instructions issued */
    uint64_t attention;    /**< the next one before which attend() has something to do */
    uint64_t next_copy, interval, last_copy;
    uint64_t begin;        /**< the present run's first instruction */
    uint64_t runs;         /**< that count, so far: the present one's number */
    char run_words[120];   /**< "run 2 of launch 1 (random order)" */
    struct grid *grid;     /**< of the last issue or the last launch; NULL: none runs */
    const struct warp *warp; /**< the one that is in an instruction, */
    const struct insn *insn; /**< and which; NULL: none is */
    const void *call;      /**< of the operation that the host is stopped at: its return address */
    const struct mem_access *access; /**< what it does to memory, while a hook tells of it */
    struct history *history; /**< what has been written in this run */
    struct conditions conditions;
    LIST(struct marks) marks;
};

extern struct agent agent;

/* agent.c */
/** The process that knows all is gone, or has gone wrong: nothing may be left running. */
_Noreturn void agent_give_up(void);

/* conditions.c */
/** Takes the order to run. */
void conditions_read(struct conditions *c, const json_t *order);
/** Where these breakpoints would stand. */
json_t *conditions_places(const json_t *breaks);
/** The condition that instruction `in` of the warp meets, if any. */
bool conditions_meet(struct conditions *c, const struct warp *w, const struct insn *in, struct stop *stop);
/** The breakpoint on the line of the program whose call returns to `call`; -1: none. */
int conditions_call(const struct conditions *c, const void *call);
/** Of the data watches. */
bool conditions_touch(const struct conditions *c, const struct warp *w, const struct mem_access *a, bool reads,
                      bool writes, struct stop *stop);

/* marks.c */
/** The marks of the image for the breakpoints that now stand; made when first asked for. */
const struct marks *marks_of(const struct image *im);
void marks_forget(void);
/** Does one of the paths end with the other, at a folder's border? */
bool path_ends(const char *path, const char *file);
/** Is the function meant by this name, mangled or plain? */
bool function_is_named(const struct function *f, const char *name);

/* places.c */
/** Finds the line on which the breakpoint stands. @return its "id", whether it "stands", "at" which line, else with a
 *  "message" */
json_t *place_break(struct breakpoint *b);
/** Of all breakpoints, where they have been read or more is loaded since: tells the debugger. */
void place_breaks(struct conditions *c);
/** The machine is gone. */
void places_forget(void);

/* answers.c */
/** Stops: tells the debugger, and answers it until it says to go on. In a scan: remembers it. */
void agent_stop(const struct stop *stop);
/** A copy waits here for what it is wanted for. */
void agent_wait_as_copy(void);

/* process_copy.c */
/** Is one worth its while where a run begins? */
bool copy_is_due(void);
/** Keeps a copy of the process as it is now. */
void copy_keep(void);
/** In a kept copy: makes a process that goes on from here, with `fd` for its end. @return true in that process */
bool copy_awake(int fd);

/* where.c */
/** The warp and the group that a thread of the grid at hand is in. @return false: it is not there (any more) */
struct standing {
    const struct warp *warp;
    int lane;
    const struct insn *at;     /**< the instruction that it does next, or is doing */
    uint32_t frame, mask;
    int state;                 /**< enum group_state */
};
bool where_is(struct thread_at t, struct standing *s);
json_t *where_threads(const json_t *wanted);
json_t *where_stack(struct thread_at t);
/** The program's own callers. */
json_t *where_host(void);
json_t *where_base(struct thread_at t);
json_t *where_registers(struct thread_at t, int frame);
/** Goes up `frame` callers. */
bool where_frame(struct thread_at t, int frame, struct standing *s);
json_t *where_run(void);
/** One word for all that the device's memory and the running threads hold. */
uint64_t where_digest(void);

/* could.c */
/** Every value that the model lets the thread's next load return. */
json_t *could_read(struct thread_at t);
/** A run begins with such an order, which may be NULL: looks out for writes of what a thread is about to load. */
void ahead_begin(const json_t *order);
/** To be shown the run's accesses; NULL: nobody looks ahead. */
struct later *ahead_looks(void);
/** What has been seen so far; `whole`: the launch has ended. */
json_t *ahead_tell(bool whole);

/* shown_values.c */
json_t *values_evaluate(struct thread_at t, int frame, const char *text, const char *format);
/** Is the condition true for the thread? One that cannot be evaluated is, so that it is noticed. */
bool values_hold(struct thread_at t, const char *text);
json_t *values_buffers(void);
json_t *values_memory(const json_t *order);

#endif
