/**
 * @file parse_function.c
 * `.entry` and `.func`: headers, bodies, instructions (PTX ISA 5.5, 11.1, 4.3).
 */
#include <string.h>

#include "parse/parser.h"

#define MAX_MODIFIERS 24

/* ---- Registers ---- */

static bool add_register(struct parser *p, const char *name, enum ptx_type type)
{
    struct ptx_function *f = p->f;
    if (f->regs.count >= MAX_FUNCTION_REGISTERS || p->registers >= MAX_MODULE_REGISTERS)
        return fail(p, DIAG_LIMIT, "more registers than a function may have (%d)",
                    MAX_FUNCTION_REGISTERS);
    p->registers++;
    *LIST_PUSH(&f->regs) = (struct ptx_reg){.name = name, .type = type, .scope = p->scope};
    return declare(p, name, true, f->regs.count - 1);
}

/* register = name [ '<' count '>' ] */
static bool parse_register(struct parser *p, enum ptx_type type)
{
    const char *name;
    int64_t n;
    char full[160];
    if (!expect_name(p, &name, "a register's name"))
        return false;
    if (!take_punct_if(p, '<'))
        return add_register(p, name, type);
    if (!expect_int(p, &n, "a register count") || !expect_punct(p, '>', "a register range"))
        return false;
    if (n < 0 || n > MAX_FUNCTION_REGISTERS)
        return fail(p, DIAG_LIMIT, "more registers than a function may have (%d)",
                    MAX_FUNCTION_REGISTERS);
    if (strlen(name) > 128)
        return fail(p, DIAG_LIMIT, "this register's name is too long");
    for (int64_t i = 0; i < n; i++) {
        int len = snprintf(full, sizeof full, "%s%lld", name, (long long)i);
        if (!add_register(p, intern(p, full, (uint32_t)len)->text, type))
            return false;
    }
    return true;
}

/* registers = .reg .type register { ',' register } ';' */
static bool parse_registers(struct parser *p)
{
    char word[16] = "";
    advance(p);
    if (at_dot(p, "v2") || at_dot(p, "v4"))
        return fail(p, DIAG_UNSUPPORTED, "vector registers are not supported");
    if (p->t.kind == TOKEN_DOT && p->t.len < sizeof word)
        memcpy(word, p->t.start, p->t.len);
    enum ptx_type type = ptx_type_of(word);
    if (!type)
        return fail(p, DIAG_SYNTAX, "a register's type is expected here");
    advance(p);
    do {
        if (!parse_register(p, type))
            return false;
    } while (take_punct_if(p, ','));
    return expect_punct(p, ';', "a register declaration");
}

/* ---- Instructions ---- */

static const char **copy_modifiers(struct parser *p, const char *const *list, int n)
{
    const char **copy = n ? arena_alloc(&p->m->arena, (size_t)n * sizeof *copy) : NULL;
    for (int i = 0; i < n; i++)
        copy[i] = list[i];
    return copy;
}

/* guard = '@' [ '!' ] predicate */
static bool parse_guard(struct parser *p, struct ptx_instr *in)
{
    advance(p);
    in->guard_negated = take_punct_if(p, '!');
    const struct binding *b =
        p->t.kind == TOKEN_NAME ? lookup(p, p->t.start, p->t.len) : NULL;
    if (!b || !b->is_register || p->f->regs.data[b->index].type != PTX_PRED)
        return fail(p, DIAG_SYNTAX, "a guard is a predicate register");
    in->guard = b->index;
    advance(p);
    return true;
}

/* instruction = [ guard ] mnemonic { '.' modifier } [ operand { ',' operand } ] ';' */
static bool parse_instruction(struct parser *p)
{
    struct ptx_instr in = {.guard = -1, .loc = p->loc};
    const char *modifiers[MAX_MODIFIERS];
    struct ptx_operand operands[MAX_OPERANDS];
    if (at_punct(p, '@') && !parse_guard(p, &in))
        return false;
    in.line = p->t.line;
    in.column = p->t.column;
    if (p->t.kind != TOKEN_NAME)
        return fail(p, DIAG_SYNTAX, "an instruction is expected here");
    in.mnemonic = intern_token(p);
    advance(p);
    while (p->t.kind == TOKEN_DOT) {
        if (in.modifier_count == MAX_MODIFIERS)
            return fail(p, DIAG_LIMIT, "more than %d modifiers", MAX_MODIFIERS);
        modifiers[in.modifier_count++] = intern_token(p);
        advance(p);
    }
    if (!at_punct(p, ';')) {
        do {
            if (in.operand_count == MAX_OPERANDS)
                return fail(p, DIAG_LIMIT, "more than %d operands", MAX_OPERANDS);
            if (!parse_operand(p, &operands[in.operand_count++]))
                return false;
        } while (take_punct_if(p, ','));
    }
    if (!expect_punct(p, ';', in.mnemonic))
        return false;
    in.modifiers = copy_modifiers(p, modifiers, in.modifier_count);
    if (in.operand_count) {
        size_t bytes = (size_t)in.operand_count * sizeof *in.operands;
        in.operands = arena_alloc(&p->m->arena, bytes);
        memcpy(in.operands, operands, bytes);
    }
    *LIST_PUSH(&p->f->instrs) = in;
    return true;
}

