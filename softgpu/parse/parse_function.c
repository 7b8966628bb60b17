/**
 * @file parse_function.c
 * `.entry` and `.func`: headers, bodies, labels (PTX ISA 4.3, 7.1, 11.1 to 11.4).
 */
#include <stdio.h>
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

/* ---- Labels, prototypes and target lists ---- */

/* prototype = .callprototype [ '(' returns ')' ] '_' '(' parameters ')' { .noreturn | .abi_preserve n | .abi_preserve_control n } ';' */
static bool parse_prototype(struct parser *p, const char *label)
{
    struct ptx_prototype *proto = LIST_PUSH(&p->f->prototypes);
    memset(proto, 0, sizeof *proto);
    proto->label = label;
    advance(p);
    if (at_punct(p, '(') && !parse_parameters(p, &proto->returns.data, &proto->returns.count,
                                              &proto->returns.cap))
        return false;
    const char *none;
    if (!expect_name(p, &none, "'_'"))
        return false;
    if (strcmp(none, "_"))
        return fail(p, DIAG_SYNTAX, "a prototype has no name: '_' is expected, not '%.80s'", none);
    if (at_punct(p, '(') &&
        !parse_parameters(p, &proto->params.data, &proto->params.count, &proto->params.cap))
        return false;
    struct once_said said = {.prototype = true};
    while (at_dot(p, "noreturn") || at_dot(p, "abi_preserve") || at_dot(p, "abi_preserve_control"))
        if (!parse_once(p, &said))
            return false;
    if (said.bits & 1 && proto->returns.count)
        return fail(p, DIAG_SYNTAX, "a prototype with a result is not .noreturn");
    return expect_punct(p, ';', "a prototype");
}

/* more = '<' n '>': behind a name, n names that end in 0, 1, … */
static bool parse_numbered_targets(struct parser *p, struct ptx_branch_targets *list,
                                   const char *stem)
{
    int64_t n;
    char name[4200];
    advance(p);
    if (!expect_int(p, &n, "a number of labels"))
        return false;
    for (int64_t i = 0; i < n; i++) {
        if (list->targets.count == MAX_LIST * 16)
            return fail(p, DIAG_LIMIT, "too many branch targets");
        int len = snprintf(name, sizeof name, "%s%d", stem, (int)i);
        *LIST_PUSH(&list->targets) = intern(p, name, (uint32_t)len)->text;
    }
    return expect_punct(p, '>', "a list of labels");
}

/* targets = ( .branchtargets | .calltargets ) name [ more ] { ',' name [ more ] } ';' */
static bool parse_targets(struct parser *p, const char *label)
{
    struct ptx_branch_targets *list = LIST_PUSH(&p->f->branch_targets);
    memset(list, 0, sizeof *list);
    list->label = label;
    bool labels = at_dot(p, "branchtargets");
    int line = p->t.line;
    advance(p);
    do {
        const char *name;
        if (list->targets.count == MAX_LIST * 16)
            return fail(p, DIAG_LIMIT, "too many branch targets");
        if (!expect_name(p, &name, "a label"))
            return false;
        if (at_punct(p, '<')) {
            if (!parse_numbered_targets(p, list, name))
                return false;
            continue;
        }
        *LIST_PUSH(&list->targets) = name;
    } while (take_punct_if(p, ','));
    for (int i = 0; i < list->targets.count; i++)
        label_note_use(p, &list->targets.data[i], line, labels);
    return expect_punct(p, ';', "a target list");
}

/** A name was read; if ':' follows it is a label. The lexer is put back otherwise. */
static bool parse_label_if(struct parser *p, bool *was_label)
{
    struct lexer lx = p->lx;
    struct token name = p->t;
    *was_label = false;
    advance(p);
    if (!at_punct(p, ':')) {
        p->lx = lx;
        p->t = name;
        return true;
    }
    *was_label = true;
    const char *text;
    if (!label_declare(p, intern(p, name.start, name.len)->text, &text))
        return false;
    advance(p);
    if (at_dot(p, "callprototype"))
        return parse_prototype(p, text);
    if (at_dot(p, "branchtargets") || at_dot(p, "calltargets"))
        return parse_targets(p, text);
    *LIST_PUSH(&p->f->labels) = (struct ptx_label){.name = text, .instr = p->f->instrs.count};
    return true;
}

/* ---- Bodies ---- */

static bool parse_body_directive(struct parser *p)
{
    if (at_dot(p, "loc"))
        return parse_loc(p);
    if (at_dot(p, "pragma"))
        return parse_pragma(p, PRAGMA_IN_BODY);
    enum ptx_space space = p->t.kind == TOKEN_DOT ? space_of(p->t.start, p->t.len) : SPACE_COUNT;
    if (space == SPACE_REG)
        return parse_registers(p);
    if (space != SPACE_COUNT)
        return parse_variables(p, space, NULL);
    return fail(p, DIAG_UNSUPPORTED, "directive .%.*s is not supported in a function",
                (int)p->t.len > 40 ? 40 : (int)p->t.len, p->t.start);
}

/* statement = '{' | '}' | directive | label ':' | instruction */
static bool parse_statement(struct parser *p)
{
    bool label = false;
    if (at_punct(p, '{')) {
        advance(p);
        return scope_open(p);
    }
    if (p->t.kind == TOKEN_DOT)
        return parse_body_directive(p);
    if (p->t.kind == TOKEN_NAME && (!parse_label_if(p, &label) || label))
        return label && p->d->kind == DIAG_NONE;
    return parse_instruction(p);
}

