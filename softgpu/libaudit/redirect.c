/**
 * @file redirect.c
 * Replacing functions of an object: each begins with a jump to a trampoline near the object, which jumps
 * to the replacement, wherever that lies (x86-64: `jmp rel32` reaches 2 GiB).
 */
#include "libaudit/redirect.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define MAX_REPLACED 4096
/** `jmp *0(%rip)` and the address. */
#define TRAMPOLINE 16
#define JUMP 5
/** How far around the object a place for the trampolines is looked for. */
#define STEP (1ull << 20)
#define TRIES 1024

/** The object's file, mapped. */
struct file {
    const uint8_t *bytes;
    uint64_t size;
};

struct replaced {
    uint64_t at;                   /**< address in this process */
    void *to;
};

static const void *part(const struct file *f, uint64_t offset, uint64_t bytes)
{
    return offset <= f->size && bytes <= f->size - offset ? f->bytes + offset : NULL;
}

static const Elf64_Shdr *symbol_table(const struct file *f, unsigned type)
{
    const Elf64_Ehdr *h = part(f, 0, sizeof *h);
    if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64)
        return NULL;
    const Elf64_Shdr *s = part(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof *s);
    for (int i = 0; s && i < h->e_shnum; i++)
        if (s[i].sh_type == type && s[i].sh_link < h->e_shnum)
            return &s[i];
    return NULL;
}

/** A symbol's name, if it ends within the file. */
static const char *name_of(const struct file *f, const Elf64_Shdr *strings, const Elf64_Sym *s)
{
    const char *text = part(f, strings->sh_offset, strings->sh_size);
    bool ends = text && s->st_name < strings->sh_size &&
                memchr(text + s->st_name, 0, strings->sh_size - s->st_name);
    return ends ? text + s->st_name : NULL;
}

/** Calls `see` for each symbol that the object has itself. */
static void each_symbol(const struct file *f, unsigned type, void (*see)(const char *, const Elf64_Sym *, void *),
                        void *context)
{
    const Elf64_Shdr *table = symbol_table(f, type);
    if (!table)
        return;
    const Elf64_Ehdr *h = part(f, 0, sizeof *h);
    const Elf64_Shdr *strings = (const Elf64_Shdr *)part(f, h->e_shoff, 0) + table->sh_link;
    const Elf64_Sym *symbols = part(f, table->sh_offset, table->sh_size);
    for (uint64_t i = 0; symbols && i < table->sh_size / sizeof *symbols; i++) {
        const char *name = name_of(f, strings, &symbols[i]);
        if (name && symbols[i].st_shndx != SHN_UNDEF)
            see(name, &symbols[i], context);
    }
}

static bool map_file(const char *path, struct file *f)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool fits = fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0;
    void *map = fits ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (map == MAP_FAILED)
        return false;
    *f = (struct file){map, (uint64_t)st.st_size};
    return true;
}

struct search {
    const char *mark;
    uint64_t bias;
    void *(*replacement)(const char *name);
    bool marked;
    struct replaced *list;
    int count;
};

static void look(const char *name, const Elf64_Sym *s, void *context)
{
    struct search *q = context;
    (void)s;
    q->marked |= !strncmp(name, q->mark, strlen(q->mark));
}

static void take(const char *name, const Elf64_Sym *s, void *context)
{
    struct search *q = context;
    if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_size < JUMP || q->count == MAX_REPLACED)
        return;
    void *to = q->replacement(name);
    if (to)
        q->list[q->count++] = (struct replaced){q->bias + s->st_value, to};
}

