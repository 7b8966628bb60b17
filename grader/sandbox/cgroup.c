/**
 * @file cgroup.c
 * Groups as folders; see cgroup.h. What the kernel says of the files is in its documentation, cgroup-v2.rst.
 */
#include "sandbox/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

#define PREFIX "fencepost-"
#define MAX_BYTES 4096
#define MAX_TRIES 100 /* to remove a group whose last processes are on their way out */

static char *group;          /**< the grader's; NULL: none */
static const char *counted;  /**< the controllers of its jobs */
static pid_t owner;          /**< who made it */

/** A file of a group: the kernel has made it; a folder that only looks like one gets it here. */
static bool put(const char *folder, const char *name, const char *value)
{
    char *path = text_format("%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    ssize_t n = fd >= 0 ? write(fd, value, strlen(value)) : -1;
    int why = errno;
    if (fd >= 0)
        close(fd);
    free(path);
    errno = why;
    return n == (ssize_t)strlen(value);
}

static char *get(const char *folder, const char *name)
{
    char *path = text_format("%s/%s", folder, name), text[MAX_BYTES];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    free(path);
    text[n > 0 ? n : 0] = 0;
    return text_dup(text);
}

/** Does the file list each of these words? */
static bool lists(const char *folder, const char *name, const char *words)
{
    char *there = get(folder, name);
    bool all = true;
    for (const char *w = words; *w; w += strcspn(w, " "), w += strspn(w, " ")) {
        char *word = text_format("%.*s", (int)strcspn(w, " "), w);
        all &= strstr(there, word) != NULL;
        free(word);
    }
    free(there);
    return all;
}

/** Lets the groups below this one count. */
static bool enable(const char *folder, const char *controllers)
{
    if (lists(folder, "cgroup.subtree_control", controllers))
        return true;
    return put(folder, "cgroup.subtree_control", "+memory +pids") &&
           lists(folder, "cgroup.subtree_control", controllers);
}

static void remove_group(const char *folder)
{
    for (int i = 0; rmdir(folder) && errno == EBUSY && i < MAX_TRIES; i++)
        usleep(1000);
}

/** Removes a grader's group and its jobs'. */
static void remove_all(const char *folder)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char *path = text_format("%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.' && e->d_type == DT_DIR)
            rmdir(path);
        free(path);
    }
    if (dir)
        closedir(dir);
    rmdir(folder);
}

/** Groups whose grader is gone: nobody holds their lock. A process's number would not do, since graders may count theirs in
 *  different namespaces. */
static void sweep(const char *base)
{
    DIR *dir = opendir(base);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (strncmp(e->d_name, PREFIX, strlen(PREFIX)))
            continue;
        char *path = text_format("%s/%s", base, e->d_name);
        int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
            remove_all(path);
        if (fd >= 0)
            close(fd);
        free(path);
    }
    if (dir)
        closedir(dir);
}

static void close_group(void)
{
    if (group && owner == getpid())
        remove_all(group);
}

/** Where nobody else is in our own group, we go into one of our own below it: then it may have groups that count. */
static bool step_down(const char *base, const char *controllers)
{
    char *self = text_format("%s/self", group), *pid = text_format("%ld", (long)getpid());
    bool ok = mkdir(self, 0700) == 0 && put(self, "cgroup.procs", pid);
    if (ok && !enable(base, controllers)) {
        put(base, "cgroup.procs", pid);
        ok = false;
    }
    free(self);
    free(pid);
    return ok;
}

/** Is a job's group one that works? Tried with a child that enters it. */
static bool works(void)
{
    struct cgroup_job g = {0};
    if (!cgroup_make(&g, 64, 16))
        return false;
    int status = -1;
    pid_t pid = fork();
    if (pid == 0)
        _exit(cgroup_enter(&g) ? 0 : 1);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    cgroup_end(&g);
    return status == 0;
}

