/**
 * @file arguments.h
 * Expands the argument tuples of calls.def: EACH(F, a, b, …) is F(a) F(b) …, JOIN(F, a, b, …) is
 * F(a), F(b), …, where each argument is a tuple (KIND, type, name) and F(tuple) is F_KIND(type, name).
 */
#ifndef SOFTGPU_REMOTE_ARGUMENTS_H
#define SOFTGPU_REMOTE_ARGUMENTS_H

#define ARGUMENT_GLUE(f, kind, type, name) f##_##kind(type, name)
#define ARGUMENT_OPEN(f, ...) ARGUMENT_GLUE(f, __VA_ARGS__)
#define ARGUMENT_STRIP(...) __VA_ARGS__
#define ARGUMENT(f, tuple) ARGUMENT_OPEN(f, ARGUMENT_STRIP tuple)

#define EACH_1(f, a) ARGUMENT(f, a)
#define EACH_2(f, a, ...) ARGUMENT(f, a) EACH_1(f, __VA_ARGS__)
#define EACH_3(f, a, ...) ARGUMENT(f, a) EACH_2(f, __VA_ARGS__)
#define EACH_4(f, a, ...) ARGUMENT(f, a) EACH_3(f, __VA_ARGS__)
#define EACH_5(f, a, ...) ARGUMENT(f, a) EACH_4(f, __VA_ARGS__)
#define EACH_6(f, a, ...) ARGUMENT(f, a) EACH_5(f, __VA_ARGS__)

#define JOIN_1(f, a) ARGUMENT(f, a)
#define JOIN_2(f, a, ...) ARGUMENT(f, a), JOIN_1(f, __VA_ARGS__)
#define JOIN_3(f, a, ...) ARGUMENT(f, a), JOIN_2(f, __VA_ARGS__)
#define JOIN_4(f, a, ...) ARGUMENT(f, a), JOIN_3(f, __VA_ARGS__)
#define JOIN_5(f, a, ...) ARGUMENT(f, a), JOIN_4(f, __VA_ARGS__)
#define JOIN_6(f, a, ...) ARGUMENT(f, a), JOIN_5(f, __VA_ARGS__)

#define ARGUMENT_PICK(a, b, c, d, e, f, name, ...) name
#define EACH(f, ...)                                                                               \
    ARGUMENT_PICK(__VA_ARGS__, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, )(f, __VA_ARGS__)
#define JOIN(f, ...)                                                                               \
    ARGUMENT_PICK(__VA_ARGS__, JOIN_6, JOIN_5, JOIN_4, JOIN_3, JOIN_2, JOIN_1, )(f, __VA_ARGS__)

#endif
