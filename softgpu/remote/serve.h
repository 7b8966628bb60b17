/**
 * @file serve.h
 * The server, for whoever starts it.
 */
#ifndef SOFTGPU_REMOTE_SERVE_H
#define SOFTGPU_REMOTE_SERVE_H

/**
 * Serves the client at the other end of `control` until it is gone. The runtime's options are those
 * of the environment. Call it once; findings and counters are written when the process exits.
 * @param lifeline a pipe's reading end: the client counts as gone when the other end is closed; -1: none
 * @param program  the client's executable, for the lines of its calls; NULL: no lines
 */
void serve(int control, int lifeline, const char *program);
/**
 * Serves several clients, one after the other, each in a process of its own with the environment that a list says (runs.h). A client says by its place in
 * the list which it is: as which it has come no other can come. Comes back in such a process when its client is gone, and in the caller's when `control`
 * or the lifeline is closed.
 */
void serve_runs(int control, int lifeline, const char *program, const char *list);

#endif
