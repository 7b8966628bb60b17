/**
 * @file sandbox.h
 * Confining children. Levels, best first:
 *   A  bubblewrap: own user, pid, net, ipc, uts and mount namespaces; seccomp; limits
 *   B  as root: a user id of the job's own; Landlock; seccomp; limits
 *   C  Landlock; seccomp; limits, as the same user
 *   D  limits only: labelled UNSANDBOXED
 * A level is found by trying it, once a process, and recorded in every result: whatever has to do with a submission runs at it. A lower level than
 * one that was asked for is a trouble, never a zero.
 */
#ifndef GRADER_SANDBOX_SANDBOX_H
#define GRADER_SANDBOX_SANDBOX_H

#include "sandbox/child.h"

enum sandbox_level { SANDBOX_A, SANDBOX_B, SANDBOX_C, SANDBOX_D };

#define SANDBOX_MAX_PATHS 16

/** What a child may see: absolute paths of files or folders; nothing else of the disk but the
 *  system's programs and libraries. NULL-terminated. */
struct sandbox_view {
    const char *read[SANDBOX_MAX_PATHS];
    const char *write[SANDBOX_MAX_PATHS];
    bool gpu;       /**< NVIDIA's devices too */
    bool untrusted; /**< a student's host code: no memory that the limits do not see */
    bool own;       /**< nothing but the kit's own code runs: at level A confined as at B or C where the kernel has Landlock, for that starts sooner */
};

/** One confined child; release with sandbox_leave() when it has ended. */
struct sandboxed {
    char **argv;
    struct confinement *confinement;
};

/** Packages that make setup unpacked without root into this folder, if it is there: every child sees them beside the
 *  system's, and bubblewrap may be among them. Called before sandbox_open(). */
void sandbox_take_deps(const char *folder);
/** That folder, NULL if there is none. Async-signal-safe. */
const char *sandbox_deps(void);
/**
 * Finds the level. Called once, before any child.
 * @param runs      a folder in which the runs' folders will be
 * @param only      'A' … 'D' to use just this one; 0: the best that works
 * @param required  'A' … 'D': the least that is accepted; 0: any
 */
bool sandbox_open(const char *runs, char only, char required, struct trouble *t);
/** "A: namespaces, seccomp, limits", …: as a record names it. */
const char *sandbox_name(void);

/** Puts a child, whose argv and env are set, into the sandbox. */
void sandbox_enter(struct sandboxed *s, const struct sandbox_view *view, struct child *c);
void sandbox_leave(struct sandboxed *s);

/* Parts, one file each. */

struct sock_fprog;
/** What a filter forbids beside what all do; bits. */
enum seccomp_kind {
    SECCOMP_SHARED = 1,          /**< the user's other processes and sockets are in view */
    SECCOMP_NO_MEMORY_FILES = 2, /**< memory that no limit sees */
    SECCOMP_KINDS = 4
};
#define SECCOMP_MAX_CODE 1024
#define SECCOMP_OWN_PID 0x7ead0b1du /* in a filter: the process's own id, once that is known */
/** seccomp.c: the filter as BPF, made once; NULL if libseccomp cannot. */
const struct sock_fprog *seccomp_filter(unsigned kind);
/** seccomp.c: confines the calling process to it. Async-signal-safe; false with errno. */
bool seccomp_apply(const struct sock_fprog *p);
/** seccomp.c: the same in a new memory file at its start, for bubblewrap; -1 if it cannot. */
int seccomp_file(unsigned kind);

/** landlock.c: the ABI that the kernel has, 0 if none. */
int landlock_abi(void);
/** landlock.c: restricts the calling process to a view. Async-signal-safe; false with errno. */
bool landlock_restrict(const struct sandbox_view *view);

#endif
