/**
 * @file command.h
 * The command line and environment of one run of a harness.
 */
#ifndef GRADER_RUN_COMMAND_H
#define GRADER_RUN_COMMAND_H

#include "run/cases.h"
#include "sandbox/sandbox.h"

struct command {
    char **argv, **env;
    struct run_files files;
    struct child_limits limits;
    char *times;              /**< where a timed run leaves its times */
    struct sandbox_view view; /**< points into this command and the build */
    /** In a host-code lab on softgpu, the process that plays the device; else argv is NULL. The two
     *  share a socket, and findings and counters are written by this one only. */
    struct {
        char **argv, **env, *folder;
        struct child_limits limits;
        struct sandbox_view view;
        int sockets[2];  /**< the program's end, the device's end; given away to the children */
        int lifeline[2]; /**< a pipe: the device's end, ours; closed when the program has ended */
    } device;
};

struct command_choice {
    const struct spec_case *spec_case;
    bool reference;      /**< the reference's kernel, without checks */
    uint64_t input_seed, device_seed;
    int number;          /**< of the run, for its folder's name */
    const char *together; /**< with others by one process (batch.h): the folder of all; NULL: by itself */
    const char *devices;  /**< and its device by another one, for all: their folder; NULL: there is none */
    /** To be timed instead: the reference by itself, or the student's kernel and the reference in
     *  turn; NULL: one run. */
    const struct spec_performance *speed;
};

/** Makes the run's folders and its commands. command_free() is due; it leaves the folders. */
void command_make(struct command *c, const struct case_runner *r,
                  const struct command_choice *choice);
void command_free(struct command *c);
/** Makes a program's connection to its device, and what tells the device that the program has ended; see struct command. @return false with errno */
bool command_connect(int sockets[2], int lifeline[2]);

#endif
