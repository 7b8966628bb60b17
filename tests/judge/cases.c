/**
 * @file cases.c
 * Case lines and line markers of a .cu file.
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

static bool copy(char *out, size_t size, const char *from, size_t length)
{
    if (length >= size)
        return false;
    memcpy(out, from, length);
    out[length] = '\0';
    return true;
}

/** KIND[|KIND…][:LEVEL][@A[@B]] */
static bool parse_what(const char *text, struct what *w)
{
    const char *end = text + strcspn(text, ":@");
    memset(w, 0, sizeof *w);
    strcpy(w->level, "error");
    if (end == text || !copy(w->kinds, sizeof w->kinds, text, (size_t)(end - text)))
        return false;
    if (*end == ':') {
        const char *level = end + 1;
        end = level + strcspn(level, "@");
        if (!copy(w->level, sizeof w->level, level, (size_t)(end - level)))
            return false;
        if (strcmp(w->level, "error") && strcmp(w->level, "warning") && strcmp(w->level, "any"))
            return false;
    }
    for (int i = 0; *end; i++) {
        if (i == 2 || end[0] != '@' || !isdigit((unsigned char)end[1]) || end[1] == '0')
            return false;
        w->markers[i] = end[1] - '0';
        end += 2;
    }
    return true;
}

static bool parse_number(const char *text, int *out)
{
    char *end;
    long v = strtol(text, &end, 10);
    *out = (int)v;
    return *text && !*end && v >= 0 && v <= 100000000;
}

static bool parse_word(struct judge_case *c, const char *word)
{
    static const struct {
        const char *key;
        size_t offset;
    } numbers[] = {
        {"grid=", offsetof(struct judge_case, grid)},
        {"block=", offsetof(struct judge_case, block)},
        {"n=", offsetof(struct judge_case, n)},
        {"shared=", offsetof(struct judge_case, shared)},
        {"schedules=", offsetof(struct judge_case, schedules)},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        size_t key = strlen(numbers[i].key);
        if (!strncmp(word, numbers[i].key, key))
            return parse_number(word + key, (int *)((char *)c + numbers[i].offset));
    }
    if (!strcmp(word, "cooperative"))
        return c->cooperative = true;
    if (!strcmp(word, "twice"))
        return c->twice = true;
    if (!strcmp(word, "alias"))
        return c->alias = true;
    if (!strcmp(word, "mapped"))
        return c->mapped = true;
    if (!strcmp(word, "host"))
        return c->mapped = c->host = true;
    if (!strcmp(word, "expect=silent"))
        return c->silent = true;
    if (!strncmp(word, "then=", 5))
        return copy(c->then, sizeof c->then, word + 5, strlen(word + 5));
    if (!strncmp(word, "beside=", 7))
        return copy(c->beside, sizeof c->beside, word + 7, strlen(word + 7));
    if (!strncmp(word, "expect=", 7))
        return c->expect_count < MAX_WHAT && parse_what(word + 7, &c->expect[c->expect_count++]);
    if (!strncmp(word, "also=", 5)) {
        if (c->also_count == MAX_WHAT || !parse_what(word + 5, &c->also[c->also_count]))
            return false;
        if (!strchr(word, ':'))
            strcpy(c->also[c->also_count].level, "any");
        c->also_count++;
        return true;
    }
    return false;
}

static bool parse_case(char *text, struct judge_case *c, const char *file, int line)
{
    memset(c, 0, sizeof *c);
    c->file = file;
    c->line = line;
    c->grid = c->block = 1;
    c->n = -1;
    char *rest, *word = strtok_r(text, " \t\r\n", &rest);
    if (!word || !copy(c->name, sizeof c->name, word, strlen(word)))
        return false;
    while ((word = strtok_r(NULL, " \t\r\n", &rest))) {
        if (!parse_word(c, word)) {
            fprintf(stderr, "%s:%d: cannot understand '%s'\n", file, line, word);
            return false;
        }
    }
    if (c->n < 0)
        c->n = c->grid * c->block;
    if (c->silent ? c->expect_count > 0 : c->expect_count + c->also_count == 0) {
        fprintf(stderr, "%s:%d: expect either silence or findings\n", file, line);
        return false;
    }
    return true;
}

/** `// @3` at the end of a line. */
static void parse_marker(const char *text, int line, struct judge_case *c)
{
    const char *at = strstr(text, "// @");
    if (!at || !isdigit((unsigned char)at[4]))
        return;
    struct marked *m = &c->marked[at[4] - '0'];
    if (m->count < MAX_MARKED)
        m->lines[m->count++] = line;
}

static bool markers_exist(const struct judge_case *c)
{
    for (int i = 0; i < c->expect_count + c->also_count; i++) {
        const struct what *w = i < c->expect_count ? &c->expect[i] : &c->also[i - c->expect_count];
        for (int k = 0; k < 2; k++) {
            if (w->markers[k] && !c->marked[w->markers[k]].count) {
                fprintf(stderr, "%s:%d: %s: no line is marked @%d\n", c->file, c->line, c->name,
                        w->markers[k]);
                return false;
            }
        }
    }
    return true;
}

int cases_read(const char *path, struct judge_case **cases, int *count)
{
    FILE *f = fopen(path, "r");
    char text[1024];
    struct judge_case *current = NULL;
    bool good = f != NULL;
    if (!f)
        perror(path);
    for (int line = 1; good && fgets(text, sizeof text, f); line++) {
        char *start = strstr(text, "// case: ");
        if (start != text) {
            if (!strncmp(text, "// case ", strlen("// case "))) {
                fprintf(stderr, "%s:%d: \"// case\" without a colon is no case\n", path, line);
                good = false;
            }
            if (current)
                parse_marker(text, line, current);
            continue;
        }
        good = !current || markers_exist(current);
        *cases = realloc(*cases, (size_t)(*count + 1) * sizeof **cases);
        assert(*cases);
        current = &(*cases)[*count];
        good = parse_case(text + strlen("// case: "), current, path, line) && good;
        (*count)++;
    }
    if (good && current)
        good = markers_exist(current);
    if (f)
        fclose(f);
    return good ? 0 : -1;
}
