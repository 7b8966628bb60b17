/**
 * @file text.c
 * Text, files and troubles; see text.h.
 */
#include "base/text.h"

#include <dirent.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void text_add(struct text *t, const char *s, size_t len)
{
    if (t->len + len + 1 > t->cap) {
        size_t cap = (t->cap ? t->cap : 64) * 2;
        while (cap < t->len + len + 1)
            cap *= 2;
        t->data = realloc(t->data, cap);
        if (!t->data)
            abort();
        t->cap = cap;
    }
    memcpy(t->data + t->len, s, len);
    t->len += len;
    t->data[t->len] = 0;
}

void text_puts(struct text *t, const char *s)
{
    text_add(t, s, strlen(s));
}

void text_vprintf(struct text *t, const char *format, va_list args)
{
    char *s;
    int n = vasprintf(&s, format, args);
    if (n < 0)
        abort();
    text_add(t, s, (size_t)n);
    free(s);
}

void text_printf(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vprintf(t, format, args);
    va_end(args);
}

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}

const char *text_str(const struct text *t)
{
    return t->data ? t->data : "";
}

bool trouble_set(struct trouble *t, const char *format, ...)
{
    if (t->what[0])
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(t->what, sizeof t->what, format, args);
    va_end(args);
    text_clean(t->what);
    return false;
}

void trouble_todo(struct trouble *t, const char *format, ...)
{
    if (t->todo[0])
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(t->todo, sizeof t->todo, format, args);
    va_end(args);
    text_clean(t->todo);
}

char *text_dup(const char *s)
{
    char *copy = strdup(s);
    if (!copy)
        abort();
    return copy;
}

char *text_format(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *s;
    if (vasprintf(&s, format, args) < 0)
        abort();
    va_end(args);
    return s;
}

void *text_zalloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p)
        abort();
    return p;
}

/** Opens a regular file of at most `max` bytes. @return -1: it is none, and why */
static int open_regular(const char *path, size_t max, size_t *size, const char **why)
{
    /* O_NONBLOCK: opening a FIFO must not hang (attacks.md, case 55). */
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    *why = NULL;
    if (fd < 0)
        *why = errno == ELOOP ? "is a symbolic link" : strerror(errno);
    else if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        *why = "is not a regular file";
    else if ((uint64_t)st.st_size > max)
        *why = "is too large";
    else
        *size = (size_t)st.st_size;
    if (*why && fd >= 0)
        close(fd);
    return *why ? -1 : fd;
}

char *text_read_file(const char *path, size_t max, size_t *len, const char **why)
{
    size_t size, got = 0;
    int fd = open_regular(path, max, &size, why);
    if (fd < 0)
        return NULL;
    char *data = text_zalloc(size + 1, 1);
    while (got < size) {
        ssize_t n = read(fd, data + got, size - got);
        if (n <= 0)
            break;
        got += (size_t)n;
    }
    close(fd);
    data[got] = 0;
    *len = got;
    return data;
}

bool text_write_file(const char *path, const void *data, size_t len)
{
    char *temp = text_format("%s.%d.tmp", path, (int)getpid());
    int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
    bool ok = fd >= 0;
    for (size_t done = 0; ok && done < len;) {
        ssize_t n = write(fd, (const char *)data + done, len - done);
        ok = n > 0;
        done += ok ? (size_t)n : 0;
    }
    if (fd >= 0)
        ok &= close(fd) == 0;
    ok = ok && rename(temp, path) == 0;
    if (!ok && fd >= 0) {
        int saved = errno;
        unlink(temp);
        errno = saved;
    }
    free(temp);
    return ok;
}

bool text_put_file(const char *path, const void *data, size_t len, struct trouble *t)
{
    return text_write_file(path, data, len) || trouble_set(t, "cannot write %s: %s", path, strerror(errno));
}

bool text_make_dirs(const char *path)
{
    char *copy = text_dup(path);
    bool ok = true;
    for (char *p = copy + 1; ok && *p; p++) {
        if (*p != '/')
            continue;
        *p = 0;
        ok = mkdir(copy, 0755) == 0 || errno == EEXIST;
        *p = '/';
    }
    ok = ok && (mkdir(copy, 0755) == 0 || errno == EEXIST);
    free(copy);
    return ok;
}

