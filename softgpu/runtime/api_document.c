/**
 * @file api_document.c
 * The lists of calls in docs/runtime.md and docs/driver.md, from api.def and driver_api.def.
 */
#include "runtime/api_document.h"

#include <stddef.h>
#include <string.h>

static const struct row {
    const char *name, *since, *twin, *here, *remote;
} rows[] = {
#define API(name, since, twin, here, remote, ...) {#name, #since, #twin, #here, #remote},
#include "runtime/api.def"
#undef API
};
#define ROWS ((int)(sizeof rows / sizeof rows[0]))

/** Rows whose column at `offset` holds `word`. */
static int count(size_t offset, const char *word)
{
    int n = 0;
    for (int i = 0; i < ROWS; i++)
        n += !strcmp(*(const char *const *)((const char *)&rows[i] + offset), word);
    return n;
}
#define COUNT(column, word) count(offsetof(struct row, column), word)

/** A column's word as people read it. */
static const char *said(const char *word)
{
    static const char *const words[][2] = {{"none", ""},          {"ptsz", "`_ptsz`"},
                                           {"ptds", "`_ptds`"},   {"runs", "yes"},
                                           {"refused", "–"},      {"by_hand", "by hand"},
                                           {"softgpu", "softgpu only"}};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strcmp(words[i][0], word))
            return words[i][1];
    return word;
}

void api_document(FILE *out)
{
    fprintf(out,
            API_DOCUMENT_HEADING
            "\n"
            "Written by `softgpu --calls` from `softgpu/runtime/api.def`: do not edit. Of %d calls, %d run; the\n"
            "other %d return `cudaErrorNotSupported`. %d have a twin with the suffix `_ptsz` or `_ptds`, in which\n"
            "stream 0 is the calling thread's own.\n"
            "\n"
            "With the device in a process of its own (`--remote`, and the grader's sandbox), %d run. `sent`: both\n"
            "sides are made from the call's row (%d), `wrapped`: the same, with something to do around it (%d);\n"
            "`same`: the library's own code, or a form of another call (%d); `by hand`: %d. `since` is the first\n"
            "CUDA release whose library has such a symbol; 11.7 stands for that one and older ones.\n"
            "\n"
            "| call | twin | runs | in the sandbox | since |\n"
            "|---|---|---|---|---|\n",
            ROWS, COUNT(here, "runs"), COUNT(here, "refused"), ROWS - COUNT(twin, "none"),
            ROWS - COUNT(remote, "refused"), COUNT(remote, "sent"), COUNT(remote, "wrapped"),
            COUNT(remote, "same"), COUNT(remote, "by_hand"));
    for (int i = 0; i < ROWS; i++)
        fprintf(out, "| `%s` | %s | %s | %s | %s |\n", rows[i].name, said(rows[i].twin),
                said(rows[i].here), said(rows[i].remote), said(rows[i].since));
}

static const struct driver_row {
    const char *symbol, *name, *twin, *here;
    int since;
} driver_rows[] = {
#define DRIVER_API(symbol, name, since, twin, here, ...) {#symbol, #name, #twin, #here, since},
#include "runtime/driver/driver_api.def"
#undef DRIVER_API
};
#define DRIVER_ROWS ((int)(sizeof driver_rows / sizeof driver_rows[0]))

void driver_document(FILE *out)
{
    int run = 0;
    for (int i = 0; i < DRIVER_ROWS; i++)
        run += !strcmp(driver_rows[i].here, "runs");
    fprintf(out,
            API_DOCUMENT_HEADING
            "\n"
            "Written by `softgpu --driver-calls` from `softgpu/runtime/driver/driver_api.def`: do not edit. Of %d\n"
            "symbols, %d run; the other %d return `CUDA_ERROR_NOT_SUPPORTED`. `for`: the name that programs write, where\n"
            "it is not the symbol's; `since`: the CUDA version for which a program must be built to get it.\n"
            "\n"
            "| symbol | for | twin | runs | since |\n"
            "|---|---|---|---|---|\n",
            DRIVER_ROWS, run, DRIVER_ROWS - run);
    for (int i = 0; i < DRIVER_ROWS; i++) {
        const struct driver_row *r = &driver_rows[i];
        fprintf(out, "| `%s` | %s | %s | %s | %d.%d |\n", r->symbol, strcmp(r->symbol, r->name) ? r->name : "",
                said(r->twin), said(r->here), r->since / 1000, r->since % 1000 / 10);
    }
}
