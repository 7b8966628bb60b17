/**
 * @file parse_variable.c
 * Variables and parameters (PTX ISA 5.4): types, dimensions, sizes. Initialisers: parse_init.c.
 */
#include <string.h>

#include "parse/expression.h"
#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

enum ptx_space space_of(const char *name, uint32_t len)
{
    static const struct {
        const char *name;
        enum ptx_space space;
    } spaces[] = {{"reg", SPACE_REG},     {"global", SPACE_GLOBAL}, {"shared", SPACE_SHARED},
                  {"local", SPACE_LOCAL}, {"const", SPACE_CONST},   {"param", SPACE_PARAM}};
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (strlen(spaces[i].name) == len && !memcmp(spaces[i].name, name, len))
            return spaces[i].space;
    return SPACE_COUNT;
}

/* attribute = '.attribute' '(' .managed | .unified '(' n ',' n ')' { ',' … } ')' */
static bool parse_attribute(struct parser *p, struct ptx_variable *v)
{
    int64_t ignored;
    advance(p);
    if (!expect_punct(p, '(', "an attribute"))
        return false;
    do {
        if (at_dot(p, "managed")) {
            if (v->space != SPACE_GLOBAL)
                return fail(p, DIAG_SYNTAX, "only variables in global memory are .managed");
            v->managed = true;
            advance(p);
        } else if (at_dot(p, "unified")) {
            advance(p);
            if (!expect_punct(p, '(', ".unified") || !expect_int(p, &ignored, "a number") || !expect_punct(p, ',', ".unified") ||
                !expect_int(p, &ignored, "a number") || !expect_punct(p, ')', ".unified"))
                return false;
        } else {
            return fail(p, DIAG_SYNTAX, "an attribute is .managed or .unified");
        }
    } while (take_punct_if(p, ','));
    return expect_punct(p, ')', "an attribute");
}

/* type = { .align n | .v2 | .v4 | .attribute(…) | .ptr [.space] } .fundamental */
static bool parse_type(struct parser *p, struct ptx_variable *v)
{
    v->vector = 1;
    v->align = 0;
    while (p->t.kind == TOKEN_DOT) {
        char word[16] = "";
        snprintf(word, sizeof word, "%.*s", (int)p->t.len, p->t.start);
        enum ptx_type type = p->t.len < sizeof word ? ptx_type_of(word) : PTX_NONE;
        if (type == PTX_PRED && v->space != SPACE_REG)
            return fail(p, DIAG_SYNTAX, "a predicate is a register");
        if (type == PTX_BF16 || type == PTX_BF16X2 || type == PTX_TF32)
            return fail(p, DIAG_SYNTAX, ".%s is a type of instructions, none of variables", word);
        if (type && ptx_type_bytes(type) * v->vector > 16)
            return fail(p, DIAG_SYNTAX, "a vector of %u .%s has more than 128 bits", v->vector, word);
        if (type) {
            v->type = type;
            advance(p);
            return true;
        }
        if (at_dot(p, "align")) {
            int64_t align;
            advance(p);
            if (!expect_int(p, &align, "an alignment"))
                return false;
            if (align < 1 || align > 1 << 20 || (align & (align - 1)))
                return fail(p, DIAG_SYNTAX, "an alignment is a power of two");
            v->align = (unsigned)align;
        } else if (at_dot(p, "v2") || at_dot(p, "v4")) {
            if (v->vector > 1)
                return fail(p, DIAG_SYNTAX, "a vector has one length");
            v->vector = (unsigned)(p->t.start[1] - '0');
            advance(p);
        } else if (at_dot(p, "attribute")) {
            if (!parse_attribute(p, v))
                return false;
        } else if (at_dot(p, "texref") || at_dot(p, "surfref")) {
            return fail(p, DIAG_UNSUPPORTED, "textures and surfaces by reference are not supported: pass an object (cuTexObjectCreate, cuSurfObjectCreate)");
        } else if (at_dot(p, "samplerref")) {
            return fail(p, DIAG_UNSUPPORTED, "samplers of their own are not supported: no driver of CUDA 13 loads a module with them");
        } else {
            return fail(p, DIAG_SYNTAX, "a type is expected here, not .%s", word);
        }
    }
    return fail(p, DIAG_SYNTAX, "a type is expected here");
}

