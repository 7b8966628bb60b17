/**
 * @file prefix.c
 * A head in the sandbox: made, and put before what comes behind it; see headers.h.
 *
 * A pass reads `#include "FOLDER/device.ii"` and then the rest, preprocessed with the head's macros: the same words, at the same lines of the same files, as
 * if all had been preprocessed at once.
 */
#include "build/headers.h"
#include "build/lean.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RUNTIME "-include \"cuda_runtime.h\""
#define SOURCE "\"kernel.cu\" -o \""
#define OWN_FILE " \"kernel.cu\""
#define MAX_LEAN (1u << 20) /* of the rest */

static char *read_all(const char *path, size_t *len)
{
    const char *why;
    return text_read_file(path, HEADERS_MAX_FILE, len, &why);
}

/** `text` with the one `from` in it made `to`; the caller frees. NULL: there is none. */
static char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    return at ? text_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from)) : NULL;
}

/** The name between the quotes behind `mark` in a command; the caller frees. NULL: there is none. */
static char *name_behind(const char *command, const char *mark)
{
    const char *at = strstr(command, mark), *end = at ? strchr(at + strlen(mark), '"') : NULL;
    return end ? text_format("%.*s", (int)(end - at - strlen(mark)), at + strlen(mark)) : NULL;
}

/** The file that the host's compiler reads. */
static char *host_source(const char *compile)
{
    const char *end = strstr(compile, "\" -o \""), *at = end;
    while (at && at > compile && at[-1] != '"')
        at--;
    return at && at > compile ? text_format("%.*s", (int)(end - at), at) : NULL;
}

static bool run(const char *format, const char *command)
{
    char *line = text_format(format, command);
    int status = system(line);
    free(line);
    return status == 0;
}

/** Runs a preprocessor's command with other flags and another output. */
static bool preprocess(const char *command, const char *flags, const char *output)
{
    char *name = name_behind(command, SOURCE), *old = name ? text_format(SOURCE "%s\"", name) : NULL;
    char *new = text_format("\"kernel.cu\" -o \"%s\"", output);
    char *other = old ? replaced(command, old, new) : NULL, *full = other ? replaced(other, " -E ", flags) : NULL;
    bool ok = full && run("%s", full);
    free(name);
    free(old);
    free(new);
    free(other);
    free(full);
    return ok;
}

struct macro {
    const char *name, *line; /**< `line`: its definition; NULL: it is undefined */
    size_t name_len, line_len;
    int order;
    bool system, builtin;
};

static int by_name(const void *a, const void *b)
{
    const struct macro *x = a, *y = b;
    size_t len = x->name_len < y->name_len ? x->name_len : y->name_len;
    int c = memcmp(x->name, y->name, len);
    return c ? c : x->name_len != y->name_len ? (x->name_len < y->name_len ? -1 : 1) : x->order - y->order;
}

/** All definitions and their ends, in the order of the text (-dD). */
static struct macro *list_macros(const char *text, int *count)
{
    struct macro *list = NULL;
    int size = 0;
    bool system = false, builtin = true;
    for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        bool defined = !strncmp(line, "#define ", 8);
        if (!strncmp(line, "# ", 2)) {
            const char *flags = memrchr(line, '"', (size_t)(end - line)), *name = memchr(line, '"', (size_t)(end - line));
            system = flags && memchr(flags, '3', (size_t)(end - flags));
            builtin = name && (name[1] == '<' || !strncmp(name, OWN_FILE + 1, strlen(OWN_FILE) - 1));
        }
        if (!defined && strncmp(line, "#undef ", 7))
            continue;
        if (*count == size && !(list = realloc(list, (size_t)(size = 2 * size + 1024) * sizeof *list)))
            abort();
        const char *name = line + (defined ? 8 : 7);
        list[*count] = (struct macro){name, defined ? line : NULL, strcspn(name, " (\n"), (size_t)(end - line), *count, system, builtin};
        ++*count;
    }
    return list;
}

