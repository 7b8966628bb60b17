/* Times with zones, what a late lab counts, weeks, pseudonyms. */
#include "class/results.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static int64_t at(const char *text, const char *zone)
{
    int64_t seconds = -1;
    const char *why = course_time(text, zone, &seconds);
    if (why)
        fprintf(stderr, "%s: %s\n", text, why);
    return why ? -1 : seconds;
}

static void times(void)
{
    CU_ASSERT_EQUAL(at("1970-01-02 00:00 UTC", NULL), 86400);
    CU_ASSERT_EQUAL(at("2026-11-20T22:59:30Z", NULL), 1795215570);
    CU_ASSERT_EQUAL(at("2026-11-20 23:59:30 +01:00", NULL), 1795215570);
    CU_ASSERT_EQUAL(at("2026-11-20 17:59:30-0500", NULL), 1795215570);
    CU_ASSERT_EQUAL(at("2026-11-20 23:59:30 Europe/Berlin", NULL), 1795215570);
    CU_ASSERT_EQUAL(at("2026-11-20 23:59:30", "Europe/Berlin"), 1795215570);
    /* In summer Berlin is two hours ahead. */
    CU_ASSERT_EQUAL(at("2026-07-01 12:00 Europe/Berlin", NULL), at("2026-07-01 10:00 Z", NULL));
    /* On 25 October the clocks show 02:30 twice: the later counts. */
    CU_ASSERT_EQUAL(at("2026-10-25 02:30 Europe/Berlin", NULL), at("2026-10-25 01:30 Z", NULL));
    CU_ASSERT_EQUAL(at("2026-10-25 01:59 Europe/Berlin", NULL), at("2026-10-24 23:59 Z", NULL));
}

static void no_times(void)
{
    static const char *const wrong[] = {"2026-11-20", "2026-11-20 23:59", "20.11.2026 23:59 UTC", "2026-02-29 10:00 UTC",
                                        "2026-11-20 24:00 UTC", "2026-11-20 10:60 UTC", "2026-11-20 10:00 Mars/Olympus",
                                        "2026-11-20 10:00 /etc/passwd", "2026-11-20 10:00 ../UTC", "2026-11-20 10:00 +25:00",
                                        "2026-03-29 02:30 Europe/Berlin", "2026-11-20 10:00 UTC tomorrow", ""};
    int64_t seconds;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CU_ASSERT_PTR_NOT_NULL(course_time(wrong[i], NULL, &seconds));
    }
}

static void late_work(void)
{
    struct course_late own = {.percent_per_day = 50};
    struct course_lab l = {.due = "then", .due_time = 1000000};
    struct course c = {.late = {.grace_minutes = 15, .percent_per_day = 10, .days = 3}};
    CU_ASSERT_EQUAL(course_days_late(&c, &l, 999999), 0);
    CU_ASSERT_EQUAL(course_days_late(&c, &l, 1000000 + 900), 0);
    CU_ASSERT_EQUAL(course_days_late(&c, &l, 1000000 + 901), 1);
    CU_ASSERT_EQUAL(course_days_late(&c, &l, 1000000 + 86400), 1);
    CU_ASSERT_EQUAL(course_days_late(&c, &l, 1000000 + 86401), 2);
    CU_ASSERT_EQUAL(course_counted(&c, &l, 24, 0), 2400);
    CU_ASSERT_EQUAL(course_counted(&c, &l, 24, 3), 1680);
    CU_ASSERT_EQUAL(course_counted(&c, &l, 24, 4), 0);
    l.late = &own;
    CU_ASSERT_EQUAL(course_days_late(&c, &l, 1000000 + 1), 1);
    CU_ASSERT_EQUAL(course_counted(&c, &l, 24, 1), 1200);
    CU_ASSERT_EQUAL(course_counted(&c, &l, 24, 9), 0);
    l.due = NULL;
    CU_ASSERT_EQUAL(course_days_late(&c, &l, 1000000 + 1), 0);
}

static void points(void)
{
    static const struct {
        int hundredths;
        const char *words;
    } rows[] = {{0, "0"}, {2400, "24"}, {1920, "19.2"}, {1925, "19.25"}, {5, "0.05"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *words = course_points(rows[i].hundredths);
        CU_ASSERT_STRING_EQUAL(words, rows[i].words);
        free(words);
    }
}

static void weeks(void)
{
    char week[16];
    course_week(at("2026-11-22 23:59 Z", NULL), week); /* a Sunday */
    CU_ASSERT_STRING_EQUAL(week, "2026-W47");
    course_week(at("2026-11-23 00:00 Z", NULL), week);
    CU_ASSERT_STRING_EQUAL(week, "2026-W48");
    course_week(at("2027-01-01 12:00 Z", NULL), week); /* still of the old year's last week */
    CU_ASSERT_STRING_EQUAL(week, "2026-W53");
}

/* The first and the last but some of the vectors of SipHash's authors: key 00 … 0f, message 00 01 … */
static void pseudonyms(void)
{
    unsigned char key[16], message[15];
    for (int i = 0; i < 16; i++)
        key[i] = (unsigned char)i;
    for (int i = 0; i < 15; i++)
        message[i] = (unsigned char)i;
    CU_ASSERT_EQUAL(pseudonym(key, "", 0), 0x726fdb47dd0e0e31u);
    CU_ASSERT_EQUAL(pseudonym(key, message, 15), 0xa129ca6149be45e5u);
    unsigned char one[16], two[16];
    struct trouble t = {0};
    CU_ASSERT(pseudonym_key(one, NULL, &t) && pseudonym_key(two, NULL, &t));
    CU_ASSERT(memcmp(one, two, 16) != 0);
}

UNIT_MAIN("course", {"times", times}, {"no times", no_times}, {"late work", late_work}, {"points", points},
          {"weeks", weeks}, {"pseudonyms", pseudonyms})
