/**
 * @file case.h
 * A golden case as its NAME.expect beside NAME.ptx has it.
 *
 * NAME.expect, one item a line, `#` starts a comment:
 *   kernel NAME                         grid X [Y [Z]]        block X [Y [Z]]
 *   shared BYTES (dynamic)              cooperative           device KEY        steps LIMIT
 *   cluster X [Y [Z]]
 *   buffer NAME TYPE COUNT zero | iota START STEP | list V …
 *   arg NAME | arg TYPE VALUE           in the order of the parameters
 *   status done | illegal-address | misaligned | assert | trap | illegal-instruction |
 *          stack-overflow | deadlock | step-limit | unsupported
 *   fault WORDS                         part of the fault's sentence
 *   finding KIND                        some finding of this kind is reported
 *   expect NAME V …                     first elements of a buffer; V*N repeats, A..B counts up
 *   counter NUMBER VALUE                enum counter, of the observed run
 *   stdout TEXT                         with \n; several lines are joined
 *   natural                             only the natural schedule decides the outcome
 */
#ifndef TESTS_GOLDEN_CASE_H
#define TESTS_GOLDEN_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "execute/grid.h"
#include "options/device_model.h"

#define MAX_BUFFERS 8
#define MAX_ARGS 16
#define MAX_WORDS 4096

struct buffer {
    char name[32];
    enum ptx_type type;
    uint64_t count;
    uint64_t *initial, *expected;
    uint64_t expected_count;
    struct allocation *allocation;
};

struct test_case {
    char name[128], kernel[64], fault[256], finding[64];
    char out[4096];
    const struct device_model *device;
    uint32_t grid[3], block[3], cluster[3], shared;
    bool cooperative, natural_only;
    uint64_t steps;
    enum grid_status status;
    struct buffer buffers[MAX_BUFFERS];
    int buffer_count;
    struct { int buffer; enum ptx_type type; uint64_t value; } args[MAX_ARGS];
    int arg_count;
    struct { int counter; uint64_t value; } counters[COUNTER_COUNT];
    int counter_count;
    uint64_t cost[4];        /**< of the run on the interpreter: what its time in the device model is made of */
};

static const char *const status_names[] = {
    "running", "done", "illegal-address", "misaligned", "assert", "trap", "no-peer",
    "illegal-instruction", "stack-overflow", "deadlock", "step-limit", "unsupported"};

static void bad_case(const char *file, int line, const char *why)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, why);
    exit(2);
}

/** A number as the bits of a value of `type`. */
static uint64_t parse_value(const char *text, enum ptx_type type)
{
    if (type == PTX_F32) {
        float f = strtof(text, NULL);
        uint32_t bits;
        memcpy(&bits, &f, sizeof bits);
        return bits;
    }
    if (type == PTX_F64) {
        double f = strtod(text, NULL);
        uint64_t bits;
        memcpy(&bits, &f, sizeof bits);
        return bits;
    }
    uint64_t v = text[0] == '-' ? (uint64_t)strtoll(text, NULL, 0) : strtoull(text, NULL, 0);
    unsigned bytes = ptx_type_bytes(type);
    return bytes >= 8 ? v : v & ((1ull << 8 * bytes) - 1);
}

/** V, V*N or A..B appended to `list`. */
static uint64_t append_values(uint64_t *list, uint64_t count, const char *word, enum ptx_type type)
{
    const char *star = strchr(word, '*'), *dots = strstr(word, "..");
    uint64_t first = parse_value(word, type);
    uint64_t last = dots ? parse_value(dots + 2, type) : first;
    uint64_t repeat = star ? strtoull(star + 1, NULL, 0) : 1;
    for (uint64_t v = first; v <= last; v++)
        for (uint64_t i = 0; i < repeat; i++)
            if (count < MAX_WORDS)
                list[count++] = v;
    return count;
}

static int find_buffer(const struct test_case *c, const char *name)
{
    for (int i = 0; i < c->buffer_count; i++)
        if (strcmp(c->buffers[i].name, name) == 0)
            return i;
    return -1;
}

static void read_buffer(struct test_case *c, char **words, int n, const char *file, int line)
{
    if (n < 5 || c->buffer_count == MAX_BUFFERS)
        bad_case(file, line, "buffer NAME TYPE COUNT zero|iota|list …");
    struct buffer *b = &c->buffers[c->buffer_count++];
    snprintf(b->name, sizeof b->name, "%s", words[1]);
    b->type = ptx_type_of(words[2]);
    b->count = strtoull(words[3], NULL, 0);
    b->initial = calloc(MAX_WORDS, sizeof *b->initial);
    b->expected = calloc(MAX_WORDS, sizeof *b->expected);
    if (b->type == PTX_NONE || b->count > MAX_WORDS)
        bad_case(file, line, "unknown type, or too large");
    if (strcmp(words[4], "iota") == 0 && n == 7)
        for (uint64_t i = 0; i < b->count; i++)
            b->initial[i] = parse_value(words[5], b->type) + i * parse_value(words[6], b->type);
    else if (strcmp(words[4], "list") == 0)
        for (int i = 5, at = 0; i < n; i++)
            at = (int)append_values(b->initial, (uint64_t)at, words[i], b->type);
    else if (strcmp(words[4], "zero") != 0)
        bad_case(file, line, "zero, iota START STEP or list V …");
}

