/**
 * @file parse_loc.c
 * Source locations: `.file`, `.loc`, and the debug sections, which are skipped (PTX ISA 11.5).
 */
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

#define LOC_SEARCH 4096 /* locations looked back for the one a call was inlined at */

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
        .number = p->file_base + (int)number, .path = intern(p, p->t.start + 1, p->t.len - 2)->text};
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
    *loc = (struct ptx_loc){.file = file > 0 ? p->file_base + (int)file : (int)file, .line = (int)line, .column = (int)column,
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
/* pragma = .pragma string { ',' string } ';' */
bool skip_pragma(struct parser *p)
{
    advance(p);
    do {
        if (p->t.kind != TOKEN_STRING)
            return fail(p, DIAG_SYNTAX, "a string is expected here");
        advance(p);
    } while (take_punct_if(p, ','));
    return expect_punct(p, ';', ".pragma");
}

bool skip_section(struct parser *p)
{
    int depth = 0;
    advance(p);
    if (p->t.kind != TOKEN_DOT && p->t.kind != TOKEN_NAME)
        return fail(p, DIAG_SYNTAX, "a section's name is expected here");
    advance(p);
    if (!at_punct(p, '{'))
        return fail(p, DIAG_SYNTAX, "a section's name is followed by '{'");
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
