/**
 * @file inline_looks.c
 * Which functions are only a way to look at memory that others change, or to change it: `bool below(const unsigned *n)`, `take(p)`.
 */
#include "decode/inline_parts.h"

#define MOST_OF_LOOK 64   /* instructions */

static bool has_modifier(const struct ptx_instr *pi, const char *name)
{
    for (int i = 0; i < pi->modifier_count; i++)
        if (!strcmp(pi->modifiers[i], name))
            return true;
    return false;
}

static bool is_strong(const struct ptx_instr *pi)
{
    static const char *const orders[] = {"volatile", "relaxed", "acquire", "release"};
    bool any = instr_is(pi, "atom") || instr_is(pi, "red");
    for (size_t i = 0; i < sizeof orders / sizeof *orders && (instr_is(pi, "ld") || instr_is(pi, "st")); i++)
        any |= has_modifier(pi, orders[i]);
    return any;
}

/** Do lanes meet there, or does the thread leave the function's text? */
static bool meets_or_leaves(const struct ptx_instr *pi)
{
    static const char *const others[] = {"call", "bar", "barrier", "shfl", "vote", "match", "redux", "activemask", "elect", "exit", "trap", "brkpt", "brx",
                                         "alloca", "stacksave", "stackrestore", "mbarrier", "griddepcontrol", "clusterlaunchcontrol", "setmaxnreg", "nanosleep"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (instr_is(pi, others[i]))
            return true;
    return false;
}

bool function_looks(const struct ptx_function *g)
{
    bool strong = false, plain = g->instrs.count <= MOST_OF_LOOK;
    for (int i = 0; i < g->variables.count; i++) /* those of calls that have become what they call are left */
        plain &= g->variables.data[i].space == SPACE_PARAM;
    for (int i = 0; i < g->instrs.count && plain; i++) {
        strong |= is_strong(&g->instrs.data[i]);
        plain = !meets_or_leaves(&g->instrs.data[i]);
    }
    return plain && strong;
}
