/**
 * @file object.c
 * See object.h. Formats: System V ABI, chapter 4 (ELF-64 object files), and its AMD64 supplement, 4.4 (relocation types).
 * All sections that code needs become one mapping, constants between the code.
 */
#include "compile/object.h"

#include <elf.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_BYTES ((size_t)1 << 28)
#define STUB_BYTES 16 /* jmp *2(%rip), and the address */
#define STUB_ADDRESS 8

struct object_code {
    uint8_t *base;
    size_t bytes;
    void *run;
};

/** An object on its way. */
struct loading {
    const uint8_t *file;
    size_t size;
    const Elf64_Shdr *sections;
    unsigned section_count;
    size_t *places;                /**< by section: where it begins; SIZE_MAX: it is not loaded */
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names;
    size_t names_size;
    uint8_t *base;
    size_t bytes, stubs;           /**< all, and where the next stub goes */
    object_symbol_fn *symbol;
    const void *self;
    char *why;
    size_t why_size;
};

static bool refuse(struct loading *l, const char *what, const char *name)
{
    snprintf(l->why, l->why_size, "%s%s", what, name);
    return false;
}

static bool within(const struct loading *l, uint64_t offset, uint64_t bytes)
{
    return offset <= l->size && bytes <= l->size - offset;
}

