/**
 * @file kit.c
 * Finding the kit's parts; see kit.h.
 */
#include "base/kit.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

char *kit_path(const struct kit *k, const char *format, ...)
{
    struct text path = {0};
    text_printf(&path, "%s/", k->root);
    va_list args;
    va_start(args, format);
    text_vprintf(&path, format, args);
    va_end(args);
    return path.data;
}

static char *find_root(const char *given)
{
    char exe[4096], *root;
    if (given)
        return realpath(given, NULL);
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n < 0)
        return NULL;
    exe[n] = 0;
    for (int up = 0; up < 3; up++) { /* …/build/bin/grade */
        char *slash = strrchr(exe, '/');
        if (slash)
            *slash = 0;
    }
    root = realpath(exe[0] ? exe : "/", NULL);
    return root;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void find_labs(struct kit *k)
{
    char *folder = kit_path(k, "labs");
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (strncmp(e->d_name, "lab", 3) || !isdigit((unsigned char)e->d_name[3]) ||
            !strchr(e->d_name, '_') || k->labs_count == 100)
            continue;
        k->labs = realloc(k->labs, (size_t)(k->labs_count + 1) * sizeof *k->labs);
        if (!k->labs)
            abort();
        k->labs[k->labs_count++] = text_dup(e->d_name);
    }
    if (dir)
        closedir(dir);
    free(folder);
    if (k->labs_count)
        qsort(k->labs, (size_t)k->labs_count, sizeof *k->labs, by_name);
}

/** As the Makefile: in FENCEPOST_CUDA's folder, the kit's own, on PATH, or in the toolkit's usual folder. */
static char *find_nvcc(const struct kit *k)
{
    const char *path = getenv("PATH"), *first = getenv("FENCEPOST_CUDA");
    char *all = text_format("%s/bin:%s/.cuda/bin:%s:/usr/local/cuda/bin", first ? first : "", k->root,
                            path ? path : "");
    char *found = NULL, *save = NULL;
    for (char *dir = strtok_r(all, ":", &save); dir && !found; dir = strtok_r(NULL, ":", &save)) {
        char *candidate = text_format("%s/nvcc", dir);
        if (dir[0] == '/' && access(candidate, X_OK) == 0)
            found = realpath(candidate, NULL);
        free(candidate);
    }
    free(all);
    return found;
}

bool kit_open(struct kit *k, const char *root, struct trouble *t)
{
    *k = (struct kit){.root = find_root(root)};
    if (!k->root)
        return trouble_set(t, "cannot find the kit's folder: %s", strerror(errno));
    k->build = kit_path(k, "build");
    find_labs(k);
    k->nvcc = find_nvcc(k);
    if (!k->labs_count) {
        trouble_set(t, "%s/labs holds no lab", k->root);
        trouble_todo(t, "run ./grade from the kit's own folder");
        return false;
    }
    return true;
}

void kit_close(struct kit *k)
{
    for (int i = 0; i < k->labs_count; i++)
        free(k->labs[i]);
    free(k->labs);
    free(k->root);
    free(k->build);
    free(k->nvcc);
    *k = (struct kit){0};
}

char *kit_short_name(const char *lab)
{
    return text_format("%.*s", (int)strcspn(lab, "_"), lab);
}

char *kit_tools(const struct kit *k)
{
    return text_format("%.*s", (int)(strrchr(k->nvcc, '/') - k->nvcc), k->nvcc);
}

/** The lab that a word may mean: of its number, however that is written ("lab3", "Lab-03"), or with the word in
 *  its name ("streams"); NULL if none. */
static const char *near_lab(const struct kit *k, const char *word)
{
    const char *digit = strpbrk(word, "0123456789");
    for (int i = 0; i < k->labs_count; i++)
        if (digit ? atoi(digit) == atoi(k->labs[i] + 3) : strlen(word) > 2 && strcasestr(k->labs[i], word))
            return k->labs[i];
    return NULL;
}

const char *kit_find_lab(const struct kit *k, const char *word, struct trouble *t)
{
    char number[16] = "";
    size_t len = strlen(word);
    while (len > 1 && word[len - 1] == '/') /* a folder name from the shell's completion */
        len--;
    if (len && len < 4 && strspn(word, "0123456789") >= len)
        snprintf(number, sizeof number, "lab%02d", atoi(word));
    for (int i = 0; i < k->labs_count; i++) {
        const char *lab = k->labs[i];
        size_t until = strcspn(lab, "_");
        if ((strlen(lab) == len && !strncmp(lab, word, len)) ||
            (until == len && !strncmp(lab, word, len)) ||
            (number[0] && strlen(number) == until && !strncmp(lab, number, until)))
            return lab;
    }
    struct text list = {0};
    for (int i = 0; i < k->labs_count; i++)
        text_printf(&list, "%s%.*s", i ? ", " : "", (int)strcspn(k->labs[i], "_"), k->labs[i]);
    const char *near = near_lab(k, word);
    trouble_set(t, "there is no lab \"%.40s\"", word);
    if (near)
        trouble_todo(t, "did you mean %.*s? labs: %s", (int)strcspn(near, "_"), near, text_str(&list));
    trouble_todo(t, "labs: %s", text_str(&list));
    text_free(&list);
    return NULL;
}

/** Scratch folders are named HOST-PID-RANDOM, and locked while their grader lives: one that can be locked is
 *  litter. Its number says nothing, since another PID namespace may share the kit. Other hosts may, too (a
 *  cluster); their locks may not be ours to see. */
static void sweep(const char *runs, const char *host)
{
    DIR *dir = opendir(runs);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t len = strlen(host);
        if (strncmp(e->d_name, host, len) || e->d_name[len] != '-' || strchr(e->d_name + len + 1, '.'))
            continue;
        char *path = text_format("%s/%s", runs, e->d_name);
        int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
            text_remove_tree(path);
        if (fd >= 0)
            close(fd);
        free(path);
    }
    if (dir)
        closedir(dir);
}

/** A new folder with our lock on it, which lasts until the next or the process's end; NULL with errno. */
static char *locked_folder(const char *runs, const char *host)
{
    static int held = -1;
    if (held >= 0)
        close(held);
    for (int tries = 0; tries < 100; tries++) {
        struct stat st;
        char *path = text_format("%s/%s-%d-XXXXXX", runs, host, (int)getpid());
        if (!mkdtemp(path)) {
            free(path);
            return NULL;
        }
        held = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        /* Another grader's sweep may have come between. A file system without locks has no sweeps either. */
        if (held >= 0 && (flock(held, LOCK_SH) == 0 || errno != EINTR) && fstat(held, &st) == 0 && st.st_nlink)
            return path;
        if (held >= 0)
            close(held);
        free(path);
    }
    held = -1;
    errno = EAGAIN;
    return NULL;
}

char *kit_scratch(const struct kit *k, struct trouble *t)
{
    char *runs = text_format("%s/run", k->build);
    char host[65] = "host";
    gethostname(host, sizeof host - 1);
    bool ok = text_make_dirs(runs);
    if (ok)
        sweep(runs, host);
    char *path = ok ? locked_folder(runs, host) : NULL;
    if (!path) {
        trouble_set(t, "cannot write to %s: %s", k->build, strerror(errno));
        trouble_todo(t, "make that folder writable, or copy the kit to a place that is");
    }
    /* Runs may be other users (sandbox level B): they can go in, but not list what is there. */
    if (path && geteuid() == 0)
        chmod(path, 0711);
    free(runs);
    return path;
}
