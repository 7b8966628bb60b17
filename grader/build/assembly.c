/**
 * @file assembly.c
 * See assembly.h. The assembler writes "ptxas kernel.ptx, line 808; error   : Unknown modifier '.foo'"; PTX names its source by ".file 1 "…/kernel.cu""
 * and ".loc 1 93 5" before the instructions of line 93.
 */
#include "build/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_PTX (16u << 20)
#define MAX_ERRORS 3

/** The number of kernel.cu among the PTX's files; 0 if it has none. */
static long own_file(const char *text)
{
    for (const char *at = text; (at = strstr(at, ".file")) != NULL; at++) {
        char *end;
        long number = strtol(at + 5, &end, 10);
        int len = (int)strcspn(end, "\n");
        char *name = text_format("%.*s", len, end);
        bool own = strstr(name, "/kernel.cu\"") || strstr(name, "\"kernel.cu\"");
        free(name);
        if (own)
            return number;
    }
    return 0;
}

/** The line of file `own` that a line of the PTX comes from; 0 if that is not known. */
static long source_line(const char *text, long own, long wanted)
{
    long line = 1, last = 0, file, at;
    for (const char *p = text; own && *p && line <= wanted; line++) {
        if (sscanf(p, " .loc %ld %ld", &file, &at) == 2)
            last = file == own ? at : 0;
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    return last;
}

/** @param text  the PTX, whose .loc lines tell where in kernel.cu each of its lines comes from. @return NULL: no error of a line's */
static char *assembly_words(const char *said, const char *text, const char *source, const char *shown)
{
    struct text all = {0};
    long before = 0, kernel = own_file(text);
    for (const char *line = said; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char *copy = text_format("%.*s", (int)strcspn(line, "\n"), line), *at = strstr(copy, ", line "), *end = NULL;
        long number = at ? strtol(at + 7, &end, 10) : 0;
        const char *words = number > 0 && (!strncmp(end, "; error", 7) || !strncmp(end, "; fatal", 7)) ? strstr(end, ": ") : NULL;
        long own = words ? source_line(text, kernel, number) : 0;
        if (words && own && own != before)
            text_printf(&all, "kernel.cu(%ld): error: ptxas: %s\n", own, words + 2);
        else if (words && !own)
            text_printf(&all, "error in line %ld of its PTX: ptxas: %s\n", number, words + 2);
        before = own ? own : before;
        free(copy);
    }
    char *told = compile_errors(text_str(&all), source, shown, MAX_ERRORS);
    text_free(&all);
    if (!*told) {
        free(told);
        told = NULL;
    }
    return told;
}

bool assembly_is_in(const char *source)
{
    return strstr(source, "asm") != NULL;
}

char *assembly_errors(const struct kit *k, const char *arch, const char *ptx, const char *source, const char *shown, const char *folder,
                      struct trouble *t)
{
    char *tools = kit_tools(k), *tool = text_format("%s/ptxas", tools), *path = text_format("%s/%s", folder, ptx);
    char *device = text_format("-arch=sm%s", strchrnul(arch, '_'));
    char *argv[] = {tool, device, "-o", "kernel.cubin", (char *)ptx, NULL}, *told = NULL, *text = NULL;
    const char *why;
    struct child c = {0};
    size_t len;
    bool ask = assembly_is_in(source) && access(tool, X_OK) == 0;
    if (ask && !compile_step(&c, k, argv, folder, NULL, t) && (text = text_read_file(path, MAX_PTX, &len, &why)) != NULL)
        told = assembly_words(text_str(&c.err), text, source, shown);
    child_clear(&c);
    free(text);
    free(tool);
    free(tools);
    free(path);
    free(device);
    return told;
}