static bool read_headers(struct loading *l)
{
    const Elf64_Ehdr *h = (const Elf64_Ehdr *)l->file;
    if (l->size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_type != ET_REL || h->e_machine != EM_X86_64 || h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shoff % 8 ||
        !within(l, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        return refuse(l, "its machine code is no object file", "");
    l->sections = (const Elf64_Shdr *)(l->file + h->e_shoff);
    l->section_count = h->e_shnum;
    for (unsigned i = 0; i < l->section_count; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type != SHT_NOBITS && !within(l, s->sh_offset, s->sh_size))
            return refuse(l, "its machine code is cut off", "");
        if (s->sh_type != SHT_SYMTAB)
            continue;
        if (s->sh_link >= l->section_count || s->sh_offset % 8)
            return refuse(l, "its machine code is damaged", "");
        l->symbols = (const Elf64_Sym *)(l->file + s->sh_offset);
        l->symbol_count = s->sh_size / sizeof *l->symbols;
        l->names = (const char *)l->file + l->sections[s->sh_link].sh_offset;
        l->names_size = l->sections[s->sh_link].sh_size;
    }
    if (!l->symbols || !l->names_size || l->names[l->names_size - 1])
        return refuse(l, "its machine code is damaged", "");
    return true;
}

/** Finds each section's place, and one for a stub behind them for every symbol. */
static bool lay_out(struct loading *l)
{
    size_t at = 0;
    for (unsigned i = 0; i < l->section_count; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        size_t align = s->sh_addralign > 1 ? s->sh_addralign : 1;
        l->places[i] = SIZE_MAX;
        if (!(s->sh_flags & SHF_ALLOC))
            continue;
        if ((s->sh_flags & SHF_WRITE) || s->sh_type == SHT_NOBITS)
            return refuse(l, "its machine code has variables", "");
        if (s->sh_size > MAX_BYTES || align > 4096 || (align & (align - 1)))
            return refuse(l, "its machine code is damaged", "");
        at = (at + align - 1) & ~(align - 1);
        l->places[i] = at;
        at += s->sh_size;
    }
    l->stubs = (at + STUB_BYTES - 1) & ~(size_t)(STUB_BYTES - 1);
    l->bytes = (l->stubs + l->symbol_count * STUB_BYTES + 4095) & ~(size_t)4095;
    if (l->bytes > MAX_BYTES)
        return refuse(l, "its machine code is too large", "");
    l->base = mmap(NULL, l->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (l->base == MAP_FAILED) {
        l->base = NULL;
        return refuse(l, "there is no memory for its machine code", "");
    }
    for (unsigned i = 0; i < l->section_count; i++)
        if (l->places[i] != SIZE_MAX)
            memcpy(l->base + l->places[i], l->file + l->sections[i].sh_offset, l->sections[i].sh_size);
    return true;
}

static const char *name_of(const struct loading *l, const Elf64_Sym *s)
{
    return s->st_name < l->names_size ? l->names + s->st_name : "";
}

/** What LLVM calls without having been told to, the functions of numbers where the processor has no instruction. */
static uint64_t known(const char *name)
{
#define K(function) {#function, (uintptr_t)function}
    static const struct {
        const char *name;
        uint64_t place;
    } functions[] = {K(memcpy), K(memmove), K(memset), K(fma), K(fmaf), K(floor), K(floorf), K(ceil), K(ceilf), K(trunc), K(truncf), K(rint), K(rintf),
                     K(nearbyint), K(nearbyintf)};
#undef K
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (!strcmp(name, functions[i].name))
            return functions[i].place;
    return 0;
}

/** What a name outside stands for is further away than a call reaches: a stub leads there, and has its address in it. */
static uint8_t *outside(struct loading *l, const char *name)
{
    uint64_t to = known(name);
    if (!to && l->symbol)
        to = (uintptr_t)l->symbol(l->self, name);
    if (!to) {
        refuse(l, "its machine code needs ", name);
        return NULL;
    }
    uint8_t *stub = l->base + l->stubs;
    memcpy(stub, "\xff\x25\x02\0\0\0\xcc\xcc", 8);
    memcpy(stub + STUB_ADDRESS, &to, sizeof to);
    l->stubs += STUB_BYTES;
    return stub;
}

static uint8_t *address_of(struct loading *l, uint64_t number, uint8_t **stubs)
{
    if (number >= l->symbol_count) {
        refuse(l, "its machine code is damaged", "");
        return NULL;
    }
    const Elf64_Sym *s = &l->symbols[number];
    if (s->st_shndx == SHN_UNDEF)
        return stubs[number] ? stubs[number] : (stubs[number] = outside(l, name_of(l, s)));
    if (s->st_shndx >= l->section_count || l->places[s->st_shndx] == SIZE_MAX ||
        s->st_value > l->sections[s->st_shndx].sh_size) {
        refuse(l, "its machine code is damaged", "");
        return NULL;
    }
    return l->base + l->places[s->st_shndx] + s->st_value;
}

static bool relocate_one(struct loading *l, const Elf64_Rela *r, size_t section, uint8_t **stubs)
{
    uint8_t *to = address_of(l, ELF64_R_SYM(r->r_info), stubs);
    uint32_t type = ELF64_R_TYPE(r->r_info);
    size_t width = type == R_X86_64_64 || type == R_X86_64_PC64 ? 8 : 4, size = l->sections[section].sh_size;
    if (!to)
        return false;
    if (r->r_offset > size || width > size - r->r_offset)
        return refuse(l, "its machine code is damaged", "");
    uint8_t *at = l->base + l->places[section] + r->r_offset;
    bool through = type == R_X86_64_GOTPCREL || type == R_X86_64_GOTPCRELX || type == R_X86_64_REX_GOTPCRELX;
    if (through && l->symbols[ELF64_R_SYM(r->r_info)].st_shndx != SHN_UNDEF)
        return refuse(l, "its machine code has relocations of another kind", "");
    int64_t value = (int64_t)(uintptr_t)to + r->r_addend + (through ? STUB_ADDRESS : 0);
    if (type != R_X86_64_64)
        value -= (int64_t)(uintptr_t)at;
    if (!through && type != R_X86_64_64 && type != R_X86_64_PC64 && type != R_X86_64_PC32 && type != R_X86_64_PLT32)
        return refuse(l, "its machine code has relocations of another kind", "");
    memcpy(at, &value, width);
    return true;
}

static bool relocate(struct loading *l)
{
    uint8_t **stubs = calloc(l->symbol_count + 1, sizeof *stubs);
    bool ok = stubs || refuse(l, "no memory", "");
    for (unsigned i = 0; ok && i < l->section_count; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type == SHT_REL || (s->sh_type == SHT_RELA && (s->sh_info >= l->section_count || s->sh_offset % 8)))
            ok = refuse(l, "its machine code is damaged", "");
        if (!ok || s->sh_type != SHT_RELA || l->places[s->sh_info] == SIZE_MAX)
            continue;
        const Elf64_Rela *r = (const Elf64_Rela *)(l->file + s->sh_offset);
        for (size_t n = s->sh_size / sizeof *r; ok && n; n--)
            ok = relocate_one(l, r++, s->sh_info, stubs);
    }
    free(stubs);
    return ok;
}

/** The address of function `run`. */
static void *find_run(struct loading *l)
{
    for (size_t i = 0; i < l->symbol_count; i++)
        if (l->symbols[i].st_shndx != SHN_UNDEF && !strcmp(name_of(l, &l->symbols[i]), "run"))
            return address_of(l, i, NULL);
    refuse(l, "its machine code has no beginning", "");
    return NULL;
}

struct object_code *object_load(const void *bytes, size_t size, object_symbol_fn *symbol, const void *self, char *why, size_t why_size)
{
    struct loading l = {.file = bytes, .size = size, .symbol = symbol, .self = self, .why = why, .why_size = why_size};
    struct object_code *code = NULL;
    void *run = NULL;
    if (!read_headers(&l))
        return NULL;
    l.places = calloc(l.section_count + 1u, sizeof *l.places);
    bool ok = l.places && lay_out(&l) && relocate(&l) && (run = find_run(&l));
    free(l.places);
    if (ok && mprotect(l.base, l.bytes, PROT_READ | PROT_EXEC))
        ok = refuse(&l, "this process may not map code", "");
    if (ok && (code = malloc(sizeof *code)))
        *code = (struct object_code){l.base, l.bytes, run};
    else if (l.base)
        munmap(l.base, l.bytes);
    return code;
}

void *object_run(const struct object_code *code)
{
    return code->run;
}

void object_free(struct object_code *code)
{
    if (!code)
        return;
    munmap(code->base, code->bytes);
    free(code);
}
