/**
 * @file bands.c
 * See bands.h.
 *
 * Of an interval that reaches over a band's end only the worse side is given, and the rest is said to
 * be open: giving the better side would reward a kernel that makes its own times noisy.
 */
#include "gpu/bands.h"

#include <math.h>

/* The reference's median beside a student's kernel may differ by so much from its median alone. */
#define DISTURBED 1.25

static int credit(const struct spec_performance *p, double ratio)
{
    for (unsigned b = 0; b < p->bands_count; b++)
        if (ratio <= p->bands[b].ratio)
            return p->bands[b].credit;
    return 0;
}

struct speed_judgement speed_judge(const struct spec_performance *p, const struct speed_measured *m)
{
    struct speed_judgement j = {SPEED_JUDGED, credit(p, m->ratio.high), credit(p, m->ratio.low)};
    double change = m->reference / m->alone;
    if (m->alone < m->floor || m->reference < m->floor)
        return (struct speed_judgement){SPEED_REFERENCE_BELOW, 0, 0};
    if (m->student < m->floor)
        return (struct speed_judgement){SPEED_BELOW_FLOOR, 0, 0};
    if (!(change <= DISTURBED && change >= 1 / DISTURBED))
        return (struct speed_judgement){SPEED_DISTURBED, 0, j.possible};
    if (j.credit != j.possible)
        j.verdict = SPEED_INCONCLUSIVE;
    return j;
}
