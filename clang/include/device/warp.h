/**
 * @file warp.h
 * Shuffles and votes.
 */
#ifndef FENCEPOST_DEVICE_WARP_H
#define FENCEPOST_DEVICE_WARP_H

/* A value of 1, 2 or 4 bytes in one register, and of 8 in two. */
#define FENCEPOST_WORDS(T) ((sizeof(T) + 3) / 4)

/* PTX's c operand: where a segment of `width` lanes ends, and which bits of the lane choose it (PTX ISA, shfl.sync). */
#define FENCEPOST_SHUFFLE(name, op, clamp)                                                         \
    template <class T> FENCEPOST_DEVICE T name(unsigned mask, T value, unsigned lane, int width = 32) \
    {                                                                                              \
        static_assert(sizeof(T) <= 8, #name ": for values of up to 8 bytes");                      \
        unsigned c = (unsigned)(32 - width) << 8 | (clamp), word[FENCEPOST_WORDS(T)] = {};         \
        __builtin_memcpy(word, &value, sizeof value);                                              \
        for (unsigned i = 0; i < FENCEPOST_WORDS(T); i++)                                          \
            asm volatile("shfl.sync." op ".b32 %0, %1, %2, %3, %4;"                                \
                         : "=r"(word[i]) : "r"(word[i]), "r"(lane), "r"(c), "r"(mask));            \
        __builtin_memcpy(&value, word, sizeof value);                                              \
        return value;                                                                              \
    }
FENCEPOST_SHUFFLE(__shfl_sync, "idx", 31)
FENCEPOST_SHUFFLE(__shfl_up_sync, "up", 0)
FENCEPOST_SHUFFLE(__shfl_down_sync, "down", 31)
FENCEPOST_SHUFFLE(__shfl_xor_sync, "bfly", 31)
#undef FENCEPOST_SHUFFLE

FENCEPOST_DEVICE unsigned __ballot_sync(unsigned mask, int predicate)
{
    unsigned lanes;
    asm volatile("{ .reg .pred %%p1; setp.ne.s32 %%p1, %1, 0; vote.sync.ballot.b32 %0, %%p1, %2; }"
                 : "=r"(lanes) : "r"(predicate), "r"(mask));
    return lanes;
}

#define FENCEPOST_VOTE(name, op)                                                                   \
    FENCEPOST_DEVICE int name(unsigned mask, int predicate)                                        \
    {                                                                                              \
        int yes;                                                                                   \
        asm volatile("{ .reg .pred %%p1, %%p2; setp.ne.s32 %%p1, %1, 0; vote.sync." op ".pred %%p2, %%p1, %2; " \
                     "selp.u32 %0, 1, 0, %%p2; }" : "=r"(yes) : "r"(predicate), "r"(mask));        \
        return yes;                                                                                \
    }
FENCEPOST_VOTE(__all_sync, "all")
FENCEPOST_VOTE(__any_sync, "any")
FENCEPOST_VOTE(__uni_sync, "uni")
#undef FENCEPOST_VOTE

FENCEPOST_DEVICE unsigned __activemask()
{
    unsigned lanes;
    asm volatile("activemask.b32 %0;" : "=r"(lanes));
    return lanes;
}

/** A value's bits, as __match_*_sync compares them. */
template <class T> FENCEPOST_DEVICE unsigned long long fencepost_match_bits(T value)
{
    unsigned long long bits = 0;
    static_assert(sizeof(T) <= 8, "__match_any_sync, __match_all_sync: for values of up to 8 bytes");
    __builtin_memcpy(&bits, &value, sizeof value);
    return bits;
}
template <class T> FENCEPOST_DEVICE unsigned __match_any_sync(unsigned mask, T value)
{
    unsigned lanes;
    if (sizeof(T) <= 4)
        asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(lanes) : "r"((unsigned)fencepost_match_bits(value)), "r"(mask));
    else
        asm volatile("match.any.sync.b64 %0, %1, %2;" : "=r"(lanes) : "l"(fencepost_match_bits(value)), "r"(mask));
    return lanes;
}
template <class T> FENCEPOST_DEVICE unsigned __match_all_sync(unsigned mask, T value, int *same)
{
    unsigned lanes;
    if (sizeof(T) <= 4)
        asm volatile("{ .reg .pred %%p1; match.all.sync.b32 %0|%%p1, %2, %3; selp.u32 %1, 1, 0, %%p1; }"
                     : "=r"(lanes), "=r"(*same) : "r"((unsigned)fencepost_match_bits(value)), "r"(mask));
    else
        asm volatile("{ .reg .pred %%p1; match.all.sync.b64 %0|%%p1, %2, %3; selp.u32 %1, 1, 0, %%p1; }"
                     : "=r"(lanes), "=r"(*same) : "l"(fencepost_match_bits(value)), "r"(mask));
    return lanes;
}

#define FENCEPOST_REDUCE(name, op, ptx, type)                                                      \
    FENCEPOST_DEVICE type name(unsigned mask, type value)                                          \
    {                                                                                              \
        type all;                                                                                  \
        asm volatile("redux.sync." op "." ptx " %0, %1, %2;" : "=r"(all) : "r"(value), "r"(mask)); \
        return all;                                                                                \
    }
FENCEPOST_REDUCE(__reduce_add_sync, "add", "s32", int)
FENCEPOST_REDUCE(__reduce_add_sync, "add", "u32", unsigned)
FENCEPOST_REDUCE(__reduce_min_sync, "min", "s32", int)
FENCEPOST_REDUCE(__reduce_min_sync, "min", "u32", unsigned)
FENCEPOST_REDUCE(__reduce_max_sync, "max", "s32", int)
FENCEPOST_REDUCE(__reduce_max_sync, "max", "u32", unsigned)
FENCEPOST_REDUCE(__reduce_and_sync, "and", "b32", unsigned)
FENCEPOST_REDUCE(__reduce_or_sync, "or", "b32", unsigned)
FENCEPOST_REDUCE(__reduce_xor_sync, "xor", "b32", unsigned)
#undef FENCEPOST_REDUCE

#endif
