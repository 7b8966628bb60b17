/**
 * @file text.h
 * Growing text, file reading and the one-line troubles that make a grade "could not judge".
 *
 * Out of memory aborts: it is never the student's fault and never a status.
 */
#ifndef GRADER_BASE_TEXT_H
#define GRADER_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Zero-initialise; `data` is NUL-terminated once anything was added; free with text_free(). */
struct text {
    char *data;
    size_t len, cap;
};

void text_add(struct text *t, const char *s, size_t len);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_vprintf(struct text *t, const char *format, va_list args);
/** Adds bytes as base64. */
void text_base64(struct text *out, const char *s, size_t len);
void text_free(struct text *t);
/** Never NULL. */
const char *text_str(const struct text *t);

/** Why nothing could be judged: what happened, and what to do about it. */
struct trouble {
    char what[1024];
    char todo[512];
};

/** Fills `t` unless it is filled already (the first trouble wins). Always returns false. */
bool trouble_set(struct trouble *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Adds what the user can do; printed on the same line's end. */
void trouble_todo(struct trouble *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** strdup, printf and calloc that abort without memory; the caller frees. */
char *text_dup(const char *s);
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *text_zalloc(size_t count, size_t size);

/**
 * Reads a regular file of at most `max` bytes, not following a symlink in its last component.
 * @return malloced, NUL-terminated bytes, or NULL with `*why` a short reason ("is not a regular
 *         file", …).
 */
char *text_read_file(const char *path, size_t max, size_t *len, const char **why);
/** Writes through a temporary name and rename(), so that readers never see half a file. */
bool text_write_file(const char *path, const void *data, size_t len);
/** The same; where it cannot, `t` says why. */
bool text_put_file(const char *path, const void *data, size_t len, struct trouble *t);
/** mkdir -p; false with errno. */
bool text_make_dirs(const char *path);
/** rm -r without following symlinks; `path` must be inside a folder that the grader made. */
void text_remove_tree(const char *path);

/** Replaces bytes that could move a terminal's cursor or forge lines, and those that are no UTF-8; keeps newlines
 *  and tabs. */
void text_clean(char *s);
/** Adds a word as a shell reads it back: what is special gets a backslash. */
void text_shell(struct text *t, const char *word);
/** FNV-1a, for naming caches and mixing seeds; not for security. */
uint64_t text_hash(uint64_t h, const void *data, size_t len);
/** Hash of a regular file of at most `max` bytes, by words: softgpu's library is large, and each grade begins with it. @return 0 if it cannot be read */
uint64_t text_hash_file(const char *path, size_t max);
#define TEXT_HASH_START 0xcbf29ce484222325u
/** SplitMix64's finaliser. */
uint64_t text_mix(uint64_t x);
/** Seconds of CLOCK_MONOTONIC. */
double text_now(void);

#endif
