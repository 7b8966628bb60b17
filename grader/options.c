/**
 * @file options.c
 * Parsing the command line from one table; see options.h.
 */
#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option_type { FLAG, WORD, NUMBER, SEED, CHOICE, LETTER, SLICE };

struct option_row {
    const char *name, *value;
    enum option_type type;
    size_t offset;
    const char *choices; /**< CHOICE: names in the enum's order; NUMBER: the largest */
    const char *help;
};

#define AT(member) offsetof(struct options, member)

static const struct option_row rows[] = {
    {"--case", "NAME", WORD, AT(only), NULL, "only this case: its name, or B2; or part B"},
    {"--hint", NULL, FLAG, AT(hint), NULL, "open the next hint for the first thing that fails"},
    {"--file", "K.cu", WORD, AT(file), NULL, "grade this file instead of the lab's kernel.cu"},
    {"--solution", NULL, FLAG, AT(solution), NULL, "grade the lab's solution"},
    {"--seed", "HEX", SEED, AT(seed), NULL, "repeat the run with this seed"},
    {"--fresh", NULL, FLAG, AT(fresh), NULL, "judge also what no edit has reached"},
    {"--schedules", "N", NUMBER, AT(schedules), "1000", "schedules to try for each input"},
    {"--replay", "SEED/CASE|FILE", WORD, AT(replay), NULL, "repeat a case of a report, or a whole record"},
    {"--debug", NULL, FLAG, AT(debug), NULL, "step through a case, both ways (docs/debugger.md)"},
    {"--watch", NULL, FLAG, AT(watch), NULL, "grade again at each save; keys n, r, h, l, q"},
    {"--device", "auto|softgpu|gpu", CHOICE, AT(device), "auto|softgpu|gpu", "where to run"},
    {"--sandbox", "A|B|C|D", LETTER, AT(sandbox), NULL, "use only this level (docs/sandbox.md)"},
    {"--require-sandbox", "A|B|C|D", LETTER, AT(require_sandbox), NULL, "judge only at this level or better"},
    {"--jobs", "N", NUMBER, AT(jobs), "64", "runs at the same time (default: by the cores)"},
    {"--format", "NAME", WORD, AT(format), NULL, "the report's format (default: text)"},
    {"--output", "FILE", WORD, AT(output), NULL, "write the report to a file"},
    {"--submissions", "DIR", WORD, AT(submissions), NULL, "grade a class: NAME.cu or NAME/kernel.cu"},
    {"--csv", "FILE", WORD, AT(csv), NULL, "the class's grades (default: REPORT/grades.csv)"},
    {"--gradebook", "KIND", CHOICE, AT(gradebook), "plain|moodle|canvas",
     "that file's columns: plain, moodle or canvas"},
    {"--report", "DIR", WORD, AT(report), NULL, "the class's records and pages"},
    {"--course", "FILE", WORD, AT(course), NULL, "weights and due dates (default: course.yaml)"},
    {"--times", "FILE", WORD, AT(times), NULL, "when who handed in: a CSV of name,time"},
    {"--salt", "FILE", WORD, AT(salt), NULL, "stats: keep the pseudonyms' key here"},
    {"--slurm", "N", NUMBER, AT(slurm), "1000", "grade the class in a Slurm array of N tasks"},
    {"--gpus", NULL, FLAG, AT(gpus), NULL, "with --slurm: one GPU a task"},
    {"--slice", "I/N", SLICE, AT(slice), NULL, "of a class, only each N-th submission from I on"},
    {"--quick", NULL, FLAG, AT(quick), NULL, "dev check: one of a sort; dev tune: no mutants"},
    {"--color", "auto|never|always", CHOICE, AT(color), "auto|never|always", "colours"},
    {"--root", "DIR", WORD, AT(root), NULL, "the kit's folder"},
    {"-v", NULL, FLAG, AT(verbose), NULL, "show everything about each failure"},
    {"--version", NULL, FLAG, AT(version), NULL, "print the version"},
    {"--help", NULL, FLAG, AT(help), NULL, "this text"},
};

#define ROWS (sizeof rows / sizeof rows[0])

void options_help(void)
{
    printf("./grade                        the course at a glance\n"
           "./grade LAB… [options]         grade labs: lab03, 3 or a folder name\n"
           "./grade dev check [LAB…]       prove skeletons, solutions and wrong variants\n"
           "./grade dev mutants [LAB…]     weaken the solutions: would the cases notice?\n"
           "./grade dev tune [LAB…]        what each case costs, and what only it finds\n"
           "./grade dev new lab20_mine     make a lab to start from\n"
           "./grade class REPORT…          reports as one: who has what (course.yaml)\n"
           "./grade stats REPORT…          of reports: labs and weeks, without names\n\n");
    for (size_t i = 0; i < ROWS; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", rows[i].name, rows[i].value ? " " : "",
                 rows[i].value ? rows[i].value : "");
        printf("  %-28s %s\n", left, rows[i].help);
    }
    printf("\nExit status: 0 full marks, 1 below, 2 could not judge.\n");
}

static bool parse_number(const char *text, int base, unsigned long max, unsigned long *out)
{
    char *end;
    errno = 0;
    *out = strtoul(text, &end, base);
    return *text && !*end && !errno && *out <= max && *text != '-' && *text != '+';
}

static bool parse_choice(const char *text, const char *choices, int *out)
{
    *out = 0;
    for (const char *p = choices; *p; (*out)++) {
        size_t n = strcspn(p, "|");
        if (strlen(text) == n && !strncmp(p, text, n))
            return true;
        p += n + (p[n] == '|');
    }
    return false;
}