/** Those that last, as a file for -imacros: of system headers and of others apart, for the preprocessor marks words that come from the former. */
static bool write_macros(const char *text, const char *output)
{
    int count = 0;
    struct macro *list = list_macros(text, &count);
    struct text parts[2] = {{0}, {0}};
    if (count)
        qsort(list, (size_t)count, sizeof *list, by_name);
    for (int i = 0, first = 0; i < count; i++) {
        bool last = i + 1 == count || list[i].name_len != list[i + 1].name_len || memcmp(list[i].name, list[i + 1].name, list[i].name_len);
        if (!last)
            continue;
        const struct macro *m = &list[i];
        struct text *part = &parts[m->system];
        if (!list[first].line || !m->line) /* what the preprocessor, or a command, defines */
            text_printf(part, "#undef %.*s\n", (int)m->name_len, m->name);
        if (m->line && !m->builtin)
            text_printf(part, "%.*s\n", (int)m->line_len, m->line);
        first = i + 1;
    }
    struct text all = {0};
    text_printf(&all, "%s# 1 \"system\" 3\n%s", text_str(&parts[0]), text_str(&parts[1]));
    bool ok = text_write_file(output, all.data, all.len);
    text_free(&all);
    text_free(&parts[0]);
    text_free(&parts[1]);
    free(list);
    return ok;
}

/** NAME.ii and NAME.macros. */
static bool make_pass(const char *command, const char *name)
{
    char *whole = text_format("%s.whole", name), *defined = text_format("%s.defined", name), *ii = text_format(HEADERS_MADE "/%s.ii", name);
    char *macros = text_format(HEADERS_MADE "/%s.macros", name);
    bool ok = preprocess(command, " -E ", whole) && preprocess(command, " -E -dD ", defined);
    size_t len, size;
    char *text = ok ? read_all(whole, &len) : NULL, *all = ok ? read_all(defined, &size) : NULL, *end = NULL;
    for (char *at = text; at && (at = strstr(at, OWN_FILE " 2\n")) != NULL; at++)
        end = at;
    if (text && !end && (end = strstr(text, "\n# 1" OWN_FILE "\n")) != NULL) /* nothing is included */
        end++;
    while (end && end > text && end[-1] != '\n')
        end--;
    ok = end && all && text_write_file(ii, text, (size_t)(end - text)) && write_macros(all, macros);
    free(text);
    free(all);
    free(whole);
    free(defined);
    free(ii);
    free(macros);
    return ok;
}

/** host.h, what cudafe++ makes of the head, and host.h.gch. */
static bool make_host(const char *front, const char *compile)
{
    char *source = host_source(compile), *from = source ? text_format("\"%s\" -o \"", source) : NULL;
    char *other = from ? replaced(compile, from, "\"" HEADERS_MADE "/host.h\" -o \"" HEADERS_MADE "/host.h.gch\" \"") : NULL, *text = NULL, *end = NULL;
    char *mark = other ? strstr(other, "host.h.gch\" \"") : NULL;
    size_t len;
    if (mark) /* the object's name goes */
        strcpy(mark, "host.h.gch\"");
    char *header = mark ? replaced(other, " -c -x c++ ", " -x c++-header ") : NULL;
    bool ok = header && run("%s", front) && (text = read_all(source, &len)) != NULL && (end = strstr(text, HEADERS_END)) != NULL;
    while (ok && end > text && strncmp(end, "\n# ", 3))
        end--;
    ok = ok && end > text && text_write_file(HEADERS_MADE "/host.h", text, (size_t)(end + 1 - text)) && run("%s", header);
    free(source);
    free(from);
    free(other);
    free(header);
    free(text);
    return ok;
}

bool prefix_make(const char *host, const char *front, const char *compile, const char *device)
{
    if (!text_make_dirs(HEADERS_MADE) || !make_pass(device, "device"))
        return false;
    return !host || (run("%s", host) && make_pass(host, "host") && make_host(front, compile));
}

char *prefix_command(const char *command, const char *folder, bool host)
{
    char *name = name_behind(command, SOURCE), *macros = text_format("-imacros \"%s/%s.macros\"", folder, host ? "host" : "device");
    char *other = name ? replaced(command, RUNTIME, macros) : NULL, *old = text_format(SOURCE "%s\"", name ? name : "");
    char *new = text_format("\"" HEADERS_REST "\" -o \"%s.rest\"", name ? name : "");
    char *full = other ? replaced(other, old, new) : NULL;
    free(name);
    free(macros);
    free(other);
    free(old);
    free(new);
    return full;
}

