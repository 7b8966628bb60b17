/**
 * @file parse_function.c
 * `.entry` and `.func`: headers, bodies, labels (PTX ISA 4.3, 7.1, 11.1 to 11.4).
 */
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

/* ---- Labels, prototypes and target lists ---- */

/* prototype = .callprototype [ '(' returns ')' ] '_' '(' parameters ')' [ .noreturn ] ';' */
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
    int64_t ignored;
    bool returns_not = false;
    while ((!returns_not && at_dot(p, "noreturn")) || at_dot(p, "abi_preserve") || at_dot(p, "abi_preserve_control")) {
        bool number = !at_dot(p, "noreturn");
        returns_not |= !number;
        advance(p);
        if (number && !expect_int(p, &ignored, "a number"))
            return false;
    }
    return expect_punct(p, ';', "a prototype");
}

/* targets = ( .branchtargets | .calltargets ) name { ',' name } ';' */
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
    if (at_dot(p, "file"))
        return parse_file(p);
    if (at_dot(p, "section"))
        return skip_section(p);
    if (at_dot(p, "pragma"))
        return skip_pragma(p);
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

/** Up to three numbers, the missing ones 1; `least`: 0 is none of them. */
static bool parse_extents(struct parser *p, unsigned out[3], bool least)
{
    out[0] = out[1] = out[2] = 1;
    advance(p);
    for (int i = 0; i < 3; i++) {
        int64_t v;
        if (!expect_int(p, &v, "a thread count"))
            return false;
        if (v < 1 && least)
            return fail(p, DIAG_SYNTAX, "at least one thread is expected");
        out[i] = v < 0 || v > UINT32_MAX ? 0 : (unsigned)v;
        if (!take_punct_if(p, ','))
            break;
    }
    return true;
}

/** Directives that ask for something that softgpu need not know. */
static bool skip_directive(struct parser *p)
{
    static const struct {
        const char *name;
        int numbers;
    } known[] = {{"maxnctapersm", 1}, {"abi_preserve", 1}, {"abi_preserve_control", 1}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        int64_t ignored;
        if (!at_dot(p, known[i].name))
            continue;
        advance(p);
        return !known[i].numbers || expect_int(p, &ignored, "a number");
    }
    return fail(p, DIAG_SYNTAX, "directive .%.*s has no place before a function's body",
                (int)(p->t.len > 40 ? 40 : p->t.len), p->t.start);
}

/* attribute = '.attribute' '(' '.unified' '(' n ',' n ')' ')': says where unified functions lie */
static bool skip_attribute(struct parser *p)
{
    int64_t ignored;
    advance(p);
    if (!expect_punct(p, '(', ".attribute"))
        return false;
    if (!at_dot(p, "unified"))
        return fail(p, DIAG_SYNTAX, "a function's attribute is .unified");
    advance(p);
    return expect_punct(p, '(', ".unified") && expect_int(p, &ignored, "a number") && expect_punct(p, ',', ".unified") && expect_int(p, &ignored, "a number") &&
           expect_punct(p, ')', ".unified") && expect_punct(p, ')', ".attribute");
}

/** A kernel's and a function's own directives have no place before the other's body. */
static bool directive_misplaced(struct parser *p)
{
    static const char *const of_kernels[] = {"maxntid", "reqntid", "minnctapersm", "maxnctapersm", "maxnreg", "reqnctapercluster", "explicitcluster",
                                             "blocksareclusters", "maxclusterrank"};
    bool kernels = false;
    for (size_t i = 0; i < sizeof of_kernels / sizeof *of_kernels; i++)
        kernels |= at_dot(p, of_kernels[i]);
    if (at_dot(p, "maxnctapersm") && p->version > 20)
        return true;
    return p->f->is_entry ? at_dot(p, "noreturn") || at_dot(p, "attribute") : kernels;
}

