/**
 * @file terminal.h
 * Inside of the text report: what its files share. text_report.c writes the page, text_accesses.c
 * a finding's lines of code, text_gpu.c what a real GPU showed, text_counters.c softgpu's counters.
 */
#ifndef GRADER_REPORT_TERMINAL_H
#define GRADER_REPORT_TERMINAL_H

#include "report/report.h"

#define TERMINAL_TITLE_WIDTH 51
#define TERMINAL_RIGHT 72 /* column where points end */

enum paint { RED = 31, GREEN = 32, YELLOW = 33, BOLD = 1, DIM = 2 };

struct terminal {
    struct text *out;
    const struct record *r;
    const struct report_style *style;
};

/** Adds text in a colour, if the page has colours. */
void terminal_paint(struct terminal *p, enum paint color, const char *s);
/** Adds `s`, then spaces up to a width; a longer text ends with "…". */
void terminal_padded(struct terminal *p, const char *s, int width);
/** A line of a part: a title, its state, seconds (below 0: none) and points. */
void terminal_line(struct terminal *p, const char *title, enum record_state state, double seconds,
                   int points);
/** The same with a word of at most 4 letters for the state, and no seconds. */
void terminal_word_line(struct terminal *p, const char *title, const char *word, enum paint color,
                        int points);

/** The lines of code that a finding is about, the places padded to one width. */
void terminal_accesses(struct terminal *p, const struct record_finding *f);
/** With -v: softgpu's counters of one case, each with a sentence. */
void terminal_counters(struct terminal *p);
/** What a real GPU showed: results, disagreements, speed. Nothing where there was none. */
void terminal_gpu(struct terminal *p);

#endif
