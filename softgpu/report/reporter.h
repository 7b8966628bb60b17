/**
 * @file reporter.h
 * Collects findings: puts them in words, counts repeats, and keeps the findings file (JSON lines) true at every
 * moment.
 */
#ifndef SOFTGPU_REPORT_REPORTER_H
#define SOFTGPU_REPORT_REPORTER_H

#include "report/finding.h"

struct reporter;
struct options;

/** Opens the findings file (`options->json_path`, may be NULL: then only counts are kept). */
struct reporter *reporter_open(const struct options *options);
/** Calls `heard` for each distinct finding when it is first made. */
void reporter_listen(struct reporter *r, void (*heard)(const struct finding *f));
/** Calls `told` for each distinct finding when it is first made, and when one is first shown to bite: with the
 *  finding's line, inside of report_finding(), so that it must ask nothing of the reporter. */
void reporter_interrupt(struct reporter *r, void (*told)(const struct finding *f, const char *line));
/** Puts it in words, and adds one occurrence; thread-safe; copies everything. */
void report_finding(struct reporter *r, struct finding *f);
/** While `on`, what is told comes of a run that another seed would not have made. @return what was so before */
bool reporter_by_chance(struct reporter *r, bool on);
/** Findings about two accesses of one launch so far, each occurrence counted; doubts about an order are none until they
 *  are shown to bite. */
uint64_t reporter_conflicts(const struct reporter *r);
/** All that it has been told so far, each occurrence counted, and what was said to be incomplete. */
uint64_t reporter_told(const struct reporter *r);
/** What has been counted so far; reporter_unmark() releases it. */
struct reporter_mark;
struct reporter_mark *reporter_mark(const struct reporter *r);
/** With `back`, what has been told since counts no more: whoever told it will tell it again. Releases `mark`. */
void reporter_unmark(struct reporter *r, struct reporter_mark *mark, bool back);
/** Distinct findings so far at `level` or above. */
int reporter_count(const struct reporter *r, enum finding_level level);
/** Says that the run tells less than it might, and why. */
void report_incomplete(struct reporter *r, enum incomplete_cause cause);
/** The same, but a second time for one cause is nothing. */
void report_incomplete_once(struct reporter *r, enum incomplete_cause cause);
/** The same, of a launch of `kernel`. */
void report_incomplete_of(struct reporter *r, enum incomplete_cause cause, const char *kernel);
/** The same, of no launch; `what` says more, in letters that JSON takes as they are. */
void report_incomplete_with(struct reporter *r, enum incomplete_cause cause, const char *what);
/** Writes a raw JSON object as a line (outcomes of --exhaustive). `json` has no newline. */
void report_line(struct reporter *r, const char *json);
/** This process is a copy of the one whose findings count: what it is told is counted, but written and passed on no more. */
void reporter_detach(struct reporter *r);
/** Rewrites the file so that counts are final, prints nothing. Safe to call at any time: findings
 *  are also on disk from the moment they are made. */
void reporter_flush(struct reporter *r);
/** The program has come to its end; what is told while all is put away, leaks, may still come. */
void reporter_end(struct reporter *r);
/** Writes the counts for the last time. After reporter_end(), where options->json_end asks for it and every
 *  line could be written, a closing record follows, {"kind":"end","level":"info","lines":N,…}. */
void reporter_close(struct reporter *r);

/* ---- Watching a finding again (rerun/interleaving.c) ---- */

/** A finding whose interleaving is still wanted. */
struct finding_wanted {
    int id;
    enum finding_kind kind;
    struct finding_trail trail;
};
/** Lists findings of launch `op` made since they were last listed, at most `max`. @return how many */
int reporter_wanted(struct reporter *r, uint64_t op, struct finding_wanted *list, int max);
/** While `on`, findings are not counted or added: those that occur again with the very accesses of their
 *  trail are noted. @return what was so before */
bool reporter_replay(struct reporter *r, bool on);
/** Takes the next finding that has occurred again. @return false if there is none */
bool reporter_recurred(struct reporter *r, int *id);
/** Adds the interleaving to a finding; copies the events, whose strings must outlive the reporter's
 *  use of them only until it returns. Values of the two accesses are set from their events. */
void reporter_tell(struct reporter *r, int id, const struct finding_event *events, int count);
/** Warnings, of this cause, that launch `op` relies on an order which does not exist; with `bites`, reporter_bites() for
 *  those that have been shown. @return how many there were */
int reporter_doubts_order(struct reporter *r, uint64_t op, enum finding_cause cause, bool bites);
/** How many of them `bites` would make errors now. */
int reporter_doubts_to_judge(struct reporter *r, uint64_t op, enum finding_cause cause);
/** Are all warnings about an order in launch `op`, if any, told only by runs that another seed would not have made? */
bool reporter_doubts_by_chance(struct reporter *r, uint64_t op);
/** Warnings about an order, from the `from`-th distinct finding on, are not told: the runs have shown that nothing comes of
 *  them. */
void reporter_dismiss_doubts(struct reporter *r, int from, enum doubts which);
/** Nor are those of launch `op` that only runs have told which another seed would not have made; `landing`: of which of two writes stays alone. */
void reporter_dismiss_chance(struct reporter *r, uint64_t op, bool landing);
/** Nor are those about two lines that are told to be one act in two steps, which mends both; nor which of two writes stays, where an error says so. */
void reporter_dismiss_told(struct reporter *r);
/** Nor are those that `is_nothing` says yes to. */
void reporter_dismiss_if(struct reporter *r, bool (*is_nothing)(const void *self, const struct finding *f), const void *self);
/** Data races of launch `op`, from the `from`-th distinct finding on, are all mended by what `f` advises. */
void reporter_advise(struct reporter *r, uint64_t op, int from, struct finding *f);
/** The value that was shown changed the launch's result: the finding becomes an error and says so. */
void reporter_bites(struct reporter *r, int id);

#endif
