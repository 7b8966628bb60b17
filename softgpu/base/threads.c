/**
 * @file threads.c
 * See threads.h. The system says what each thread is at, in proc(5).
 */
#include "base/threads.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Its state stands behind its name, which is in parentheses. */
static bool is_running(const char *thread)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return false;
    text[n] = 0;
    const char *end = strrchr(text, ')');
    return end && end[1] == ' ' && end[2] == 'R';
}

bool threads_other_runs(void)
{
    DIR *d = opendir("/proc/self/task");
    bool any = false;
    if (!d)
        return false;
    for (const struct dirent *e; !any && (e = readdir(d));)
        any = e->d_name[0] != '.' && atoi(e->d_name) != gettid() && is_running(e->d_name);
    closedir(d);
    return any;
}
