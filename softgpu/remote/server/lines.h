/**
 * @file lines.h
 * Places in the client's program: offsets from its load address, as the client sends them, stand for
 * return addresses of this process in a range where nothing can lie.
 */
#ifndef SOFTGPU_REMOTE_LINES_H
#define SOFTGPU_REMOTE_LINES_H

#define LINES_BASE 0x00fb000000000000ull
#define LINES_BYTES 0x100000000ull

/** Reads the line table of the client's program, in a process of its own. Before any thread starts.
 *  Without one, calls have no lines. */
void lines_load(const char *path);

#endif
