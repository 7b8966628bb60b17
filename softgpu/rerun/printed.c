/**
 * @file printed.c
 * What kernels print; see printed.h.
 */
#include "rerun/printed.h"

#include <stdlib.h>

#include "rerun/bounds.h"
#include "rerun/rerun_state.h"

void printed_release(struct rerun *r, bool counts)
{
    if (counts && r->held.count)
        fwrite(r->held.data, 1, (size_t)r->held.count, stdout);
    r->held.count = 0;
    r->holds = false;
}

static ssize_t printed_write(void *cookie, const char *bytes, size_t count)
{
    struct rerun *r = cookie;
    for (size_t i = 0; !r->muted && r->holds && i < count; i++)
        *LIST_PUSH(&r->held) = bytes[i];
    if (!r->muted && !r->holds)
        fwrite(bytes, 1, count, stdout);
    if (r->held.count > MAX_HELD)
        printed_release(r, true);
    return (ssize_t)count;
}

FILE *printed_open(struct rerun *r)
{
    FILE *f = fopencookie(r, "w", (cookie_io_functions_t){.write = printed_write});
    if (!f)
        abort();
    setvbuf(f, NULL, _IONBF, 0);
    return f;
}
