/**
 * @file parse_module.c
 * A whole module: version, target, variables, functions, source locations (PTX ISA 4.3, 11).
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse/parser.h"

#define MAX_TEXT (256u << 20)
#define LOC_SEARCH 4096   /* locations looked back for the one a call was inlined at */

/* ---- Tokens ---- */

bool fail(struct parser *p, enum diag_kind kind, const char *format, ...)
{
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (p->t.kind == TOKEN_ERROR && kind == DIAG_SYNTAX)
        snprintf(message, sizeof message, "%s", p->t.message);
    diag_at(p->d, kind, p->m->text, p->m->text_len, (size_t)(p->t.start - p->m->text), "%s",
            message);
    return false;
}

void advance(struct parser *p)
{
    lexer_next(&p->lx, &p->t);
}

bool at_punct(const struct parser *p, int punct)
{
    return p->t.kind == TOKEN_PUNCT && p->t.punct == punct;
}

bool at_dot(const struct parser *p, const char *name)
{
    return p->t.kind == TOKEN_DOT && strlen(name) == p->t.len &&
           memcmp(p->t.start, name, p->t.len) == 0;
}

bool take_punct_if(struct parser *p, int punct)
{
    if (!at_punct(p, punct))
        return false;
    advance(p);
    return true;
}

bool expect_punct(struct parser *p, int punct, const char *where)
{
    return take_punct_if(p, punct) || fail(p, DIAG_SYNTAX, "'%c' is expected in %s", punct, where);
}

bool expect_name(struct parser *p, const char **name, const char *what)
{
    if (p->t.kind != TOKEN_NAME)
        return fail(p, DIAG_SYNTAX, "%s is expected here", what);
    if (p->t.len > 4096)
        return fail(p, DIAG_LIMIT, "this name is too long");
    *name = intern_token(p);
    advance(p);
    return true;
}

bool expect_int(struct parser *p, int64_t *value, const char *what)
{
    if (p->t.kind != TOKEN_INT)
        return fail(p, DIAG_SYNTAX, "%s is expected here", what);
    *value = (int64_t)p->t.bits;
    advance(p);
    return true;
}

bool skip_to_semicolon(struct parser *p)
{
    while (!at_punct(p, ';')) {
        if (p->t.kind == TOKEN_END || p->t.kind == TOKEN_ERROR)
            return fail(p, DIAG_SYNTAX, "';' is expected");
        advance(p);
    }
    advance(p);
    return true;
}

/* ---- Source locations ---- */

/* file = .file number "path" [ ',' timestamp ',' size ] */
bool parse_file(struct parser *p)
{
    int64_t number = 0;
    advance(p);
    if (!expect_int(p, &number, "a file number"))
        return false;
    if (p->t.kind != TOKEN_STRING || p->t.len < 2)
        return fail(p, DIAG_SYNTAX, "a file's path is expected here");
    if (number < 0 || number > 1 << 20)
        return fail(p, DIAG_LIMIT, "file number %lld is out of range", (long long)number);
    *LIST_PUSH(&p->m->files) = (struct ptx_file){
        .number = (int)number, .path = intern(p, p->t.start + 1, p->t.len - 2)->text};
    advance(p);
    while (take_punct_if(p, ',')) {
        int64_t ignored;
        if (!expect_int(p, &ignored, "a number"))
            return false;
    }
    return true;
}

static bool parse_place(struct parser *p, struct ptx_loc *loc)
{
    int64_t file = 0, line = 0, column = 0;
    if (!expect_int(p, &file, "a file number") || !expect_int(p, &line, "a line number") ||
        !expect_int(p, &column, "a column"))
        return false;
    *loc = (struct ptx_loc){.file = (int)file, .line = (int)line, .column = (int)column,
                            .inlined_at = -1};
    return true;
}

/** The index of a location equal to `loc` in this function, added if there is none yet. A call site
 *  that was itself inlined has appeared before with its own `inlined_at`. */
