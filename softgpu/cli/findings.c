/**
 * @file findings.c
 * The findings file that the program will write and the summary will read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static bool cannot_write(const char *path)
{
    fprintf(stderr, "softgpu: cannot write findings to %s: %s\n", path, strerror(errno));
    return false;
}

/** One of our own where the user named none. */
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
    r->findings = getenv("SOFTGPU_JSON");
    if (!r->findings || !*r->findings)
        return open_temporary(r);
    int fd = open(r->findings, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return cannot_write(r->findings);
    close(fd);
    return true;
}
