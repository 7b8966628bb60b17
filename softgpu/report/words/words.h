/**
 * @file words.h
 * From a finding's cause and facts to its sentence, its rule and the one thing to try: the only place where
 * softgpu's checkers and device faults get their prose. A file a family:
 *
 *   races.c     two threads        host_threads.c  a thread and the program on the host
 *   streams.c   two operations     waits.c         deadlocks, barriers that do not get all, masks
 *   values.c    undefined values   unfreed.c       what was never freed
 *   one_memory.c  two names of one memory
 *   faults.c    device faults      notes.c         lines that are no findings
 *   host_program.c  the program on the host: failing calls, device memory, no wait
 *   call_errors.c   what an error says of the call that it came from
 *   library_kernels.c  a library's own kernel: what its caller can do
 *   demangle.c  names as the program has them
 *
 * A new cause is a row of report/causes.def and its sentence in a family.
 */
#ifndef SOFTGPU_REPORT_WORDS_WORDS_H
#define SOFTGPU_REPORT_WORDS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/facts.h"

struct finding;
struct finding_access;

/** Fills in message, rule and suggestion; borrows nothing after it has returned. */
void finding_phrase(struct finding *f);
/** What is added to the message of an order that is relied on, as long as no run has shown that it matters. */
void finding_phrase_doubt(struct finding *f);
/** Is that what the message says? */
bool finding_phrase_doubts(const struct finding *f);
/** What is put in its place for a finding whose older value changed the launch's result. */
void finding_phrase_bites(struct finding *f);
/** Why a run says less than it might. */
const char *incomplete_words(enum incomplete_cause cause);

/* ---- for the families ---- */

/** Sets the message; what does not fit is cut. */
void say(struct finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Goes on with the message. */
void say_on(struct finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** A sentence that began with a name or a noun gets its capital. */
void say_capital(struct finding *f);
/** Sets what to try. */
void say_try(struct finding *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** What the other is to try, too. @return false if there is no room for that */
bool say_try_also(struct finding *f, const struct finding *other);
/** The same to try, but by one word for another. */
void say_try_with(struct finding *f, const char *word, const char *by);
/** Of a call that failed: what its error says of it, and what to try. @return false if nothing more is known than the error */
bool say_call_error(struct finding *f, const char *error);
/** Puts a rule in the place of the kind's. */
void say_rule(struct finding *f, const char *rule);
/** snprintf() where a cut end is welcome. */
void put(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/** "9", "(9,1,0)" where the launch has more than one dimension. */
void put_thread(char *out, size_t size, const struct finding_access *a);
void put_block(char *out, size_t size, const struct finding_access *a);
/** The object as the program calls it, names in quotes: `"in[2]"`, `alloc0[2]`; a word of its own has no number, and
 *  where accesses of several sizes meet it is `"in" (byte 8)`. */
void put_place(char *out, size_t size, const struct finding *f);
/** "kernel fill": the name without C++'s decoration. */
void put_kernel(char *out, size_t size, const char *name);
/** "s" for "_ZZ4fillPiE1s", a variable of a function, "fill" for "_Z4fillPi", "a::b" for "_ZN1a1bE"; other
 *  forms as they are. */
void put_plain(char *out, size_t size, const char *name);

/** Where a fence stands that acquires what a loop has waited for: "… line 12". */
#define WORDS_BEHIND_LOOP "behind the loop that polls on"

/** " (line 12)", "" if the place is not known: `at` may be NULL. */
void put_site(char *out, size_t size, const struct call_site *at);

/** CAUSE_WILD: what the address may be, and where it is to come from. */
void say_wild(struct finding *f);
void try_wild(struct finding *f);
/** Whose memory a generic address is in, shared or local, where only global memory can be meant; NULL: in none. */
const char *put_own_memory(uint64_t address);

/** Of a finding within a library's own kernel: what to try is at the program's line that calls the library. */
void words_library_advice(struct finding *f);

/** What to try against a race. */
void words_race_advice(struct finding *f);

#define CAUSE(name, family) void words_##family(struct finding *f);
#include "report/causes.def"

#endif
