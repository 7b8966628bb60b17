/**
 * @file default_stream.c
 * Part E with ordinary streams and with non-blocking ones, as it ran (default_stream.run): after each
 * chunk the library does something in the default stream.
 */
#include "timeline.h"

int main(void)
{
    if (!draw_panels(320, "Four chunks, and a library that uses the default stream", 42, 138, true))
        return 1;
    svg_text(LEFT, 280, "start", RED, "red: the library, in the default stream");
    svg_text(LEFT, 306, "start", GREY, "black: the table that the kernels read");
    svg_end();
}
