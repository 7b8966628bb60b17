/**
 * @file headers.c
 * BUILD/headers/HASH: the files of a head, `head` (its includes, written last) and `files` (what was read for it, each with size and time). BUILD/headers/HASH.seen
 * says that it was seen once, or that it cannot be made. See headers.h.
 */
#include "build/headers.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define KEPT 12 /* heads; some 50 MB each */
#define MAX_INCLUDES 32
#define MAX_NAME 120
#define MAX_LIST (1u << 20)
#define HOST_COMPILER "/usr/bin/gcc"
#define NOT_MADE "cannot be made\n"

static const char *skip_blanks(const char *s)
{
    return s + strspn(s, " \t");
}

/** Behind blanks, empty lines and comments; `s` itself where one of them is of a kind that is not known here. */
static const char *skip_to_word(const char *s)
{
    for (const char *end;; s = end) {
        s += strspn(s, " \t\n");
        if (!strncmp(s, "//", 2)) {
            end = s + strcspn(s, "\n");
            if (end[-1] == '\\' || !*end)
                return s;
        } else if (!strncmp(s, "/*", 2)) {
            end = strstr(s + 2, "*/");
            if (!end)
                return s;
            end += 2;
        } else {
            return s;
        }
    }
}

/** Behind `#include <NAME>` and its line's end, with NAME in `name`; NULL: it is no such line. */
static const char *read_include(const char *s, char *name)
{
    if (*s != '#' || strncmp(s = skip_blanks(s + 1), "include", 7) || *(s = skip_blanks(s + 7)) != '<')
        return NULL;
    size_t len = strcspn(++s, ">\n");
    if (!len || len > MAX_NAME || s[len] != '>' || *s == '/')
        return NULL;
    for (size_t i = 0; i < len; i++)
        if ((!isalnum((unsigned char)s[i]) && !strchr("_./+-", s[i])) || !strncmp(s + i, "..", 2))
            return NULL;
    memcpy(name, s, len);
    name[len] = 0;
    s = skip_blanks(s + len + 1);
    if (!strncmp(s, "//", 2)) {
        s += strcspn(s, "\n");
        if (s[-1] == '\\')
            return NULL;
    }
    return *s == '\n' ? s + 1 : NULL;
}

/** A directive behind the head that means the same whether the head was read before or is read now. */
static bool is_plain_directive(const char *s)
{
    static const char *const plain[] = {"define", "undef", "if", "ifdef", "ifndef", "else", "elif", "endif", "error", "warning"};
    s = skip_blanks(s + 1);
    size_t len = strspn(s, "abcdefghijklmnopqrstuvwxyz");
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strlen(plain[i]) == len && !strncmp(s, plain[i], len))
            return true;
    s = !strncmp(s, "pragma ", 7) ? skip_blanks(s + 7) : "";
    return !strncmp(s, "unroll", 6) || !strncmp(s, "nounroll", 8) || !strncmp(s, "nv_", 3);
}

static bool is_plain_rest(const char *rest)
{
    static const char *const asks[] = {"__COUNTER__", "__BASE_FILE__", "__INCLUDE_LEVEL__", "__has_include", "_Pragma", "%:", "?" "?="};
    for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++)
        if (strstr(rest, asks[i]))
            return false;
    for (const char *line = rest; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *s = skip_blanks(line);
        if (*s == '#' && !is_plain_directive(s))
            return false;
    }
    return true;
}

bool head_read(struct head *h, const char *text)
{
    struct text includes = {0};
    char name[MAX_NAME + 1];
    const char *end = text, *next;
    int count = 0;
    while (count < MAX_INCLUDES && (next = read_include(skip_to_word(end), name)) != NULL) {
        text_printf(&includes, "#include <%s>\n", name);
        end = next;
        count++;
    }
    *h = (struct head){includes.data, (size_t)(end - text), 1};
    for (const char *s = text; s < end; s++)
        h->line += *s == '\n';
    if (!strchr(text, '\r') && is_plain_rest(end)) {
        h->includes = h->includes ? h->includes : text_dup("");
        return true;
    }
    text_free(&includes);
    h->includes = NULL;
    return false;
}

static void hash_file_time(uint64_t *h, const char *path)
{
    struct stat st = {0};
    if (stat(path, &st) == 0) {
        *h = text_hash(*h, &st.st_size, sizeof st.st_size);
        *h = text_hash(*h, &st.st_mtim, sizeof st.st_mtim);
    }
}

static char *folder_of(const struct kit *k, char *const *argv, const char *includes)
{
    uint64_t h = text_hash(TEXT_HASH_START, includes, strlen(includes));
    for (; *argv; argv++)
        h = text_hash(h, *argv, strlen(*argv) + 1);
    hash_file_time(&h, k->nvcc);
    hash_file_time(&h, HOST_COMPILER);
    hash_file_time(&h, "/proc/self/exe"); /* how they are made */
    return text_format("%s/headers/%016llx", k->build, (unsigned long long)h);
}

static char *read_in(const char *folder, const char *name, size_t max, size_t *len)
{
    char *path = text_format("%s/%s", folder, name);
    const char *why;
    char *text = text_read_file(path, max, len, &why);
    free(path);
    return text;
}

static bool write_in(const char *folder, const char *name, const char *text, size_t len)
{
    char *path = text_format("%s/%s", folder, name);
    bool ok = text_write_file(path, text, len);
    free(path);
    return ok;
}

