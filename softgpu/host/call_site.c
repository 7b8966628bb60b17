/**
 * @file call_site.c
 * Return addresses to source lines, by libdw on the process's own modules.
 */
#include "host/call_site.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

#include "host/library_code.h"

/** Places kept; a program has far fewer calls. */
#define MAX_PLACES 65536
#define BUCKETS 1024

struct place {
    struct place *next;
    uintptr_t address;
    struct call_site site;
    bool looked_up;
    enum { NOT_ASKED, OWN, LIBRARY } whose; /**< by the symbol of the function that it lies in */
};
static struct place *places[BUCKETS];
static int place_count;
static Dwfl *dwfl;

/* Only what the program itself carries: separate debug files could be fetched from servers. */
static int no_separate_file(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base,
                            const char *file, const char *link, GElf_Word crc, char **out)
{
    (void)m, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)out;
    return -1;
}

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                         .find_debuginfo = no_separate_file};

/* The modules of the process; read again when one was loaded since. */
static void report_modules(void)
{
    if (!dwfl)
        dwfl = dwfl_begin(&callbacks);
    if (!dwfl)
        return;
    dwfl_report_begin(dwfl);
    dwfl_linux_proc_report(dwfl, getpid());
    dwfl_report_end(dwfl, NULL, NULL);
}

/** The toolkit's header of typed templates, which nobody's program is in. */
static bool is_template(const char *file)
{
    const char *base = strrchr(file, '/');
    return base && !strcmp(base, "/cuda_runtime.h");
}

/** Of a library's code that was inlined: the line of the program's that calls it. */
static bool find_inlined_call(Dwfl_Module *module, uintptr_t at, struct call_site *out)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(module, at, &bias), *scopes = NULL;
    Dwarf_Files *files;
    size_t file_count;
    bool found = false;
    int count = unit ? dwarf_getscopes(unit, at - bias, &scopes) : 0;
    if (count > 0) { /* the first of them is at its place; around it these would be the scopes of its source */
        Dwarf_Die innermost = scopes[0];
        free(scopes);
        scopes = NULL;
        count = dwarf_getscopes_die(&innermost, &scopes);
    }
    if (!unit || dwarf_getsrcfiles(unit, &files, &file_count) != 0)
        count = 0;
    for (int i = 0; i < count && !found; i++) {
        Dwarf_Attribute a;
        Dwarf_Word line, file;
        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine ||
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &a), &line) != 0 ||
            dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &a), &file) != 0 || file >= file_count)
            continue;
        const char *name = dwarf_filesrc(files, file, NULL, NULL);
        if (!name || is_template(name) || library_file(name))
            continue;
        out->file = strdup(name);
        out->line = (int)line;
        found = out->file != NULL;
    }
    free(scopes);
    return found;
}

static bool find_line(uintptr_t at, struct call_site *out)
{
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, at) : NULL;
    if (!module) {
        report_modules();
        module = dwfl ? dwfl_addrmodule(dwfl, at) : NULL;
    }
    Dwfl_Line *l = module ? dwfl_module_getsrc(module, at) : NULL;
    const char *file = l ? dwfl_lineinfo(l, NULL, &out->line, NULL, NULL, NULL) : NULL;
    if (!file || out->line <= 0)
        return false;
    if ((is_template(file) || library_file(file)) && find_inlined_call(module, at, out))
        return true;
    out->file = strdup(file);
    return out->file != NULL;
}

static void find_symbol(uintptr_t at, const Dl_info *info, struct call_site *out)
{
    char text[256];
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, at) : NULL;
    GElf_Off offset = at - (uintptr_t)info->dli_fbase;
    GElf_Sym symbol;
    const char *name = module ? dwfl_module_addrinfo(module, at, &offset, &symbol, NULL, NULL, NULL)
                              : NULL;
    const char *program = strrchr(info->dli_fname, '/');
    if (!name)
        offset = at - (uintptr_t)info->dli_fbase;
    snprintf(text, sizeof text, "%.64s(%.150s+0x%llx)", program ? program + 1 : info->dli_fname,
             name ? name : "", (unsigned long long)offset);
    out->file = strdup(text);
    out->line = 0;
}

static bool (*resolver)(unsigned long address, struct call_site *out);

