/**
 * @file page.h
 * What all pages that the grader writes share: head, style, escaping, a few elements.
 *
 * A page is one file: no script, no outside file, and a policy in its head that lets a browser load
 * none. Texts from submissions go through page_escape() and nothing else.
 */
#ifndef GRADER_REPORT_PAGE_H
#define GRADER_REPORT_PAGE_H

#include "record/record.h"

/** Head and style sheet; the body is open. `title` is escaped here. */
void page_begin(struct text *out, const char *title);
void page_end(struct text *out);

/** Adds `s` as text: also where it stands in quotes in an attribute. */
void page_escape(struct text *out, const char *s);
/** Adds a file's name as part of a link. */
void page_url(struct text *out, const char *s);
/** `open`, `content` escaped, `close`. */
void page_element(struct text *out, const char *open, const char *content, const char *close);
/** A bar filled to earned/points. */
void page_bar(struct text *out, int earned, int points);
/** Each text stands inside the one before, so that one click opens one. */
void page_hints(struct text *out, char *const *list, int count);
/** A command in a line of its own, which scrolls and selects whole. */
void page_command(struct text *out, const char *command);

#endif
