/**
 * @file words.h
 * Pieces of text that several reports share: places, threads, values, wrapping, widths.
 */
#ifndef GRADER_REPORT_WORDS_H
#define GRADER_REPORT_WORDS_H

#include "base/text.h"
#include "record/finding.h"

/** Columns that a UTF-8 text takes (one a code point; combining marks are not used in labs). */
int words_width(const char *s);
/** Adds `s`, wrapped at 80 columns with every line indented by `indent`, ended by a newline. */
void words_wrap(struct text *out, const char *s, int indent);
/** Adds a command for a shell after `label`, in lines of at most 80 columns that end in "\\": what is
 *  pasted is the command. Spaces within a word must be escaped (text_shell()). */
void words_command(struct text *out, const char *label, const char *command, int indent);
/** Adds every line of `s` indented; what goes beyond 80 columns goes on in the next, two columns
 *  further in. Ends with a newline. */
void words_indent(struct text *out, const char *s, int indent);
/** Adds `s`, whose line is at column `left` already, with what goes beyond `columns` on further lines two
 *  columns further in. Ends with a newline. */
void words_hang(struct text *out, const char *s, int left, int columns);
/** "block 3 thread 0", "block (1,2,0) thread 7", "the host". */
void words_thread(struct text *out, const struct record_access *a);
/** "wrote 97", "saw 0", "" where no value is known. */
void words_value(struct text *out, const struct record_access *a);
/** "kernel.cu:41"; what was done where the place is unknown. */
void words_place(struct text *out, const struct record_access *a);
/** "in[2]", "items[22].count"; of elements whose size is not known "in at byte 8". `part` may be NULL. */
void words_object(struct text *out, const char *object, const char *part, int64_t offset, int element);
/** A step of a run in words: "wrote 97", "took 6, left 7", "fence, whole GPU", "barrier". */
void words_step(struct text *out, const struct record_access *a);

/* sentences.c */

/** What one of softgpu's counters counts, in one sentence; NULL for one that is not known. */
const char *sentence_of_counter(const char *name);

#endif