/** Memory that all of the object's code can jump to. */
static uint8_t *near(uint64_t from, uint64_t to, uint64_t bytes)
{
    for (uint64_t i = 1; i <= TRIES; i++) {
        uint64_t below = from > i * STEP ? (from - i * STEP) & ~0xfffull : 0, above = (to + i * STEP) & ~0xfffull;
        uint64_t places[] = {below, above};
        for (int p = 0; p < 2; p++) {
            void *want = (void *)(uintptr_t)places[p];
            void *got = places[p] ? mmap(want, bytes, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
                                  : MAP_FAILED;
            if (got == want)
                return got;
            if (got != MAP_FAILED)
                munmap(got, bytes);
        }
    }
    return NULL;
}

static void write_trampoline(uint8_t *at, void *to)
{
    static const uint8_t jump[] = {0xff, 0x25, 0, 0, 0, 0};
    memcpy(at, jump, sizeof jump);
    memcpy(at + sizeof jump, &to, sizeof to);
}

static void write_jump(uint64_t at, const uint8_t *to)
{
    uint8_t *code = (uint8_t *)(uintptr_t)at;
    int32_t distance = (int32_t)((int64_t)(uintptr_t)to - (int64_t)(at + JUMP));
    code[0] = 0xe9;
    memcpy(code + 1, &distance, sizeof distance);
}

static int replace(const struct replaced *list, int count)
{
    uint64_t from = UINT64_MAX, to = 0, bytes = ((uint64_t)count * TRAMPOLINE + 4095) & ~4095ull;
    for (int i = 0; i < count; i++) {
        from = list[i].at < from ? list[i].at : from;
        to = list[i].at > to ? list[i].at : to;
    }
    from &= ~0xfffull;
    to = (to + JUMP + 0xfff) & ~0xfffull;
    uint8_t *trampolines = count ? near(from, to, bytes) : NULL;
    void *code = (void *)(uintptr_t)from;
    if (!trampolines || mprotect(code, to - from, PROT_READ | PROT_WRITE) != 0)
        return 0;
    for (int i = 0; i < count; i++) {
        write_trampoline(trampolines + (size_t)i * TRAMPOLINE, list[i].to);
        write_jump(list[i].at, trampolines + (size_t)i * TRAMPOLINE);
    }
    mprotect(trampolines, bytes, PROT_READ | PROT_EXEC);
    mprotect(code, to - from, PROT_READ | PROT_EXEC);
    return count;
}

int redirect_object(const char *path, uint64_t bias, const char *mark, void *(*replacement)(const char *name))
{
    static struct replaced list[MAX_REPLACED];
    struct search q = {.mark = mark, .bias = bias, .replacement = replacement, .list = list};
    struct file f;
    if (!map_file(path, &f))
        return 0;
    each_symbol(&f, SHT_SYMTAB, look, &q);
    if (q.marked)
        each_symbol(&f, SHT_SYMTAB, take, &q);
    munmap((void *)f.bytes, f.size);
    return !q.marked ? 0 : q.count && replace(list, q.count) ? q.count : -1;
}

struct ends {
    const struct redirect_pair *pairs;
    int count;
    uint64_t bias;
    struct replaced *list;
    int found;
};

static void take_end(const char *name, const Elf64_Sym *s, void *context)
{
    struct ends *e = context;
    for (int i = 0; i < e->count && ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_size >= JUMP; i++) {
        bool from = !strcmp(name, e->pairs[i].from), to = !strcmp(name, e->pairs[i].to);
        if (from)
            e->list[i].at = e->bias + s->st_value;
        if (to)
            e->list[i].to = (void *)(uintptr_t)(e->bias + s->st_value);
        e->found += from + to;
    }
}

int redirect_within(const char *path, uint64_t bias, const struct redirect_pair *pairs, int count)
{
    struct replaced list[8] = {0};
    struct ends e = {.pairs = pairs, .count = count, .bias = bias, .list = list};
    struct file f;
    if (count > (int)(sizeof list / sizeof *list) || !map_file(path, &f))
        return 0;
    each_symbol(&f, SHT_DYNSYM, take_end, &e);
    munmap((void *)f.bytes, f.size);
    return e.found == 2 * count ? replace(list, count) : 0;
}

struct names {
    void (*see)(const char *name);
};

static void hand_on(const char *name, const Elf64_Sym *s, void *context)
{
    if (ELF64_ST_TYPE(s->st_info) == STT_FUNC)
        ((struct names *)context)->see(name);
}

bool redirect_names(const char *path, void (*see)(const char *name))
{
    struct names n = {see};
    struct file f;
    if (!map_file(path, &f))
        return false;
    each_symbol(&f, SHT_DYNSYM, hand_on, &n);
    munmap((void *)f.bytes, f.size);
    return true;
}
