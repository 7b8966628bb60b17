/**
 * @file wider.h
 * Advice for one case that another case shows to be too narrow.
 */
#ifndef GRADER_SCORE_WIDER_H
#define GRADER_SCORE_WIDER_H

#include "record/record.h"

/**
 * A barrier of the block is advised for a race within one, in a case with a single block, say, while another case has the same race
 * on the same two lines between blocks, for which no such barrier does: both get the latter's advice. Of a finished record.
 */
void score_widen_advice(struct record *r);

#endif
