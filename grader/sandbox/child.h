/**
 * @file child.h
 * Child processes under limits, several at a time: the only way in which the grader runs anything.
 *
 * A child gets exactly the given arguments, environment and folder, /dev/null as input, pipes as
 * output, and no other descriptor. When it ends, or breaks a limit, its whole tree is killed and
 * reaped before `done` is called, so nothing of it can act afterwards.
 */
#ifndef GRADER_SANDBOX_CHILD_H
#define GRADER_SANDBOX_CHILD_H

#include <sys/types.h>

#include "base/text.h"
#include "sandbox/cgroup.h"

enum child_end {
    CHILD_EXITED,      /**< `code` is the exit status */
    CHILD_SIGNALLED,   /**< `code` is the signal */
    CHILD_TIME_LIMIT,  /**< wall clock or CPU time */
    CHILD_MEMORY_LIMIT,
    CHILD_OUTPUT_LIMIT, /**< printed too much, or a file grew too large */
    CHILD_PROCESS_LIMIT,
    CHILD_DISK_LIMIT,   /**< all its files together did */
    CHILD_NOT_STARTED,  /**< `code` is errno */
};

struct child_limits {
    double seconds;        /**< wall clock */
    unsigned cpu_seconds;  /**< of the whole process */
    unsigned memory_mib;   /**< resident memory of the tree, polled */
    unsigned file_kib;     /**< any one file */
    unsigned output_kib;   /**< stdout and stderr together */
    unsigned processes;    /**< beyond those that the user has already; of root's the tree's, polled */
    unsigned disk_kib;     /**< of `disk`, polled */
};

struct child {
    /* Set by the caller, who keeps the strings until done. */
    char *const *argv; /**< argv[0] is an absolute path */
    char *const *env;
    const char *folder;
    const char *disk;           /**< the folder whose size is bounded; NULL: none */
    struct child_limits limits;
    bool relayed;               /**< started through a program that reports signals as 128 + n */
    bool quick;                 /**< child_run_beside()'s do not begin while it runs */
    int keep_fd;                /**< a descriptor that it inherits; -1 or 0: none */
    int share_fd[2];            /**< more of them, which are given away: closed here once it has started */
    int lifeline;               /**< of a companion: closed here when its primary has ended; 0: none */
    struct child *companion;    /**< NULL, or a child that is started before this one and lives on until
                                     it ends by itself or by its own limits; done() is called for this one
                                     when both have ended. If the companion breaks a limit, this one has
                                     broken it, too */
    void (*confine)(void *ctx); /**< runs in the child before exec; async-signal-safe; or NULL */
    void *confine_ctx;

    /* Set by the pool. */
    enum child_end end;
    int code;
    double seconds;
    double busy;          /**< at the wall clock's limit: processor time of its tree and its companion's */
    struct text out, err; /**< what was printed, up to the limit; released by child_clear() */

    /* The pool's own. */
    struct child *primary; /**< of a companion */
    bool over;             /**< ended and reaped */
    struct cgroup_job group;
    pid_t pid;
    unsigned turns;        /**< in which it was looked at */
    int pidfd, out_fd, err_fd;
    double started;
    double waited, ran;    /**< the most that its tree's clocks showed near its limit */
};

/** Where a pool's children come from and go to. */
struct child_feed {
    struct child *(*next)(void *ctx);            /**< NULL: none for now */
    void (*done)(void *ctx, struct child *c);    /**< every started child comes here once */
    void (*idle)(void *ctx);                     /**< called at every turn (some 40 a second); or NULL */
    void (*main_done)(void *ctx);                /**< of who runs beside a child of child_run()'s: that has ended; or NULL */
    bool patient;                                /**< begins beside that one only once that has printed something */
    void *ctx;
};

/** Runs children, at most `parallel` at a time, until next() gives none and all are done. */
void child_pool(struct child_feed *feed, int parallel);
/** Runs one child to its end. */
void child_run(struct child *c);
/** From now on the feed's children run beside one that child_run() runs, `parallel` with it at most, and begin while that lasts; child_run() returns when
 *  they have ended, too. NULL: none do. */
void child_run_beside(struct child_feed *feed, int parallel);
void child_clear(struct child *c);
/** In a process that `parent` has just forked: from now on it ends with that one. @return false if that has ended already, or
 *  it cannot be had */
bool child_ends_with(pid_t parent);
/** Whether it ended because it broke a limit. */
bool child_broke_limit(const struct child *c);

#endif
