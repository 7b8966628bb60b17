/**
 * @file agent.h
 * The debugger's part inside the program. It watches as an observer, stops the machine inside a hook, answers
 * the debugger's questions there, and makes copies of the process to go back to.
 *
 * A place in the program's run is a number: how many warp instructions have been issued before it, over all
 * launches and all their runs that count. Runs are deterministic, so that a number is a state.
 */
#ifndef SOFTGPU_DEBUG_AGENT_AGENT_H
#define SOFTGPU_DEBUG_AGENT_AGENT_H

#include <sys/types.h>

struct machine;
struct rerun;

/** Watches the machine, if the program runs under the debugger: after its checkers have been opened. `copy`: fork()
 *  for a process that goes on with the device. Waits for the debugger's first order. */
void debug_attach(struct machine *m, struct rerun *r, pid_t (*copy)(void));
/** The program is at its end: the last stop. */
void debug_end(void);
/** The machine is about to be destroyed: from here on only findings stop, those that are made now (leaks). */
void debug_closing(void);
/** The machine is gone: nothing stops. */
void debug_detach(void);

#endif
