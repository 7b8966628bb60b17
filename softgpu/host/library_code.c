/**
 * @file library_code.c
 * See library_code.h.
 */
#include "host/library_code.h"

#include <stddef.h>
#include <string.h>

/** Libraries come as headers: what is compiled by itself is the program's, also in a folder with such a name. */
static bool is_compiled_itself(const char *path)
{
    static const char *const ends[] = {".cu", ".c", ".cc", ".cpp", ".cxx"};
    const char *name = strrchr(path, '/'), *end = strrchr(name ? name : path, '.');
    for (size_t i = 0; end && i < sizeof ends / sizeof ends[0]; i++)
        if (!strcmp(end, ends[i]))
            return true;
    return false;
}

bool library_file(const char *path)
{
    static const char *const parts[] = {
        "/targets/x86_64-linux/include/", "/targets/sbsa-linux/include/", "/cuda/include/",
        "/cuda/bin/", "/.cuda/", "/cccl/", "/nvidia/cu13/include/", "/nvidia/cuda_runtime/include/",
        "/usr/include/", "/usr/lib/gcc/",
    };

    if (is_compiled_itself(path))
        return false;
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