/** Directives that do not stand together, as ptxas refuses them. */
static bool directives_agree(struct parser *p)
{
    const struct ptx_function *f = p->f;
    if (f->max_threads[0] && f->req_threads[0])
        return fail(p, DIAG_SYNTAX, "'%.80s' has both .maxntid and .reqntid", f->name);
    if (f->max_cluster && f->cluster[0])
        return fail(p, DIAG_SYNTAX, "'%.80s' has both .maxclusterrank and .reqnctapercluster", f->name);
    return !f->blocks_are_clusters || (f->req_threads[0] && f->cluster[0]) ||
           fail(p, DIAG_SYNTAX, ".blocksareclusters of '%.80s' stands only with .reqntid and .reqnctapercluster", f->name);
}

static bool expect_positive(struct parser *p, int64_t *v, const char *what)
{
    return expect_int(p, v, what) && (*v > 0 || fail(p, DIAG_SYNTAX, "%s is 1 or more", what));
}

/* performance directives between header and body (PTX ISA 11.4) */
static bool parse_directives(struct parser *p)
{
    struct ptx_function *f = p->f;
    while (p->t.kind == TOKEN_DOT) {
        int64_t v;
        if (directive_misplaced(p))
            return fail(p, DIAG_SYNTAX, ".%.*s has no place before the body of a %s", (int)p->t.len, p->t.start, f->is_entry ? "kernel" : "function");
        if (at_dot(p, "maxntid")) {
            if (!parse_extents(p, f->max_threads, true))
                return false;
        } else if (at_dot(p, "reqntid")) {
            if (!parse_extents(p, f->req_threads, true))
                return false;
        } else if (at_dot(p, "minnctapersm")) {
            advance(p);
            if (!expect_positive(p, &v, "a block count"))
                return false;
            f->min_blocks = v < 0 || v > 1024 ? 0 : (unsigned)v;
        } else if (at_dot(p, "maxnreg")) {
            advance(p);
            if (!expect_positive(p, &v, "a number of registers"))
                return false;
            f->max_registers = v < 1 || v > 255 ? 0 : (unsigned)v;
        } else if (at_dot(p, "noreturn")) {
            if (f->noreturn)
                return fail(p, DIAG_SYNTAX, ".noreturn is said once");
            f->noreturn = true;
            advance(p);
        } else if (at_dot(p, "pragma")) {
            if (!skip_pragma(p))
                return false;
        } else if (at_dot(p, "reqnctapercluster")) {
            if (!parse_extents(p, f->cluster, false))
                return false;
        } else if (at_dot(p, "explicitcluster")) {
            f->explicit_cluster = true;
            advance(p);
        } else if (at_dot(p, "blocksareclusters")) {
            f->blocks_are_clusters = true;
            advance(p);
        } else if (at_dot(p, "maxclusterrank")) {
            advance(p);
            if (!expect_int(p, &v, "a block count"))
                return false;
            f->max_cluster = v < 0 || v > 1024 ? 0 : (unsigned)v;
        } else if (at_dot(p, "attribute")) {
            if (!skip_attribute(p))
                return false;
        } else if (!skip_directive(p)) {
            return false;
        }
    }
    return true;
}

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
    return f->returns.count < 2 || f->returns.data[0].space == SPACE_REG || fail(p, DIAG_SYNTAX, "a function has one result in memory");
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

/* function = ( .entry | .func [ '(' returns ')' ] ) name [ '(' parameters ')' ] { directive }
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
    bool good = f->is_entry || parse_directives(p); /* .noreturn and .attribute may stand here */
    good = good && (f->is_entry || !at_punct(p, '(') ||
                    parse_parameters(p, &f->returns.data, &f->returns.count, &f->returns.cap));
    good = good && expect_name(p, &f->name, "a function's name");
    if (good && at_punct(p, '('))
        good = parse_parameters(p, &f->params.data, &f->params.count, &f->params.cap);
    good = good && parse_directives(p) && directives_agree(p) && parameters_exist(p) && declare_parameters(p);
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
