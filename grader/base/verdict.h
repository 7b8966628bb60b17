/**
 * @file verdict.h
 * The kinds of verdict: softgpu's findings, and what the grader itself sees. One table; lab.yaml,
 * hints, wrong variants and reports all use these names.
 */
#ifndef GRADER_BASE_VERDICT_H
#define GRADER_BASE_VERDICT_H

/* X(enumerator, name): findings, as softgpu's findings file names them. */
#define VERDICT_FINDINGS(X)                                                                        \
    X(DATA_RACE, "data-race")                                                                      \
    X(MISSING_RELEASE, "missing-release")                                                          \
    X(MISSING_ACQUIRE, "missing-acquire")                                                          \
    X(ORDERING, "ordering")                                                                        \
    X(BARRIER_DIVERGENCE, "barrier-divergence")                                                    \
    X(DEADLOCK, "deadlock")                                                                        \
    X(OUT_OF_BOUNDS, "out-of-bounds")                                                              \
    X(MISALIGNED, "misaligned")                                                                    \
    X(USE_AFTER_FREE, "use-after-free")                                                            \
    X(UNINITIALIZED_READ, "uninitialized-read")                                                    \
    X(STREAM_RACE, "stream-race")                                                                  \
    X(LEAK, "leak")                                                                                \
    X(ASSERT, "assert")                                                                            \
    X(TRAP, "trap")                                                                                \
    X(STEP_LIMIT, "step-limit")

/* What the grader sees without softgpu's help. */
#define VERDICT_OTHERS(X)                                                                          \
    X(WRONG_RESULT, "wrong-result")                                                                \
    X(NO_RESULT, "no-result")                                                                      \
    X(COMPILE_ERROR, "compile-error")                                                              \
    X(CUDA_ERROR, "cuda-error")                                                                    \
    X(TIME_LIMIT, "time-limit")                                                                    \
    X(MEMORY_LIMIT, "memory-limit")                                                                \
    X(OUTPUT_LIMIT, "output-limit")                                                                \
    X(UNSUPPORTED, "unsupported")                                                                  \
    X(PROPERTY, "property")

enum verdict {
    VERDICT_NONE,
#define X(e, n) VERDICT_##e,
    VERDICT_FINDINGS(X) VERDICT_OTHERS(X)
#undef X
    VERDICT_COUNT,
    VERDICT_FINDING_COUNT = VERDICT_STEP_LIMIT + 1
};

/** "data-race", …; "none" for VERDICT_NONE. */
const char *verdict_name(enum verdict v);
/** VERDICT_NONE if `name` is not a kind. */
enum verdict verdict_from_name(const char *name);

#endif
