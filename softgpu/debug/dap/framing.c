/**
 * @file framing.c
 * See framing.h.
 */
#include "debug/dap/framing.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define READ_BYTES 65536
/** How long a client may leave what we write unread. */
#define WRITE_MS 10000

bool channel_fill(struct channel *c)
{
    if (c->broken)
        return false;
    if (c->room - c->count < READ_BYTES) {
        c->room = c->count + READ_BYTES;
        c->bytes = realloc(c->bytes, c->room);
        if (!c->bytes)
            abort();
    }
    ssize_t n;
    do
        n = read(c->in, c->bytes + c->count, READ_BYTES);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        c->broken = true;
    else
        c->count += (size_t)n;
    return n > 0;
}

static json_t *give_up(struct channel *c, const char *why)
{
    snprintf(c->error, sizeof c->error, "%s", why);
    c->broken = true;
    return NULL;
}

/** The length that the header tells; -1 where there is none. */
static long long length_in(const char *header, size_t size)
{
    static const char name[] = "Content-Length:";
    for (const char *at = header; at < header + size;) {
        const char *end = memmem(at, (size_t)(header + size - at), "\r\n", 2);
        if (!end)
            break;
        if ((size_t)(end - at) > sizeof name && !strncasecmp(at, name, sizeof name - 1)) {
            char *stop;
            at += sizeof name - 1;
            at += strspn(at, " ");
            long long n = strtoll(at, &stop, 10);
            return stop == end && n >= 0 && at[0] >= '0' && at[0] <= '9' ? n : -1;
        }
        at = end + 2;
    }
    return -1;
}

json_t *channel_take(struct channel *c, const char **error)
{
    *error = NULL;
    if (!c->count || c->error[0])
        return NULL;
    size_t look = c->count < HEADER_MOST ? c->count : HEADER_MOST;
    const char *end = memmem(c->bytes, look, "\r\n\r\n", 4);
    if (!end)
        return look == HEADER_MOST ? give_up(c, "the header of a message is too long") : NULL;
    size_t header = (size_t)(end - c->bytes) + 4;
    long long length = length_in(c->bytes, header);
    if (length < 0)
        return give_up(c, "a message has no Content-Length");
    if ((unsigned long long)length > MESSAGE_MOST)
        return give_up(c, "a message is longer than 1 MiB");
    if (c->count < header + (size_t)length)
        return NULL;
    json_t *m = json_loadb(c->bytes + header, (size_t)length, JSON_ALLOW_NUL, NULL);
    c->count -= header + (size_t)length;
    memmove(c->bytes, c->bytes + header + (size_t)length, c->count);
    if (json_is_object(m))
        return m;
    json_decref(m);
    *error = "a message is no JSON object";
    return NULL;
}

static bool write_all(struct channel *c, const char *bytes, size_t count)
{
    while (count) {
        struct pollfd p = {.fd = c->out, .events = POLLOUT};
        if (poll(&p, 1, WRITE_MS) <= 0 && errno != EINTR)
            return false;
        ssize_t n = write(c->out, bytes, count);
        if (n < 0 && errno != EINTR && errno != EAGAIN)
            return false;
        if (n > 0) {
            bytes += n;
            count -= (size_t)n;
        }
    }
    return true;
}

void channel_send(struct channel *c, json_t *m)
{
    char header[48];
    json_object_set_new(m, "seq", json_integer(++c->sent));
    char *text = json_dumps(m, JSON_COMPACT);
    json_decref(m);
    if (!text)
        abort();
    int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(text));
    if (!write_all(c, header, (size_t)n) || !write_all(c, text, strlen(text)))
        c->broken = true;
    free(text);
}

void channel_free(struct channel *c)
{
    free(c->bytes);
    c->bytes = NULL;
}
