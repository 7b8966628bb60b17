/**
 * @file finding.c
 * A finding by itself: its strings, and what its accesses have in common; see finding.h.
 */
#include "report/finding.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

char *finding_own(struct finding *f)
{
    const char **borrowed[6 + 2 * (FINDING_CALLERS + 2)] = {&f->kernel,           &f->space,          &f->accesses[0].op,
                                                      &f->accesses[0].file, &f->accesses[1].op, &f->accesses[1].file};
    size_t n = 6, bytes = 0;
    for (int i = 0; i < 2; i++) {
        borrowed[n++] = &f->accesses[i].inside.file;
        borrowed[n++] = &f->accesses[i].launched.file;
        for (int k = 0; k < f->accesses[i].caller_count; k++)
            borrowed[n++] = &f->accesses[i].callers[k].file;
    }
    for (size_t i = 0; i < n; i++)
        bytes += *borrowed[i] ? strlen(*borrowed[i]) + 1 : 0;
    char *strings = malloc(bytes ? bytes : 1), *at = strings;
    assert(at);
    for (size_t i = 0; i < n; i++) {
        if (!*borrowed[i])
            continue;
        size_t len = strlen(*borrowed[i]) + 1;
        memcpy(at, *borrowed[i], len);
        *borrowed[i] = at;
        at += len;
    }
    return strings;
}

unsigned finding_element(const struct finding *f)
{
    unsigned bytes = 0;
    for (int i = 0; i < f->access_count; i++) {
        if (f->accesses[i].type == PTX_NONE) /* the host's, or a copy: the other one knows what it is made of */
            continue;
        unsigned own = ptx_type_bytes(f->accesses[i].type);
        if (!own || (bytes && own != bytes) || f->offset % own)
            return 0;
        bytes = own;
    }
    return bytes;
}
