/**
 * @file tried.h
 * Advice that was followed and did not help is not given again.
 */
#ifndef GRADER_COURSE_TRIED_H
#define GRADER_COURSE_TRIED_H

#include "record/record.h"

/**
 * Marks the findings of `now` whose advice the last grade gave and the student followed: of the same case and kind,
 * with the same words but for the numbers, where the program has one more of the calls that it names, or had one and the
 * distance of the finding's two lines is another. Of advice that names no call: where the code at it is another (a line's
 * text, or the distance). An edit somewhere else leaves the advice as it is. A mark stays as long as the advice.
 * @param last  NULL: there is none
 */
void tried_mark(struct record *now, const struct record *last);

#endif
