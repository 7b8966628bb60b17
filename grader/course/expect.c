/**
 * @file expect.c
 * "// verdict: missing-acquire @1 @2 | wrong-result in many_blocks": every such line must hold, by one
 * of its alternatives.
 */
#include "course/expect.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct wanted {
    enum verdict kind;
    enum record_level level;
    int lines[2], count;
    const char *counter;   /**< with "property": the one that is to be out of bounds */
    const char *case_name; /**< the only case that counts; NULL: any */
};

/** The line at whose end a comment holds the marker "@N"; 0 if there is none. */
static int marked_line(const char *source, char digit)
{
    int number = 1;
    for (const char *line = source; *line; number++) {
        size_t len = strcspn(line, "\n");
        const char *slashes = NULL, *verdict = "// verdict:";
        for (size_t i = 0; i + 1 < len && !slashes; i++)
            if (line[i] == '/' && line[i + 1] == '/')
                slashes = line + i;
        if (slashes && strncmp(slashes, verdict, strlen(verdict)))
            for (const char *p = slashes; p + 1 < line + len; p++)
                if (p[0] == '@' && p[1] == digit &&
                    (p + 2 == line + len || !isdigit((unsigned char)p[2])))
                    return number;
        line += len + (line[len] == '\n');
    }
    return 0;
}

/** Parses one alternative; NULL, or what is wrong with it (static text). */
static const char *parse(struct wanted *w, char *words, const char *source)
{
    char *save = NULL, *word = strtok_r(words, " \t\r", &save);
    *w = (struct wanted){.level = RECORD_ERROR};
    if (word && !strcmp(word, "warning")) {
        w->level = RECORD_WARNING;
        word = strtok_r(NULL, " \t\r", &save);
    }
    w->kind = word ? verdict_from_name(word) : VERDICT_NONE;
    if (!w->kind)
        return "names no kind of verdict";
    if (w->kind == VERDICT_PROPERTY) {
        w->counter = strtok_r(NULL, " \t\r", &save);
        return w->counter ? NULL : "names no counter";
    }
    while ((word = strtok_r(NULL, " \t\r", &save))) {
        if (!strcmp(word, "in")) {
            w->case_name = strtok_r(NULL, " \t\r", &save);
            return !w->case_name                       ? "names no case after \"in\""
                   : strtok_r(NULL, " \t\r", &save) ? "goes on after the case"
                                                     : NULL;
        }
        if (w->count == 2)
            return "names more than two lines";
        int line = word[0] == '@' ? marked_line(source, word[1]) : atoi(word);
        if (line <= 0)
            return word[0] == '@' ? "names a marker that no line has" : "has a word too many";
        w->lines[w->count++] = line;
    }
    return NULL;
}

static bool finding_fits(const struct wanted *w, const struct record_finding *f)
{
    bool used[2] = {false, false};
    if (f->kind != w->kind || f->level != w->level)
        return false;
    for (int i = 0; i < w->count; i++) {
        bool found = false;
        for (int a = 0; a < f->accesses_count && !found; a++)
            if (!used[a] && f->accesses[a].line == w->lines[i])
                used[a] = found = true;
        if (!found)
            return false;
    }
    return true;
}

static bool property_fits(const struct wanted *w, const struct record *r)
{
    for (int i = 0; i < r->properties_count; i++)
        if (r->properties[i].state == STATE_FAIL && !strcmp(r->properties[i].counter, w->counter))
            return true;
    return false;
}

static bool record_fits(const struct wanted *w, const struct record *r)
{
    if (w->kind == VERDICT_PROPERTY)
        return property_fits(w, r);
    if (r->verdict == w->kind && !w->case_name)
        return true;
    for (int p = 0; p < r->parts_count; p++)
        for (int i = 0; i < r->parts[p].cases_count; i++) {
            const struct record_case *c = &r->parts[p].cases[i];
            if (w->case_name && strcmp(w->case_name, c->name))
                continue;
            if (w->kind >= VERDICT_FINDING_COUNT && c->verdict == w->kind)
                return true;
            /* A wrong result beside a finding: the message tells it, the verdict is the finding. */
            if (w->kind == VERDICT_WRONG_RESULT && c->state == STATE_FAIL && c->message &&
                strstr(c->message, "expected"))
                return true;
            for (int f = 0; f < c->findings_count; f++)
                if (finding_fits(w, &c->findings[f]))
                    return true;
        }
    return false;
}

/** One `verdict:` line; NULL if it holds. */
static char *check_line(const char *text, const char *source, const struct record *r,
                        bool *full_marks_allowed)
{
    char *copy = text_dup(text), *save = NULL, *why = NULL;
    bool fits = false;
    for (char *one = strtok_r(copy, "|", &save); one && !why; one = strtok_r(NULL, "|", &save)) {
        struct wanted w;
        const char *bad = parse(&w, one, source);
        if (bad)
            why = text_format("the line \"verdict:%s\" %s", text, bad);
        else if (record_fits(&w, r))
            fits = true;
        if (!bad && w.level == RECORD_WARNING)
            *full_marks_allowed = true;
    }
    free(copy);
    if (!why && !fits)
        why = text_format("did not get%s", text);
    return why;
}

/** The next "// verdict:" line among the first comment lines from *at on, without the mark; NULL: none
 *  is left. The caller frees. */
static char *next_verdict(const char **at)
{
    const char *mark = "// verdict:";
    char *text = NULL;
    while (!text && **at && !strncmp(*at, "//", 2)) {
        size_t len = strcspn(*at, "\n");
        if (!strncmp(*at, mark, strlen(mark)))
            text = text_format("%.*s", (int)(len - strlen(mark)), *at + strlen(mark));
        *at += len + ((*at)[len] == '\n');
    }
    return text;
}

char *expect_check(const char *source, const struct record *r)
{
    bool any = false, full_marks_allowed = false;
    char *why = NULL, *text;
    for (const char *at = source; !why && (text = next_verdict(&at)); free(text)) {
        why = check_line(text, source, r, &full_marks_allowed);
        any = true;
    }
    if (!any)
        return text_dup("has no \"// verdict:\" line among its first comment lines");
    if (!why && !full_marks_allowed && r->earned >= r->points)
        why = text_dup("got full marks");
    return why;
}

char *expect_only_case(const char *source)
{
    char *name = NULL, *text;
    bool one = true;
    for (const char *at = source; one && (text = next_verdict(&at)); free(text)) {
        char *save = NULL;
        for (char *words = strtok_r(text, "|", &save); words && one; words = strtok_r(NULL, "|", &save)) {
            struct wanted w;
            one = !parse(&w, words, source) && w.case_name && (!name || !strcmp(name, w.case_name));
            if (one && !name)
                name = text_dup(w.case_name);
        }
    }
    if (one)
        return name;
    free(name);
    return NULL;
}

char *expect_kinds(const char *source)
{
    uint64_t kinds = 0, counters = 0;
    char *text;
    _Static_assert(VERDICT_COUNT <= 63, "a bit each, and one for warnings");
    for (const char *at = source; (text = next_verdict(&at)); free(text)) {
        char *save = NULL, *words = strtok_r(text, "|", &save);
        struct wanted w;
        if (!words || parse(&w, words, source))
            continue; /* dev check says so of the variant itself */
        kinds |= 1ull << w.kind | (uint64_t)(w.level == RECORD_WARNING) << 63;
        if (w.counter)
            counters += text_hash(TEXT_HASH_START, w.counter, strlen(w.counter));
    }
    return text_format("%016llx %016llx", (unsigned long long)kinds, (unsigned long long)counters);
}
