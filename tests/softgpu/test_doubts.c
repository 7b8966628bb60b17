/**
 * @file test_doubts.c
 * Doubts about an order that only runs by the seed have told do not stay where it is known that nothing comes of them; all others do.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "options/options.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "unit.h"

static char path[64] = "/tmp/doubts.XXXXXX";
static char text[1 << 14];

static struct reporter *open_one(void)
{
    struct options o;
    memset(&o, 0, sizeof o);
    o.json_path = path;
    return reporter_open(&o);
}

/** The file's text; the reporter is closed. */
static const char *end(struct reporter *r)
{
    reporter_close(r);
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, sizeof text - 1, f) : 0] = '\0';
    if (f)
        fclose(f);
    return text;
}

/** A doubt about an order in launch `op`. */
static void doubt_of(struct reporter *r, enum finding_cause cause, int line, uint64_t op, bool by_chance)
{
    struct finding f = {.kind = FIND_ORDERING, .level = LEVEL_WARNING, .cause = cause, .access_count = 2, .trail = {.known = true, .op = op},
                        .accesses = {{.op = "store", .file = "k.cu", .line = 1}, {.op = "load", .file = "k.cu", .line = line}}};
    bool was = reporter_by_chance(r, by_chance);
    report_finding(r, &f);
    CU_ASSERT(!was);
    reporter_by_chance(r, was);
}

static void doubt(struct reporter *r, int line, uint64_t op, bool by_chance)
{
    doubt_of(r, CAUSE_RELAXED, line, op, by_chance);
}

static void chance_is_dismissed(void)
{
    struct reporter *r = open_one();
    doubt(r, 11, 7, true);
    doubt(r, 11, 7, true);
    doubt(r, 12, 7, true); /* another run, which every seed has, tells it, too */
    doubt(r, 12, 7, false);
    doubt(r, 13, 7, false);
    doubt(r, 13, 7, true);
    doubt(r, 14, 8, true); /* of another launch */
    doubt(r, 15, 7, true);
    reporter_dismiss_chance(r, 7, false);
    const char *t = end(r);
    CU_ASSERT(!strstr(t, "\"line\":11}") && !strstr(t, "\"line\":15}"));
    CU_ASSERT(strstr(t, "\"line\":12}") && strstr(t, "\"line\":13}") && strstr(t, "\"line\":14}"));
}

static void only_landing_is_dismissed(void)
{
    struct reporter *r = open_one();
    doubt(r, 11, 7, true);
    doubt_of(r, CAUSE_LANDS_LATER, 12, 7, true);
    doubt_of(r, CAUSE_LANDS_LATER, 13, 7, false);
    reporter_dismiss_chance(r, 7, true);
    const char *t = end(r);
    CU_ASSERT(!strstr(t, "\"line\":12}"));
    CU_ASSERT(strstr(t, "\"line\":11}") && strstr(t, "\"line\":13}"));
}

static void doubts_are_by_chance(void)
{
    struct reporter *r = open_one();
    CU_ASSERT(reporter_doubts_by_chance(r, 7));
    doubt(r, 11, 7, true);
    doubt(r, 12, 8, false);
    CU_ASSERT(reporter_doubts_by_chance(r, 7) && !reporter_doubts_by_chance(r, 8));
    doubt(r, 11, 7, false);
    CU_ASSERT(!reporter_doubts_by_chance(r, 7));
    end(r);
}

int main(void)
{
    static const struct unit_test tests[] = {{"doubts by chance are dismissed", chance_is_dismissed},
                                             {"of which of two stores stays alone, if so asked", only_landing_is_dismissed},
                                             {"whether all are by chance", doubts_are_by_chance}};
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int status = unit_main("doubts", tests, sizeof tests / sizeof tests[0]);
    unlink(path);
    return status;
}
