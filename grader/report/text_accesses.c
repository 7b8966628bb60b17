/**
 * @file text_accesses.c
 * A finding's lines of code for a terminal: place, source, thread, value. Source is never cut: what does
 * not fit beside its thread stands on lines of its own. See terminal.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "report/terminal.h"
#include "report/words.h"

#define PLACE_WIDTH 30
#define MIN_COLUMNS 80

/** Columns of a line: what the finding's lines need, up to the terminal's width, and no less than reports
 *  are written for. */
static int columns_for(const struct terminal *p, const struct record_finding *f, int place_width)
{
    int needed = MIN_COLUMNS;
    for (int i = 0; i < f->accesses_count; i++) {
        struct text who = {0};
        words_thread(&who, &f->accesses[i]);
        words_value(&who, &f->accesses[i]);
        int source = f->accesses[i].source ? words_width(f->accesses[i].source) : 0;
        int line = 4 + place_width + 3 + source + 2 + words_width(text_str(&who)) + 2;
        needed = line > needed ? line : needed;
        text_free(&who);
    }
    return needed <= MIN_COLUMNS || needed <= p->style->columns ? needed
           : p->style->columns > MIN_COLUMNS                    ? p->style->columns
                                                                : MIN_COLUMNS;
}

/** "kernel.cu:41"; of a longer name its end, with the line number. */
static void place_column(struct terminal *p, const char *place, int width)
{
    int over = words_width(place) - width;
    if (over <= 0) {
        terminal_padded(p, place, width);
        return;
    }
    for (over++; over > 0; over--)
        do
            place++;
        while (((unsigned char)*place & 0xc0) == 0x80);
    text_printf(p->out, "…%s", place);
}

/** "called from line 12", beneath the access; nothing for NULL. */
static void line_beneath(struct terminal *p, const char *word, const char *where, int left, int columns)
{
    if (!where)
        return;
    char *words = text_format("%s %s", word, where);
    text_printf(p->out, "%*s", left, "");
    words_hang(p->out, words, left, columns);
    free(words);
}

static void access_line(struct terminal *p, const struct record_access *a, int place_width,
                        int columns)
{
    struct text place = {0}, who = {0};
    words_place(&place, a);
    words_thread(&who, a);
    text_puts(&who, "  ");
    words_value(&who, a);
    int width = columns - 4 - place_width - 3, room = width - words_width(text_str(&who)) - 2;
    text_puts(p->out, "    ");
    place_column(p, text_str(&place), place_width);
    text_puts(p->out, "   ");
    if (a->source && words_width(a->source) <= room) {
        terminal_padded(p, a->source, room);
        text_puts(p->out, "  ");
    } else if (a->source) {
        int over = words_width(text_str(&who)) - width, left = place_width + 7;
        words_hang(p->out, a->source, left, columns);
        text_printf(p->out, "%*s", left - (over > 0 ? over : 0), "");
    }
    text_printf(p->out, "%s\n", text_str(&who));
    line_beneath(p, "in", a->within, place_width + 7, columns);
    line_beneath(p, "called from", a->called_from, place_width + 7, columns);
    text_free(&place);
    text_free(&who);
}

void terminal_accesses(struct terminal *p, const struct record_finding *f)
{
    int width = 0;
    for (int i = 0; i < f->accesses_count; i++) {
        struct text place = {0};
        words_place(&place, &f->accesses[i]);
        int w = words_width(text_str(&place));
        width = w > width ? w : width;
        text_free(&place);
    }
    width = width < PLACE_WIDTH ? width : PLACE_WIDTH;
    int columns = columns_for(p, f, width);
    if (f->accesses_count)
        text_puts(p->out, "\n");
    for (int i = 0; i < f->accesses_count; i++)
        access_line(p, &f->accesses[i], width, columns);
    if (f->allocated)
        text_printf(p->out, "    %s: %" PRId64 " bytes, allocated on %s\n", f->object, f->object_bytes, f->allocated);
}
