/**
 * @file sample.h
 * Which of a lab's alternatives and wrong variants stand for the others in `./grade dev check --quick`. A rule, not
 * a list: a new file is in it or not by what it holds.
 */
#ifndef GRADER_COURSE_SAMPLE_H
#define GRADER_COURSE_SAMPLE_H

#include <stdbool.h>

/** What the files taken so far have shown. Zero-initialise; free with sample_free(). */
struct sample {
    char **seen;
    int count;
};

/** True if a right answer names a function, a type or a PTX instruction of CUDA's that none before it does. */
bool sample_takes_answer(struct sample *s, const char *source);
/** True if a wrong variant's `verdict:` lines name other kinds first than those of each before it. */
bool sample_takes_wrong(struct sample *s, const char *source);
void sample_free(struct sample *s);

#endif
