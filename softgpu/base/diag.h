/**
 * @file diag.h
 * Diagnostics for bad user input (PTX text, fat binaries, options): a message with the place.
 *
 * Libraries fill a `struct diag` and return a failing status; they never print and never exit.
 * The caller prints it with diag_print(), which shows the source line and a caret.
 */
#ifndef SOFTGPU_BASE_DIAG_H
#define SOFTGPU_BASE_DIAG_H

#include <stddef.h>
#include <stdio.h>

/** What went wrong, from a caller's point of view. */
enum diag_kind {
    DIAG_NONE = 0,
    DIAG_SYNTAX,      /**< the text is not PTX */
    DIAG_UNSUPPORTED, /**< valid PTX (or a valid file) that softgpu does not execute */
    DIAG_LIMIT,       /**< a bound of softgpu's was reached (nesting, counts, bytes) */
};

/** One diagnostic. `line` and `column` are 1-based; 0 where there is no place. */
struct diag {
    enum diag_kind kind;
    int line;
    int column;
    char message[256];     /**< one sentence, no newline, control characters replaced */
    char source_line[256]; /**< the text of that line, cut to fit, control characters replaced */
};

/**
 * Fills `d` unless it already holds an earlier diagnostic (the first one wins).
 * @param text  the whole input, from which `source_line` is taken; may be NULL
 * @param len   bytes in `text`
 * @param at    offset in `text` that the caret points to
 */
void diag_at(struct diag *d, enum diag_kind kind, const char *text, size_t len, size_t at,
             const char *format, ...) __attribute__((format(printf, 6, 7)));

/** As diag_at(), for a place known only by its PTX line (decode time); column becomes 0. */
void diag_line(struct diag *d, enum diag_kind kind, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Prints "NAME:LINE:COL: error: MESSAGE", the source line and a caret. */
void diag_print(FILE *out, const char *name, const struct diag *d);

#endif
