/**
 * @file ptx_text.c
 * Splitting PTX into statements; see ptx_text.h.
 *
 * nvcc puts `.loc FILE LINE COLUMN, function_name …, inlined_at FILE LINE COLUMN` before the first
 * instruction of each piece of source, with the place of a call before what was inlined there. So
 * the places seen last lead from a line in a CUDA header back to the line in kernel.cu.
 */
#include "mutants/ptx_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CHAIN 16
#define MAX_SEEN 1024

struct location {
    int file, line, column;
};

/** A `.loc`: where, and where that was inlined (file 0: nowhere). */
struct seen {
    struct location at, into;
};

struct splitter {
    struct ptx_text *out;
    int room, function_room;
    const char *p;
    int line;
    int kernel_file; /**< number of kernel.cu in `.file`; 1 unless told */
    struct seen seen[MAX_SEEN];
    int seen_count;
    struct ptx_place place;
};

static bool same_location(struct location a, struct location b)
{
    return a.file == b.file && a.line == b.line && a.column == b.column;
}

static struct seen *find_seen(struct splitter *s, struct location at)
{
    for (int i = s->seen_count - 1; i >= 0; i--)
        if (same_location(s->seen[i].at, at))
            return &s->seen[i];
    return NULL;
}

/** The place in kernel.cu of a `.loc`, through the calls that were inlined. */
static struct ptx_place find_place(struct splitter *s, struct seen now)
{
    struct ptx_place place = {0};
    for (int depth = 0; depth < MAX_CHAIN; depth++) {
        if (now.at.file == s->kernel_file && !place.line)
            place.line = now.at.line;
        else if (now.at.file == s->kernel_file)
            place.caller = now.at.line;
        if (!now.into.file)
            break;
        const struct seen *up = find_seen(s, now.into);
        now = up ? *up : (struct seen){now.into, {0}};
    }
    return place;
}

static void read_loc(struct splitter *s, const char *line)
{
    struct seen now = {0};
    const char *into = strstr(line, "inlined_at");
    const char *end = strchr(line, '\n');
    if (sscanf(line, ".loc %d %d %d", &now.at.file, &now.at.line, &now.at.column) != 3)
        return;
    if (into && (!end || into < end) &&
        sscanf(into, "inlined_at %d %d %d", &now.into.file, &now.into.line,
               &now.into.column) != 3)
        now.into = (struct location){0};
    struct seen *old = find_seen(s, now.at);
    if (old)
        *old = now;
    else if (s->seen_count < MAX_SEEN)
        s->seen[s->seen_count++] = now;
    if (now.at.line > 0) /* nvcc marks code of no line in particular with line 0 */
        s->place = find_place(s, now);
}

static void read_file(struct splitter *s, const char *line)
{
    int number = 0;
    const char *end = strchr(line, '\n'), *name = strstr(line, ".cu\"");
    if (sscanf(line, ".file %d", &number) == 1 && name && (!end || name < end))
        s->kernel_file = number;
}

/** `.visible .entry NAME(` or `.func (…) NAME(`: a new function. */
static void read_function(struct splitter *s, const char *line, size_t len)
{
    char *copy = text_format("%.*s", (int)(len > 1000 ? 1000 : len), line);
    char *entry = strstr(copy, ".entry"), *func = strstr(copy, ".func"), *name = NULL;
    char *paren = entry ? strchr(entry, '(') : func ? strrchr(func, '(') : NULL;
    if (paren) {
        *paren = 0;
        while (paren > copy && isspace((unsigned char)paren[-1]))
            *--paren = 0;
        for (name = paren; name > copy && !isspace((unsigned char)name[-1]) && name[-1] != ')';)
            name--;
    }
    if (name && *name) {
        struct ptx_text *out = s->out;
        if (out->functions_count == s->function_room) {
            s->function_room = 2 * s->function_room + 8;
            out->functions = realloc(out->functions,
                                     (size_t)s->function_room * sizeof *out->functions);
            if (!out->functions)
                abort();
        }
        out->functions[out->functions_count++] = text_dup(name);
        s->place = (struct ptx_place){0};
        s->seen_count = 0;
    }
    free(copy);
}

static void add_statement(struct splitter *s, const char *start, const char *end, bool label)
{
    struct ptx_text *out = s->out;
    if (out->count == s->room) {
        s->room = 2 * s->room + 256;
        out->list = realloc(out->list, (size_t)s->room * sizeof *out->list);
        if (!out->list)
            abort();
    }
    out->list[out->count++] = (struct ptx_statement){
        (size_t)(start - out->text), (size_t)(end - out->text), s->line,
        out->functions_count - 1,    label,                     s->place};
}

static void count_lines(struct splitter *s, const char *to)
{
    for (; s->p < to; s->p++)
        s->line += *s->p == '\n';
}

