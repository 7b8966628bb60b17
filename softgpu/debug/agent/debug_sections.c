/**
 * @file debug_sections.c
 * From `.section .debug_info { .b8 1 … }` to an object file in memory, which libdw reads.
 *
 *   section = '.section' name '{' { label ':' | directive } '}'
 *   directive = ('.b8' | '.b16' | '.b32' | '.b64') item { ',' item }
 *   item = number | symbol [ ('+' | '-') (number | symbol) ]
 */
#include "debug/agent/debug_sections.h"

#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "memory/windows.h"
#include "parse/module.h"

#define MAX_SECTIONS 16

struct section {
    char name[32];
    LIST(uint8_t) bytes;
};

struct label {
    const char *name;
    size_t length;
    uint64_t value;
};

struct assembling {
    const struct image *im;
    const char *at, *end;
    struct section sections[MAX_SECTIONS];
    int count;
    LIST(struct label) labels;   /**< inside of sections */
};

/* ---- Symbols ---- */

static bool is_name(const char *name, const char *at, size_t length)
{
    return strlen(name) == length && !memcmp(name, at, length);
}

static bool in_function(const struct assembling *a, const struct function *f, const char *at, size_t length, uint64_t *out)
{
    if (!f->entry || !f->source)
        return false;
    if (is_name(f->name, at, length)) {
        *out = debug_address(a->im, f->entry);
        return true;
    }
    for (int i = 0; i < f->source->labels.count; i++)
        if (is_name(f->source->labels.data[i].name, at, length)) {
            *out = debug_address(a->im, f->entry + f->source->labels.data[i].instr);
            return true;
        }
    for (int i = 0; i < f->param_count; i++)
        if (is_name(f->params[i].name, at, length)) {
            *out = (f->is_entry ? PARAM_WINDOW : LOCAL_WINDOW) + f->params[i].offset;
            return true;
        }
    for (int i = 0; i < f->shared_count; i++)
        if (is_name(f->shared[i].name, at, length)) {
            *out = SHARED_WINDOW + f->shared[i].address;
            return true;
        }
    for (int i = 0; i < f->source->variables.count; i++)
        if (f->source->variables.data[i].space == SPACE_LOCAL && is_name(f->source->variables.data[i].name, at, length)) {
            *out = LOCAL_WINDOW;
            return true;
        }
    return false;
}

/** 0 for what is not known: a section's own beginning among it. */
static uint64_t symbol(const struct assembling *a, const char *at, size_t length)
{
    uint64_t v = 0;
    for (int i = 0; i < a->labels.count; i++)
        if (a->labels.data[i].length == length && !memcmp(a->labels.data[i].name, at, length))
            return a->labels.data[i].value;
    for (int i = 0; i < a->im->variable_count; i++)
        if (is_name(a->im->variables[i].name, at, length))
            return (a->im->variables[i].space == SPACE_SHARED ? SHARED_WINDOW : 0) + a->im->variables[i].address;
    for (int i = 0; i < a->im->function_count; i++)
        if (in_function(a, a->im->functions[i], at, length, &v))
            return v;
    return 0;
}

/* ---- Text ---- */

static void skip(struct assembling *a)
{
    while (a->at < a->end && (isspace((unsigned char)*a->at) || (a->at[0] == '/' && a->at + 1 < a->end && a->at[1] == '/')))
        if (*a->at == '/')
            while (a->at < a->end && *a->at != '\n')
                a->at++;
        else
            a->at++;
}

static size_t word(struct assembling *a, const char **begin)
{
    skip(a);
    *begin = a->at;
    while (a->at < a->end && (isalnum((unsigned char)*a->at) || strchr("_$.%", *a->at)))
        a->at++;
    return (size_t)(a->at - *begin);
}

static uint64_t term(struct assembling *a)
{
    const char *begin;
    skip(a);
    bool minus = a->at < a->end && *a->at == '-';
    a->at += minus;
    size_t n = word(a, &begin);
    uint64_t v = n && isdigit((unsigned char)*begin) ? strtoull(begin, NULL, 0) : symbol(a, begin, n);
    return minus ? -v : v;
}

static void items(struct assembling *a, struct section *s, unsigned width)
{
    do {
        uint64_t v = term(a);
        for (skip(a); a->at < a->end && (*a->at == '+' || *a->at == '-'); skip(a)) {
            bool minus = *a->at++ == '-';
            uint64_t other = term(a);
            v = minus ? v - other : v + other;
        }
        for (unsigned i = 0; s && i < width; i++)
            *LIST_PUSH(&s->bytes) = (uint8_t)(v >> 8 * i);
        skip(a);
    } while (a->at < a->end && *a->at == ',' && a->at++);
}

