/**
 * @file trace.c
 * `--dump trace`: kernel, block, warp, mask, PTX line, and the line's text.
 */
#include "execute/trace.h"

#include <stdio.h>
#include <string.h>

#include "execute/grid.h"
#include "parse/module.h"

/** The text of a 1-based line of the module, without its indentation. */
static int line_of(const struct ptx_module *m, int line, const char **text)
{
    const char *at = m->text, *end = m->text + m->text_len;
    for (int i = 1; i < line && at < end; i++) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next ? next + 1 : end;
    }
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    *text = at;
    return (int)((stop ? stop : end) - at);
}

void trace_insn(const struct warp *w, const struct insn *in)
{
    const struct grid *g = w->block->grid;
    const struct image *im = g->config.kernel->image;
    const struct site *site = insn_site(im, in);
    const char *text = "";
    int length = im->module ? line_of(im->module, site->ptx_line, &text) : 0;
    fprintf(stderr, "%s block %llu warp %d mask %08x line %d: %.*s\n", g->config.kernel->name,
            (unsigned long long)w->block->index, w->index, w->mask, site->ptx_line,
            length > 100 ? 100 : length, text);
}
