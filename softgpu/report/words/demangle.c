/**
 * @file demangle.c
 * Names as the program's text has them, of those that the compiler has decorated (the Itanium C++ ABI's
 * mangling, section 5.1): as much of it as kernels and their variables need. Template arguments and
 * parameter types are left away.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/words/words.h"

/** Appends what fits. It is done here, so that programs that only want names link nothing else. */
static void add(char *out, size_t size, const char *s, size_t length)
{
    size_t used = strlen(out), room = size - used - 1;
    length = length < room ? length : room;
    memcpy(out + used, s, length);
    out[used + length] = '\0';
}

/** One `<length><characters>` at `*at`, which is moved behind it. @return its start, NULL if there is none */
static const char *source_name(const char **at, size_t *length)
{
    char *name;
    if (!isdigit((unsigned char)**at))
        return NULL;
    unsigned long n = strtoul(*at, &name, 10);
    if (!n || n > strlen(name))
        return NULL;
    *length = n;
    *at = name + n;
    return name;
}

/** `N` names `E`: "a::b"; template arguments end it. @return false if it is none */
static bool nested_name(const char *at, char *out, size_t size)
{
    size_t length;
    at += strspn(at, "KVr"); /* const, volatile, restrict */
    for (const char *name; (name = source_name(&at, &length)) != NULL;) {
        bool unnamed = !strncmp(name, "_GLOBAL__N", 10) || !strncmp(name, "_INTERNAL_", 10);
        if (unnamed)
            continue;
        add(out, size, "::", out[0] ? 2 : 0);
        add(out, size, name, length);
    }
    return out[0] && (*at == 'E' || *at == 'I');
}

/** Where the name of a function's own variable stands: behind the last `E` with a length. */
static const char *local_name(const char *name)
{
    const char *at = NULL;
    for (const char *e = strchr(name, 'E'); e; e = strchr(e + 1, 'E'))
        if (isdigit((unsigned char)e[1]))
            at = e + 1;
    return at;
}

void put_plain(char *out, size_t size, const char *name)
{
    const char *at = NULL, *plain = NULL;
    size_t length = 0;
    char nested[512] = "";
    if (!strncmp(name, "_ZZ", 3))
        at = local_name(name + 3);
    else if (!strncmp(name, "_ZN", 3) && nested_name(name + 3, nested, sizeof nested))
        plain = nested, length = strlen(nested);
    else if (!strncmp(name, "_Z", 2))
        at = name + 2 + (name[2] == 'L'); /* static */
    if (at)
        plain = source_name(&at, &length);
    out[0] = '\0';
    add(out, size, plain ? plain : name, plain ? length : strlen(name));
}

void put_kernel(char *out, size_t size, const char *name)
{
    char plain[512];
    put_plain(plain, sizeof plain, name);
    out[0] = '\0';
    add(out, size, "kernel ", 7);
    add(out, size, plain, strlen(plain));
}
