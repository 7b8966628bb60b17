/**
 * @file program_code.c
 * The ranges of loaded objects; see program_code.h.
 */
#include "host/program_code.h"

#include <link.h>
#include <stddef.h>
#include <string.h>

#define MAX_RANGES 24

/** Of objects that are not the program's. */
static struct {
    uint64_t from, to;
    bool ours;
} ranges[MAX_RANGES];
static int count;

static bool is_library(const char *path)
{
    static const char *const names[] = {"libc.so", "libc-", "ld-linux", "ld-2", "libm.so", "libm-", "libpthread", "libstdc++.so", "libc++.so",
                                        "libc++abi", "libgcc_s", "linux-vdso", "libcuda.so", "libasan", "libtsan", "libubsan"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}

static int note_object(struct dl_phdr_info *o, size_t size, void *unused)
{
    uint64_t from = UINT64_MAX, to = 0, self = (uint64_t)(uintptr_t)program_code_learn;
    (void)size, (void)unused;
    for (int i = 0; i < o->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &o->dlpi_phdr[i];
        if (h->p_type != PT_LOAD)
            continue;
        from = o->dlpi_addr + h->p_vaddr < from ? o->dlpi_addr + h->p_vaddr : from;
        to = o->dlpi_addr + h->p_vaddr + h->p_memsz > to ? o->dlpi_addr + h->p_vaddr + h->p_memsz : to;
    }
    bool ours = self - from < to - from;
    if (from < to && (ours || is_library(o->dlpi_name)) && count < MAX_RANGES) {
        ranges[count].from = from, ranges[count].to = to, ranges[count].ours = ours;
        count++;
    }
    return 0;
}

void program_code_learn(void)
{
    if (!count)
        dl_iterate_phdr(note_object, NULL);
}

static int range_of(uint64_t address)
{
    for (int i = 0; i < count; i++)
        if (address - ranges[i].from < ranges[i].to - ranges[i].from)
            return i;
    return -1;
}

bool program_code_is(uint64_t address)
{
    return range_of(address) < 0;
}

bool program_code_is_ours(uint64_t address)
{
    int i = range_of(address);
    return i >= 0 && ranges[i].ours;
}
