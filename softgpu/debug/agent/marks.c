/**
 * @file marks.c
 * From source lines to the instructions at which a breakpoint stops: in each basic block the line's first one, but
 * not where every way into the block comes from the same line.
 */
#include <stdlib.h>
#include <string.h>

#include "analyse/flow.h"
#include "debug/agent/state.h"
#include "parse/module.h"
#include "report/words/words.h"

#define SEVERAL 255

static bool ends(const char *path, const char *file)
{
    size_t long_one = strlen(path), short_one = strlen(file);
    return short_one && short_one <= long_one && !strcmp(path + long_one - short_one, file) &&
           (short_one == long_one || path[long_one - short_one - 1] == '/' || file[0] == '/');
}

bool path_ends(const char *path, const char *file)
{
    return path && (ends(path, file) || ends(file, path));
}

static const struct site *site_at(const struct function *f, int i)
{
    return insn_site(f->image, f->entry + i);
}

/** The program's own last line of the block is `b`'s: what is compiled in between has no line. */
static bool block_ends_in(const struct function *f, const struct blocks *blocks, int block, const struct breakpoint *b)
{
    for (int i = blocks->first[block + 1] - 1; i >= blocks->first[block]; i--)
        if (site_at(f, i)->line)
            return site_at(f, i)->line == b->line && path_ends(site_at(f, i)->file, b->file);
    return false;
}

/** Does every way into the block come from the line? Never so for a loop of one block. */
static bool continues(const struct function *f, const struct blocks *blocks, int block, const struct breakpoint *b)
{
    int from = blocks->before_from[block], to = blocks->before_from[block + 1];
    bool all = from < to;
    for (int i = from; i < to; i++)
        all &= blocks->before[i] < block && block_ends_in(f, blocks, blocks->before[i], b);
    return all;
}

static void mark(struct marks *m, const struct function *f, int i, int breakpoint)
{
    uint8_t *flag = &m->flags[f->entry + i - f->image->code];
    *flag = *flag || breakpoint >= SEVERAL - 1 ? SEVERAL : (uint8_t)(1 + breakpoint);
}

static void mark_line(struct marks *m, const struct function *f, const struct breakpoint *b, int number)
{
    const struct blocks *blocks = &flow_of(f)->blocks;
    for (int k = 0; k < blocks->count; k++) {
        int i = blocks->first[k];
        while (i < blocks->first[k + 1] && (site_at(f, i)->line != b->line || !path_ends(site_at(f, i)->file, b->file)))
            i++;
        if (i < blocks->first[k + 1] && (i > blocks->first[k] || !continues(f, blocks, k, b)))
            mark(m, f, i, number);
    }
}

bool function_is_named(const struct function *f, const char *name)
{
    char plain[256];
    put_plain(plain, sizeof plain, f->name);
    return !strcmp(f->name, name) || !strcmp(plain, name);
}

/** Behind what fetches the parameters, where -G keeps them apart: there they have their names. */
static int body_of(const struct function *f)
{
    const struct blocks *blocks = &flow_of(f)->blocks;
    int first = site_at(f, 0)->line;
    for (int i = 1; f->image->module->debug && blocks->count && i < blocks->first[1]; i++)
        if (site_at(f, i)->line && site_at(f, i)->line != first)
            return i;
    return 0;
}

static void fill(struct marks *m, const struct image *im)
{
    for (int i = 0; i < im->function_count; i++) {
        const struct function *f = im->functions[i];
        for (int b = 0; f->entry && b < agent.conditions.breaks.count; b++) {
            const struct breakpoint *bp = &agent.conditions.breaks.data[b];
            if (bp->file)
                mark_line(m, f, bp, b);
            else if (function_is_named(f, bp->function))
                mark(m, f, body_of(f), b);
        }
    }
}

const struct marks *marks_of(const struct image *im)
{
    for (int i = 0; i < agent.marks.count; i++)
        if (agent.marks.data[i].image == im)
            return &agent.marks.data[i];
    struct marks *m = LIST_PUSH(&agent.marks);
    *m = (struct marks){.image = im, .count = im->code_count, .flags = calloc(im->code_count + 1u, 1)};
    if (!m->flags)
        abort();
    fill(m, im);
    return m;
}

void marks_forget(void)
{
    for (int i = 0; i < agent.marks.count; i++)
        free(agent.marks.data[i].flags);
    agent.marks.count = 0;
}