/** A section's contents; with `s` NULL only the labels are noted, at their places. */
static void contents(struct assembling *a, struct section *s)
{
    uint64_t place = 0;
    for (skip(a); a->at < a->end && *a->at != '}'; skip(a)) {
        const char *begin;
        size_t n = word(a, &begin);
        if (!n) {
            a->at++; /* nothing of ours */
            continue;
        }
        skip(a);
        if (a->at < a->end && *a->at == ':') {
            a->at++;
            if (!s)
                *LIST_PUSH(&a->labels) = (struct label){begin, n, place};
            continue;
        }
        unsigned width = n == 3 && begin[2] == '8' ? 1 : n < 4 ? 0 : begin[2] == '1' ? 2 : begin[2] == '3' ? 4 : 8;
        if (s || begin[0] != '.') {
            items(a, s, width);
            continue;
        }
        int count = 1;
        for (; a->at < a->end && *a->at != '\n'; a->at++)
            count += *a->at == ',';
        place += (uint64_t)count * width;
    }
}

static void all_sections(struct assembling *a, bool labels)
{
    static const char word_section[] = ".section";
    const struct ptx_module *m = a->im->module;
    a->end = m->text + m->text_len;
    for (const char *at = m->text; (at = memmem(at, (size_t)(a->end - at), word_section, sizeof word_section - 1));) {
        const char *begin;
        a->at = at + sizeof word_section - 1;
        size_t n = word(a, &begin);
        skip(a);
        if (a->at < a->end && *a->at == '{' && n && n < sizeof a->sections[0].name && a->count < MAX_SECTIONS) {
            a->at++;
            struct section *s = labels ? NULL : &a->sections[a->count++];
            if (s)
                memcpy(s->name, begin, n);
            contents(a, s);
        }
        at = a->at;
    }
}

/* ---- The object file ---- */

struct object {
    LIST(uint8_t) bytes;
};

static void put(struct object *o, const void *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *LIST_PUSH(&o->bytes) = ((const uint8_t *)bytes)[i];
}

static Dwarf *open_object(struct assembling *a)
{
    struct object o = {0};
    Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT}, .e_type = ET_EXEC,
                    .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_ehsize = sizeof h, .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = (Elf64_Half)(a->count + 2), .e_shstrndx = (Elf64_Half)(a->count + 1)};
    Elf64_Shdr heads[MAX_SECTIONS + 2] = {0};
    char names[MAX_SECTIONS * 32 + 16] = "";
    size_t named = 1;
    put(&o, &h, sizeof h);
    for (int i = 0; i < a->count; i++) {
        heads[i + 1] = (Elf64_Shdr){.sh_name = (Elf64_Word)named, .sh_type = SHT_PROGBITS, .sh_offset = (Elf64_Off)o.bytes.count,
                                    .sh_size = (Elf64_Xword)a->sections[i].bytes.count, .sh_addralign = 1};
        memcpy(names + named, a->sections[i].name, strlen(a->sections[i].name) + 1);
        named += strlen(a->sections[i].name) + 1;
        put(&o, a->sections[i].bytes.data, (size_t)a->sections[i].bytes.count);
    }
    heads[a->count + 1] = (Elf64_Shdr){.sh_name = (Elf64_Word)named, .sh_type = SHT_STRTAB,
                                       .sh_offset = (Elf64_Off)o.bytes.count, .sh_size = named + 10, .sh_addralign = 1};
    memcpy(names + named, ".shstrtab", 10);
    put(&o, names, named + 10);
    while (o.bytes.count % 8)
        put(&o, "", 1);
    h.e_shoff = (Elf64_Off)o.bytes.count;
    put(&o, heads, sizeof heads[0] * (size_t)(a->count + 2));
    memcpy(o.bytes.data, &h, sizeof h);
    elf_version(EV_CURRENT);
    Elf *elf = elf_memory((char *)o.bytes.data, (size_t)o.bytes.count); /* kept for good, as the bytes are */
    return elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
}

/* Of several modules that were linked (parse/link.c) each would have labels and offsets of its own. */
static bool in_one_part(const struct ptx_module *m)
{
    static const char word_section[] = ".section", word[] = ".debug_info";
    const char *at = m->text, *end = m->text + m->text_len;
    int count = 0;
    for (; (at = memmem(at, (size_t)(end - at), word_section, sizeof word_section - 1)); at += sizeof word_section - 1) {
        const char *name = memmem(at, (size_t)(end - at), word, sizeof word - 1);
        count += name && name - at < 32;
    }
    return count <= 1;
}

Dwarf *debug_sections(const struct image *im)
{
    static LIST(struct made { const struct ptx_module *of; Dwarf *dwarf; }) made;
    for (int i = 0; i < made.count; i++)
        if (made.data[i].of == im->module)
            return made.data[i].dwarf;
    struct assembling a = {.im = im};
    Dwarf *dwarf = NULL;
    if (im->module && im->module->debug && in_one_part(im->module)) {
        all_sections(&a, true);
        all_sections(&a, false);
        dwarf = open_object(&a);
        for (int i = 0; i < a.count; i++)
            LIST_FREE(&a.sections[i].bytes);
        LIST_FREE(&a.labels);
    }
    *LIST_PUSH(&made) = (struct made){im->module, dwarf};
    return dwarf;
}
