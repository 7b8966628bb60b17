/**
 * @file library_code.c
 * See library_code.h.
 */
#include "host/library_code.h"

#include <stddef.h>
#include <string.h>

bool library_file(const char *path)
{
    static const char *const parts[] = {
        "/targets/x86_64-linux/include/", "/targets/sbsa-linux/include/", "/cuda/include/",
        "/cuda/bin/", "/.cuda/", "/cccl/", "/nvidia/cu13/include/", "/nvidia/cuda_runtime/include/",
        "/usr/include/", "/usr/lib/gcc/",
    };

    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(path, parts[i]))
            return true;
    const char *cuda = strstr(path, "/cuda-");
    return cuda && strstr(cuda, "/include/");
}

/* Itanium C++ ABI, 5.1: _ZN [qualifiers] <length><namespace>…, and St for std. */
bool library_symbol(const char *name)
{
    static const char *const names[] = {"6thrust", "3cub", "4cuda", "18cooperative_groups", "9__gnu_cxx", "St"};

    if (strstr(name, "__device_stub__"))
        return true;
    if (strncmp(name, "_Z", 2))
        return false;
    name += 2;
    name += *name == 'L';
    if (!strncmp(name, "St", 2))
        return true;
    if (*name++ != 'N')
        return false;
    name += strspn(name, "rVKRO");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strncmp(name, names[i], strlen(names[i])))
            return true;
    return false;
}
