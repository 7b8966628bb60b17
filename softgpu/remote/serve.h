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

#endif