/* ---- Labels ---- */

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
    const char *ignored;
    if (!expect_name(p, &ignored, "'_'"))
        return false;
    if (at_punct(p, '(') &&
        !parse_parameters(p, &proto->params.data, &proto->params.count, &proto->params.cap))
        return false;
    return skip_to_semicolon(p);
}

/* targets = ( .branchtargets | .calltargets ) name { ',' name } ';' */
static bool parse_targets(struct parser *p, const char *label)
{
    struct ptx_branch_targets *list = LIST_PUSH(&p->f->branch_targets);
    memset(list, 0, sizeof *list);
    list->label = label;
    advance(p);
    do {
        const char *name;
        if (list->targets.count == MAX_LIST * 16)
            return fail(p, DIAG_LIMIT, "too many branch targets");
        if (!expect_name(p, &name, "a label"))
            return false;
        *LIST_PUSH(&list->targets) = name;
    } while (take_punct_if(p, ','));
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
    const char *text = intern(p, name.start, name.len)->text;
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
        return skip_to_semicolon(p);
    enum ptx_space space = space_of(p->t.start, p->t.len);
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

/* body = '{' { statement } '}' */
static bool parse_body(struct parser *p)
{
    p->loc = -1;
    p->first_loc = p->m->locs.count;
    p->f->has_body = true;
    advance(p);
    for (;;) {
        if (at_punct(p, '}')) {
            bool last = p->nesting == 0;
            advance(p);
            if (last)
                return true;
            scope_close(p);
        } else if (p->t.kind == TOKEN_END) {
            return fail(p, DIAG_SYNTAX, "the body of '%s' has no end", p->f->name);
        } else if (!parse_statement(p)) {
            return false;
        }
    }
}

/* ---- Headers ---- */

/** Up to three numbers, the missing ones 1. */
static bool parse_extents(struct parser *p, unsigned out[3])
{
    out[0] = out[1] = out[2] = 1;
    advance(p);
    for (int i = 0; i < 3; i++) {
        int64_t v;
        if (!expect_int(p, &v, "a thread count"))
            return false;
        out[i] = v < 0 || v > UINT32_MAX ? 0 : (unsigned)v;
        if (!take_punct_if(p, ','))
            break;
    }
    return true;
}

/* performance directives between header and body (PTX ISA 11.4) */
static bool parse_directives(struct parser *p)
{
    struct ptx_function *f = p->f;
    while (p->t.kind == TOKEN_DOT) {
        int64_t v;
        unsigned ignored[3];
        if (at_dot(p, "maxntid")) {
            if (!parse_extents(p, f->max_threads))
                return false;
        } else if (at_dot(p, "reqntid")) {
            if (!parse_extents(p, f->req_threads))
                return false;
        } else if (at_dot(p, "minnctapersm")) {
            advance(p);
            if (!expect_int(p, &v, "a block count"))
                return false;
            f->min_blocks = v < 0 || v > 1024 ? 0 : (unsigned)v;
        } else if (at_dot(p, "noreturn")) {
            f->noreturn = true;
            advance(p);
        } else if (at_dot(p, "pragma")) {
            if (!skip_to_semicolon(p))
                return false;
        } else if (at_dot(p, "reqnctapercluster")) {
            if (!parse_extents(p, ignored))
                return false;
        } else { /* .maxnreg 32, .explicitcluster, .maxclusterrank 8, .abi_preserve 3, … */
            advance(p);
            if (p->t.kind == TOKEN_INT)
                advance(p);
        }
    }
    return true;
}

static bool declare_parameters(struct parser *p)
{
    struct ptx_function *f = p->f;
    for (int i = 0; i < f->returns.count + f->params.count; i++) {
        bool is_return = i < f->returns.count;
        int at = is_return ? i : i - f->returns.count;
        const struct ptx_variable *v = is_return ? &f->returns.data[at] : &f->params.data[at];
        if (v->space == SPACE_REG)
            return fail(p, DIAG_UNSUPPORTED, "register parameters of '%s' are not supported",
                        f->name);
        if (!declare(p, v->name, false, at + (is_return ? RETURN_BASE : PARAM_BASE)))
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
    while (at_dot(p, "attribute") || at_dot(p, "noreturn")) {
        struct ptx_variable ignored = {0};
        f->noreturn |= at_dot(p, "noreturn");
        advance(p);
        if (at_punct(p, '('))
            while (!at_punct(p, ')') && p->t.kind != TOKEN_END && p->t.kind != TOKEN_ERROR)
                advance(p);
        take_punct_if(p, ')');
        (void)ignored;
    }
    bool good = f->is_entry || !at_punct(p, '(') ||
                parse_parameters(p, &f->returns.data, &f->returns.count, &f->returns.cap);
    good = good && expect_name(p, &f->name, "a function's name");
    if (good && at_punct(p, '('))
        good = parse_parameters(p, &f->params.data, &f->params.count, &f->params.cap);
    good = good && parse_directives(p) && declare_parameters(p);
    if (good)
        good = at_punct(p, '{') ? parse_body(p) : expect_punct(p, ';', "a function declaration");
    function_scope_end(p);
    p->f = NULL;
    return good;
}
