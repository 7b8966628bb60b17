/**
 * @file findings.c
 * The findings file that the program will write and the summary will read.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

static bool cannot_write(const char *path)
{
    fprintf(stderr, "softgpu: cannot write findings to %s: %s\n", path, strerror(errno));
    return false;
}

/** One of our own where the user named none, or one that cannot be read again. */
static bool open_temporary(struct request *r)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder || strlen(folder) > sizeof r->temporary - 32)
        folder = "/tmp";
    snprintf(r->temporary, sizeof r->temporary, "%s/softgpu-XXXXXX", folder);
    int fd = mkstemp(r->temporary);
    if (fd < 0)
        return cannot_write(folder);
    close(fd);
    setenv("SOFTGPU_JSON", r->temporary, 1);
    r->findings = r->temporary;
    return true;
}

bool findings_open(struct request *r)
{
    struct stat st;
    r->findings = getenv("SOFTGPU_JSON");
    if (!r->findings || !*r->findings)
        return open_temporary(r);
    int fd = open(r->findings, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot_write(r->findings);
    if (!fstat(fd, &st) && !S_ISREG(st.st_mode)) { /* a pipe, /dev/null: it gets them in the end */
        r->copy = fd;
        return open_temporary(r);
    }
    close(fd);
    return true;
}

static void copy(const char *from, int to)
{
    char bytes[65536];
    ssize_t n = 0, written = 0;
    int fd = open(from, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && written >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0)
        for (ssize_t done = 0; done < n && written >= 0; done += written)
            written = write(to, bytes + done, (size_t)(n - done));
    if (fd >= 0)
        close(fd);
}

void findings_close(struct request *r)
{
    if (r->copy >= 0) {
        signal(SIGPIPE, SIG_IGN); /* whoever reads may have had enough */
        copy(r->temporary, r->copy);
        close(r->copy);
    }
    if (r->temporary[0])
        unlink(r->temporary);
}