/** "SIZE SECONDS NANOSECONDS PATH", one file. */
static void add_file(struct text *list, const char *path)
{
    struct stat st = {.st_size = -1};
    if (stat(path, &st) != 0)
        st = (struct stat){.st_size = -1};
    text_printf(list, "%lld %lld %ld %s\n", (long long)st.st_size, (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec, path);
}

static bool is_as_kept(const char *files)
{
    struct text now = {0};
    bool same = true;
    for (const char *line = files, *end; *line && same; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        const char *at = memchr(line, '/', (size_t)(end - line));
        char *path = at ? text_format("%.*s", (int)(end - at), at) : NULL;
        if (path)
            add_file(&now, path);
        same = path && now.len == (size_t)(end + 1 - line) && !memcmp(now.data, line, now.len);
        free(path);
        now.len = 0;
    }
    text_free(&now);
    return same;
}

static bool is_kept(const char *folder, const char *includes)
{
    size_t len;
    char *head = read_in(folder, "head", MAX_LIST, &len), *files = read_in(folder, "files", MAX_LIST, &len);
    bool ok = head && files && !strcmp(head, includes) && is_as_kept(files);
    free(head);
    free(files);
    return ok;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/** All files that the preprocessor's text names, each once. */
static void list_files(struct text *list, const char *text)
{
    char **names = NULL;
    size_t count = 0, size = 0;
    for (const char *at = text; (at = strstr(at, "\n# ")) != NULL; at++) {
        const char *name = at + 3 + strspn(at + 3, "0123456789 ");
        size_t len = strcspn(name + (*name == '"'), "\"\n");
        if (strncmp(name, "\"/", 2) || name[len] == '/') /* where it was read: "FOLDER//" */
            continue;
        if (count == size && !(names = realloc(names, (size = 2 * size + 1024) * sizeof *names)))
            abort();
        names[count++] = text_format("%.*s", (int)len, name + 1);
    }
    if (count)
        qsort(names, count, sizeof *names, by_text);
    for (size_t i = 0; i < count; i++)
        if (!i || strcmp(names[i], names[i - 1]))
            add_file(list, names[i]);
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/** Removes the head that was used longest ago, where there are more than are kept. */
static void prune(const char *heads)
{
    DIR *dir = opendir(heads);
    char *oldest = NULL;
    struct timespec when = {0};
    int count = 0;
    for (struct dirent *e; dir && (e = readdir(dir));) {
        char *path = text_format("%s/%s", heads, e->d_name), *head = text_format("%s/head", path);
        struct stat st;
        if (stat(head, &st) == 0 && ++count &&
            (!oldest || st.st_mtim.tv_sec < when.tv_sec || (st.st_mtim.tv_sec == when.tv_sec && st.st_mtim.tv_nsec < when.tv_nsec))) {
            free(oldest);
            oldest = path;
            path = NULL;
            when = st.st_mtim;
        }
        free(path);
        free(head);
    }
    if (dir)
        closedir(dir);
    if (count > KEPT)
        text_remove_tree(oldest);
    free(oldest);
}

/** Takes what was made in the sandbox into the folder. */
static bool take(const char *folder, const char *made, const char *includes)
{
    static const char *const names[] = HEADERS_FILES;
    struct text files = {0};
    bool ok = text_make_dirs(folder);
    for (size_t i = 0; ok && i < sizeof names / sizeof names[0]; i++) {
        size_t len;
        char *text = read_in(made, names[i], HEADERS_MAX_FILE, &len);
        if (!text && i > 1)
            break;
        ok = text && write_in(folder, names[i], text, len);
        if (ok && strstr(names[i], ".ii"))
            list_files(&files, text);
        free(text);
    }
    ok = ok && files.len && write_in(folder, "files", files.data, files.len) && write_in(folder, "head", includes, strlen(includes));
    text_free(&files);
    return ok;
}

/** Makes a head that has been seen before; where that fails, never again. */
static bool make_seen(const char *folder, const char *includes, const char *at, headers_maker *make, void *ctx)
{
    char *seen = text_format("%s.seen", folder), *heads = text_format("%.*s", (int)(strrchr(folder, '/') - folder), folder);
    char *made = text_format("%s/head/" HEADERS_MADE, at), *source = text_format("%sint " HEADERS_END ";\n", includes);
    const char *why;
    size_t len;
    char *text = text_read_file(seen, sizeof NOT_MADE, &len, &why);
    bool ok = false;
    if (text && !len) {
        ok = make(ctx, source) && take(folder, made, includes);
        text_write_file(seen, NOT_MADE, ok ? 0 : strlen(NOT_MADE));
        prune(heads);
    } else if (!text && text_make_dirs(heads)) {
        text_write_file(seen, "", 0);
    }
    free(text);
    free(source);
    free(made);
    free(heads);
    free(seen);
    return ok;
}

char *headers_find(const struct kit *k, char *const *argv, const char *text, const char *folder, headers_maker *make, void *ctx)
{
    struct head h;
    if (!head_read(&h, text))
        return NULL;
    char *kept = folder_of(k, argv, h.includes);
    char *rest = text_format("#line %u \"kernel.cu\"\n%s", h.line, text + h.length);
    bool ok = (is_kept(kept, h.includes) || make_seen(kept, h.includes, folder, make, ctx)) && write_in(folder, HEADERS_REST, rest, strlen(rest));
    if (ok) { /* used now */
        char *head = text_format("%s/head", kept);
        utimensat(-1, head, NULL, 0);
        free(head);
    }
    free(rest);
    free(h.includes);
    if (ok)
        return kept;
    free(kept);
    return NULL;
}
