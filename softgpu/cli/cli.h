/**
 * @file cli.h
 * The stages of the softgpu command: arguments, checks on the program, run, summary.
 */
#ifndef SOFTGPU_CLI_CLI_H
#define SOFTGPU_CLI_CLI_H

#include <stdbool.h>
#include <stddef.h>

#define EXIT_FINDINGS 86   /**< the program ended with 0 and an error finding stands */
#define EXIT_USAGE 2

/** What the command line asked for. */
struct request {
    char **program;          /**< PROGRAM and its arguments, NULL-terminated */
    const char *findings;    /**< the findings file */
    char temporary[512];     /**< its name if it is our own, to be removed; else "" */
    int copy;                /**< what the user named, if that cannot be read again (a pipe): it gets a copy; -1 */
    const char *dump;        /**< stage to dump, or NULL */
    bool quiet;
    bool all;                /**< each finding in full, also what the same change mends */
    bool checked;            /**< false: `--check none` */
    bool remote;             /**< the device in a process of its own */
    enum { DEBUG_NOT, DEBUG_TERMINAL, DEBUG_PROTOCOL } debug;
    const char *debug_script;/**< commands for the terminal, or NULL */
    const char *debug_socket;/**< where an editor connects; NULL: standard input and output */
    int serve, lifeline;     /**< descriptors: a client's control socket, a pipe; -1: none */
    const char *runs;        /**< a list of clients that come one after the other (remote/runs.h), or NULL */
};

/** Reads the arguments, sets SOFTGPU_* variables for the child. @return -1 to go on, else a status */
int arguments_read(int argc, char **argv, struct request *r);
/** A program's name that PATH has nowhere becomes ./NAME where there is such a program. */
void program_find(struct request *r);
/** One line on what keeps the program from running on softgpu; false if nothing does. */
bool program_refuses(const char *path, char *why, size_t size);
/**
 * Makes the findings file, the user's or one of our own, and makes it empty: a program that has no
 * findings must not be judged by those of an earlier run. @return false after one line on stderr
 */
bool findings_open(struct request *r);
/** Gives the user's file its copy, if it is to have one, and removes our own. */
void findings_close(struct request *r);
/** Runs the program with softgpu's runtime library in front. @return its exit status, 128 + signal */
int program_run(const struct request *r);
/** The same with the device in another process: the program has no more than the client library. */
int program_run_remote(const struct request *r);
/** Runs the program under the debugger. @return exit status */
int program_debug(const struct request *r);
/** Puts the folder of softgpu's libcudart, ../lib from the command, first on the library path. */
void program_library_path(const char *below);
/** Plays the device for the client at the other end of a control socket, or for those of a list, until that or the lifeline
 *  (-1: none) is closed; the program is their executable or NULL. Does not return. */
_Noreturn void program_serve(const struct request *r);
/** Prints PTX dumps of a .ptx file. @return exit status */
int ptx_dump(const char *path, const char *stage);
/** Prints the findings for a reader: those that the advice of another mends are only named there, but with `all`. @return the number of error findings, -1 if unreadable; where the run
 *  was not checked, without those that a GPU tells the program by an error of the runtime */
int summary_print(const char *path, bool checked, bool all);

#endif
