/**
 * @file trace.c
 * `--dump trace`: kernel, block, warp, mask, PTX line, and the line's text.
 */
#include "execute/trace.h"

#include <stdio.h>

#include "execute/grid.h"
#include "parse/module.h"

void trace_insn(const struct warp *w, const struct insn *in)
{
    const struct grid *g = w->block->grid;
    const struct image *im = g->config.kernel->image;
    const struct site *site = insn_site(im, in);
    const char *text = "";
    int length = im->module ? module_line(im->module, site->ptx_line, &text) : 0;
    fprintf(stderr, "%s block %llu warp %d mask %08x line %d: %.*s\n", g->config.kernel->name,
            (unsigned long long)w->block->index, w->index, w->mask, site->ptx_line,
            length > 100 ? 100 : length, text);
}
