/**
 * @file tree.c
 * /proc as a process tree; see tree.h.
 */
#include "sandbox/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_TREE 4096
#define MAX_FILES 20000
#define MAX_DEPTH 64

/** Reads a small /proc file. */
static bool slurp(char *buffer, size_t size, const char *format, long pid, long task)
{
    char path[96];
    snprintf(path, sizeof path, format, pid, task);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, buffer, size - 1);
    close(fd);
    buffer[n > 0 ? n : 0] = 0;
    return n > 0;
}

/** Adds the children of all of a process's threads to `list`. */
static int add_children(pid_t pid, pid_t *list, int count)
{
    char path[64], buffer[16384];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        long task = atol(e->d_name);
        if (task <= 0 ||
            !slurp(buffer, sizeof buffer, "/proc/%ld/task/%ld/children", (long)pid, task))
            continue;
        char *save = NULL;
        for (char *w = strtok_r(buffer, " ", &save); w; w = strtok_r(NULL, " ", &save))
            if (atol(w) > 0 && count < MAX_TREE)
                list[count++] = (pid_t)atol(w);
    }
    if (dir)
        closedir(dir);
    return count;
}

uint64_t tree_memory_kib(pid_t root, unsigned *processes)
{
    pid_t list[MAX_TREE] = {root};
    int count = 1;
    uint64_t pages = 0;
    for (int i = 0; i < count; i++) {
        char buffer[256];
        unsigned long size, resident;
        if (slurp(buffer, sizeof buffer, "/proc/%ld/statm", (long)list[i], 0) &&
            sscanf(buffer, "%lu %lu", &size, &resident) == 2)
            pages += resident;
        count = add_children(list[i], list, count);
    }
    *processes = (unsigned)count;
    return pages * (uint64_t)sysconf(_SC_PAGESIZE) >> 10;
}

static void add_disk(int parent, const char *name, int depth, uint64_t *blocks, int *files)
{
    struct stat st;
    if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW))
        return;
    *blocks += (uint64_t)st.st_blocks;
    if (++*files > MAX_FILES || depth > MAX_DEPTH)
        *blocks = UINT64_MAX / 2;
    if (!S_ISDIR(st.st_mode) || *blocks >= UINT64_MAX / 2)
        return;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *e; dir && *blocks < UINT64_MAX / 2 && (e = readdir(dir));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            add_disk(dirfd(dir), e->d_name, depth + 1, blocks, files);
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
}

uint64_t tree_disk_kib(const char *folder)
{
    uint64_t blocks = 0;
    int files = 0;
    add_disk(AT_FDCWD, folder, 0, &blocks, &files);
    return blocks / 2; /* of 512 bytes */
}

/** The longest that any of a process's threads has waited for a processor, in nanoseconds. */
static unsigned long long process_waited(pid_t pid)
{
    char path[64], buffer[128];
    unsigned long long ran, waited, longest = 0;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *dir = opendir(path);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (atol(e->d_name) > 0 &&
            slurp(buffer, sizeof buffer, "/proc/%ld/task/%ld/schedstat", (long)pid, atol(e->d_name)) &&
            sscanf(buffer, "%llu %llu", &ran, &waited) == 2 && waited > longest)
            longest = waited;
    if (dir)
        closedir(dir);
    return longest;
}

double tree_waited(pid_t root)
{
    pid_t list[MAX_TREE] = {root};
    int count = 1;
    unsigned long long longest = 0;
    for (int i = 0; i < count; i++) {
        unsigned long long waited = process_waited(list[i]);
        longest = waited > longest ? waited : longest;
        count = add_children(list[i], list, count);
    }
    return (double)longest * 1e-9;
}

double tree_ran(pid_t root)
{
    pid_t list[MAX_TREE] = {root};
    int count = 1;
    unsigned long ticks = 0;
    for (int i = 0; i < count; i++) {
        char buffer[1024];
        unsigned long user, system;
        const char *rest = slurp(buffer, sizeof buffer, "/proc/%ld/stat", (long)list[i], 0)
                               ? strrchr(buffer, ')') : NULL; /* a name may hold anything */
        if (rest && sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) == 2)
            ticks += user + system;
        count = add_children(list[i], list, count);
    }
    return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

void tree_kill_strays(const pid_t *keep, int count)
{
    /* A fork bomb makes new ones while we kill: go on until a round finds none. */
    for (int round = 0; round < 10000; round++) {
        pid_t list[MAX_TREE];
        int found = add_children(getpid(), list, 0), strays = 0;
        for (int i = 0; i < found; i++) {
            bool ours = false;
            for (int j = 0; j < count; j++)
                ours |= keep[j] == list[i];
            if (ours)
                continue;
            strays++;
            kill(list[i], SIGKILL);
            while (waitpid(list[i], NULL, 0) < 0 && errno == EINTR)
                ;
        }
        if (!strays)
            return;
    }
}

unsigned tree_count_user(void)
{
    unsigned tasks = 0;
    if (geteuid() == 0)
        return 0;
    DIR *dir = opendir("/proc");
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char path[300], buffer[4096];
        struct stat st;
        long pid = atol(e->d_name);
        snprintf(path, sizeof path, "/proc/%s", e->d_name);
        if (pid <= 0 || stat(path, &st) || st.st_uid != geteuid() ||
            !slurp(buffer, sizeof buffer, "/proc/%ld/status", pid, 0))
            continue;
        const char *threads = strstr(buffer, "Threads:");
        tasks += threads ? (unsigned)atoi(threads + 8) : 1;
    }
    if (dir)
        closedir(dir);
    return tasks;
}