static bool set_value(struct options *o, const struct option_row *row, const char *value,
                      struct trouble *t)
{
    void *at = (char *)o + row->offset;
    unsigned long n;
    int choice;
    switch (row->type) {
    case FLAG:
        *(bool *)at = true;
        return true;
    case WORD:
        *(const char **)at = value;
        return true;
    case NUMBER:
        if (!parse_number(value, 10, strtoul(row->choices, NULL, 10), &n) || n == 0)
            return trouble_set(t, "%s %.40s: allowed: 1 to %s", row->name, value, row->choices);
        *(int *)at = (int)n;
        return true;
    case SEED:
        if (!parse_number(value, 16, UINT32_MAX, &n))
            return trouble_set(t, "--seed %.40s: allowed: up to 8 hexadecimal digits", value);
        o->seed = (uint32_t)n;
        o->has_seed = true;
        return true;
    case SLICE:
        if (sscanf(value, "%d/%d", &o->slice, &o->slices) != 2 || o->slices < 1 || o->slice < 0 ||
            o->slice >= o->slices)
            return trouble_set(t, "--slice %.40s: allowed: I/N with I from 0 to N-1", value);
        return true;
    case LETTER:
        if (strlen(value) != 1 || *value < 'A' || *value > 'D')
            return trouble_set(t, "%s %.40s: allowed: A, B, C, D", row->name, value);
        *(int *)at = *value;
        return true;
    case CHOICE:
        if (!parse_choice(value, row->choices, &choice))
            return trouble_set(t, "%s %.40s: allowed: %s", row->name, value, row->choices);
        *(int *)at = choice;
        return true;
    }
    return false;
}

/** "5f3a91c2/B2" is short for --seed 5f3a91c2 --case B2; anything else is a record's file. */
static void expand_replay(struct options *o)
{
    const char *slash = o->replay ? strchr(o->replay, '/') : NULL;
    unsigned long n;
    char *seed = text_format("%.*s", slash ? (int)(slash - o->replay) : 0,
                             o->replay ? o->replay : "");
    if (slash && slash[1] && o->labs_count && parse_number(seed, 16, UINT32_MAX, &n)) {
        o->seed = (uint32_t)n;
        o->has_seed = true;
        o->only = slash + 1;
        o->replay = NULL;
    }
    free(seed);
}

static bool parse_option(struct options *o, int argc, char **argv, int *i, struct trouble *t)
{
    const char *arg = argv[*i], *equals = strchr(arg, '=');
    size_t len = equals ? (size_t)(equals - arg) : strlen(arg);
    for (size_t r = 0; r < ROWS; r++) {
        if (strlen(rows[r].name) != len || strncmp(rows[r].name, arg, len))
            continue;
        const char *value = equals ? equals + 1 : NULL;
        if (rows[r].type == FLAG && value)
            return trouble_set(t, "%s takes no value", rows[r].name);
        if (rows[r].type != FLAG && !value) {
            if (*i + 1 >= argc)
                return trouble_set(t, "%s needs %s", rows[r].name, rows[r].value);
            value = argv[++*i];
        }
        return set_value(o, &rows[r], value, t);
    }
    return trouble_set(t, "unknown option %.60s", arg);
}

bool options_parse(struct options *o, int argc, char **argv, struct trouble *t)
{
    *o = (struct options){.format = "text"};
    for (int i = 1; i < argc; i++) {
        bool ok = true;
        if (!strcmp(argv[i], "-h"))
            o->help = true;
        else if (argv[i][0] == '-' && argv[i][1])
            ok = parse_option(o, argc, argv, &i, t);
        else if (!strcmp(argv[i], "dev") && !o->labs_count && !o->dev && i + 1 < argc)
            o->dev = argv[++i];
        else if ((!strcmp(argv[i], "class") || !strcmp(argv[i], "stats")) && !o->labs_count && !o->dev && !o->folders)
            o->folders = argv[i];
        else if (o->labs_count < MAX_LABS)
            o->labs[o->labs_count++] = argv[i];
        if (!ok) {
            trouble_todo(t, "./grade --help lists the options");
            return false;
        }
    }
    if (o->dev && strcmp(o->dev, "check") && strcmp(o->dev, "mutants") && strcmp(o->dev, "tune") && strcmp(o->dev, "new"))
        return trouble_set(t, "./grade dev %.40s: allowed: dev check, dev mutants, dev tune, dev new", o->dev);
    if (o->dev && !strcmp(o->dev, "new") && o->labs_count != 1)
        return trouble_set(t, "./grade dev new needs one name, as lab20_mine");
    if (o->quick && (!o->dev || (strcmp(o->dev, "check") && strcmp(o->dev, "tune"))))
        return trouble_set(t, "--quick goes with dev check and dev tune");
    if (o->folders && !o->labs_count)
        return trouble_set(t, "./grade %s needs report folders: ./grade %s REPORT…", o->folders, o->folders);
    if (o->salt && (!o->folders || strcmp(o->folders, "stats") || !o->csv))
        return trouble_set(t, "--salt goes with ./grade stats REPORT… --csv FILE");
    if (o->times && !o->submissions)
        return trouble_set(t, "--times goes with --submissions");
    expand_replay(o);
    if (!o->labs_count && (o->file || o->only || o->hint || o->solution || o->submissions ||
                           o->watch))
        return trouble_set(t, "which lab? For example: ./grade lab03");
    return true;
}
