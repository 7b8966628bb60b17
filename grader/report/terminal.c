/**
 * @file terminal.c
 * See terminal.h.
 */
#include "report/terminal.h"

#include <string.h>

#include "report/words.h"

void terminal_paint(struct terminal *p, enum paint color, const char *s)
{
    if (p->style->color)
        text_printf(p->out, "\033[%dm%s\033[0m", color, s);
    else
        text_puts(p->out, s);
}

void terminal_padded(struct terminal *p, const char *s, int width)
{
    int w = words_width(s);
    if (w <= width) {
        text_printf(p->out, "%s%*s", s, width - w, "");
        return;
    }
    size_t bytes = 0;
    for (int columns = 0; columns < width - 1; columns++)
        do
            bytes++;
        while (((unsigned char)s[bytes] & 0xc0) == 0x80);
    text_add(p->out, s, bytes);
    text_puts(p->out, "…");
}

/** Title and state: the line's left part. */
static void title_and_word(struct terminal *p, const char *title, const char *word,
                           enum paint color)
{
    text_puts(p->out, "  ");
    terminal_padded(p, title, TERMINAL_TITLE_WIDTH);
    text_printf(p->out, "%*s", 5 - (int)strlen(word), "");
    terminal_paint(p, color, word);
}

void terminal_line(struct terminal *p, const char *title, enum record_state state, double seconds,
                   int points)
{
    static const struct {
        const char *word;
        enum paint color;
    } words[] = {[STATE_OK] = {"ok", GREEN},
                 [STATE_FAIL] = {"FAIL", RED},
                 [STATE_UNJUDGED] = {"????", YELLOW},
                 [STATE_NOT_TRIED] = {"-", DIM}};
    title_and_word(p, title, words[state].word, words[state].color);
    if (state == STATE_NOT_TRIED)
        text_puts(p->out, "\n");
    else if (seconds < 0)
        text_printf(p->out, "%14d\n", points);
    else
        text_printf(p->out, "%6.1f s %5d\n", seconds, points);
}

void terminal_word_line(struct terminal *p, const char *title, const char *word, enum paint color,
                        int points)
{
    title_and_word(p, title, word, color);
    text_printf(p->out, "%14d\n", points);
}
