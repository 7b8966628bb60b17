/**
 * @file parse_directives.c
 * What stands between a kernel's or function's header and its body (PTX ISA 11.2, 11.4): performance directives, clusters, `.noreturn`.
 */
#include "parse/parser.h"
#include "parse/phases.h"

/** Up to three numbers, the missing ones 1; `least`: 0 is none of them. */
static bool parse_extents(struct parser *p, unsigned out[3], bool least)
{
    out[0] = out[1] = out[2] = 1;
    advance(p);
    for (int i = 0; i < 3; i++) {
        int64_t v;
        if (!expect_32(p, &v, "a thread count"))
            return false;
        if (v < 1 && least)
            return fail(p, DIAG_SYNTAX, "at least one thread is expected");
        out[i] = v < 0 || v > UINT32_MAX ? 0 : (unsigned)v;
        if (!take_punct_if(p, ','))
            break;
    }
    return true;
}

bool parse_once(struct parser *p, struct once_said *said)
{
    static const struct {
        const char *name;
        int64_t most;
        unsigned bit;
    } known[] = {{"noreturn", -1, 1}, {"abi_preserve", 239, 2}, {"abi_preserve_control", 11, 4}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        int64_t v;
        if (!at_dot(p, known[i].name))
            continue;
        if (said->bits & known[i].bit)
            return fail(p, DIAG_SYNTAX, ".%s is said once", known[i].name);
        said->bits |= known[i].bit;
        advance(p);
        int64_t most = known[i].most == 239 && said->prototype ? 255 : known[i].most;
        return most < 0 || (expect_32(p, &v, "a number of registers") &&
                            (v <= most || fail(p, DIAG_SYNTAX, ".%s is at most %lld", known[i].name,
                                               (long long)most)));
    }
    return fail(p, DIAG_SYNTAX, "directive .%.*s has no place before a function's body",
                (int)(p->t.len > 40 ? 40 : p->t.len), p->t.start);
}

/* attribute = '.attribute' '(' '.unified' '(' n ',' n ')' ')': says where unified functions lie */
bool skip_attribute(struct parser *p)
{
    int64_t ignored;
    advance(p);
    if (!expect_punct(p, '(', ".attribute"))
        return false;
    if (!at_dot(p, "unified"))
        return fail(p, DIAG_SYNTAX, "a function's attribute is .unified");
    advance(p);
    return expect_punct(p, '(', ".unified") && expect_int(p, &ignored, "a number") &&
           expect_punct(p, ',', ".unified") && expect_int(p, &ignored, "a number") &&
           expect_punct(p, ')', ".unified") && expect_punct(p, ')', ".attribute");
}

/** A kernel's and a function's own directives have no place before the other's body. */
static bool directive_misplaced(struct parser *p)
{
    static const char *const of_kernels[] = {
        "maxntid",           "reqntid",         "minnctapersm",      "maxnctapersm",   "maxnreg",
        "reqnctapercluster", "explicitcluster", "blocksareclusters", "maxclusterrank", "pragma"};
    static const char *const of_functions[] = {"noreturn", "abi_preserve", "abi_preserve_control"};
    bool kernels = false, functions = false;
    for (size_t i = 0; i < sizeof of_kernels / sizeof *of_kernels; i++)
        kernels |= at_dot(p, of_kernels[i]);
    for (size_t i = 0; i < sizeof of_functions / sizeof *of_functions; i++)
        functions |= at_dot(p, of_functions[i]);
    if (at_dot(p, "maxnctapersm") && p->version > 20)
        return true;
    return p->f->is_entry ? functions : kernels;
}

/** Directives that do not stand together, as ptxas refuses them. */
static bool directives_agree(struct parser *p)
{
    const struct ptx_function *f = p->f;
    if (f->max_threads[0] && f->req_threads[0])
        return fail(p, DIAG_SYNTAX, "'%.80s' has both .maxntid and .reqntid", f->name);
    if (f->max_cluster && f->cluster[0])
        return fail(p, DIAG_SYNTAX, "'%.80s' has both .maxclusterrank and .reqnctapercluster",
                    f->name);
    return !f->blocks_are_clusters || (f->req_threads[0] && f->cluster[0]) ||
           fail(p, DIAG_SYNTAX,
                ".blocksareclusters of '%.80s' stands only with .reqntid and .reqnctapercluster",
                f->name);
}

static bool expect_positive(struct parser *p, int64_t *v, const char *what)
{
    return expect_32(p, v, what) && (*v > 0 || fail(p, DIAG_SYNTAX, "%s is 1 or more", what));
}

/* performance directives between header and body (PTX ISA 11.4) */
bool parse_directives(struct parser *p)
{
    struct ptx_function *f = p->f;
    struct once_said said = {0};
    while (p->t.kind == TOKEN_DOT) {
        int64_t v;
        if (directive_misplaced(p))
            return fail(p, DIAG_SYNTAX, ".%.*s has no place before the body of a %s", (int)p->t.len,
                        p->t.start, f->is_entry ? "kernel" : "function");
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
        } else if (at_dot(p, "pragma")) {
            if (!parse_pragma(p, PRAGMA_OF_KERNEL))
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
            if (!expect_32(p, &v, "a block count"))
                return false;
            f->max_cluster = v < 0 || v > 1024 ? 0 : (unsigned)v;
        } else if (at_dot(p, "maxnctapersm")) {
            advance(p);
            if (!expect_32(p, &v, "a block count"))
                return false;
        } else if (!parse_once(p, &said)) {
            return false;
        }
    }
    f->noreturn = said.bits & 1;
    if (f->noreturn && f->returns.count)
        return fail(p, DIAG_SYNTAX, "'%.80s' has a result, and is .noreturn", f->name);
    return directives_agree(p);
}
