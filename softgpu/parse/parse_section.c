/**
 * @file parse_section.c
 * Debug sections, `.section` (PTX ISA 11.5.3): softgpu uses nothing of what they hold, and reads them as ptxas does.
 *
 * Their labels are a module's own, beside its names; a `.loc` names its function by one of them, which may come later.
 */
#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"
#include "parse/types.h"

/** The part at hand, from 1: labels hold in their own module. */
static int this_part(const struct parser *p)
{
    return p->parts.count;
}

static bool take_label(struct parser *p, struct token at)
{
    struct name *n = intern(p, at.start, at.len);
    if (n->section_part == this_part(p)) {
        p->t = at;
        return fail(p, DIAG_SYNTAX,
                    "the label '%.80s' is defined twice in the sections of this module", n->text);
    }
    n->section_part = this_part(p);
    return true;
}

bool note_function_name(struct parser *p)
{
    int64_t ignored;
    if (p->t.kind != TOKEN_NAME && p->t.kind != TOKEN_DOT)
        return fail(p, DIAG_SYNTAX, "a label is expected behind function_name");
    if (p->t.kind == TOKEN_NAME)
        *LIST_PUSH(&p->function_names) =
            (struct function_name){intern(p, p->t.start, p->t.len), p->t.line};
    advance(p);
    return !take_punct_if(p, '+') || expect_int(p, &ignored, "an offset");
}

bool function_names_check(struct parser *p)
{
    for (int i = 0; i < p->function_names.count; i++) {
        const struct function_name *f = &p->function_names.data[i];
        if (f->label->section_part == this_part(p))
            continue;
        diag_line(p->d, DIAG_SYNTAX, f->line,
                  "no section has the label '%.80s', which function_name gives", f->label->text);
        return false;
    }
    p->function_names.count = 0;
    return true;
}

/* numbers = [ '-' ] n { ',' [ '-' ] n } */
static bool parse_numbers(struct parser *p, unsigned bits)
{
    do {
        bool negative = take_punct_if(p, '-');
        if (p->t.kind != TOKEN_INT)
            return fail(p, DIAG_SYNTAX, "a number is expected in this section");
        uint64_t most = bits >= 32 ? UINT64_MAX
                        : negative ? 1ull << (bits - 1)
                                   : (1ull << bits) - 1;
        if (p->t.bits > most)
            return fail(p, DIAG_SYNTAX, "this number does not fit into %u bits", bits);
        advance(p);
    } while (take_punct_if(p, ','));
    return true;
}

/* place = ( label | .section ) [ '+' n ] | label '-' label: of 32 or 64 bits, and alone */
static bool parse_place_in_section(struct parser *p, unsigned bits)
{
    int64_t ignored;
    const char *other;
    bool label = p->t.kind == TOKEN_NAME;
    if (bits < 32)
        return fail(p, DIAG_SYNTAX, "an address in a section is .b32 or .b64");
    if (is_reserved_name(intern_token(p)))
        return fail(p, DIAG_SYNTAX, "a label is expected here");
    advance(p);
    if (take_punct_if(p, '+'))
        return expect_int(p, &ignored, "an offset");
    return !label || !take_punct_if(p, '-') || expect_name(p, &other, "a label");
}

static enum ptx_type type_at_hand(struct parser *p)
{
    return p->t.kind == TOKEN_DOT ? ptx_type_of(intern_token(p)) : PTX_NONE;
}

/** Is the token at hand a word with a dot that is no type and no space? */
static bool at_section_name(struct parser *p)
{
    return p->t.kind == TOKEN_DOT && type_at_hand(p) == PTX_NONE &&
           space_of(p->t.start, p->t.len) == SPACE_COUNT;
}

/* data = ( .b8 | .b16 | .b32 | .b64 ) ( numbers | place ) */
static bool parse_data(struct parser *p)
{
    enum ptx_type type = type_at_hand(p);
    if (type != PTX_B8 && type != PTX_B16 && type != PTX_B32 && type != PTX_B64)
        return fail(p, DIAG_SYNTAX, "a section holds labels, .b8, .b16, .b32 and .b64");
    unsigned bits = 8 * ptx_type_bytes(type);
    advance(p);
    return p->t.kind == TOKEN_NAME || at_section_name(p) ? parse_place_in_section(p, bits)
                                                         : parse_numbers(p, bits);
}

/* section = .section .name '{' { label ':' | data } '}' */
bool parse_section(struct parser *p)
{
    advance(p);
    if (!at_section_name(p))
        return fail(p, DIAG_SYNTAX,
                    "a section's name is expected here: a word with a dot before it");
    advance(p);
    if (!at_punct(p, '{'))
        return fail(p, DIAG_SYNTAX, "a section's name is followed by '{'");
    advance(p);
    while (!at_punct(p, '}')) {
        struct token label = p->t;
        if (p->t.kind == TOKEN_END || p->t.kind == TOKEN_ERROR)
            return fail(p, DIAG_SYNTAX, "this section has no end");
        if (p->t.kind != TOKEN_NAME) {
            if (!parse_data(p))
                return false;
            continue;
        }
        advance(p);
        if (!expect_punct(p, ':', "a section behind a label") || !take_label(p, label))
            return false;
    }
    advance(p);
    return true;
}