/** @param own  it is the group that we are in: what is below it is ours to arrange */
static bool open_below(const char *base, bool own, const char *controllers)
{
    sweep(base);
    if (!own && !lists(base, "cgroup.subtree_control", controllers))
        return false;
    free(group); /* a parent's, which removes it */
    group = text_format("%s/" PREFIX "XXXXXX", base);
    int lock = mkdtemp(group) ? open(group, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool ok = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 &&
              (enable(base, controllers) || (own && step_down(base, controllers))) && enable(group, controllers) && works();
    if (ok)
        return true; /* the lock is held until we end */
    if (lock >= 0) {
        remove_all(group);
        close(lock);
    }
    free(group);
    group = NULL;
    return false;
}

/** Where cgroup v2 is mounted; NULL: it is not. */
static char *find_root(void)
{
    FILE *f = fopen("/proc/self/mountinfo", "r");
    char line[MAX_BYTES], at[MAX_BYTES], *root = NULL;
    while (f && !root && fgets(line, sizeof line, f))
        if (strstr(line, " - cgroup2 ") && sscanf(line, "%*s %*s %*s / %4095s", at) == 1)
            root = text_dup(at);
    if (f)
        fclose(f);
    return root;
}

/** Our group; NULL: not known. */
static char *find_own(void)
{
    char *list = get("/proc/self", "cgroup"), *at = strstr(list, "0::/"), *own = NULL;
    if (at && (at == list || at[-1] == '\n'))
        own = text_format("%.*s", (int)strcspn(at + 3, "\n"), at + 3);
    free(list);
    return own;
}

bool cgroup_open(const char *root, const char *own, const char *controllers)
{
    char *top = root ? text_dup(root) : find_root(), *mine = own ? text_dup(own) : find_own();
    char *base = top && mine ? text_format("%s%s", top, strcmp(mine, "/") ? mine : "") : NULL;
    counted = controllers;
    owner = getpid();
    bool ok = base && lists(base, "cgroup.controllers", controllers) && open_below(base, true, controllers);
    if (!ok && base && strlen(base) > strlen(top)) {
        *strrchr(base, '/') = 0;
        ok = open_below(base, false, controllers);
    }
    if (ok)
        atexit(close_group);
    free(base);
    free(top);
    free(mine);
    return ok;
}

const char *cgroup_folder(void)
{
    return group;
}

bool cgroup_make(struct cgroup_job *g, unsigned memory_mib, unsigned threads)
{
    *g = (struct cgroup_job){0};
    if (!group)
        return true;
    char *memory = text_format("%llu", (unsigned long long)memory_mib << 20), *most = text_format("%u", threads);
    char *folder = text_format("%s/job-XXXXXX", group), *procs = NULL;
    bool ok = mkdtemp(folder) != NULL;
    if (ok && *counted) {
        ok = put(folder, "memory.max", memory) && put(folder, "pids.max", most);
        put(folder, "memory.swap.max", "0");   /* where there is swapping */
        put(folder, "memory.oom.group", "1");  /* all of it ends, not the largest */
    }
    procs = text_format("%s/cgroup.procs", folder);
    g->procs = ok ? open(procs, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
    int why = errno;
    if (g->procs >= 0)
        g->folder = folder;
    else {
        rmdir(folder);
        free(folder);
    }
    free(procs);
    free(memory);
    free(most);
    errno = why;
    return g->procs >= 0;
}

bool cgroup_enter(const struct cgroup_job *g)
{
    return !g->folder || write(g->procs, "0", 1) == 1;
}

bool cgroup_end(struct cgroup_job *g)
{
    if (!g->folder)
        return false;
    char *events = get(g->folder, "memory.events"), *killed = strstr(events, "oom_kill ");
    bool broke = killed && atol(killed + strlen("oom_kill ")) > 0;
    put(g->folder, "cgroup.kill", "1");
    close(g->procs);
    remove_group(g->folder);
    free(events);
    free(g->folder);
    *g = (struct cgroup_job){0};
    return broke;
}
