/**
 * @file launch_stubs.c
 * Found by name in the program's own symbol table, which the linker leaves in; see launch_stubs.h.
 */
#include "launch_stubs.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_VARIABLES 256

static struct {
    bool read;
    int count;
    struct {
        uintptr_t at, end;
    } variables[MAX_VARIABLES];
} stubs;

/** The program itself comes first. */
static int first_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr;
    return 1;
}

/** A static variable of a function (by its C++ name: _ZZ, the function, E, the variable) that is a stub. */
static bool is_stubs(const char *name)
{
    return !strncmp(name, "_ZZ", 3) && strstr(name, "__device_stub__");
}

/** Section `i`'s bytes; NULL where the file is too short for what it says. */
static const char *section(const char *file, size_t size, const Elf64_Shdr *s)
{
    return s->sh_offset <= size && s->sh_size <= size - s->sh_offset ? file + s->sh_offset : NULL;
}

static void read_symbols(const char *file, size_t size, const Elf64_Shdr *table,
                         const Elf64_Shdr *names)
{
    const Elf64_Sym *symbols = (const Elf64_Sym *)section(file, size, table);
    const char *text = section(file, size, names);
    uintptr_t base = 0;
    if (!symbols || !text || !names->sh_size || text[names->sh_size - 1])
        return;
    dl_iterate_phdr(first_base, &base);
    for (size_t i = 0; i < table->sh_size / sizeof *symbols && stubs.count < MAX_VARIABLES; i++) {
        const Elf64_Sym *s = &symbols[i];
        if (ELF64_ST_TYPE(s->st_info) != STT_OBJECT || s->st_name >= names->sh_size ||
            !is_stubs(text + s->st_name))
            continue;
        stubs.variables[stubs.count].at = base + s->st_value;
        stubs.variables[stubs.count++].end = base + s->st_value + s->st_size;
    }
}

static void read_program(const char *file, size_t size)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr) ||
        head->e_shoff > size || (size - head->e_shoff) / sizeof(Elf64_Shdr) < head->e_shnum)
        return;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + head->e_shoff);
    for (unsigned i = 0; i < head->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < head->e_shnum)
            read_symbols(file, size, &sections[i], &sections[sections[i].sh_link]);
}

static void find_variables(void)
{
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return;
    void *file =
        fstat(fd, &st) ? MAP_FAILED : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return;
    read_program(file, (size_t)st.st_size);
    munmap(file, (size_t)st.st_size);
}

bool launch_stub_owns(uintptr_t at)
{
    if (!stubs.read)
        find_variables();
    stubs.read = true;
    for (int i = 0; i < stubs.count; i++)
        if (at >= stubs.variables[i].at && at < stubs.variables[i].end)
            return true;
    return false;
}
