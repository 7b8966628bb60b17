/**
 * @file host_threads.c
 * A kernel's thread and the program on the host at one place, while the kernel runs.
 */
#include "report/finding.h"
#include "report/words/words.h"

static void say_release(struct finding *f, const char *place)
{
    const struct race_facts *r = &f->facts.race;
    int line = f->accesses[0].line;
    say(f, "The host has seen the kernel's signal (line %d), but what the kernel %s %s on line %d need "
           "not come first: no release of system scope stands between.",
        r->signal_line, r->conflict == READ_THEN_WRITE ? "read from" : "wrote to", place, line);
    say_rule(f, "a release that the host takes part in has system scope (PTX ISA 8.8)");
    say_try(f, "__threadfence_system() after line %d and before the signal on line %d", line, r->signal_line);
}

static void say_acquire(struct finding *f, const char *place)
{
    int line = f->facts.race.via_line;
    char kernel[160];
    put_kernel(kernel, sizeof kernel, f->kernel);
    say(f, "%s has seen the host's signal (line %d), but does not acquire at system scope "
           "after it: what the host did to %s need not come first.", kernel, line, place);
    say_capital(f);
    say_rule(f, "an acquire from the host has system scope (PTX ISA 8.8)");
    say_try(f, "__threadfence_system() %s line %d", f->facts.race.waits ? WORDS_BEHIND_LOOP : "after the read of the signal on", line);
}

static void say_scope(struct finding *f, const char *place)
{
    int line = f->accesses[0].line;
    say(f, "The host %s %s while the kernel runs, and the scope of the kernel's access on line %d does "
           "not include the host.",
        f->facts.race.conflict == WRITE_THEN_READ ? "reads" : "writes", place, line);
    say_try(f, "system scope on line %d: volatile, or an atomic whose name ends in _system", line);
}

static void say_unordered(struct finding *f, const char *place)
{
    const struct race_facts *r = &f->facts.race;
    char kernel[160];
    put_kernel(kernel, sizeof kernel, f->kernel);
    say(f, "%s %s %s, which the host %s while the kernel runs, and nothing orders the two%s.", kernel,
        r->conflict == WRITE_THEN_READ ? "reads" : "writes", place,
        r->conflict == READ_THEN_WRITE ? "reads" : "writes",
        r->strong ? ": the kernel's access is not of system scope" : "");
    say_capital(f);
    say_try(f, "a flag of system scope between the two (volatile, with __threadfence_system() on both "
               "sides), or the host's access before the launch");
}

static void say_not_atomic(struct finding *f, const char *place)
{
    char kernel[160];
    put_kernel(kernel, sizeof kernel, f->kernel);
    say(f, "%s and the host write to %s at the same time, and the kernel's atomic on line %d is not atomic together with the host: over "
           "PCIe it reads and writes back, and what the host writes in between is lost.",
        kernel, place, f->accesses[!f->accesses[0].has_thread].line);
    say_capital(f);
    say_rule(f, "atomics in pinned host memory are atomic for the host only where hostNativeAtomicSupported is 1 (libcu++, Thread Scopes)");
    say_try(f, "cudaMallocManaged for this memory, or words that only one of the two writes");
}

void words_host(struct finding *f)
{
    char place[96];
    put_place(place, sizeof place, f);
    say_rule(f, "the host and a kernel are ordered by synchronisation, or by signals of system scope");
    switch (f->cause) {
    case CAUSE_HOST_NOT_RELEASED:
        say_release(f, place);
        break;
    case CAUSE_HOST_NOT_ACQUIRED:
        say_acquire(f, place);
        break;
    case CAUSE_HOST_OUTSIDE_SCOPE:
        say_scope(f, place);
        break;
    case CAUSE_HOST_NOT_ATOMIC:
        say_not_atomic(f, place);
        break;
    default:
        say_unordered(f, place);
    }
}
