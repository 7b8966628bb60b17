/**
 * @file submissions.c
 * The folder of submissions as hostile input; see class.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "class/class.h"

#define MAX_SUBMISSIONS 100000
#define MAX_SOURCE (1u << 20)
#define MAX_NAME 100

/** A name that is safe in a shell, a file name, a CSV and a page. */
static const char *bad_name(const char *name)
{
    if (!*name || strlen(name) > MAX_NAME)
        return "its name is empty or too long";
    if (*name == '-' || *name == '.')
        return "its name starts with - or .";
    for (const unsigned char *p = (const unsigned char *)name; *p; p++)
        if (*p < 0x20 || *p == 0x7f || strchr("/\\\"'`$<>&|;*?!(){}[]~#%", *p))
            return "its name has characters that are not allowed";
    return NULL;
}

static int by_name(const void *a, const void *b)
{
    const struct submission *x = a, *y = b;
    int order = strcasecmp(x->name, y->name);
    return order ? order : strcmp(x->path, y->path);
}

static void add(struct class *c, int *cap, const char *entry, bool folder, int dir)
{
    size_t len = strlen(entry);
    if (c->count == *cap) {
        *cap = *cap ? 2 * *cap : 64;
        c->list = realloc(c->list, (size_t)*cap * sizeof *c->list);
        if (!c->list)
            abort();
    }
    struct submission *s = &c->list[c->count++];
    *s = (struct submission){.name = text_format("%.*s", (int)(folder ? len : len - 3), entry)};
    s->why = bad_name(s->name);
    text_clean(s->name); /* the path keeps its bytes */
    for (char *p = s->name; *p; p++)
        *p = *p == '\n' || *p == '\t' ? '?' : *p;
    s->path = folder ? text_format("%s/kernel.cu", entry) : text_dup(entry);
    struct stat st;
    s->handed_in = fstatat(dir, s->path, &st, AT_SYMLINK_NOFOLLOW) ? 0 : st.st_mtime;
    s->state = s->why ? SUBMISSION_REJECTED : SUBMISSION_READ;
}

/** Who hands in twice is not guessed at: both are rejected. */
static void reject_doubles(struct class *c)
{
    for (int i = 1; i < c->count; i++)
        if (!strcasecmp(c->list[i - 1].name, c->list[i].name))
            for (int k = i - 1; k <= i; k++) {
                c->list[k].state = SUBMISSION_REJECTED;
                c->list[k].why = "another submission has the same name";
            }
}

bool submissions_list(struct class *c, struct trouble *t)
{
    int cap = 0;
    DIR *dir = opendir(c->folder);
    if (!dir)
        return trouble_set(t, "--submissions %s: %s", c->folder, strerror(errno));
    for (struct dirent *e; (e = readdir(dir)) && c->count < MAX_SUBMISSIONS;) {
        struct stat st;
        size_t len = strlen(e->d_name);
        if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
            fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
            continue;
        bool source = len > 3 && !strcmp(e->d_name + len - 3, ".cu");
        if (source || S_ISDIR(st.st_mode))
            add(c, &cap, e->d_name, !source, dirfd(dir));
    }
    closedir(dir);
    if (!c->count)
        return trouble_set(t, "--submissions %s: holds neither NAME.cu nor NAME/kernel.cu",
                           c->folder);
    qsort(c->list, (size_t)c->count, sizeof *c->list, by_name);
    reject_doubles(c);
    return true;
}

char *submission_file(const struct class *c, const char *file, const char **why)
{
    int folder = open(c->folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct open_how how = {.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC,
                           .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
                                      RESOLVE_NO_MAGICLINKS};
    struct stat st;
    int fd = (int)syscall(SYS_openat2, folder, file, &how, sizeof how);
    int error = errno;
    close(folder);
    *why = NULL;
    if (fd < 0)
        *why = error == ENOENT ? "kernel.cu is missing"
               : error == ELOOP || error == EXDEV ? "it is, or leads through, a symbolic link"
                                                  : "it cannot be opened";
    else if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        *why = "it is not a regular file";
    else if (st.st_size > (off_t)MAX_SOURCE)
        *why = "it is larger than 1 MiB";
    char *text = NULL;
    if (!*why) {
        text = text_zalloc((size_t)st.st_size + 1, 1);
        if (read(fd, text, (size_t)st.st_size) != st.st_size)
            *why = "it cannot be read";
    }
    if (fd >= 0)
        close(fd);
    if (!*why)
        return text;
    free(text);
    return NULL;
}

char *submission_read(const struct class *c, const struct submission *s, const char **why)
{
    return submission_file(c, s->path, why);
}

void submissions_free(struct class *c)
{
    for (int i = 0; i < c->count; i++) {
        free(c->list[i].name);
        free(c->list[i].path);
        record_free(c->list[i].record);
        json_decref(c->list[i].hints);
    }
    free(c->list);
    free(c->folder);
    free(c->report);
    course_free(c->course);
}
