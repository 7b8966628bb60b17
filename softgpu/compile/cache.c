/**
 * @file cache.c
 * See cache.h.
 */
#include "compile/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mix.h"
#include "compile/llvm.h"
#include "compile/translation.h"

#define MAGIC 0x31656e6968636d66ull /* "fmchine1" */
#define MAX_OBJECT ((uint64_t)1 << 26)
#define MAX_BYTES ((uint64_t)64 << 20) /* of all files; SOFTGPU_CACHE_BYTES says another bound, for tests */
#define MAX_FILES 4096
#define STALE_SECONDS 3600             /* what a process that has ended has left half written */
#define NAME_BYTES 48

/** What a file begins with. */
struct header {
    uint64_t magic;
    char version[24], level[16];
    struct cache_key key;     /**< of what it was made from */
    uint64_t bytes, checksum; /**< of the object, which follows */
};

static char folder[PATH_MAX]; /**< "": nowhere */

static uint64_t hash(const void *data, size_t bytes, uint64_t h)
{
    const uint8_t *at = data;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        h = mix64(mix_in(h, word));
    }
    uint64_t rest = bytes;
    memcpy(&rest, at, bytes);
    return mix64(mix_in(h, rest) + bytes);
}

void cache_use(const char *path)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = 0;
    if (path && *path)
        n = !strcmp(path, "off") || path[0] != '/' ? 0 : snprintf(folder, sizeof folder, "%s", path);
    else if (base && base[0] == '/')
        n = snprintf(folder, sizeof folder, "%s/fencepost", base);
    else if (home && home[0] == '/')
        n = snprintf(folder, sizeof folder, "%s/.cache/fencepost", home);
    if (n <= 0 || n >= PATH_MAX - NAME_BYTES || geteuid() != getuid())
        folder[0] = 0;
}

bool cache_is_on(void)
{
    return folder[0];
}

static bool is_mine(int fd, mode_t kind)
{
    struct stat s;
    return fstat(fd, &s) == 0 && (s.st_mode & S_IFMT) == kind && s.st_uid == geteuid() && !(s.st_mode & (S_IWGRP | S_IWOTH));
}

/** The folder, made where it is not there; -1: it cannot be used. */
static int open_folder(bool make)
{
    if (!folder[0])
        return -1;
    for (char *at = folder + 1; make && (at = strchr(at, '/')); at++) {
        *at = 0;
        mkdir(folder, 0700);
        *at = '/';
    }
    if (make)
        mkdir(folder, 0700);
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && !is_mine(fd, S_IFDIR)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

struct cache_key cache_key_of(const char *text, size_t length)
{
    uint64_t how = hash(llvm_passes(), strlen(llvm_passes()), 1);
    return (struct cache_key){{hash(text, length, how), hash(text, length, ~how)}, length};
}

/** The header that a file for the text must have, but for the object. */
static struct header header_for(const struct cache_key *text, char name[NAME_BYTES])
{
    struct header h = {.magic = MAGIC, .key = *text};
    snprintf(h.version, sizeof h.version, "%s", FENCEPOST_VERSION);
    snprintf(h.level, sizeof h.level, "%s", llvm_level_name(llvm_level()));
    uint64_t key[2] = {hash(&h, sizeof h, 2), hash(&h, sizeof h, 3)};
    snprintf(name, NAME_BYTES, "%016llx%016llx.code", (unsigned long long)key[0], (unsigned long long)key[1]);
    return h;
}

static void *read_object(int fd, const struct header *want, size_t *bytes)
{
    struct header h;
    struct stat s;
    if (!is_mine(fd, S_IFREG) || fstat(fd, &s) || !translation_read(fd, &h, sizeof h) || h.bytes > MAX_OBJECT ||
        (uint64_t)s.st_size != sizeof h + h.bytes)
        return NULL;
    struct header known = h;
    known.bytes = known.checksum = 0;
    if (memcmp(&known, want, sizeof known))
        return NULL;
    char *object = malloc(h.bytes + 1);
    if (object && translation_read(fd, object, h.bytes) && hash(object, h.bytes, h.magic) == h.checksum) {
        *bytes = h.bytes;
        return object;
    }
    free(object);
    return NULL;
}

void *cache_find(const struct cache_key *key, size_t *bytes)
{
    char name[NAME_BYTES];
    struct header want = header_for(key, name);
    int at = open_folder(false), fd = at < 0 ? -1 : openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    void *object = fd < 0 ? NULL : read_object(fd, &want, bytes);
    if (object)
        futimens(fd, NULL); /* it has been used */
    if (fd >= 0)
        close(fd);
    if (at >= 0)
        close(at);
    return object;
}

struct entry {
    char name[NAME_BYTES];
    uint64_t bytes;
    struct timespec used;
};

static int by_age(const void *a, const void *b)
{
    const struct timespec *x = &((const struct entry *)a)->used, *y = &((const struct entry *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/** Files of ours in the folder; those that somebody has left half written go. */
static int list(DIR *d, struct entry *entries)
{
    int count = 0;
    struct stat s;
    for (struct dirent *e; (e = readdir(d)) && count < MAX_FILES;) {
        size_t n = strlen(e->d_name);
        bool half = !strncmp(e->d_name, "new-", 4);
        if (n >= NAME_BYTES || (!half && (n < 5 || strcmp(e->d_name + n - 5, ".code"))) ||
            fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) || !S_ISREG(s.st_mode))
            continue;
        if (half && time(NULL) - s.st_mtime > STALE_SECONDS)
            unlinkat(dirfd(d), e->d_name, 0);
        entries[count] = (struct entry){.bytes = (uint64_t)s.st_size, .used = s.st_mtim};
        memcpy(entries[count].name, e->d_name, n + 1);
        count += !half;
    }
    return count;
}

/** Removes what has not been used for longest, until all fit. */
static void keep_bound(int folder_fd)
{
    const char *said = getenv("SOFTGPU_CACHE_BYTES");
    uint64_t bound = said ? strtoull(said, NULL, 10) : MAX_BYTES, sum = 0;
    struct entry *entries = malloc(MAX_FILES * sizeof *entries);
    int copy = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    if (!d && copy >= 0)
        close(copy);
    int count = d && entries ? list(d, entries) : 0;
    for (int i = 0; i < count; i++)
        sum += entries[i].bytes;
    if (sum > bound || count == MAX_FILES)
        qsort(entries, (size_t)count, sizeof *entries, by_age);
    for (int i = 0; i < count && (sum > bound || count - i == MAX_FILES); i++) {
        unlinkat(folder_fd, entries[i].name, 0);
        sum -= entries[i].bytes;
    }
    if (d)
        closedir(d);
    free(entries);
}

void cache_keep(const struct cache_key *key, const void *object, size_t bytes)
{
    static unsigned number;
    char name[NAME_BYTES], half[NAME_BYTES];
    struct header h = header_for(key, name);
    int at = bytes > MAX_OBJECT ? -1 : open_folder(true);
    if (at < 0)
        return;
    h.bytes = bytes;
    h.checksum = hash(object, bytes, h.magic);
    snprintf(half, sizeof half, "new-%ld-%u", (long)getpid(), number++);
    int fd = openat(at, half, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool written = fd >= 0 && translation_write(fd, &h, sizeof h) && translation_write(fd, object, bytes);
    if (fd >= 0 && (close(fd) || !written || renameat(at, half, at, name)))
        unlinkat(at, half, 0);
    keep_bound(at);
    close(at);
}
