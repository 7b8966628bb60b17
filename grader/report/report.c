/**
 * @file report.c
 * The table of formats, and where reports go; see report.h.
 */
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const struct {
    const char *name;
    report_writer *write;
} formats[] = {
    {"text", report_text},
    {"json", report_json},
    {"html", report_html},
    {"junit", report_junit},
    {"tap", report_tap},
    {"sarif", report_sarif},
    {"github", report_github},
    {"gradescope", report_gradescope},
    {"classroom50", report_classroom50},
    {"prairielearn", report_prairielearn},
    {"autolab", report_autolab},
};

#define FORMATS (sizeof formats / sizeof formats[0])

report_writer *report_find(const char *format, struct trouble *t)
{
    struct text list = {0};
    if (!strcmp(format, "classroom")) {
        trouble_set(t, "--format classroom: GitHub Classroom ended on 28 August 2026");
        trouble_todo(t, "its successor Classroom 50 reads --format classroom50");
        return NULL;
    }
    for (size_t i = 0; i < FORMATS; i++) {
        if (!strcmp(formats[i].name, format)) {
            text_free(&list);
            return formats[i].write;
        }
        text_printf(&list, "%s%s", i ? ", " : "", formats[i].name);
    }
    trouble_set(t, "--format %.40s: allowed: %s", format, text_str(&list));
    text_free(&list);
    return NULL;
}

bool report_emit(const struct text *t, const char *path, struct trouble *trouble)
{
    if (path)
        return text_put_file(path, text_str(t), t->len, trouble);
    if (fwrite(text_str(t), 1, t->len, stdout) != t->len || fflush(stdout))
        return trouble_set(trouble, "cannot write the report: %s", strerror(errno));
    return true;
}

bool report_color(enum color_choice choice, const char *path)
{
    const char *term = getenv("TERM");
    if (choice != COLOR_AUTO)
        return choice == COLOR_ALWAYS;
    return !path && isatty(1) && !getenv("NO_COLOR") && !(term && !strcmp(term, "dumb"));
}

int report_columns(const char *path)
{
    struct winsize w;
    return !path && isatty(1) && ioctl(1, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}
