/**
 * @file pen.c
 * See pen.h.
 */
#include "timeline/pen.h"

#include <string.h>

const char *const bar_colors[BAR_KIND_COUNT] = {
    [BAR_KERNEL] = "#1f5fa8",        [BAR_COPY_H2D] = "#b6500b", [BAR_COPY_D2H] = "#2c7a3f",
    [BAR_COPY_D2D] = "#7a3f8f",      [BAR_COPY_H2H] = "#6b5b3e", [BAR_COPY_PEER] = "#7a3f8f", [BAR_SET] = "#5b6573",
    [BAR_HOST_FUNCTION] = "#94562b", [BAR_CALL] = "#737a85"};

#define THIN "stroke-width=\"1.3\" "
const char *const wait_styles[WAIT_KIND_COUNT] = {
    [WAIT_EVENT] = "class=\"wait\" stroke=\"#1b1f24\" " THIN "marker-end=\"url(#tip)\"",
    [WAIT_DEFAULT_STREAM] = "class=\"wait\" stroke=\"#1b1f24\" " THIN
                            "stroke-dasharray=\"4 3\" marker-end=\"url(#tip)\"",
    [WAIT_HOST] = "class=\"dim-line\" stroke=\"#57606a\" " THIN
                  "stroke-dasharray=\"1 3\" marker-end=\"url(#pale)\"",
    [WAIT_GRAPH] = "class=\"wait\" stroke=\"#1f5fa8\" " THIN "marker-end=\"url(#tip)\""};

void pen_put(struct picture *p, const char *before, int tenths, const char *after)
{
    if (tenths < 0)
        tenths = 0;
    fprintf(p->f, "%s%d", before, tenths / 10);
    if (tenths % 10)
        fprintf(p->f, ".%d", tenths % 10);
    fputs(after, p->f);
}

/** Bytes of the UTF-8 character at `s` that XML allows; 0 if there is none. */
static size_t character(const char *s, size_t len)
{
    const unsigned char *c = (const unsigned char *)s;
    size_t n = c[0] < 0x80 ? 1 : c[0] >= 0xc2 && c[0] < 0xe0 ? 2 : c[0] >= 0xe0 && c[0] < 0xf0 ? 3
               : c[0] >= 0xf0 && c[0] < 0xf5 ? 4 : 0;
    if (!n || n > len || c[0] < 0x20 || c[0] == 0x7f)
        return 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool surrogate = c[0] == 0xed && c[1] >= 0xa0, none = c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
    bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool beyond = c[0] == 0xf4 && c[1] >= 0x90;
    return n > 1 && (surrogate || (n == 3 && none) || overlong || beyond) ? 0 : n;
}

void pen_text(struct picture *p, const char *s, size_t len)
{
    for (size_t i = 0; i < len;) {
        size_t n = character(s + i, len - i);
        if (!n)
            fputc('?', p->f);
        else if (n == 1 && strchr("<>&\"'", s[i]))
            fprintf(p->f, "&#%d;", s[i]);
        else
            fwrite(s + i, 1, n, p->f);
        i += n ? n : 1;
    }
}

void pen_string(struct picture *p, const char *s)
{
    pen_text(p, s, strlen(s));
}

void pen_time(struct picture *p, uint64_t ns, uint64_t unit_ns, uint64_t step_ns)
{
    fprintf(p->f, "%llu", (unsigned long long)(ns / unit_ns));
    if (step_ns >= unit_ns)
        return;
    fputc('.', p->f);
    for (uint64_t digit = unit_ns / 10; digit; digit /= 10) {
        fprintf(p->f, "%d", (int)(ns / digit % 10));
        if (digit <= step_ns)
            break;
    }
}

uint64_t pen_unit(uint64_t end_ns)
{
    return end_ns >= 2000000 ? 1000000 : 1000;
}

const char *pen_unit_name(uint64_t unit_ns)
{
    return unit_ns == 1000000 ? "ms" : "µs";
}

int pen_x(const struct picture *p, uint64_t ns)
{
    if (ns > p->end_ns)
        ns = p->end_ns;
    return LEFT * 10 + (int)((double)ns * (PLOT * 10) / (double)p->end_ns + 0.5);
}
