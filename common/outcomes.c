/**
 * @file outcomes.c
 * Reading the outcome lines of softgpu's findings file; see outcomes.h.
 *
 * The lines are softgpu's own (softgpu/rerun/explore/explore.c), in a fixed form:
 * {"kind":"outcome",…,"kernel":"NAME",…,"memory":{"alloc0":[0,1,…]}}
 */
#include "outcomes.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MAX_WORDS 256 /* that softgpu gives of an allocation */

bool outcomes_wanted(void)
{
    const char *asked = getenv("SOFTGPU_EXHAUSTIVE");
    return asked && *asked && strcmp(asked, "0") && strcmp(asked, "no") &&
           dlsym(RTLD_DEFAULT, "softgpu_version");
}

/** Adds the row in `line`, whose memory must be one allocation. */
static void add_row(struct outcomes *o, const char *kernel, const char *line)
{
    const char *p = strstr(line, "\"memory\":{");
    p = p ? strchr(p, '[') : NULL;
    if (!p || strchr(p + 1, '['))
        harness_usage("an outcome of %s is not that of one allocation", kernel);
    size_t width = 0, most = o->width ? o->width : MAX_WORDS;
    o->words = realloc(o->words, (o->count + 1) * most * sizeof *o->words);
    if (!o->words)
        harness_usage("no memory for the outcomes of %s", kernel);
    uint32_t *row = o->words + o->count * o->width;
    do {
        char *end;
        unsigned long value = strtoul(p + 1, &end, 10);
        if (end == p + 1 || width == most)
            harness_usage("an outcome of %s is not a list of words", kernel);
        row[width++] = (uint32_t)value;
        p = end;
    } while (*p == ',');
    if (*p != ']' || (o->width && width != o->width))
        harness_usage("outcomes of %s differ in size", kernel);
    o->width = width;
    o->count++;
}

struct outcomes outcomes_of(const char *kernel)
{
    const char *path = getenv("SOFTGPU_JSON");
    FILE *f = path ? fopen(path, "r") : NULL;
    if (!f)
        harness_usage("cannot read softgpu's findings: %s", path ? strerror(errno) : "no file");
    struct outcomes o = {0};
    char *line = NULL, name[128];
    size_t size = 0;
    snprintf(name, sizeof name, "\"kernel\":\"%s\",", kernel);
    while (getline(&line, &size, f) > 0) {
        const char *why =
            strstr(line, "\"kind\":\"incomplete\"") ? strstr(line, "message\":\"") : NULL;
        if (why)
            harness_usage("not every execution of %s could be tried (%.*s): is there a loop in it?",
                          kernel, (int)strcspn(why + 10, "\""), why + 10);
        if (strstr(line, "\"kind\":\"outcome\"") && strstr(line, name))
            add_row(&o, kernel, line);
    }
    free(line);
    fclose(f);
    if (!o.count)
        harness_usage("softgpu has no outcome of %s", kernel);
    return o;
}

void outcomes_free(struct outcomes *o)
{
    free(o->words);
    *o = (struct outcomes){0};
}
