/**
 * @file library_kernels.c
 * Findings within a kernel that a library brings and launches, such as Thrust's and CUB's: nobody changes its lines, so
 * what to try is about what the program gives to the library.
 */
#include <string.h>

#include "report/finding.h"
#include "report/words/words.h"

/** What may be wrong with what was given; NULL: the kind's own advice is about the program already. */
static const char *what_to_look_at(enum finding_kind kind)
{
    switch (kind) {
    case FIND_DATA_RACE:
    case FIND_MISSING_RELEASE:
    case FIND_MISSING_ACQUIRE:
    case FIND_ORDERING:
        return "do its ranges overlap, so that some threads write what others read?";
    case FIND_OUT_OF_BOUNDS:
        return "is the range that it names longer than the memory behind it, or a temporary buffer too small?";
    case FIND_MISALIGNED:
        return "is a pointer cast to a type of larger elements?";
    case FIND_UNINITIALIZED_READ:
        return "has all that it reads been written before?";
    default:
        return NULL;
    }
}

void words_library_advice(struct finding *f)
{
    const struct finding_source *at = &f->accesses[0].launched;
    const char *look = what_to_look_at(f->kind);
    if (!look || !f->access_count)
        return;
    for (int i = 0; i < f->access_count; i++) { /* the user's own function within the library's kernel is the user's */
        const struct finding_source *other = &f->accesses[i].launched;
        if (!other->file || other->line != at->line || strcmp(other->file, at->file) != 0)
            return;
    }
    if (at->line)
        say_try(f, "look at what line %d gives to the library: %s", at->line, look);
    else
        say_try(f, "look at what the program gives to the library: %s", look);
}