/** Is all of it of kernel.cu? */
static bool is_own(const char *text)
{
    for (const char *at = text; (at = strstr(at, "\n# ")) != NULL; at++) {
        const char *name = strchr(at, '"');
        if (strspn(at + 3, "0123456789") && name && strncmp(name - 1, OWN_FILE, strlen(OWN_FILE)))
            return false;
    }
    return true;
}

/**
 * Each `__builtin_constant_p(x)` of the head says no, as it may anywhere, in as many characters. For each in a template with `&&` behind it cudafe++ (13.0) puts 64 MB aside:
 * two in std::advance() are a third of its time. What it makes of the head is left out again, and the host's compiler reads the head as it is.
 */
static void guess_nothing(char *head)
{
    static const char guess[] = "__builtin_constant_p", before[] = "(sizeof(", behind[] = ") == 0)";
    for (char *at = head; (at = strstr(at, guess)) != NULL; at++) {
        char *open = at + strlen(guess) + strspn(at + strlen(guess), " "), *close = open;
        int depth = 0;
        for (; *close && !strchr("\"'", *close) && (depth += (*close == '(') - (*close == ')')) > 0; close++)
            ;
        if (*open != '(' || *close != ')' || (at > head && (at[-1] == '_' || isalnum((unsigned char)at[-1]))))
            continue;
        size_t len = (size_t)(close - open - 1);
        memmove(at + strlen(before), open + 1, len);
        memcpy(at, before, strlen(before));
        memcpy(at + strlen(before) + len, behind, strlen(behind));
        memset(at + strlen(before) + len + strlen(behind), ' ', (size_t)(close + 1 - at) - strlen(before) - len - strlen(behind));
    }
}

/** What a pass reads: the head, or what it needs of it, and the rest. The caller frees; NULL: that cannot be told. */
static char *joined(const char *own, const char *folder, bool host, bool lean)
{
    if (!lean)
        return text_format("# 1" OWN_FILE "\n#include \"%s/%s.ii\"\n%s", folder, host ? "host" : "device", own);
    char *path = text_format("%s/%s.ii", folder, host ? "host" : "device");
    size_t len;
    char *head = strlen(own) > MAX_LEAN || strstr(own, HEADERS_END) ? NULL : read_all(path, &len), *part = head ? lean_head(head, own) : NULL;
    if (part && host)
        guess_nothing(part);
    char *all = part ? text_format("# 1" OWN_FILE "\n%s%s%s", part, host ? "# 1" OWN_FILE "\nint " HEADERS_END ";\n" : "", own) : NULL;
    free(path);
    free(head);
    free(part);
    return all;
}

bool prefix_join(const char *command, const char *folder, bool host, bool lean)
{
    char *name = name_behind(command, SOURCE), *made = text_format("%s.rest", name ? name : "");
    size_t len;
    char *text = name ? read_all(made, &len) : NULL, *own = text;
    while (own && (own = strstr(own, OWN_FILE)) != NULL && own[strlen(OWN_FILE)] != '\n')
        own++;
    while (own && own > text && own[-1] != '\n')
        own--;
    char *all = own && strlen(text) == len && is_own(own) ? joined(own, folder, host, lean) : NULL;
    bool ok = all && text_write_file(name, all, strlen(all));
    free(all);
    free(text);
    free(made);
    free(name);
    return ok;
}

/** Where what cudafe++ made of the rest begins; NULL: that is not known. */
static const char *rest_of(const char *text, size_t len, const char *path, bool lean)
{
    if (!lean) {
        size_t own = 0;
        char *header = read_all(path, &own);
        bool begins = header && own < len && !memcmp(text, header, own);
        free(header);
        return begins ? text + own : NULL;
    }
    const char *end = strstr(text, "\nint " HEADERS_END ";"), *line = end ? strstr(end + 1, "\n# ") : NULL;
    return line ? line + 1 : NULL;
}

bool prefix_shorten(const char *compile, const char *folder, bool lean)
{
    char *source = host_source(compile), *header = text_format("%s/host.h", folder), *all = NULL;
    size_t len = 0;
    char *text = source ? read_all(source, &len) : NULL;
    const char *rest = text ? rest_of(text, len, header, lean) : NULL;
    if (rest)
        all = text_format("#include \"%s\"\n%s", header, rest);
    /* removed first, for ext4 begins to write to the disk what takes another file's place */
    bool ok = all && unlink(source) == 0 && text_write_file(source, all, strlen(all));
    free(all);
    free(text);
    free(header);
    free(source);
    return ok;
}