void call_site_resolver(bool (*find)(unsigned long address, struct call_site *out))
{
    resolver = find;
}

static void look_up(uintptr_t at, struct call_site *out)
{
    Dl_info here, there;
    if (resolver && resolver(at, out))
        return;
    if (!dladdr((void *)at, &there) || !there.dli_fname)
        return;
    if (dladdr((void *)(uintptr_t)call_site, &here) && here.dli_fbase == there.dli_fbase)
        return; /* one entry point called another: the Driver API does */
    if (!find_line(at, out))
        find_symbol(at, &there, out);
}

/** @return the place's entry, new ones without a site; NULL if there is no room */
static struct place *place_of(uintptr_t at)
{
    struct place **bucket = &places[at / 4 % BUCKETS];
    for (struct place *p = *bucket; p; p = p->next)
        if (p->address == at)
            return p;
    struct place *p = place_count < MAX_PLACES ? calloc(1, sizeof *p) : NULL;
    if (!p)
        return NULL;
    p->address = at;
    p->next = *bucket;
    *bucket = p;
    place_count++;
    return p;
}

const struct call_site *call_site(const void *address, bool exact)
{
    static const struct call_site unknown;
    /* A call's return address may already belong to the next line. */
    uintptr_t at = (uintptr_t)address - (exact ? 0 : 1);
    struct place *p = address ? place_of(at) : NULL;
    if (!p)
        return &unknown;
    if (!p->looked_up) {
        p->looked_up = true;
        look_up(at, &p->site);
    }
    return &p->site;
}

/* ---- the program's own frame behind a library's ---- */

static bool library_expected;

void call_site_expect_library(void)
{
    library_expected = true;
}

/** Does the function at `at` belong to a library? softgpu's own do not. */
static bool is_in_library(uintptr_t at)
{
    struct place *p = place_of(at);
    if (!p || p->whose)
        return p && p->whose == LIBRARY;
    if (!dwfl || !dwfl_addrmodule(dwfl, at))
        report_modules();
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, at) : NULL;
    const char *name = module ? dwfl_module_addrname(module, at) : NULL;
    p->whose = name && library_symbol(name) ? LIBRARY : OWN;
    return p->whose == LIBRARY;
}

struct walk {
    const void *from;   /**< the library's function that the call stands in */
    bool reached;
    const void *found;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *user)
{
    struct walk *w = user;
    uintptr_t at = _Unwind_GetIP(context) - 1;

    if (!w->reached) {
        w->reached = _Unwind_FindEnclosingFunction((void *)at) == w->from;
        return _URC_NO_REASON;
    }
    if (is_in_library(at))
        return _URC_NO_REASON;
    w->found = (const void *)(at + 1);
    return _URC_END_OF_STACK;
}

const void *call_site_past_library(const void *site)
{
    uintptr_t at = (uintptr_t)site - 1;
    if (!library_expected || !site || !is_in_library(at))
        return site;
    struct walk w = {.from = _Unwind_FindEnclosingFunction((void *)at)};
    if (w.from)
        _Unwind_Backtrace(step, &w);
    return w.found ? w.found : site;
}

/** Without debug information the symbol tells: "program(_ZL23cudaMemcpyToSymbolAsync…+0x5a)". */
static bool in_toolkit(const struct call_site *c)
{
    const char *name = c->file && !c->line ? strstr(c->file, "(_Z") : NULL;
    if (!name)
        return c->file && is_template(c->file);
    name += strlen("(_Z");
    name += *name == 'L';
    return strspn(name, "0123456789") > 0 && !strncmp(name + strspn(name, "0123456789"), "cuda", 4);
}

const void *call_site_past_templates(const void *site, void *const *frame)
{
    for (int i = 0; i < 3 && site && frame; i++) {
        const void *outer = call_site_through(site, frame, 1);
        if (outer == site || !in_toolkit(call_site(site, false)))
            break;
        site = outer;
        frame = (void *const *)frame[0];
    }
    return site;
}

void call_site_words(const struct call_site *c, char *out, unsigned long size)
{
    out[0] = '\0';
    if (c->line)
        snprintf(out, size, "line %d", c->line);
    else if (c->file)
        snprintf(out, size, "%s", c->file);
}