/* pointer = [ '.ptr' [ .space ] [ .align n ] ]: what a pointer parameter points to, which says nothing new */
static bool skip_pointer_attributes(struct parser *p)
{
    int64_t align = 1;
    if (p->t.kind == TOKEN_DOT && !at_dot(p, "ptr"))
        return fail(p, DIAG_SYNTAX, "a name, or .ptr of a parameter, is expected here");
    if (p->t.kind != TOKEN_DOT)
        return true;
    advance(p);
    if (at_dot(p, "global") || at_dot(p, "const") || at_dot(p, "shared") || at_dot(p, "local"))
        advance(p);
    if (at_dot(p, "align")) {
        advance(p);
        if (!expect_int(p, &align, "an alignment"))
            return false;
    }
    return (align > 0 && (align & (align - 1)) == 0) || fail(p, DIAG_SYNTAX, "an alignment is a power of two");
}

/* ---- Sizes ---- */

/* dimensions = { '[' [ n ] ']' } */
static bool parse_dimensions(struct parser *p, struct ptx_variable *v, struct shape *s)
{
    s->dimensions = 0;
    while (take_punct_if(p, '[')) {
        int64_t n = 0;
        if (s->dimensions == MAX_DIMENSIONS)
            return fail(p, DIAG_LIMIT, "more than %d dimensions", MAX_DIMENSIONS);
        if (at_punct(p, ']')) {
            if (s->dimensions)
                return fail(p, DIAG_SYNTAX, "only the first dimension may be left open");
            v->incomplete = true;
        } else if (!expect_int(p, &n, "a number of elements")) {
            return false;
        }
        if (n < 0 || (uint64_t)n > MAX_VARIABLE_BYTES)
            return fail(p, DIAG_LIMIT, "a dimension of %lld is out of range", (long long)n);
        s->extent[s->dimensions++] = (uint64_t)n;
        if (!expect_punct(p, ']', "a dimension"))
            return false;
    }
    return true;
}

static bool set_size(struct parser *p, struct ptx_variable *v, const struct shape *s)
{
    uint64_t element = (uint64_t)ptx_type_bytes(v->type) * v->vector, bytes = element;
    if (!v->align)
        v->align = (unsigned)element;
    uint64_t bound = bytes; /* bounds the rows of an array without elements, too */
    for (int i = 0; i < s->dimensions; i++) {
        uint64_t n = s->extent[i] ? s->extent[i] : 1;
        if (bound > MAX_VARIABLE_BYTES / n)
            return fail(p, DIAG_LIMIT, "'%s' is larger than any device", v->name);
        bound *= n;
        bytes *= s->extent[i];
    }
    v->bytes = bytes;
    return true;
}

/* ---- Declarations ---- */

/** Where variables of the present scope go. */
static struct ptx_variable *new_variable(struct parser *p)
{
    struct ptx_variable *v = p->f ? LIST_PUSH(&p->f->variables) : LIST_PUSH(&p->m->variables);
    memset(v, 0, sizeof *v);
    return v;
}

/* variable = name ['<' n '>'] dimensions [ '=' init ] */
static bool parse_one(struct parser *p, const struct ptx_variable *like, bool may_init)
{
    struct ptx_variable *v = new_variable(p);
    struct shape shape;
    *v = *like;
    v->line = p->t.line;
    v->scope = p->scope;
    if (!expect_name(p, &v->name, "a variable's name"))
        return false;
    if (is_reserved_name(v->name))
        return fail(p, DIAG_SYNTAX, "'%s' names no variable", v->name);
    if (p->f ? !scope_bind(p, v->name, BIND_VARIABLE, p->f->variables.count - 1)
             : !module_declare(p, v->name, MODULE_VARIABLE, !v->external))
        return false;
    if (at_punct(p, '<'))
        return fail(p, DIAG_UNSUPPORTED, "only registers are declared as ranges");
    if (!parse_dimensions(p, v, &shape) || !set_size(p, v, &shape) || (!p->f && !variable_agrees(p, v)))
        return false;
    if (!v->bytes && !v->incomplete && !v->external)
        return fail(p, DIAG_SYNTAX, "'%s' has no elements", v->name);
    if (!at_punct(p, '='))
        return !v->incomplete || v->external || fail(p, DIAG_SYNTAX, "an array without a size is .extern, or has an initialiser");
    if (v->external)
        return fail(p, DIAG_SYNTAX, "'%s' is defined elsewhere: it has no initialiser here", v->name);
    if (!may_init)
        return fail(p, DIAG_SYNTAX, "variables of this space have no initialiser");
    advance(p);
    return parse_init(p, v, &shape);
}

