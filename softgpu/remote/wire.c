/**
 * @file wire.c
 * Whole messages over a stream socket, with descriptors; see wire.h.
 */
#include "remote/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MAX_PASSED 8

bool wire_send(int fd, struct iovec *parts, int count, int pass)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    while (count > 0) {
        if (!parts->iov_len) {
            parts++, count--;
            continue;
        }
        struct msghdr m = {.msg_iov = parts, .msg_iovlen = (size_t)count};
        if (pass >= 0) {
            memset(&control, 0, sizeof control);
            m.msg_control = control.bytes;
            m.msg_controllen = sizeof control.bytes;
            struct cmsghdr *c = CMSG_FIRSTHDR(&m);
            *c = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET,
                                  .cmsg_type = SCM_RIGHTS};
            memcpy(CMSG_DATA(c), &pass, sizeof pass);
        }
        ssize_t n = sendmsg(fd, &m, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        pass = -1;
        for (size_t left = (size_t)n; left;) {
            size_t step = left < parts->iov_len ? left : parts->iov_len;
            parts->iov_base = (char *)parts->iov_base + step;
            parts->iov_len -= step;
            left -= step;
            if (!parts->iov_len)
                parts++, count--;
        }
    }
    return true;
}

/** Takes the first descriptor that came along if one is wanted, and closes all others. */
static void take_descriptors(struct msghdr *m, int *passed)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t count = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; i++) {
            int fd;
            memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
            if (passed && *passed < 0)
                *passed = fd;
            else
                close(fd);
        }
    }
}

bool wire_receive(int fd, void *to, size_t bytes, int *passed)
{
    char *at = to;
    if (passed)
        *passed = -1;
    while (bytes) {
        union {
            char bytes[CMSG_SPACE(MAX_PASSED * sizeof(int))];
            struct cmsghdr align;
        } control;
        struct iovec part = {at, bytes};
        struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes,
                           .msg_controllen = sizeof control.bytes};
        ssize_t n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
        if (n < 0 && errno == EINTR)
            continue;
        if (n > 0)
            take_descriptors(&m, passed);
        if (n <= 0)
            return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}
