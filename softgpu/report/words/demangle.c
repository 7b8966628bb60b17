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
    size_t used = 0, length;
    at += strspn(at, "KVr"); /* const, volatile, restrict */
    for (const char *name; (name = source_name(&at, &length)) != NULL;) {
        bool unnamed = !strncmp(name, "_GLOBAL__N", 10) || !strncmp(name, "_INTERNAL_", 10);
        if (unnamed)
            continue;
        put(out + used, size - used, "%s%.*s", used ? "::" : "", (int)length, name);
        used = strlen(out);
    }
    return used && (*at == 'E' || *at == 'I');
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
    put(out, size, "%.*s", plain ? (int)length : (int)strlen(name), plain ? plain : name);
}

void put_kernel(char *out, size_t size, const char *name)
{
    char plain[512];
    put_plain(plain, sizeof plain, name);
    put(out, size, "kernel %s", plain);
}
