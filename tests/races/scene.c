/**
 * @file scene.c
 * See scene.h.
 */
#include "scene.h"

#include <string.h>

int mapped_array(uint64_t seed)
{
    return seed % 6 == 3 ? (int)(seed / 6 % GLOBAL_ARRAYS) : -1;
}

void make_scene(struct scene *s, int n, uint64_t seed)
{
    uint64_t r = seed * 1000003 + (uint64_t)n;
    uint64_t arrays = seed + (uint64_t)random_below(&r, 1u << 30);
    memset(s, 0, sizeof *s);
    s->mapped = mapped_array(seed);
    random_kernel(&s->first, 2 * n, seed, arrays);
    random_kernel(&s->second, 2 * n + 1, seed, arrays);
    static const enum company often[] = {UNWRITTEN, UNWRITTEN, SIGNALS, SIGNALS, SIGNALS};
    s->company = (int)random_below(&r, COMPANY_COUNT + 5);
    if (s->company >= COMPANY_COUNT)
        s->company = often[s->company - COMPANY_COUNT];
    if (s->company == SIGNALS)
        random_signals(&s->first, 2 * n, seed);
    s->tie = random_below(&r, 2) ? UNTIED : BY_EVENT + (int)random_below(&r, 3);
    s->company_first = random_below(&r, 2);
    static const uint32_t sizes[] = {4, 64, 1000, 4096};
    s->range = (struct range_access){s->company == COPIED_TO || s->company == CLEARED, (int)random_below(&r, GLOBAL_ARRAYS),
                                     random_below(&r, GLOBAL_BYTES / 16) * 4, sizes[random_below(&r, 4)], FILL};
    for (int i = 0; i < GLOBAL_ARRAYS; i++) {
        s->written[i] = (struct range_access){true, i, 0, GLOBAL_BYTES, 0};
        if (s->company == UNWRITTEN && random_below(&r, 3) == 0)
            s->written[i].bytes = random_below(&r, 256) * 4;
    }
    enum strengthened strong = s->company == UNWRITTEN ? STRENGTH_NONE : s->company == SIGNALS ? STRENGTH_ANY : STRENGTH_RELAXED;
    random_variant(&s->first, seed, strong);
    random_variant(&s->second, seed, strong);
    s->first.unwritten = s->company == UNWRITTEN && random_below(&r, 2);
}

static bool has_range(const struct scene *s)
{
    return s->company > TWO_KERNELS && s->company < UNWRITTEN;
}

/** Copies from host memory to host memory are done when the call returns (CUDA Runtime API, "API synchronization behavior"), and wait for
 *  their stream: on an H200 those to mapped memory as well, by whichever call. */
static bool copied_at_once(const struct scene *s)
{
    return s->company == COPIED_TO && s->company_first && s->range.array == s->mapped;
}

struct verdict verdict_of_scene(const struct scene *s)
{
    const struct random_kernel *kernels[] = {&s->first, &s->second};
    if (s->company == SIGNALS)
        return (struct verdict){.races = races_of_signals(&s->first)};
    bool ordered = s->tie != UNTIED || copied_at_once(s);
    struct verdict v = {races_of(kernels, s->company == TWO_KERNELS ? 2 : 1, has_range(s) ? &s->range : NULL, ordered), false, false};
    v.undefined = s->company == UNWRITTEN && !v.races && sums_undefined(&s->first, s->written);
    return v;
}
