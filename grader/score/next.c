/**
 * @file next.c
 * The one thing to do next: mend what does not compile, do the next TODO of the part that fails, or mend
 * what its first failure shows. See score.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "score/score.h"

/** The line of the first "NAME:12: error" in the compiler's errors; 0 if there is none. */
static int error_line(const char *errors)
{
    for (const char *e = strstr(errors, "error"); e; e = strstr(e + 1, "error")) {
        const char *line = e;
        while (line > errors && line[-1] != '\n')
            line--;
        for (const char *c = line; (c = memchr(c, ':', (size_t)(e - c))) != NULL; c++)
            if (isdigit((unsigned char)c[1]))
                return atoi(c + 1);
    }
    return 0;
}

struct todo {
    int number, line; /**< number 0: none */
};

/** The lowest "TODO N (part ID)" in the source; any TODO where `part` is NULL. */
static struct todo find_todo(const char *source, const char *part)
{
    struct todo best = {0};
    int line = 1;
    char *end;
    for (const char *s = source; *s; line += *s++ == '\n') {
        if (strncmp(s, "TODO ", 5))
            continue;
        int number = (int)strtol(s + 5, &end, 10);
        bool of_part = part && !strncmp(end, " (part ", 7) && !strncmp(end + 7, part, strlen(part)) &&
                       end[7 + strlen(part)] == ')';
        if ((of_part || !part) && (!best.number || number < best.number))
            best = (struct todo){number > 0 ? number : 1, line};
    }
    return best;
}

/** The first part that has not full marks; NULL if all have. */
static const struct record_part *first_open(const struct record *r)
{
    for (int p = 0; p < r->parts_count; p++)
        if (r->parts[p].state != STATE_OK)
            return &r->parts[p];
    return NULL;
}

static const struct record_case *first_visible_failure(const struct record_part *part)
{
    for (int i = 0; i < part->cases_count; i++)
        if (part->cases[i].state == STATE_FAIL && !part->cases[i].hidden)
            return &part->cases[i];
    return NULL;
}

static const struct record_finding *first_error(const struct record_case *c)
{
    for (int i = 0; i < c->findings_count; i++)
        if (c->findings[i].level == RECORD_ERROR)
            return &c->findings[i];
    return NULL;
}

/** "mend what "32 threads" shows first: data-race, lines 12 and 15." */
static char *mend(const struct record_part *part)
{
    const struct record_case *c = first_visible_failure(part);
    const struct record_finding *f = c ? first_error(c) : NULL;
    struct text t = {0};
    if (!c)
        return text_dup("only hidden cases fail: which sizes and shapes have the others not got?");
    text_printf(&t, "mend what \"%s\" shows first", c->title);
    if (f)
        text_printf(&t, ": %s", verdict_name(f->kind));
    if (f)
        record_finding_lines(&t, f);
    text_puts(&t, ".");
    return t.data;
}

static char *what_next(const struct spec *s, const struct record *r, const char *source)
{
    const struct record_part *part = first_open(r);
    if (!part || part->state != STATE_FAIL)
        return NULL;
    bool first = part == &r->parts[0];
    struct todo todo = find_todo(source, part->id);
    if (!todo.number && first && !strstr(source, " (part "))
        todo = find_todo(source, NULL);
    char *failure = mend(part), *next;
    if (!todo.number)
        next = text_format("%c%s Then grade again.", toupper((unsigned char)failure[0]), failure + 1);
    else if (first && todo.number == 1)
        next = text_format("%.*s If TODO 1 is done, delete it and %s",
                           (int)strcspn(s->next, "\n"), s->next, failure);
    else
        next = text_format("Do TODO %d: %s, line %d. Then grade again. If it is done, delete it and %s",
                           todo.number, r->file, todo.line, failure);
    free(failure);
    return next;
}

void score_next(const struct spec *s, struct record *r, const char *source)
{
    r->next = NULL;
    if (r->verdict == VERDICT_COMPILE_ERROR) {
        int line = error_line(r->message ? r->message : "");
        r->next = line ? text_format("Mend %s at line %d, then grade again.", r->file, line)
                       : text_format("Mend %s as the message says, then grade again.", r->file);
    } else if (!r->partial) {
        r->next = what_next(s, r, source ? source : "");
    }
}
