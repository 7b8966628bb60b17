/**
 * @file framing.h
 * Private to debug/dap: messages with a header that tells their length, as the protocol's base has them.
 */
#ifndef SOFTGPU_DEBUG_DAP_FRAMING_H
#define SOFTGPU_DEBUG_DAP_FRAMING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** Bytes of a header and of a message that are taken. */
#define HEADER_MOST 4096u
#define MESSAGE_MOST (1u << 20)

struct channel {
    int in, out;
    char *bytes;             /**< that have come and are not taken */
    size_t count, room;
    long long sent;          /**< messages: the sequence number */
    bool broken;             /**< nothing more can be read, or written */
    char error[160];         /**< why, where it is the client's fault */
};

/** Reads what there is, once. @return false at the end */
bool channel_fill(struct channel *c);
/** Takes the next whole message. @return NULL if there is none yet, or the channel is broken; where what came is no
 *  JSON object, `*error` tells so and the next call goes on behind it */
json_t *channel_take(struct channel *c, const char **error);
/** Sends `m`, which it takes over, with its sequence number. */
void channel_send(struct channel *c, json_t *m);
void channel_free(struct channel *c);

#endif