static int find_loc(struct parser *p, const struct ptx_loc *loc)
{
    int stop = p->m->locs.count - LOC_SEARCH;
    if (stop < p->first_loc)
        stop = p->first_loc;
    for (int i = p->m->locs.count - 1; i >= stop; i--) {
        const struct ptx_loc *have = &p->m->locs.data[i];
        if (have->file == loc->file && have->line == loc->line && have->column == loc->column &&
            (loc->inlined_at < 0 || have->inlined_at == loc->inlined_at))
            return i;
    }
    *LIST_PUSH(&p->m->locs) = *loc;
    return p->m->locs.count - 1;
}

/* loc = .loc file line column [ ',' function_name label [ '+' n ] ',' inlined_at file line column ] */
bool parse_loc(struct parser *p)
{
    struct ptx_loc loc;
    advance(p);
    if (!parse_place(p, &loc))
        return false;
    while (take_punct_if(p, ',')) {
        const char *word;
        struct ptx_loc site;
        int64_t ignored;
        if (!expect_name(p, &word, "function_name or inlined_at"))
            return false;
        if (!strcmp(word, "function_name")) {
            if (!expect_name(p, &word, "a label") ||
                (take_punct_if(p, '+') && !expect_int(p, &ignored, "an offset")))
                return false;
        } else if (!strcmp(word, "inlined_at")) {
            if (!parse_place(p, &site))
                return false;
            loc.inlined_at = find_loc(p, &site);
        } else { /* is_stmt 0, prologue_end, … */
            if (p->t.kind == TOKEN_INT)
                advance(p);
        }
    }
    *LIST_PUSH(&p->m->locs) = loc;
    p->loc = p->m->locs.count - 1;
    return true;
}

/* section = .section name '{' … '}': debug information, which softgpu does not read */
bool skip_section(struct parser *p)
{
    int depth = 0;
    do {
        if (p->t.kind == TOKEN_END || p->t.kind == TOKEN_ERROR)
            return fail(p, DIAG_SYNTAX, "this section has no end");
        depth += at_punct(p, '{') - at_punct(p, '}');
        bool closed = depth == 0 && at_punct(p, '}');
        advance(p);
        if (closed)
            return true;
    } while (true);
}

/* ---- Header ---- */

/* version = .version major '.' minor */
static bool parse_version(struct parser *p)
{
    advance(p);
    if ((p->t.kind != TOKEN_FLOAT64 && p->t.kind != TOKEN_INT) ||
        sscanf(p->t.start, "%d.%d", &p->m->version_major, &p->m->version_minor) < 1)
        return fail(p, DIAG_SYNTAX, "a version such as 9.0 is expected here");
    if (p->m->version_major > 9)
        return fail(p, DIAG_UNSUPPORTED, "PTX version %d.%d is newer than softgpu knows (9.x)",
                    p->m->version_major, p->m->version_minor);
    advance(p);
    return true;
}

/* target = .target name { ',' name } */
static bool parse_target(struct parser *p)
{
    advance(p);
    do {
        const char *name;
        if (!expect_name(p, &name, "a target"))
            return false;
        if (!strncmp(name, "sm_", 3))
            p->m->target_sm = atoi(name + 3);
        if (!strcmp(name, "debug"))
            p->m->debug = true;
    } while (take_punct_if(p, ','));
    return true;
}

static bool parse_address_size(struct parser *p)
{
    int64_t bits = 0;
    advance(p);
    if (!expect_int(p, &bits, "an address size"))
        return false;
    return bits == 64 || fail(p, DIAG_UNSUPPORTED, "only 64-bit addresses are supported");
}

/* ---- Module ---- */

/* linkage = { .extern | .visible | .weak | .common } */
static void parse_linkage(struct parser *p, struct ptx_variable *linkage)
{
    memset(linkage, 0, sizeof *linkage);
    for (;; advance(p)) {
        if (at_dot(p, "extern"))
            linkage->external = true;
        else if (at_dot(p, "visible"))
            linkage->visible = true;
        else if (at_dot(p, "weak"))
            linkage->weak = true;
        else if (at_dot(p, "common"))
            linkage->common = true;
        else
            return;
    }
}

