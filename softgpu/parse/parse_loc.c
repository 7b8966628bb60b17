/**
 * @file parse_loc.c
 * Source locations: `.file`, `.loc` (PTX ISA 11.5).
 */
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

#define LOC_SEARCH 4096       /* locations looked back for the one a call was inlined at */
#define FAR_SEARCH (1 << 16)  /* … for whether there is one at all: of longer texts that is believed */

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
    int stop = p->m->files.count > LOC_SEARCH ? p->m->files.count - LOC_SEARCH : 0;
    for (int i = p->m->files.count - 1; i >= stop && p->m->files.data[i].number >= p->file_base; i--)
        if (p->m->files.data[i].number == p->file_base + number)
            return fail(p, DIAG_SYNTAX, "file number %lld is given twice", (long long)number);
    *LIST_PUSH(&p->m->files) =
        (struct ptx_file){.number = p->file_base + (int)number,
                          .path = intern(p, p->t.start + 1, p->t.len - 2)->text};
    advance(p);
    for (int i = 0; i < 2 && take_punct_if(p, ','); i++)
        if (!expect_int(p, &number, "a number"))
            return false;
    return true;
}

static bool at_word(const struct parser *p, const char *word)
{
    return p->t.kind == TOKEN_NAME && p->t.len == strlen(word) &&
           !memcmp(p->t.start, word, p->t.len);
}

static bool parse_place(struct parser *p, struct ptx_loc *loc)
{
    int64_t file = 0, line = 0, column = 0;
    if (!expect_32(p, &file, "a file number") || !expect_32(p, &line, "a line number") ||
        !expect_32(p, &column, "a column"))
        return false;
    *loc = (struct ptx_loc){.file = file > 0 ? p->file_base + (int)file : (int)file,
                            .line = (int)line,
                            .column = (int)column,
                            .inlined_at = -1};
    return true;
}

static int have_loc(const struct parser *p, const struct ptx_loc *loc, int from, int stop)
{
    for (int i = from - 1; i >= stop; i--) {
        const struct ptx_loc *have = &p->m->locs.data[i];
        if (have->file == loc->file && have->line == loc->line && have->column == loc->column)
            return i;
    }
    return -1;
}

/** The index of the last location equal to `loc`, of this function where it has one: a call site is a `.loc` that came before, and
 *  with its own `inlined_at` where it was inlined itself. */
static int find_loc(struct parser *p, const struct ptx_loc *loc)
{
    int stop = p->m->locs.count - LOC_SEARCH;
    if (stop < p->first_loc)
        stop = p->first_loc;
    int found = have_loc(p, loc, p->m->locs.count, stop);
    if (found >= 0)
        return found;
    if (have_loc(p, loc, stop, stop > FAR_SEARCH ? stop - FAR_SEARCH : 0) < 0 && stop <= FAR_SEARCH)
        return -1;
    *LIST_PUSH(&p->m->locs) = *loc;
    return p->m->locs.count - 1;
}

/* loc = .loc file line column [ ',' function_name label [ '+' n ] ',' inlined_at file line column ] */
bool parse_loc(struct parser *p)
{
    struct ptx_loc loc, site;
    struct token at;
    const char *word;
    advance(p);
    if (!parse_place(p, &loc))
        return false;
    if (take_punct_if(p, ',')) {
        if (!at_word(p, "function_name"))
            return fail(p, DIAG_SYNTAX, "function_name is expected here");
        advance(p);
        if (!note_function_name(p) || !expect_punct(p, ',', ".loc behind function_name"))
            return false;
        if (!at_word(p, "inlined_at"))
            return fail(p, DIAG_SYNTAX, "inlined_at is expected here");
        if (!expect_name(p, &word, "inlined_at"))
            return false;
        at = p->t;
        if (!parse_place(p, &site))
            return false;
        loc.inlined_at = find_loc(p, &site);
        if (loc.inlined_at < 0) {
            p->t = at;
            return fail(p, DIAG_SYNTAX,
                        "no .loc before this one has the place that inlined_at gives");
        }
    }
    *LIST_PUSH(&p->m->locs) = loc;
    p->loc = p->m->locs.count - 1;
    return true;
}