static void read_arg(struct test_case *c, char **words, int n, const char *file, int line)
{
    int buffer = n == 2 ? find_buffer(c, words[1]) : -1;
    enum ptx_type type = n == 3 ? ptx_type_of(words[1]) : PTX_U64;
    if (c->arg_count == MAX_ARGS || type == PTX_NONE || (n == 2 && buffer < 0))
        bad_case(file, line, "arg BUFFER or arg TYPE VALUE");
    c->args[c->arg_count].buffer = buffer;
    c->args[c->arg_count].type = type;
    c->args[c->arg_count++].value = n == 3 ? parse_value(words[2], type) : 0;
}

static void read_expect(struct test_case *c, char **words, int n, const char *file, int line)
{
    int i = n > 1 ? find_buffer(c, words[1]) : -1;
    if (i < 0)
        bad_case(file, line, "expect BUFFER V …");
    struct buffer *b = &c->buffers[i];
    for (int j = 2; j < n; j++)
        b->expected_count = append_values(b->expected, b->expected_count, words[j], b->type);
}

static void read_text(char *to, size_t size, const char *from)
{
    size_t n = strlen(to);
    for (; *from && n + 1 < size; from++) {
        if (from[0] == '\\' && from[1] == 'n')
            to[n++] = '\n', from++;
        else
            to[n++] = *from;
    }
    to[n] = 0;
}

static void read_line(struct test_case *c, char *text, const char *file, int line)
{
    char *words[512], *rest = text, copy[8192];
    int n = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = strtok(copy, " \t"); at && n < 512; at = strtok(NULL, " \t"))
        words[n++] = at;
    if (n == 0 || words[0][0] == '#')
        return;
    rest += strcspn(rest, " \t");
    rest += *rest != 0;
    uint32_t *shape = !strcmp(words[0], "grid") ? c->grid : !strcmp(words[0], "cluster") ? c->cluster : c->block;
    if (!strcmp(words[0], "grid") || !strcmp(words[0], "block") || !strcmp(words[0], "cluster"))
        for (int i = 0; i < 3; i++)
            shape[i] = i + 1 < n ? (uint32_t)atoi(words[i + 1]) : 1;
    else if (!strcmp(words[0], "kernel") && n == 2)
        snprintf(c->kernel, sizeof c->kernel, "%s", words[1]);
    else if (!strcmp(words[0], "shared") && n == 2)
        c->shared = (uint32_t)atoi(words[1]);
    else if (!strcmp(words[0], "steps") && n == 2)
        c->steps = strtoull(words[1], NULL, 0);
    else if (!strcmp(words[0], "cooperative"))
        c->cooperative = true;
    else if (!strcmp(words[0], "natural"))
        c->natural_only = true;
    else if (!strcmp(words[0], "device") && n == 2)
        c->device = device_model_find(words[1]);
    else if (!strcmp(words[0], "buffer"))
        read_buffer(c, words, n, file, line);
    else if (!strcmp(words[0], "arg"))
        read_arg(c, words, n, file, line);
    else if (!strcmp(words[0], "expect"))
        read_expect(c, words, n, file, line);
    else if (!strcmp(words[0], "fault"))
        read_text(c->fault, sizeof c->fault, rest);
    else if (!strcmp(words[0], "finding") && n == 2)
        snprintf(c->finding, sizeof c->finding, "%s", words[1]);
    else if (!strcmp(words[0], "stdout"))
        read_text(c->out, sizeof c->out, rest);
    else if (!strcmp(words[0], "counter") && n == 3) {
        c->counters[c->counter_count].counter = atoi(words[1]);
        c->counters[c->counter_count++].value = strtoull(words[2], NULL, 0);
    } else if (!strcmp(words[0], "status") && n == 2) {
        for (size_t i = 0; i < sizeof status_names / sizeof *status_names; i++)
            if (!strcmp(status_names[i], words[1]))
                c->status = (enum grid_status)i;
    } else {
        bad_case(file, line, "not understood");
    }
}

static char *read_file(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    char *text = malloc(1 << 20);
    *len = fread(text, 1, (1 << 20) - 1, f);
    text[*len] = 0;
    fclose(f);
    return text;
}

static void read_case(struct test_case *c, const char *path)
{
    size_t len;
    char *text = read_file(path, &len);
    memset(c, 0, sizeof *c);
    snprintf(c->name, sizeof c->name, "%.*s", (int)(strrchr(path, '.') - path), path);
    c->device = device_model_at(0);
    c->status = GRID_DONE;
    c->steps = 20000000;
    for (int i = 0; i < 3; i++)
        c->grid[i] = c->block[i] = 1;
    int line = 1;
    for (char *at = text; *at; line++) {
        char *end = at + strcspn(at, "\n");
        bool last = !*end;
        *end = 0;
        read_line(c, at, path, line);
        at = last ? end : end + 1;
    }
    free(text);
}

#endif