/* item = .version | .target | .address_size | .file | .section | linkage ( variable | function ) */
static bool parse_item(struct parser *p)
{
    struct ptx_variable linkage;
    if (p->t.kind != TOKEN_DOT)
        return fail(p, DIAG_SYNTAX, "a directive is expected at module scope");
    if (at_dot(p, "version"))
        return parse_version(p);
    if (at_dot(p, "target"))
        return parse_target(p);
    if (at_dot(p, "address_size"))
        return parse_address_size(p);
    if (at_dot(p, "file"))
        return parse_file(p);
    if (at_dot(p, "section"))
        return skip_section(p);
    if (at_dot(p, "pragma"))
        return skip_to_semicolon(p);
    if (at_dot(p, "include"))
        return fail(p, DIAG_UNSUPPORTED, ".include is never honoured: softgpu reads one file");
    if (at_dot(p, "alias"))
        return fail(p, DIAG_UNSUPPORTED, ".alias is not supported");
    parse_linkage(p, &linkage);
    if (at_dot(p, "entry") || at_dot(p, "func"))
        return parse_function(p, &linkage);
    enum ptx_space space =
        p->t.kind == TOKEN_DOT ? space_of(p->t.start, p->t.len) : SPACE_COUNT;
    if (space == SPACE_GLOBAL || space == SPACE_CONST || space == SPACE_SHARED ||
        space == SPACE_LOCAL)
        return parse_variables(p, space, &linkage);
    if (at_dot(p, "tex"))
        return fail(p, DIAG_UNSUPPORTED, "textures are not supported");
    return fail(p, DIAG_SYNTAX, "this directive is not known at module scope");
}

struct ptx_module *module_parse(const char *name, const char *text, size_t len, struct diag *d)
{
    if (len > MAX_TEXT) {
        diag_line(d, DIAG_LIMIT, 0, "the PTX text is larger than %u MiB", MAX_TEXT >> 20);
        return NULL;
    }
    while (len && text[len - 1] == '\0') /* fat binaries pad with zeros */
        len--;
    struct ptx_module *m = calloc(1, sizeof *m);
    assert(m);
    m->text = arena_strndup(&m->arena, text, len);
    m->text_len = len;
    m->name = arena_strndup(&m->arena, name, strlen(name));
    struct parser p = {.m = m, .d = d, .loc = -1};
    lexer_init(&p.lx, m->text, len);
    advance(&p);
    bool good = at_dot(&p, "version") ||
                fail(&p, DIAG_SYNTAX, "PTX begins with .version");
    while (good && p.t.kind != TOKEN_END)
        good = parse_item(&p);
    names_free(&p);
    if (good)
        return m;
    module_free(m);
    return NULL;
}

static void free_variables(struct ptx_variable *v, int count)
{
    for (int i = 0; i < count; i++)
        LIST_FREE(&v[i].init);
    free(v);
}

static void free_function(struct ptx_function *f)
{
    free_variables(f->params.data, f->params.count);
    free_variables(f->returns.data, f->returns.count);
    free_variables(f->variables.data, f->variables.count);
    LIST_FREE(&f->regs);
    LIST_FREE(&f->instrs);
    LIST_FREE(&f->labels);
    for (int i = 0; i < f->prototypes.count; i++) {
        free(f->prototypes.data[i].params.data);
        free(f->prototypes.data[i].returns.data);
    }
    LIST_FREE(&f->prototypes);
    for (int i = 0; i < f->branch_targets.count; i++)
        LIST_FREE(&f->branch_targets.data[i].targets);
    LIST_FREE(&f->branch_targets);
}

void module_free(struct ptx_module *m)
{
    if (!m)
        return;
    free_variables(m->variables.data, m->variables.count);
    for (int i = 0; i < m->functions.count; i++)
        free_function(&m->functions.data[i]);
    LIST_FREE(&m->functions);
    LIST_FREE(&m->files);
    LIST_FREE(&m->locs);
    arena_free(&m->arena);
    free(m);
}
