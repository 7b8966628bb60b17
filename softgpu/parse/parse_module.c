/**
 * @file parse_module.c
 * A whole module: version, target, variables, functions, source locations (PTX ISA 4.3, 11). A `.version` behind
 * the first begins another module, which is linked with those before it (link.c).
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "parse/device_library.h"
#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

#define MAX_TEXT (256u << 20)
#define MAX_PTX_MAJOR 9

/* ---- Header ---- */

/** A number of one to three digits at `*at`, which moves behind it; -1 if there is none. */
static int short_number(const char **at)
{
    int n = -1;
    for (int i = 0; i < 3 && **at >= '0' && **at <= '9'; i++, (*at)++)
        n = (n < 0 ? 0 : n * 10) + **at - '0';
    return n;
}

/* version = '.version' major '.' minor */
static bool parse_version(struct parser *p)
{
    if (!part_begin(p))
        return false;
    advance(p);
    const char *at = p->t.start;
    int major = short_number(&at), minor = *at == '.' ? (at++, short_number(&at)) : -1;
    if (p->t.kind != TOKEN_FLOAT64 || major < 0 || minor < 0 || at != p->t.start + p->t.len)
        return fail(p, DIAG_SYNTAX, "a version such as 9.0 is expected here");
    if (major * 1000 + minor > p->m->version_major * 1000 + p->m->version_minor) {
        p->m->version_major = major;
        p->m->version_minor = minor;
    }
    p->version = major * 10 + (minor < 10 ? minor : 9);
    p->header = HEADER_VERSION;
    if (major > MAX_PTX_MAJOR)
        return fail(p, DIAG_UNSUPPORTED, "PTX version %d.%d is newer than softgpu knows (%d.x)",
                    major, minor, MAX_PTX_MAJOR);
    advance(p);
    return true;
}

/** Has the part's `.version` the device? Of devices that are not known to us we do not ask. */
static bool version_has(struct parser *p, int sm, char suffix)
{
    static const struct {
        int sm, since; /* in tenths; of its suffix: 'a' and 'f' of the later ones come with it */
    } devices[] = {{12, 12}, {13, 12}, {20, 20}, {21, 20}, {30, 30}, {32, 40}, {35, 31}, {37, 41}, {50, 40}, {52, 41}, {53, 42}, {60, 50}, {61, 50}, {62, 50}, {70, 60},
                 {72, 61}, {75, 63}, {80, 70}, {86, 71}, {87, 74}, {88, 73}, {89, 78}, {90, 78}, {100, 86}, {103, 88}, {110, 90}, {120, 87}, {121, 88}};
    int since = 0;
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        if (devices[i].sm == sm)
            since = sm == 90 && suffix ? 80 : suffix == 'f' && devices[i].since < 88 ? 88 : devices[i].since;
    return p->version >= since || fail(p, DIAG_SYNTAX, "sm_%d%.1s needs .version %d.%d or later, and this is %d.%d", sm, &suffix, since / 10, since % 10, p->version / 10, p->version % 10);
}

/** What may stand behind the device. */
static bool is_target_option(const char *name)
{
    return !strcmp(name, "debug") || !strcmp(name, "texmode_unified") || !strcmp(name, "texmode_independent") || !strcmp(name, "map_f64_to_f32");
}

/* target = .target device { ',' option } */
static bool parse_target(struct parser *p)
{
    bool first = true;
    if (p->header > HEADER_TARGET)
        return fail(p, DIAG_SYNTAX, ".target stands behind .version, before all else");
    p->header = HEADER_TARGET;
    advance(p);
    do {
        const char *name;
        struct token at = p->t, behind;
        if (!expect_name(p, &name, "a target"))
            return false;
        behind = p->t;
        p->t = at; /* the caret's place */
        const char *digits = name + 3;
        int sm = strncmp(name, "sm_", 3) ? -1 : short_number(&digits);
        if (first ? sm < 0 : sm < 0 && !is_target_option(name))
            return fail(p, DIAG_SYNTAX, "'%.40s' is no %s", name, first ? "device, such as sm_90" : "option of .target");
        if (sm >= 0 && !version_has(p, sm, *digits == 'a' || *digits == 'f' ? *digits : 0))
            return false;
        p->t = behind;
        first = false;
        if (sm > p->m->target_sm) {
            p->m->target_sm = sm;
            p->m->target_suffix = *digits == 'a' || *digits == 'f' ? *digits : 0;
        }
        if (!strcmp(name, "debug"))
            p->m->debug = true;
    } while (take_punct_if(p, ','));
    return true;
}

static bool parse_address_size(struct parser *p)
{
    int64_t bits = 0;
    if (p->header != HEADER_TARGET)
        return fail(p, DIAG_SYNTAX, ".address_size stands behind .target, before all else");
    p->header = HEADER_ADDRESS_SIZE;
    advance(p);
    if (!expect_int(p, &bits, "an address size"))
        return false;
    return bits == 64 || fail(p, DIAG_UNSUPPORTED, "only 64-bit addresses are supported");
}

/* ---- Module ---- */

/* linkage = [ .extern | .visible | .weak | .common ] */
static void parse_linkage(struct parser *p, struct ptx_variable *linkage)
{
    *linkage = (struct ptx_variable){
        .external = at_dot(p, "extern"), .visible = at_dot(p, "visible"), .weak = at_dot(p, "weak"), .common = at_dot(p, "common")};
    if (linkage->external || linkage->visible || linkage->weak || linkage->common)
        advance(p);
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
    if (p->header == HEADER_VERSION)
        return fail(p, DIAG_SYNTAX, ".target is expected behind .version");
    p->header = HEADER_OVER;
    if (at_dot(p, "file"))
        return parse_file(p);
    if (at_dot(p, "section"))
        return parse_section(p);
    if (at_dot(p, "pragma"))
        return parse_pragma(p, PRAGMA_OF_MODULE);
    if (at_dot(p, "include"))
        return fail(p, DIAG_UNSUPPORTED, ".include is never honoured: softgpu reads one file");
    if (at_dot(p, "alias"))
        return parse_alias(p);
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

/* The library's lines come behind the text's own. */
static const char *with_library(struct arena *a, const char *text, size_t *len)
{
    size_t more = strlen(device_library);
    char *both = arena_alloc(a, *len + more + 1);
    memcpy(both, text, *len);
    memcpy(both + *len, device_library, more + 1);
    *len += more;
    return both;
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
    m->text = device_library_needed(text, len) ? with_library(&m->arena, text, &len) : arena_strndup(&m->arena, text, len);
    m->text_len = len;
    m->name = arena_strndup(&m->arena, name, strlen(name));
    struct parser p = {.m = m, .d = d, .loc = -1};
    lexer_init(&p.lx, m->text, len);
    advance(&p);
    bool good = at_dot(&p, "version") ||
                fail(&p, DIAG_SYNTAX, "PTX begins with .version");
    while (good && p.t.kind != TOKEN_END)
        good = parse_item(&p);
    good = good && part_end(&p) && parts_link(&p);
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

void function_free(struct ptx_function *f)
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
        function_free(&m->functions.data[i]);
    LIST_FREE(&m->functions);
    LIST_FREE(&m->files);
    LIST_FREE(&m->locs);
    arena_free(&m->arena);
    free(m);
}