static void remove_at(int parent, const char *name, int depth)
{
    if (unlinkat(parent, name, 0) == 0 || depth > 64)
        return;
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0) {
        fchmod(fd, 0700);
        DIR *dir = fdopendir(fd);
        for (struct dirent *e; dir && (e = readdir(dir));)
            if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
                remove_at(fd, e->d_name, depth + 1);
        if (dir)
            closedir(dir);
        else
            close(fd);
    }
    unlinkat(parent, name, AT_REMOVEDIR);
}

void text_remove_tree(const char *path)
{
    remove_at(AT_FDCWD, path, 0);
}

/** How many bytes the UTF-8 character at `p` has; 0 where none begins there. */
static int utf8_length(const unsigned char *p)
{
    int n = *p < 0x80 ? 1 : *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 : *p >= 0xf0 && *p < 0xf5 ? 4 : 0;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] >= 0xa0, beyond = p[0] == 0xf4 && p[1] >= 0x90;
    return overlong || surrogate || beyond ? 0 : n;
}

void text_clean(char *s)
{
    int n;
    for (unsigned char *p = (unsigned char *)s; *p; p += n) {
        n = utf8_length(p);
        bool c1 = n == 2 && p[0] == 0xc2 && p[1] < 0xa0; /* U+0080…9F: also controls */
        /* U+202A…202E and U+2066…2069 reorder what is shown. */
        bool bidi = n == 3 && p[0] == 0xe2 && ((p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae) ||
                                               (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9));
        bool control = (*p < 0x20 && *p != '\n' && *p != '\t') || *p == 0x7f;
        if (control || c1 || bidi || !n)
            memset(p, '?', n ? (size_t)n : 1);
        n = n ? n : 1;
    }
}

void text_shell(struct text *t, const char *word)
{
    if (!*word)
        text_puts(t, "''");
    for (; *word; word++) {
        unsigned char c = (unsigned char)*word;
        bool plain = isalnum(c) || c >= 0x80 || strchr("/._-+,:@%=", c);
        text_printf(t, "%s%c", plain ? "" : "\\", c);
    }
}

uint64_t text_hash(uint64_t h, const void *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    return h;
}

#define HASH_CHAINS 4 /* one beside another: each of them waits for its multiplications */

uint64_t text_hash_file(const char *path, size_t max)
{
    uint64_t words[8192], h[HASH_CHAINS] = {TEXT_HASH_START, 1, 2, 3};
    size_t size, all = 0;
    const char *why;
    int fd = open_regular(path, max, &size, &why);
    ssize_t n = 0;
    while (fd >= 0 && (n = read(fd, words, sizeof words)) > 0) {
        memset((char *)words + n, 0, sizeof words - (size_t)n);
        for (size_t i = 0; i < ((size_t)n + 7) / 8; i += HASH_CHAINS)
            for (size_t c = 0; c < HASH_CHAINS; c++) {
                h[c] = (h[c] ^ words[i + c]) * 0x9e3779b97f4a7c15u;
                h[c] ^= h[c] >> 32;
            }
        all += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    for (size_t c = 1; c < HASH_CHAINS; c++)
        h[0] = text_mix(h[0] ^ h[c]);
    return fd < 0 || n < 0 ? 0 : text_mix(h[0] ^ all);
}

uint64_t text_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

double text_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void text_base64(struct text *out, const char *s, size_t len)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < len; i += 3) {
        uint32_t v = (uint32_t)(unsigned char)s[i] << 16;
        v |= i + 1 < len ? (uint32_t)(unsigned char)s[i + 1] << 8 : 0;
        v |= i + 2 < len ? (uint32_t)(unsigned char)s[i + 2] : 0;
        char four[4] = {digits[v >> 18], digits[v >> 12 & 63],
                        i + 1 < len ? digits[v >> 6 & 63] : '=',
                        i + 2 < len ? digits[v & 63] : '='};
        text_add(out, four, 4);
    }
}
