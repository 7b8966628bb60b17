/**
 * @file html.h
 * Pieces of the page that report_html() makes of a record.
 */
#ifndef GRADER_REPORT_HTML_H
#define GRADER_REPORT_HTML_H

#include "report/page.h"

/** A finding with its lines, its run, and one thing to try. */
void html_finding(struct text *out, const struct record_finding *f);
/** Points by part, a row each, and the sum. */
void html_scores(struct text *out, const struct record *r);
/** A case's counters with a sentence each, folded up. Nothing where there are none. */
void html_counters(struct text *out, const struct record_case *c);
/** Bounds on counters, and whether they were kept: of a part, or those that belong to none (NULL). */
void html_properties(struct text *out, const struct record *r, const struct record_part *part);
/** What softgpu says of each case, what came out on a real GPU, and how fast. */
void html_tiers(struct text *out, const struct record *r);
/** How to grade it again; date, sandbox, tools. */
void html_provenance(struct text *out, const struct record *r);

#endif
