/**
 * @file pen.h
 * Writing SVG: numbers, texts and times, the same bytes under any locale.
 *
 * Lengths are in tenths of a pixel. Numbers are written by digits, never by printf's "%g": the
 * program under test may have set a locale in which that writes commas.
 */
#ifndef SOFTGPU_TIMELINE_PEN_H
#define SOFTGPU_TIMELINE_PEN_H

#include "timeline/rows.h"

#define WIDTH 960
#define LEFT 126
#define PLOT 812
#define TOP 46
/** Average advance of a character at 11 pixels; a little too wide. */
#define ADVANCE 68

/** Races with a number and a line of text below; the others are lines in the picture. */
#define MAX_LABELS 8

struct picture {
    FILE *f;
    const struct timeline *t;
    struct rows rows;
    uint64_t end_ns;             /**< of the axis */
    long merged, arrows_left_out;/**< what there was no room for */
};

/** Colours of bars; style of arrows, as attributes. */
extern const char *const bar_colors[BAR_KIND_COUNT];
extern const char *const wait_styles[WAIT_KIND_COUNT];
#define RACE_STYLE "class=\"race\" stroke=\"#d1242f\" stroke-width=\"2\" stroke-dasharray=\"3 2\""

/** `before`, a length as "12" or "12.5", `after`. */
void pen_put(struct picture *p, const char *before, int tenths, const char *after);
/** Text from a program: what XML does not allow, or is not UTF-8, becomes a question mark. */
void pen_text(struct picture *p, const char *s, size_t len);
void pen_string(struct picture *p, const char *s);
/** A time in units of `unit_ns`, with as many decimals as `step_ns` asks for: "12.5". */
void pen_time(struct picture *p, uint64_t ns, uint64_t unit_ns, uint64_t step_ns);
/** Nanoseconds in the unit that suits a run of this length, and its name. */
uint64_t pen_unit(uint64_t end_ns);
const char *pen_unit_name(uint64_t unit_ns);
/** Where a time lies on the axis. */
int pen_x(const struct picture *p, uint64_t ns);

/* bars.c */
void draw_bars(struct picture *p);
/* arrows.c */
void draw_waits(struct picture *p);
void draw_races(struct picture *p);

#endif
