/**
 * @file ptx.c
 * Dumps of a PTX file: `softgpu --dump tokens|module|code FILE.ptx`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "decode/decode.h"
#include "decode/flow_layout.h"
#include "decode/inline.h"
#include "parse/dump.h"

#define MAX_BYTES (256u << 20)

static char *read_all(const char *path, size_t *len)
{
    FILE *f = fopen(path, "r");
    size_t cap = 1 << 16;
    char *text = malloc(cap);
    *len = 0;
    if (!f || !text) {
        free(text);
        if (f)
            fclose(f);
        return NULL;
    }
    for (size_t n; (n = fread(text + *len, 1, cap - *len, f)) > 0;) {
        *len += n;
        if (*len == cap) {
            cap *= 2;
            char *more = cap <= 2 * (size_t)MAX_BYTES ? realloc(text, cap) : NULL;
            if (!more)
                break;
            text = more;
        }
    }
    fclose(f);
    return text;
}

/** Addresses for variables that nobody will access: one after another. */
static uint64_t place(void *self, const char *name, enum ptx_space space, uint64_t bytes,
                      unsigned align, bool managed)
{
    uint64_t *next = self, at = (*next + align - 1) / align * align;
    (void)name;
    (void)space;
    (void)managed;
    *next = at + bytes;
    return at;
}

static void fill(void *self, uint64_t address, const void *bytes, uint64_t count)
{
    (void)self;
    (void)address;
    (void)bytes;
    (void)count;
}

int ptx_dump(const char *path, const char *stage)
{
    struct diag d = {0};
    size_t len;
    uint64_t next = 0x1000;
    struct variable_placer placer = {place, fill, &next};
    if (!stage || !strcmp(stage, "trace")) {
        fprintf(stderr, "softgpu: %s is no program; --dump tokens, module or code shows what it holds\n",
                path);
        return EXIT_USAGE;
    }
    char *text = read_all(path, &len);
    if (!text) {
        fprintf(stderr, "softgpu: cannot read %s\n", path);
        return EXIT_USAGE;
    }
    if (!strcmp(stage, "tokens")) {
        bool good = tokens_dump(stdout, path, text, len, &d);
        free(text);
        if (!good)
            diag_print(stderr, path, &d);
        return good ? 0 : EXIT_USAGE;
    }
    struct ptx_module *m = module_parse(path, text, len, &d);
    free(text);
    if (m && !strcmp(stage, "module")) {
        module_dump(stdout, m);
        module_free(m);
        return 0;
    }
    if (m) {
        calls_inline(m, false);
        layout_by_flow(m);
    }
    struct image *im = m ? image_decode(m, &placer, &d) : NULL;
    if (!im) {
        diag_print(stderr, path, &d);
        return EXIT_USAGE;
    }
    image_dump(stdout, im);
    image_free(im);
    return 0;
}