/** A label behind the last instruction needs one to stand before. */
static bool end_body(struct parser *p)
{
    struct ptx_function *f = p->f;
    register_results_write(p, &(struct ptx_instr){.guard = -1, .loc = p->loc, .line = p->t.line});
    bool dangling = false;
    for (int i = f->labels.count - 1; i >= 0 && !dangling; i--)
        dangling = f->labels.data[i].instr == f->instrs.count;
    if (dangling)
        *LIST_PUSH(&f->instrs) = (struct ptx_instr){
            .mnemonic = intern(p, "", 0)->text, .guard = -1, .loc = p->loc, .line = p->t.line};
    return true;
}

/* body = '{' { statement } '}' */
static bool parse_body(struct parser *p)
{
    p->loc = -1;
    p->first_loc = p->m->locs.count;
    p->f->has_body = true;
    advance(p);
    register_parameters_read(p);
    for (;;) {
        if (at_punct(p, '}')) {
            bool last = p->nesting == 0;
            advance(p);
            if (last)
                return end_body(p);
            scope_close(p);
        } else if (p->t.kind == TOKEN_END) {
            return fail(p, DIAG_SYNTAX, "the body of '%s' has no end", p->f->name);
        } else if (!parse_statement(p)) {
            return false;
        }
    }
}

/* ---- Headers ---- */

/** What a parameter in memory cannot be. An array of any size is a function's last parameter. */
static bool parameter_exists(struct parser *p, const struct ptx_variable *v, bool last)
{
    const struct ptx_function *f = p->f;
    if (v->space == SPACE_REG)
        return true;
    if (v->vector > 1 || v->type == PTX_F16X2)
        return fail(p, DIAG_SYNTAX, "'%.80s' is a vector: no parameter is", v->name);
    return v->bytes || (!f->is_entry && last) || fail(p, DIAG_SYNTAX, "'%.80s' has no size: %s", v->name, f->is_entry ? "a kernel's parameters do" : "only a function's last parameter is so");
}

static bool parameters_exist(struct parser *p)
{
    const struct ptx_function *f = p->f;
    for (int i = 0; i < f->params.count; i++)
        if (!parameter_exists(p, &f->params.data[i], i == f->params.count - 1))
            return false;
    for (int i = 0; i < f->returns.count; i++)
        if (!parameter_exists(p, &f->returns.data[i], false))
            return false;
    for (int i = 0; f->returns.count > 1 && i < f->returns.count; i++)
        if (f->returns.data[i].space != SPACE_REG)
            return fail(p, DIAG_SYNTAX, "a function has one result in memory");
    return true;
}

/** A kernel's parameters have 4352 bytes; since PTX ISA 8.1, for sm_70 and later, 32764 (PTX ISA 5.1.6.1). */
static bool parameters_have_room(struct parser *p)
{
    const struct ptx_function *f = p->f;
    uint64_t end = 0, most = p->version >= 81 && p->m->target_sm >= 70 ? 32764 : 4352;
    for (int i = 0; f->is_entry && i < f->params.count; i++) {
        uint64_t align = f->params.data[i].align ? f->params.data[i].align : 1;
        end = (end + align - 1) / align * align + f->params.data[i].bytes;
        if (end > most)
            return fail(p, DIAG_SYNTAX, "the parameters of '%.80s' have more than %u bytes", f->name, (unsigned)most);
    }
    return true;
}

static bool declare_parameters(struct parser *p)
{
    struct ptx_function *f = p->f;
    for (int i = 0; i < f->returns.count + f->params.count; i++) {
        bool is_return = i < f->returns.count;
        int at = is_return ? i : i - f->returns.count;
        struct ptx_variable *v = is_return ? &f->returns.data[at] : &f->params.data[at];
        if (v->space == SPACE_REG) {
            if (!register_parameter_declare(p, v))
                return false;
        } else if (!scope_bind(p, v->name, BIND_VARIABLE, at + (is_return ? RETURN_BASE : PARAM_BASE)))
            return false;
    }
    return true;
}

/* function = ( .entry | .func [ attribute ] [ '(' returns ')' ] ) name [ '(' parameters ')' ] { directive }
              ( body | ';' ) */
bool parse_function(struct parser *p, const struct ptx_variable *linkage)
{
    struct ptx_function *f = p->f = LIST_PUSH(&p->m->functions);
    memset(f, 0, sizeof *f);
    f->line = p->t.line;
    f->is_entry = at_dot(p, "entry");
    if (linkage) {
        f->external = linkage->external;
        f->visible = linkage->visible;
        f->weak = linkage->weak;
    }
    advance(p);
    bool good = f->is_entry || !at_dot(p, "attribute") || skip_attribute(p);
    good = good && (f->is_entry || !at_punct(p, '(') ||
                    parse_parameters(p, &f->returns.data, &f->returns.count, &f->returns.cap));
    good = good && expect_name(p, &f->name, "a function's name");
    if (good && at_punct(p, '('))
        good = parse_parameters(p, &f->params.data, &f->params.count, &f->params.cap);
    good = good && parse_directives(p) && parameters_exist(p) && parameters_have_room(p) && declare_parameters(p);
    if (good && f->external && at_punct(p, '{'))
        good = fail(p, DIAG_SYNTAX, "'%.80s' is .extern, and has a body here", f->name);
    if (good && linkage && linkage->common)
        good = fail(p, DIAG_SYNTAX, "no function is .common");
    good = good && module_declare(p, f->name, MODULE_FUNCTION, at_punct(p, '{'));
    good = good && function_agrees(p, f);
    if (good)
        good = at_punct(p, '{') ? parse_body(p) && labels_known(p) : expect_punct(p, ';', "a function declaration");
    function_scope_end(p);
    p->f = NULL;
    return good;
}
