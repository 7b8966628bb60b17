/**
 * @file api_rows.h
 * For whoever includes api.def: parts of a row by the words in its columns, and its parameters.
 *
 * IF_RUNS_##here(x) is x for a call that runs, nothing for a refused one; TWIN_##twin(F, name, …) is
 * F(name, name of the twin, …) where there is a twin; IF_SENT_##remote(x), IF_WRAPPED_… and so on alike.
 *
 * EACH(F, a, b, …) is F(a) F(b) …, JOIN(F, a, b, …) is F(a), F(b), …, where each argument is a tuple
 * (KIND, type, name), or with a count after that, and F(tuple) is F_KIND(type, name). Without arguments JOIN is F_NONE.
 */
#ifndef SOFTGPU_RUNTIME_API_ROWS_H
#define SOFTGPU_RUNTIME_API_ROWS_H

#define IF_RUNS_runs(...) __VA_ARGS__
#define IF_RUNS_refused(...)
#define IF_REFUSED_runs(...)
#define IF_REFUSED_refused(...) __VA_ARGS__

#define TWIN_none(F, name, ...)
#define TWIN_ptsz(F, name, ...) F(name, name##_ptsz, __VA_ARGS__)
#define TWIN_ptds(F, name, ...) F(name, name##_ptds, __VA_ARGS__)

/* What the remote client makes from the row alone; … under another name. */
#define IF_SENT_sent(...) __VA_ARGS__
#define IF_SENT_wrapped(...)
#define IF_SENT_by_hand(...)
#define IF_SENT_same(...)
#define IF_SENT_refused(...)
#define IF_WRAPPED_sent(...)
#define IF_WRAPPED_wrapped(...) __VA_ARGS__
#define IF_WRAPPED_by_hand(...)
#define IF_WRAPPED_same(...)
#define IF_WRAPPED_refused(...)
/* Calls that the wire has: both of these. */
#define IF_WIRED_sent(...) __VA_ARGS__
#define IF_WIRED_wrapped(...) __VA_ARGS__
#define IF_WIRED_by_hand(...)
#define IF_WIRED_same(...)
#define IF_WIRED_refused(...)
#define IF_MISSING_sent(...)
#define IF_MISSING_wrapped(...)
#define IF_MISSING_by_hand(...)
#define IF_MISSING_same(...)
#define IF_MISSING_refused(...) __VA_ARGS__

/* ---- parameters ---- */

#define ARGUMENT_GLUE(F, kind, ...) F##_##kind(__VA_ARGS__)
#define ARGUMENT_OPEN(F, ...) ARGUMENT_GLUE(F, __VA_ARGS__)
#define ARGUMENT_STRIP(...) __VA_ARGS__
#define ARGUMENT(F, tuple) ARGUMENT_OPEN(F, ARGUMENT_STRIP tuple)

#define EACH_0(F)
#define EACH_1(F, a) ARGUMENT(F, a)
#define EACH_2(F, a, ...) ARGUMENT(F, a) EACH_1(F, __VA_ARGS__)
#define EACH_3(F, a, ...) ARGUMENT(F, a) EACH_2(F, __VA_ARGS__)
#define EACH_4(F, a, ...) ARGUMENT(F, a) EACH_3(F, __VA_ARGS__)
#define EACH_5(F, a, ...) ARGUMENT(F, a) EACH_4(F, __VA_ARGS__)
#define EACH_6(F, a, ...) ARGUMENT(F, a) EACH_5(F, __VA_ARGS__)
#define EACH_7(F, a, ...) ARGUMENT(F, a) EACH_6(F, __VA_ARGS__)
#define EACH_8(F, a, ...) ARGUMENT(F, a) EACH_7(F, __VA_ARGS__)
#define EACH_9(F, a, ...) ARGUMENT(F, a) EACH_8(F, __VA_ARGS__)
#define EACH_10(F, a, ...) ARGUMENT(F, a) EACH_9(F, __VA_ARGS__)
#define EACH_11(F, a, ...) ARGUMENT(F, a) EACH_10(F, __VA_ARGS__)

#define JOIN_0(F) F##_NONE
#define JOIN_1(F, a) ARGUMENT(F, a)
#define JOIN_2(F, a, ...) ARGUMENT(F, a), JOIN_1(F, __VA_ARGS__)
#define JOIN_3(F, a, ...) ARGUMENT(F, a), JOIN_2(F, __VA_ARGS__)
#define JOIN_4(F, a, ...) ARGUMENT(F, a), JOIN_3(F, __VA_ARGS__)
#define JOIN_5(F, a, ...) ARGUMENT(F, a), JOIN_4(F, __VA_ARGS__)
#define JOIN_6(F, a, ...) ARGUMENT(F, a), JOIN_5(F, __VA_ARGS__)
#define JOIN_7(F, a, ...) ARGUMENT(F, a), JOIN_6(F, __VA_ARGS__)
#define JOIN_8(F, a, ...) ARGUMENT(F, a), JOIN_7(F, __VA_ARGS__)
#define JOIN_9(F, a, ...) ARGUMENT(F, a), JOIN_8(F, __VA_ARGS__)
#define JOIN_10(F, a, ...) ARGUMENT(F, a), JOIN_9(F, __VA_ARGS__)
#define JOIN_11(F, a, ...) ARGUMENT(F, a), JOIN_10(F, __VA_ARGS__)

#define ARGUMENT_PICK(a, b, c, d, e, f, g, h, i, j, k, name, ...) name
#define EACH(F, ...)                                                                               \
    ARGUMENT_PICK(__VA_ARGS__ __VA_OPT__(, ) EACH_11, EACH_10, EACH_9, EACH_8, EACH_7, EACH_6,     \
                  EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, EACH_0, )(F __VA_OPT__(, ) __VA_ARGS__)
#define JOIN(F, ...)                                                                               \
    ARGUMENT_PICK(__VA_ARGS__ __VA_OPT__(, ) JOIN_11, JOIN_10, JOIN_9, JOIN_8, JOIN_7, JOIN_6,     \
                  JOIN_5, JOIN_4, JOIN_3, JOIN_2, JOIN_1, JOIN_0, )(F __VA_OPT__(, ) __VA_ARGS__)

/** The parameters as C declares them, and their names. */
#define PARAMETER_NONE void
#define PARAMETER_VAL(type, name) type name
#define PARAMETER_OUT(type, name) type *name
#define PARAMETER_IN(type, name) const type *name
#define PARAMETER_OUTS(type, name, count) type *name
#define PARAMETER_INS(type, name, count) const type *name
#define PARAMETER_LIST PARAMETER_OUTS
#define PARAMETER_STRING PARAMETER_IN
#define NAME_NONE
#define NAME_VAL(type, name, ...) name
#define NAME_OUT NAME_VAL
#define NAME_IN NAME_VAL
#define NAME_OUTS NAME_VAL
#define NAME_INS NAME_VAL
#define NAME_LIST NAME_VAL
#define NAME_STRING NAME_VAL

#endif
