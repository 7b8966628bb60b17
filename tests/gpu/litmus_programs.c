/**
 * @file litmus_programs.c
 * Writes random small kernels (tests/model/random_program.h) for a real GPU, many instances of each in one launch, and
 * beside them the outcomes that the model allows: litmus.cu runs them and compares.
 *
 *   make build/tests/gpu/litmus_programs && build/tests/gpu/litmus_programs FOLDER FIRST COUNT     FOLDER/litmus.ptx, FOLDER/litmus.txt
 *
 * Instance i of a kernel of B blocks has blocks i·B to i·B+B-1. Each location lies in a line of its own, 256 bytes from the next; an
 * instance has 1,024 bytes, and 32 bytes of registers.
 */
#include <stdlib.h>
#include <string.h>

#include "random_program.h"
#include "sequential.h"

#define MAX_TEXT 1024
#define MAX_OUTCOMES (1 << 18)

/** The kernel's text with the numbers that an instance needs in place of the launch's own. */
static void put_instances(FILE *out, char *ptx, uint32_t blocks)
{
    char *save = NULL;
    for (char *line = strtok_r(ptx, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *at = strstr(line, "[%x+");
        if (at)
            fprintf(out, "%.*s[%%x+%ld%s\n", (int)(at - line), line, 64 * strtol(at + 4, NULL, 10), strchr(at, ']'));
        else if (!strcmp(line, "\tmov.u32 %r8, %ctaid.x;"))
            fprintf(out, "\tmov.u32 %%r8, %%ctaid.x;\n\tdiv.u32 %%r10, %%r8, %u;\n\trem.u32 %%r8, %%r8, %u;\n"
                         "\tmad.wide.u32 %%x, %%r10, 1024, %%x;\n\tmad.wide.u32 %%o, %%r10, 32, %%o;\n", blocks, blocks);
        else
            fprintf(out, "%s\n", line);
    }
}

/** A line each; those that no interleaving has begin with `~`. */
static void put_outcomes(FILE *out, char *outcomes, struct litmus *l)
{
    static char interleaved[MAX_OUTCOMES], among[MAX_OUTCOMES + 2];
    char line[256], *save = NULL;
    sequential_outcomes(l, interleaved, sizeof interleaved);
    snprintf(among, sizeof among, "\n%s\n", interleaved);
    for (char *s = strtok_r(outcomes, "\n", &save); s; s = strtok_r(NULL, "\n", &save)) {
        snprintf(line, sizeof line, "\n%s\n", s);
        fprintf(out, "%s%s\n", strstr(among, line) ? "" : "~", s);
    }
}

int main(int argc, char **argv)
{
    static char outcomes[MAX_OUTCOMES];
    char path[4096];
    if (argc != 4)
        return 2;
    snprintf(path, sizeof path, "%s/litmus.ptx", argv[1]);
    FILE *ptx = fopen(path, "w");
    snprintf(path, sizeof path, "%s/litmus.txt", argv[1]);
    FILE *expected = fopen(path, "w");
    if (!ptx || !expected)
        return 1;
    fputs(LITMUS_PTX_HEADER, ptx);
    long first = atol(argv[2]), count = atol(argv[3]);
    for (long n = first; n < first + count; n++) {
        char text[MAX_TEXT], name[32];
        static struct litmus l;
        enum litmus_layout layout;
        if (n % 4 == 3)
            random_meeting(n, (enum random_meeting)(n / 4 % 3), text, sizeof text, &layout);
        else
            random_program(n, text, sizeof text, &layout);
        memset(&l, 0, sizeof l);
        litmus_parse(&l, text);
        if (litmus_outcomes_within(&l, &(struct model_limits){.seconds = 2}, outcomes, sizeof outcomes) < 0 || strstr(outcomes, "hangs") ||
            !*outcomes)
            continue;
        char *kernel = NULL;
        size_t size = 0;
        FILE *f = open_memstream(&kernel, &size);
        snprintf(name, sizeof name, "k%ld", n);
        litmus_ptx(f, &l, layout, name);
        fclose(f);
        uint32_t blocks, threads;
        litmus_shape(&l, layout, &blocks, &threads);
        put_instances(ptx, kernel, blocks);
        free(kernel);
        fprintf(expected, "%s %u %u ", name, blocks, threads);
        for (int r = 0; r < LITMUS_REGISTERS; r++)
            if (l.used[r])
                putc('a' + r, expected);
        for (int x = 0; x < 4; x++)
            if (l.shared[x])
                putc("xyzw"[x], expected);
        putc('\n', expected);
        put_outcomes(expected, outcomes, &l);
        for (char *s = text; *s; s++)
            if (*s == '\n')
                *s = ' ';
        fprintf(expected, "# %s %s\n", layout == LITMUS_LANES ? "lanes" : "warps", text);
    }
    return fclose(ptx) || fclose(expected);
}
