/**
 * @file course_time.c
 * Times as people write them, with a zone; see course_yaml.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "class/course_yaml.h"

static const char form[] = "must be a date, a time and a zone: 2026-11-20 23:59 Europe/Berlin";

/** The C library takes a zone that it does not know for UTC; so its file must be there. */
static bool is_zone(const char *name)
{
    if (!strcmp(name, "UTC"))
        return true;
    if (!*name || *name == '/' || strstr(name, "..") || strchr(name, ':'))
        return false;
    char *path = text_format("/usr/share/zoneinfo/%s", name);
    bool there = access(path, R_OK) == 0;
    free(path);
    return there;
}

static bool same_clock(const struct tm *a, const struct tm *b)
{
    return a->tm_min == b->tm_min && a->tm_hour == b->tm_hour && a->tm_mday == b->tm_mday && a->tm_mon == b->tm_mon;
}

/** The last time at which a clock in the zone shows `asked`; false if none does. */
static bool last_time(const struct tm *asked, const char *zone, int64_t *seconds)
{
    const char *now = getenv("TZ");
    char *before = now ? text_dup(now) : NULL;
    bool found = false;
    setenv("TZ", zone, 1);
    tzset();
    for (int summer = 0; summer <= 1; summer++) {
        struct tm clock = *asked, shown;
        clock.tm_isdst = summer;
        time_t at = mktime(&clock);
        localtime_r(&at, &shown);
        if (same_clock(&shown, asked) && (!found || at > *seconds)) {
            *seconds = at;
            found = true;
        }
    }
    before ? setenv("TZ", before, 1) : unsetenv("TZ");
    tzset();
    free(before);
    return found;
}

/** "+01:00", "-0330", "Z" as seconds east. */
static bool offset(const char *zone, int *east)
{
    int hours, minutes, end = 0;
    char sign;
    *east = 0;
    if (!strcmp(zone, "Z"))
        return true;
    if ((sscanf(zone, "%c%2d:%2d%n", &sign, &hours, &minutes, &end) != 3 &&
         sscanf(zone, "%c%2d%2d%n", &sign, &hours, &minutes, &end) != 3) ||
        zone[end] || (sign != '+' && sign != '-') || hours < 0 || hours > 14 || minutes < 0 || minutes > 59)
        return false;
    *east = (sign == '-' ? -60 : 60) * (60 * hours + minutes);
    return true;
}

const char *course_time(const char *text, const char *zone, int64_t *seconds)
{
    struct tm asked = {0};
    int end = 0, more = 0, east;
    char between;
    if (sscanf(text, "%4d-%2d-%2d%c%2d:%2d%n", &asked.tm_year, &asked.tm_mon, &asked.tm_mday, &between, &asked.tm_hour,
               &asked.tm_min, &end) != 6 || !end || (between != ' ' && between != 'T'))
        return form;
    if (sscanf(text + end, ":%2d%n", &asked.tm_sec, &more) == 1)
        end += more;
    asked.tm_year -= 1900;
    asked.tm_mon--;
    struct tm whole = asked;
    timegm(&whole);
    if (asked.tm_year < 70 || asked.tm_sec < 0 || asked.tm_sec > 59 || !same_clock(&whole, &asked))
        return "is no date and time of the calendar";
    const char *own = text + end + (text[end] == ' ');
    zone = *own ? own : zone;
    if (!zone)
        return form;
    if (offset(zone, &east)) {
        *seconds = timegm(&asked) - east;
        return NULL;
    }
    if (!is_zone(zone))
        return "has an unknown time zone; known are UTC, offsets as +01:00, and names as Europe/Berlin";
    return last_time(&asked, zone, seconds) ? NULL : "is a time that no clock of the zone shows: it is skipped in spring";
}

void course_week(int64_t seconds, char week[16])
{
    time_t at = seconds;
    struct tm t;
    gmtime_r(&at, &t);
    strftime(week, 16, "%G-W%V", &t);
}
