/**
 * @file talk.h
 * Messages between a program under debug and its debugger: JSON objects over a sequenced-packet socket, one
 * packet each, some with a descriptor. debug/README.md lists them.
 */
#ifndef SOFTGPU_DEBUG_TALK_H
#define SOFTGPU_DEBUG_TALK_H

#include <jansson.h>
#include <stdbool.h>

/** The descriptor of the program's end, in its environment. */
#define TALK_VARIABLE "SOFTGPU_DEBUG"
/** Bytes of the longest message. */
#define TALK_MOST (1u << 20)

/** A pair of connected ends, closed on exec. @return false with errno set */
bool talk_pair(int ends[2]);
/** Sends `m`, which it takes over, and a copy of descriptor `pass`; -1: none. @return false: nobody is there, or the
 *  message is too long */
bool talk_send(int fd, json_t *m, int pass);
/** Waits for one. `*pass` receives the descriptor that came with it, -1 if none did; where `pass` is NULL it is
 *  closed. @return NULL at the end, and for what is no JSON object; the caller's to release */
json_t *talk_receive(int fd, int *pass);
/** Sends {"do": "pause"}. May be called in a signal handler. */
void talk_pause(int fd);
/** Is there one, or the end? Waits at most so long. */
bool talk_waiting(int fd, int ms);

/* Members, with a value for what is missing or of another type. */
const char *talk_text(const json_t *m, const char *key, const char *otherwise);
long long talk_number(const json_t *m, const char *key, long long otherwise);
bool talk_true(const json_t *m, const char *key);

#endif
