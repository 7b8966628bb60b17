/**
 * @file progress_line.c
 * See progress_line.h.
 */
#include "report/progress_line.h"

#include <stdio.h>
#include <unistd.h>

static const struct progress_line *current;
static bool silent;

void progress_line_silence(void)
{
    silent = true;
}

void progress_line_start(struct progress_line *p, const char *name)
{
    p->name = name;
    current = !silent && isatty(2) ? p : NULL;
    progress_line_show(NULL, 0, 0);
}

void progress_line_show(void *ctx, int decided, int all)
{
    (void)ctx;
    if (current && all)
        fprintf(stderr, "\r%s  %d of %d cases\033[K", current->name, decided, all);
    else if (current)
        fprintf(stderr, "\r%s  …\033[K", current->name);
}

void progress_line_end(struct progress_line *p)
{
    (void)p;
    if (current)
        fprintf(stderr, "\r\033[K");
    current = NULL;
}
