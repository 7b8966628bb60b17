/**
 * @file map.c
 * See map.h.
 */
#include "course/map.h"

#include <string.h>

/** The place of a lab that stands before `lab` in the list and is called `name`; -1 if there is none. */
static int earlier(const struct map_lab *labs, int lab, const char *name)
{
    for (int i = 0; i < lab; i++)
        if (!strcmp(labs[i].name, name))
            return i;
    return -1;
}

/** The lab below which this one hangs: the first that it needs. -1: none. */
static int parent_of(const struct map_lab *labs, int lab)
{
    const struct spec *s = labs[lab].spec;
    for (unsigned n = 0; s && n < s->needs_count; n++) {
        int i = earlier(labs, lab, s->needs[n]);
        if (i >= 0)
            return i;
    }
    return -1;
}

static void write_below(const struct map_lab *labs, int count, int parent, int depth, struct text *out)
{
    for (int lab = parent + 1; lab < count; lab++) {
        const struct spec *s = labs[lab].spec;
        if (parent_of(labs, lab) != parent)
            continue;
        text_printf(out, "%*s%s  %s", 2 + 2 * depth, "", labs[lab].name, s ? s->title : "");
        for (unsigned n = 0, others = 0; s && n < s->needs_count; n++) {
            int i = earlier(labs, lab, s->needs[n]);
            if (i >= 0 && i != parent)
                text_printf(out, "%s%s", others++ ? ", " : "  (and ", labs[i].name);
            if (others && n + 1 == s->needs_count)
                text_puts(out, ")");
        }
        text_puts(out, "\n");
        write_below(labs, count, lab, depth + 1, out);
    }
}

void map_write(const struct map_lab *labs, int count, struct text *out)
{
    bool any = false;
    for (int lab = 0; lab < count; lab++)
        any |= parent_of(labs, lab) >= 0;
    if (!any)
        return;
    text_puts(out, "\nWhat needs what\n");
    write_below(labs, count, -1, 0, out);
}