/** A directive ends with its line, or earlier where a block or another statement starts. */
static void take_directive(struct splitter *s)
{
    size_t len = strcspn(s->p, "\n;{");
    if (!strncmp(s->p, ".loc", 4))
        read_loc(s, s->p);
    else if (!strncmp(s->p, ".file", 5))
        read_file(s, s->p);
    else if (strncmp(s->p, ".section", 8))
        read_function(s, s->p, len);
    s->p += len;
}

/** An instruction up to its ';', or a label up to its ':'. */
static void take_statement(struct splitter *s)
{
    size_t name = strspn(s->p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$%");
    if (s->p[name] == ':' && s->p[name + 1] != ':') {
        add_statement(s, s->p, s->p + name, true);
        s->p += name + 1;
        return;
    }
    size_t len = strcspn(s->p, ";");
    const char *end = s->p + len + (s->p[len] == ';');
    add_statement(s, s->p, end, false);
    count_lines(s, end);
}

void ptx_text_split(struct ptx_text *p, const char *text)
{
    struct splitter *s = text_zalloc(1, sizeof *s);
    *p = (struct ptx_text){.text = text};
    *s = (struct splitter){.out = p, .p = text, .line = 1, .kernel_file = 1};
    while (*s->p) {
        const char *comment_end;
        if (!strncmp(s->p, "//", 2)) {
            s->p += strcspn(s->p, "\n");
        } else if (!strncmp(s->p, "/*", 2)) {
            comment_end = strstr(s->p + 2, "*/");
            count_lines(s, comment_end ? comment_end + 2 : s->p + strlen(s->p));
        } else if (*s->p == '.') {
            take_directive(s);
        } else if (isalpha((unsigned char)*s->p) || strchr("@$%_", *s->p)) {
            take_statement(s);
        } else {
            count_lines(s, s->p + 1);
        }
    }
    free(s);
}

void ptx_text_free(struct ptx_text *p)
{
    for (int i = 0; i < p->functions_count; i++)
        free(p->functions[i]);
    free(p->functions);
    free(p->list);
    *p = (struct ptx_text){0};
}

static char *skip_space(char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

static void trim_end(char *start, char *end)
{
    while (end > start && isspace((unsigned char)end[-1]))
        end--;
    *end = 0;
}

/** Splits "a, [b+4], {c, d}" at the commas that stand outside brackets. */
static bool split_operands(struct ptx_instruction *in, char *p)
{
    while (*p) {
        int depth = 0;
        char *start = p;
        for (; *p && (depth || *p != ','); p++)
            depth += (*p == '[' || *p == '{' || *p == '(') - (*p == ']' || *p == '}' || *p == ')');
        bool more = *p == ',';
        if (in->operands == PTX_OPERANDS)
            return false;
        trim_end(start, p);
        in->operand[in->operands++] = start;
        p = more ? skip_space(p + 1) : p;
    }
    return true;
}

bool ptx_instruction_read(struct ptx_instruction *in, const struct ptx_text *p, int i)
{
    const struct ptx_statement *s = &p->list[i];
    size_t len = s->end - s->start;
    *in = (struct ptx_instruction){.guard = ""};
    if (len + 1 > sizeof in->buffer)
        return false;
    memcpy(in->buffer, p->text + s->start, len);
    if (len && in->buffer[len - 1] == ';')
        in->buffer[len - 1] = 0;
    char *at = in->buffer;
    if (*at == '@') {
        in->guard = at;
        at += strcspn(at, " \t\n");
        if (!*at)
            return false;
        *at = 0;
        at = skip_space(at + 1);
    }
    in->opcode = at;
    at += strcspn(at, " \t\n");
    if (*at) {
        *at = 0;
        at = skip_space(at + 1);
    }
    trim_end(at, at + strlen(at));
    return split_operands(in, at);
}

static const char *find_modifier(const char *opcode, const char *modifier)
{
    size_t len = strlen(modifier);
    for (const char *p = strchr(opcode, '.'); p; p = strchr(p + 1, '.'))
        if (!strncmp(p, modifier, len) && (!p[len] || p[len] == '.'))
            return p;
    return NULL;
}

bool ptx_has(const char *opcode, const char *modifier)
{
    return find_modifier(opcode, modifier) != NULL;
}

bool ptx_is(const char *opcode, const char *name)
{
    size_t len = strlen(name);
    return !strncmp(opcode, name, len) && (!opcode[len] || opcode[len] == '.');
}

char *ptx_replace(const char *opcode, const char *modifier, const char *by)
{
    const char *at = find_modifier(opcode, modifier);
    return at ? text_format("%.*s%s%s", (int)(at - opcode), opcode, by, at + strlen(modifier))
              : text_dup(opcode);
}
