/**
 * @file talk.c
 * See talk.h.
 */
#include "debug/talk.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool talk_pair(int ends[2])
{
    int room = 2 * TALK_MOST;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    for (int i = 0; i < 2; i++) /* what the system does not grant, it cuts */
        setsockopt(ends[i], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    return true;
}

bool talk_send(int fd, json_t *m, int pass)
{
    char *text = json_dumps(m, JSON_COMPACT);
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    json_decref(m);
    if (!text)
        return false;
    struct iovec part = {text, strlen(text)};
    struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1};
    if (pass >= 0) {
        packet.msg_control = control.bytes;
        packet.msg_controllen = sizeof control.bytes;
        struct cmsghdr *c = CMSG_FIRSTHDR(&packet);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof pass);
        memcpy(CMSG_DATA(c), &pass, sizeof pass);
    }
    ssize_t n = -1;
    if (part.iov_len <= TALK_MOST)
        do
            n = sendmsg(fd, &packet, MSG_NOSIGNAL);
        while (n < 0 && errno == EINTR);
    free(text);
    return n >= 0;
}

void talk_pause(int fd)
{
    static const char text[] = "{\"do\":\"pause\"}";
    int before = errno;
    while (send(fd, text, sizeof text - 1, MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
    errno = before;
}

/** The descriptor in the packet, or -1. */
static int descriptor_in(struct msghdr *packet)
{
    int fd = -1;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(packet); c; c = CMSG_NXTHDR(packet, c))
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS)
            memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}

json_t *talk_receive(int fd, int *pass)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    ssize_t n;
    if (pass)
        *pass = -1;
    do
        n = recv(fd, NULL, 0, MSG_PEEK | MSG_TRUNC);
    while (n < 0 && errno == EINTR);
    if (n <= 0 || n > TALK_MOST)
        return NULL;
    char *text = malloc((size_t)n);
    struct iovec part = {text, (size_t)n};
    struct msghdr packet = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                            .msg_controllen = sizeof control.bytes};
    if (!text)
        abort();
    do
        n = recvmsg(fd, &packet, MSG_CMSG_CLOEXEC);
    while (n < 0 && errno == EINTR);
    json_t *m = n > 0 ? json_loadb(text, (size_t)n, 0, NULL) : NULL;
    free(text);
    int came = n > 0 ? descriptor_in(&packet) : -1;
    if (pass)
        *pass = came;
    else if (came >= 0)
        close(came);
    if (json_is_object(m))
        return m;
    json_decref(m);
    return NULL;
}

bool talk_waiting(int fd, int ms)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, ms) > 0;
}

const char *talk_text(const json_t *m, const char *key, const char *otherwise)
{
    const char *text = json_string_value(json_object_get(m, key));
    return text ? text : otherwise;
}

long long talk_number(const json_t *m, const char *key, long long otherwise)
{
    const json_t *n = json_object_get(m, key);
    return json_is_integer(n) ? json_integer_value(n) : otherwise;
}

bool talk_true(const json_t *m, const char *key)
{
    return json_is_true(json_object_get(m, key));
}
