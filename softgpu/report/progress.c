/**
 * @file progress.c
 * See progress.h.
 */
#include "report/progress.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "report/words/words.h"

#define EVERY_MS 200

static struct {
    const char *kernel; /**< NULL: nothing to tell, or nobody to tell it to */
    uint64_t begun_ms, next_ms;
    int run, runs;
    bool shown;
} now;

static uint64_t clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

void progress_begin(const char *kernel, uint64_t seconds)
{
    now.kernel = kernel;
    now.begun_ms = clock_ms();
    now.next_ms = now.begun_ms + seconds * 1000;
    now.run = now.runs = 1;
}

void progress_run(int run, int runs)
{
    now.run = run;
    now.runs = runs;
}

void progress_tell(uint64_t done, uint64_t blocks)
{
    uint64_t ms = now.kernel ? clock_ms() : 0;
    char kernel[160], run[48] = "";
    if (!now.kernel || ms < now.next_ms)
        return;
    if (!isatty(STDERR_FILENO)) { /* asked when there is something to tell: most launches are short */
        now.kernel = NULL;
        return;
    }
    now.next_ms = ms + EVERY_MS;
    put_kernel(kernel, sizeof kernel, now.kernel);
    if (!now.runs)
        put(run, sizeof run, ", looking further");
    else if (now.runs > 1)
        put(run, sizeof run, ", run %d of %d", now.run, now.runs);
    /* Over what was there, to the line's end; short enough for 80 columns. */
    fprintf(stderr, "\rsoftgpu: %.30s%s: %" PRIu64 " of %" PRIu64 " block%s, %" PRIu64 " s\033[K", kernel, run, done, blocks,
            blocks == 1 ? "" : "s", (ms - now.begun_ms) / 1000);
    now.shown = true;
}

void progress_end(void)
{
    if (now.shown)
        fputs("\r\033[K", stderr);
    now.kernel = NULL;
    now.shown = false;
}
