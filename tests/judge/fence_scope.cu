// fence.sc whose scope does not reach the others, in launches too large to be asked of the model: its order with fences of other blocks is none.
#include "judge.cuh"

// W+RWC: whoever sees the second flag and does not see the third, and whoever raises the third and does not see the first, are never both, if all three
// fences order each other.
#define ENTERS_BY(name, how)                                                                                                                        \
    KERNEL(name)                                                                                                                                    \
    {                                                                                                                                               \
        if (BID == 0) {                                                                                                                             \
            VOL(flag[0]) = 1;                                                                                                                       \
            FENCE("sc.gpu");                                                                                                                        \
            VOL(flag[32]) = 1;                                                                                                                      \
        } else if (BID == 2) {                                                                                                                      \
            while (VOL(flag[32]) == 0)                                                                                                              \
                ;                                                                                                                                   \
            FENCE(how);                                                                                                                             \
            if (VOL(flag[64]) == 0)                                                                                                                 \
                x[0] = 2;                                                                                                                           \
        } else if (BID == 1) {                                                                                                                      \
            VOL(flag[64]) = 1;                                                                                                                      \
            FENCE("sc.gpu");                                                                                                                        \
            if (VOL(flag[0]) == 0)                                                                                                                  \
                x[0] = 1;                                                                                                                           \
        }                                                                                                                                           \
    }
// case: scope_chain grid=300 block=1 expect=silent
ENTERS_BY(scope_chain, "sc.gpu")
// case: scope_chain_block grid=300 block=1 expect=data-race@1@1
ENTERS_BY(scope_chain_block, "sc.cta") // @1

// The one who raises the third flag is of the block of the one who looks at it: those two fences order each other, and so all three.
// case: scope_chain_together grid=300 block=64 schedules=32 expect=silent
KERNEL(scope_chain_together)
{
    if (BID == 0 && threadIdx.x == 0) {
        VOL(flag[0]) = 1;
        FENCE("sc.gpu");
        VOL(flag[32]) = 1;
    } else if (BID == 2 && threadIdx.x == 0) {
        while (VOL(flag[32]) == 0)
            ;
        FENCE("sc.cta");
        if (VOL(flag[64]) == 0)
            x[0] = 2;
    } else if (BID == 2 && threadIdx.x == 32) {
        VOL(flag[64]) = 1;
        FENCE("sc.gpu");
        if (VOL(flag[0]) == 0)
            x[0] = 1;
    }
}
// Each raises its own flag and looks at the other's.
#define BOTH_LOOK(name, mine)                                                                                                                       \
    KERNEL(name)                                                                                                                                    \
    {                                                                                                                                               \
        if (threadIdx.x % 32 == 0 && (mine) < 2) {                                                                                                  \
            VOL(flag[(mine)]) = 1;                                                                                                                  \
            FENCE("sc.cta");                                                                                                                        \
            if (VOL(flag[1 - (mine)]) == 0)                                                                                                         \
                x[0] = (int)(mine);                                                                                                                 \
        }                                                                                                                                           \
    }
// case: scope_both_together grid=300 block=64 schedules=32 expect=silent
BOTH_LOOK(scope_both_together, BID == 7 ? threadIdx.x / 32 : 2)
// case: scope_both_apart grid=300 block=64 expect=data-race@1@1
BOTH_LOOK(scope_both_apart, threadIdx.x ? 2 : BID) // @1

// IRIW: two look, each behind one of the flags, at the other. By fences of scope gpu not both see 0.
#define EACH_LOOKS(name, FENCES)                                                                                                                    \
    KERNEL(name)                                                                                                                                    \
    {                                                                                                                                               \
        if (BID < 2) {                                                                                                                              \
            VOL(flag[BID]) = 1;                                                                                                                     \
        } else if (BID < 4) {                                                                                                                       \
            unsigned mine = BID - 2;                                                                                                                \
            while (VOL(flag[mine]) == 0)                                                                                                            \
                ;                                                                                                                                   \
            FENCES;                                                                                                                                 \
            if (VOL(flag[1 - mine]) == 0)                                                                                                           \
                x[0] = (int)mine;                                                                                                                   \
        }                                                                                                                                           \
    }
#define LOOK_TWICE(name, first, second) EACH_LOOKS(name, if (mine) FENCE(second); else FENCE(first))
// case: scope_twice grid=300 block=1 expect=silent
LOOK_TWICE(scope_twice, "sc.gpu", "sc.gpu")
// case: scope_twice_block grid=300 block=1 expect=data-race@1@1
LOOK_TWICE(scope_twice_block, "sc.cta", "sc.cta") // @1
// case: scope_twice_first grid=300 block=1 expect=data-race@1@1
LOOK_TWICE(scope_twice_first, "sc.cta", "sc.gpu") // @1
// case: scope_twice_second grid=300 block=1 expect=data-race@1@1
LOOK_TWICE(scope_twice_second, "sc.gpu", "sc.cta") // @1

// W+RWC, where a barrier stands between the fence and another thread's look.
#define BEHIND_BARRIER(name, how)                                                                                                                   \
    KERNEL(name)                                                                                                                                    \
    {                                                                                                                                               \
        if (BID == 0 && threadIdx.x == 0) {                                                                                                         \
            VOL(flag[0]) = 1;                                                                                                                       \
            FENCE("sc.gpu");                                                                                                                        \
            VOL(flag[32]) = 1;                                                                                                                      \
        } else if (BID == 2) {                                                                                                                      \
            if (threadIdx.x == 0) {                                                                                                                 \
                while (VOL(flag[32]) == 0)                                                                                                          \
                    ;                                                                                                                               \
                FENCE(how);                                                                                                                         \
            }                                                                                                                                       \
            __syncthreads();                                                                                                                        \
            if (threadIdx.x == 32 && VOL(flag[64]) == 0)                                                                                            \
                x[0] = 2;                                                                                                                           \
        } else if (BID == 1 && threadIdx.x == 0) {                                                                                                  \
            VOL(flag[64]) = 1;                                                                                                                      \
            FENCE("sc.gpu");                                                                                                                        \
            if (VOL(flag[0]) == 0)                                                                                                                  \
                x[0] = 1;                                                                                                                           \
        }                                                                                                                                           \
    }
// case: scope_behind grid=300 block=64 expect=silent
BEHIND_BARRIER(scope_behind, "sc.gpu")
// case: scope_behind_block grid=300 block=64 expect=data-race@1@1
BEHIND_BARRIER(scope_behind_block, "sc.cta") // @1

// fence.acq_rel where fence.sc is needed, in a launch of many blocks: each look may get the older value.
#define READS_TWO(name, how) EACH_LOOKS(name, FENCE(how))
// case: many_read_two_acq_rel grid=300 block=1 expect=data-race@1@1
READS_TWO(many_read_two_acq_rel, "acq_rel.gpu") // @1
// case: many_read_two_acq_rel_cta grid=300 block=1 expect=data-race@1@1
READS_TWO(many_read_two_acq_rel_cta, "acq_rel.cta") // @1
// case: many_read_two_sc grid=300 block=1 expect=silent
READS_TWO(many_read_two_sc, "sc.gpu")
