// A thread looks at an mbarrier again and again while others hear of each other by volatile accesses alone: the runs that try whether an order of the
// threads leaves the same have to let those go on.
// arch compute_80
#include "judge.cuh"

#define MET(m) ((unsigned)__cvta_generic_to_shared(&(m)))
#define MET_INIT(m, count) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(MET(m)), "r"(count) : "memory")
#define MET_ARRIVE(m) asm volatile("{\n.reg .b64 %%state;\nmbarrier.arrive.shared.b64 %%state, [%0];\n}" ::"r"(MET(m)) : "memory")
#define MET_WAIT(m)                                                                                                                              \
    asm volatile("{\n.reg .pred %%done;\nagain:\nmbarrier.test_wait.parity.shared.b64 %%done, [%0], 0;\n@!%%done bra again;\n}" ::"r"(MET(m)) \
                 : "memory")

#define MESSAGE_THEN_MEET(fence)                                                                                                                 \
    __shared__ unsigned long long m;                                                                                                             \
    __shared__ volatile int data, told;                                                                                                          \
    if (TID == 0) {                                                                                                                              \
        MET_INIT(m, 64);                                                                                                                         \
        data = told = 0;                                                                                                                         \
    }                                                                                                                                            \
    __syncthreads();                                                                                                                             \
    if (TID == 0) {                                                                                                                              \
        data = 1;                                                                                                                                \
        fence;                                                                                                                                   \
        told = 1;                                                                                                                                \
    }                                                                                                                                            \
    if (TID == 32) {                                                                                                                             \
        while (!told) {                                                                                                                          \
        }                                                                                                                                        \
        fence;                                                                                                                                   \
        y[0] = data;                                                                                                                             \
    }                                                                                                                                            \
    __syncwarp();                                                                                                                                \
    MET_ARRIVE(m);                                                                                                                               \
    MET_WAIT(m)

// case: message_then_met grid=1 block=64 expect=ordering
KERNEL(message_then_met)
{
    MESSAGE_THEN_MEET((void)0);
    y[TID + 1] = 7;
}

// case: message_then_met_right grid=1 block=64 expect=silent
KERNEL(message_then_met_right)
{
    MESSAGE_THEN_MEET(__threadfence_block());
    y[TID + 1] = 7;
}

// Who is behind the mbarrier goes on as in the run: the updates are atomic, and which comes first is no finding.
// case: met_then_counted grid=1 block=64 expect=silent
KERNEL(met_then_counted)
{
    MESSAGE_THEN_MEET(__threadfence_block());
    if (TID % 32 == 0)
        y[2 + atomicAdd(&flag[0], 1)] = *(volatile unsigned *)&flag[0] > 0;
}

// The same where a turn's stores may come before what others read in the turn before, which is tried with lanes that go in step.
#define MEET_THEN_TURNS(behind)                                                                                                                  \
    __shared__ unsigned long long m;                                                                                                             \
    __shared__ volatile int s[64];                                                                                                               \
    int sum = 0;                                                                                                                                 \
    if (TID == 0)                                                                                                                                \
        MET_INIT(m, 64);                                                                                                                         \
    s[TID] = 0;                                                                                                                                  \
    __syncthreads();                                                                                                                             \
    MET_ARRIVE(m);                                                                                                                               \
    MET_WAIT(m);                                                                                                                                 \
    for (int i = 0; i < 3; i++) {                                                                                                                \
        s[TID] = (int)TID + i;                                                                                                                   \
        __syncthreads();                                                                                                                         \
        sum += s[63 - TID];                                                                                                                      \
        behind;                                                                                                                                  \
    }                                                                                                                                            \
    y[TID] = sum

// case: met_then_turns grid=1 block=64 expect=ordering
KERNEL(met_then_turns)
{
    MEET_THEN_TURNS((void)0);
}

// case: met_then_turns_right grid=1 block=64 expect=silent
KERNEL(met_then_turns_right)
{
    MEET_THEN_TURNS(__syncthreads());
}
