/**
 * @file alone.c
 * See alone.h.
 */
#include "course/alone.h"
#include "build/meant.h"
#include "grade.h"

#include <stdlib.h>
#include <string.h>

/** What a record of the one part lacks; NULL: nothing. */
static char *lacks(const struct record *r)
{
    if (r->verdict == VERDICT_COMPILE_ERROR)
        return text_format("the rest of the solution emptied, it does not compile: %s", r->message);
    const struct record_case *c = record_first_failure(r);
    if (!c)
        return NULL;
    return text_format("`calls` does not name all that its cases call: %s fails where the rest of the solution is empty (%s)", c->name,
                       verdict_name(c->verdict));
}

char *alone_check(const struct kit *k, const struct options *o, const char *lab, const struct spec *s, unsigned n, struct trouble *t)
{
    const struct spec_part *part = &s->parts[n];
    char *path = kit_path(k, "solutions/%s/kernel.cu", lab);
    const char *why = "";
    size_t len;
    char *source = text_read_file(path, 1u << 20, &len, &why), *alone = NULL, *wrong = NULL;
    struct meant *m = source ? meant_read(source, s) : NULL;
    struct options only = *o;
    if (!source)
        trouble_set(t, "solutions/%s/kernel.cu: %s", lab, why);
    else if (!m || !(alone = meant_alone(m, part->calls, part->calls_count)))
        wrong = text_dup("`calls`: the solution has what hides names (grader/build/meant.h), or does not define them");
    only.file = path;
    only.source = alone;
    only.only = part->id;
    only.device = DEVICE_SOFTGPU;
    struct record *r = alone ? grade_lab(k, &only, lab, t) : NULL;
    if (r)
        wrong = lacks(r);
    record_free(r);
    meant_free(m);
    free(alone);
    free(source);
    free(path);
    return wrong;
}
