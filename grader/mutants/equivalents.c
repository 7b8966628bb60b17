/**
 * @file equivalents.c
 * Reading and matching equivalent.txt; see equivalents.h.
 */
#include "mutants/equivalents.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILE (1u << 20)
#define MAX_ENTRIES 10000

/** "48", "sum:18" or "sum:104:18#2". */
static bool parse_place(struct equivalent *e, const char *word)
{
    char *copy = text_dup(word), *hash = strchr(copy, '#'), *end;
    char *part[3], *save = NULL;
    int parts = 0;
    if (hash)
        *hash = 0;
    bool ok = !hash || (e->number = atoi(hash + 1)) > 0;
    for (char *w = strtok_r(copy, ":", &save); w && ok; w = strtok_r(NULL, ":", &save)) {
        ok = parts < 3;
        if (ok)
            part[parts++] = w;
    }
    ok = ok && parts > 0;
    e->caller = -1;
    if (ok && parts == 3) {
        e->caller = (int)strtol(part[1], &end, 10);
        ok = !*end && e->caller >= 0;
    }
    if (ok && parts > 1)
        e->kernel = text_dup(part[0]);
    if (ok) {
        e->line = (int)strtol(part[parts - 1], &end, 10);
        ok = !*end && e->line > 0;
    }
    free(copy);
    return ok;
}

static bool add_entry(struct equivalents *e, char *line, int at, const char *shown,
                      struct trouble *t)
{
    char *save = NULL, *operator= strtok_r(line, " \t", &save), *place = strtok_r(NULL, " \t", &save);
    char *reason = place ? strtok_r(NULL, "", &save) : NULL;
    struct equivalent new = {.at = at};
    if (!mutant_operator_exists(operator)) {
        struct text names = {0};
        mutant_operator_names(&names);
        trouble_set(t, "%s:%d: no operator \"%.40s\"; operators: %s", shown, at, operator,
                    text_str(&names));
        text_free(&names);
        return false;
    }
    new.all = place && !strcmp(place, "*");
    if (!place || (!new.all && !parse_place(&new, place))) {
        free(new.kernel);
        return trouble_set(t, "%s:%d: the place must be LINE, KERNEL:LINE or KERNEL:CALLER:LINE, "
                              "with #N for the N-th there", shown, at);
    }
    if (reason)
        reason += strspn(reason, " \t");
    if (!reason || !*reason || e->count == MAX_ENTRIES) {
        free(new.kernel);
        return trouble_set(t, "%s:%d: %s", shown, at,
                           e->count == MAX_ENTRIES ? "too many entries" : "no reason is given");
    }
    new.operator= text_dup(operator);
    new.reason = text_dup(reason);
    struct equivalent *list = realloc(e->list, (size_t)(e->count + 1) * sizeof *list);
    if (!list)
        abort();
    e->list = list;
    e->list[e->count++] = new;
    return true;
}

static void continue_reason(struct equivalent *e, const char *line)
{
    char *longer = text_format("%s %s", e->reason, line + strspn(line, " \t"));
    free(e->reason);
    e->reason = longer;
}

bool equivalents_read(struct equivalents *e, const char *path, const char *shown, struct trouble *t)
{
    const char *why;
    size_t len;
    bool ok = true;
    *e = (struct equivalents){0};
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return true;
    char *text = text_read_file(path, MAX_FILE, &len, &why);
    if (!text)
        return trouble_set(t, "%s: %s", shown, why);
    int at = 0;
    for (char *p = text, *end; p && *p && ok; p = end) {
        end = strchr(p, '\n');
        if (end)
            *end++ = 0;
        at++;
        bool indented = *p == ' ' || *p == '\t';
        if (!p[strspn(p, " \t\r")] || *p == '#')
            continue;
        if (indented && e->count)
            continue_reason(&e->list[e->count - 1], p);
        else
            ok = add_entry(e, p, at, shown, t);
    }
    free(text);
    return ok;
}

void equivalents_free(struct equivalents *e)
{
    for (int i = 0; i < e->count; i++) {
        free(e->list[i].operator);
        free(e->list[i].kernel);
        free(e->list[i].reason);
    }
    free(e->list);
    *e = (struct equivalents){0};
}

bool equivalents_leave_out(struct equivalents *e, const char *operator)
{
    bool left_out = false;
    for (int i = 0; i < e->count; i++)
        if (e->list[i].all && !strcmp(e->list[i].operator, operator)) {
            e->list[i].matched++;
            left_out = true;
        }
    return left_out;
}

const struct equivalent *equivalents_find(struct equivalents *e, const struct ptx_text *p,
                                          const struct mutant *m)
{
    const struct ptx_statement *s = &p->list[m->statement];
    for (int i = 0; i < e->count; i++) {
        struct equivalent *q = &e->list[i];
        if (q->all || strcmp(q->operator, m->operator) || q->line != s->place.line ||
            (q->kernel && strcmp(q->kernel, p->functions[s->function])) ||
            (q->caller >= 0 && q->caller != s->place.caller) ||
            (q->number && q->number != m->number))
            continue;
        q->matched++;
        return q;
    }
    return NULL;
}
