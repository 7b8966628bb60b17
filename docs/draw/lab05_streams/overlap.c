/**
 * @file overlap.c
 * The reference's pipeline in one, two and four streams, as it ran (overlap.run).
 */
#include "timeline.h"

int main(void)
{
    if (!draw_panels(424, "Copies and kernels in one, two and four streams", 42, 130, false))
        return 1;
    svg_text(LEFT, 412, "start", GREY, "a colour is a chunk; time as part of the first");
    svg_end();
}