/** Constant memory has 64 KiB (PTX ISA 5.1.3); what alignment costs is left to the compiler. */
static bool constants_have_room(struct parser *p)
{
    const struct ptx_variable *v = p->f ? &p->f->variables.data[p->f->variables.count - 1] : &p->m->variables.data[p->m->variables.count - 1];
    p->constant_bytes += v->external ? 0 : v->bytes;
    return p->constant_bytes <= MAX_CONSTANT_BYTES || fail(p, DIAG_SYNTAX, "constant memory has %u bytes", MAX_CONSTANT_BYTES);
}

/* variables = .space type variable { ',' variable } ';' */
bool parse_variables(struct parser *p, enum ptx_space space, const struct ptx_variable *linkage)
{
    struct ptx_variable like = {0};
    if (linkage)
        like = *linkage;
    like.space = space;
    advance(p);
    if (like.common && space != SPACE_GLOBAL)
        return fail(p, DIAG_SYNTAX, "only variables in global memory are .common");
    if (space == SPACE_LOCAL && !p->f)
        return fail(p, DIAG_SYNTAX, "variables in local memory are declared in functions");
    if (!parse_type(p, &like))
        return false;
    if (space == SPACE_PARAM && (like.vector > 1 || like.type == PTX_F16X2))
        return fail(p, DIAG_SYNTAX, "no parameter is a vector");
    do {
        if (!parse_one(p, &like, space == SPACE_GLOBAL || space == SPACE_CONST) || (space == SPACE_CONST && !constants_have_room(p)))
            return false;
    } while (take_punct_if(p, ','));
    return expect_punct(p, ';', "a declaration");
}

/* parameter = ( .param | .reg ) type { pointer attribute } name dimensions */
static bool parse_parameter(struct parser *p, struct ptx_variable *v)
{
    struct shape shape;
    if (p->t.kind != TOKEN_DOT)
        return fail(p, DIAG_SYNTAX, "a parameter begins with .param or .reg");
    v->space = space_of(p->t.start, p->t.len);
    if (v->space != SPACE_PARAM && v->space != SPACE_REG)
        return fail(p, DIAG_SYNTAX, "a parameter is .param or .reg");
    v->line = p->t.line;
    advance(p);
    if (!parse_type(p, v) || !skip_pointer_attributes(p))
        return false;
    if (!expect_name(p, &v->name, "a parameter's name"))
        return false;
    if (!parse_dimensions(p, v, &shape))
        return false;
    return (shape.dimensions < 2 || fail(p, DIAG_SYNTAX, "a parameter has one dimension")) && set_size(p, v, &shape);
}

/* parameters = '(' [ parameter { ',' parameter } ] ')' */
bool parse_parameters(struct parser *p, struct ptx_variable **data, int *count, int *cap)
{
    struct {
        struct ptx_variable *data;
        int count, cap;
    } list = {*data, *count, *cap};
    bool good = expect_punct(p, '(', "a parameter list");
    if (good && !at_punct(p, ')')) {
        do {
            struct ptx_variable v = {0};
            good = list.count < MAX_LIST && parse_parameter(p, &v);
            if (!good) {
                fail(p, DIAG_LIMIT, "more than %d parameters", MAX_LIST);
                break;
            }
            *LIST_PUSH(&list) = v;
        } while (take_punct_if(p, ','));
    }
    *data = list.data;
    *count = list.count;
    *cap = list.cap;
    return good && expect_punct(p, ')', "a parameter list");
}
