/**
 * @file source_line.c
 * See source_line.h.
 */
#include "host/source_line.h"

#include <elfutils/libdwfl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/** The nearest code on either side of the line asked for. */
struct search {
    int line;
    source_line_wanted *wanted;
    source_line_function *counts;
    void *self;
    int before, from;                    /**< lines; 0: none so far */
    const char *before_in, *from_in;     /**< the symbols that they are in */
};

/* Only what the program itself carries: separate debug files could be fetched from servers. */
static int no_separate_file(Dwfl_Module *m, void **user, const char *name, Dwarf_Addr base, const char *file, const char *link,
                            GElf_Word crc, char **out)
{
    (void)m, (void)user, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)out;
    return -1;
}

static void look_at(struct search *s, Dwfl_Module *module, Dwarf_Addr bias, Dwarf_Line *l)
{
    int line;
    Dwarf_Addr at;
    bool end;
    if (dwarf_lineno(l, &line) != 0 || line <= 0 || dwarf_lineaddr(l, &at) != 0 || dwarf_lineendsequence(l, &end) != 0 || end)
        return;
    bool nearer = line >= s->line ? !s->from || line < s->from : line > s->before;
    const char *file = nearer ? dwarf_linesrc(l, NULL, NULL) : NULL;
    const char *symbol = file && s->wanted(s->self, file) ? dwfl_module_addrname(module, at + bias) : NULL;
    if (!symbol || !s->counts(s->self, symbol))
        return;
    *(line >= s->line ? &s->from : &s->before) = line;
    *(line >= s->line ? &s->from_in : &s->before_in) = symbol;
}

static int look_through(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base, void *self)
{
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias, end;
    uintptr_t own = (uintptr_t)source_line_from;
    (void)user, (void)name;
    dwfl_module_info(module, NULL, NULL, &end, NULL, NULL, NULL, NULL);
    if (base <= own && own < end)
        return DWARF_CB_OK;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != NULL) {
        Dwarf_Lines *lines;
        size_t count;
        if (dwarf_getsrclines(unit, &lines, &count) != 0)
            continue;
        for (size_t i = 0; i < count; i++)
            look_at(self, module, bias, dwarf_onesrcline(lines, i));
    }
    return DWARF_CB_OK;
}

struct source_line source_line_from(int line, source_line_wanted *wanted, source_line_function *counts, void *self)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = no_separate_file};
    struct search s = {.line = line, .wanted = wanted, .counts = counts, .self = self};
    Dwfl *dwfl = dwfl_begin(&callbacks);
    if (!dwfl)
        return (struct source_line){0};
    dwfl_report_begin(dwfl);
    dwfl_linux_proc_report(dwfl, getpid());
    dwfl_report_end(dwfl, NULL, NULL);
    dwfl_getmodules(dwfl, look_through, &s, 0);
    struct source_line found = {.line = s.from, .inside = s.before && s.from && !strcmp(s.before_in, s.from_in)};
    dwfl_end(dwfl);
    return found;
}
