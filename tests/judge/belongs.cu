// What belongs to a minimum or a maximum: the place, the thread, the number of the best value, kept at a place of its own beside it.
#include "judge.cuh"

#define BEST x[0]
#define WHERE y[0]
#define MIX ((int)((GID * 7919u) % 10007u) + 5)

// case: belongs_by_result grid=2 block=1 expect=ordering@1@2
KERNEL(belongs_by_result)
{
    int v = 5 + 3 * (int)GID;
    if (atomicMax(&BEST, v) < v) // @1
        VOL_INT(WHERE) = (int)GID + 100; // @2
}

// case: belongs_first_is_best grid=2 block=1 expect=ordering@1@2
KERNEL(belongs_first_is_best)
{
    int v = 500 - 3 * (int)GID;
    if (atomicMax(&BEST, v) < v) // @1
        VOL_INT(WHERE) = (int)GID + 100; // @2
}

// case: belongs_large grid=64 block=128 expect=ordering@1@2
KERNEL(belongs_large)
{
    int v = MIX;
    if (v > atomicMax(&BEST, v)) // @1
        VOL_INT(WHERE) = (int)GID + 100; // @2
}

// case: belongs_lanes grid=1 block=32 expect=ordering@1@2
KERNEL(belongs_lanes)
{
    int v = 50 + 3 * (int)GID;
    if (v > atomicMax(&BEST, v)) // @1
        VOL_INT(WHERE) = (int)GID + 100; // @2
}

// case: belongs_lanes_backwards grid=1 block=32 expect=ordering@1@2
KERNEL(belongs_lanes_backwards)
{
    int v = 500 - 3 * (int)GID;
    if (v > atomicMax(&BEST, v)) // @1
        VOL_INT(WHERE) = (int)GID + 100; // @2
}

// case: belongs_minimum grid=8 block=32 expect=ordering@1@2
KERNEL(belongs_minimum)
{
    __shared__ unsigned best, where;
    if (TID == 0) {
        best = 1000000;
        where = 0;
    }
    __syncthreads();
    unsigned v = MIX;
    if (atomicMin(&best, v) > v) // @1
        atomicExch(&where, TID); // @2
    __syncthreads();
    if (TID == 0)
        y[BID] = where;
}

// case: belongs_behind_a_look grid=8 block=32 expect=ordering@1@2
KERNEL(belongs_behind_a_look)
{
    int v = MIX;
    if (VOL_INT(BEST) < v) {
        atomicMax(&BEST, v); // @1
        VOL_INT(WHERE) = (int)GID + 100; // @2
    }
}

// case: belongs_before_the_update grid=8 block=32 expect=ordering@1@2
KERNEL(belongs_before_the_update)
{
    int v = MIX;
    if (VOL_INT(BEST) < v) {
        VOL_INT(WHERE) = (int)GID + 100; // @2
        atomicMax(&BEST, v); // @1
    }
}

// case: belongs_by_swap grid=8 block=32 expect=ordering@1@2
KERNEL(belongs_by_swap)
{
    int v = MIX, old = VOL_INT(BEST);
    while (v > old) {
        int seen = atomicCAS(&BEST, old, v); // @1
        if (seen == old) {
            VOL_INT(WHERE) = (int)GID + 100; // @2
            break;
        }
        old = seen;
    }
}

// case: belongs_to_a_float grid=8 block=32 expect=ordering@1@2
KERNEL(belongs_to_a_float)
{
    float v = (float)MIX;
    int old = VOL_INT(BEST);
    while (v > __int_as_float(old)) {
        int seen = atomicCAS(&BEST, old, __float_as_int(v)); // @1
        if (seen == old) {
            VOL_INT(WHERE) = (int)GID + 100; // @2
            break;
        }
        old = seen;
    }
}

// case: belongs_of_each grid=8 block=32 expect=ordering@1@2
KERNEL(belongs_of_each) // a distance and the way to it, for each of eight nodes
{
    int at = (int)GID % 8, v = MIX;
    if (atomicMax(&x[at], v) < v) // @1
        VOL_INT(y[at]) = (int)GID + 100; // @2
}

// case: belongs_in_one_word grid=8 block=32 expect=silent
KERNEL(belongs_in_one_word)
{
    unsigned long long *best = (unsigned long long *)x, v = (unsigned long long)MIX << 32 | (GID + 100);
    atomicMax(best, v);
}

// case: belongs_in_one_word_looked grid=8 block=32 expect=silent
KERNEL(belongs_in_one_word_looked)
{
    unsigned long long *best = (unsigned long long *)x, v = (unsigned long long)MIX << 32 | (GID + 100);
    if (*(volatile unsigned long long *)best < v)
        atomicMax(best, v);
}

// case: belongs_found_again grid=8 block=32 expect=ordering@1@2 also=ordering
KERNEL(belongs_found_again) // each finds its own value for a while
{
    int v = MIX;
    atomicMax(&BEST, v); // @1
    if (VOL_INT(BEST) == v)
        VOL_INT(WHERE) = (int)GID + 100; // @2
}

// case: belongs_found_again_waited grid=8 block=1 expect=silent
KERNEL(belongs_found_again_waited) // all have been: only the best finds its own
{
    int v = MIX;
    atomicMax(&BEST, v);
    __threadfence();
    atomicAdd(&flag[0], 1);
    while (VOL(flag[0]) < GRID)
        ;
    __threadfence();
    if (VOL_INT(BEST) == v)
        VOL_INT(WHERE) = (int)GID + 100;
}

// case: belongs_second_look grid=1 block=128 expect=silent
KERNEL(belongs_second_look) // all have been there before anybody says whose it is
{
    int v = MIX;
    atomicMax(&BEST, v);
    __syncthreads();
    if (VOL_INT(BEST) == v)
        WHERE = (int)GID + 100;
}

// case: belongs_second_look_after grid=1 block=128 expect=silent
KERNEL(belongs_second_look_after) // the first note is only for others that look meanwhile
{
    int v = MIX;
    if (atomicMax(&BEST, v) < v)
        VOL_INT(WHERE) = (int)GID + 100;
    __syncthreads();
    if (VOL_INT(BEST) == v)
        VOL_INT(WHERE) = (int)GID + 100;
}

// case: belongs_to_same_value grid=8 block=32 expect=silent
KERNEL(belongs_to_same_value) // a level: whoever comes there has the same
{
    int at = (int)GID % 8;
    if (atomicMax(&x[at], 3) < 3)
        VOL_INT(y[at]) = (int)GID + 100;
}

// case: belongs_a_flag grid=8 block=32 expect=silent
KERNEL(belongs_a_flag)
{
    int at = (int)GID % 8, v = MIX;
    if (atomicMax(&x[at], v) < v)
        VOL_INT(y[0]) = 1;
}

// case: belongs_a_round grid=8 block=32 n=7 expect=silent
KERNEL(belongs_a_round)
{
    int at = (int)GID % 8, v = MIX;
    if (atomicMax(&x[at], v) < v)
        VOL_INT(y[at]) = n;
}

// case: belongs_to_each_its_own grid=8 block=32 expect=silent
KERNEL(belongs_to_each_its_own)
{
    int v = MIX;
    if (atomicMax(&BEST, v) < v)
        VOL_INT(y[GID]) = v + (int)GID;
}

// case: belongs_a_copy grid=8 block=32 expect=silent
KERNEL(belongs_a_copy) // a bound that others may look at: an older one only spares them less
{
    int v = MIX;
    if (atomicMax(&BEST, v) < v)
        VOL_INT(WHERE) = v;
}

// case: belongs_locked grid=8 block=1 expect=silent
KERNEL(belongs_locked)
{
    int v = MIX;
    while (atomicCAS(&flag[0], 0, 1) != 0)
        ;
    __threadfence();
    if (VOL_INT(BEST) < v) {
        atomicMax(&BEST, v);
        VOL_INT(WHERE) = (int)GID + 100;
    }
    __threadfence();
    atomicExch(&flag[0], 0);
}

// case: belongs_turn_by_turn grid=1 block=64 expect=silent
KERNEL(belongs_turn_by_turn)
{
    int v = MIX;
    for (unsigned t = 0; t < BLOCK; t++) {
        if (t == TID && atomicMax(&BEST, v) < v)
            VOL_INT(WHERE) = (int)GID + 100;
        __syncthreads();
    }
}

// case: belongs_pushed_on_a_list grid=8 block=32 expect=silent
KERNEL(belongs_pushed_on_a_list) // who makes a distance better puts the node on the list, at a place of its own
{
    int at = (int)GID % 8, v = MIX;
    if (atomicMax(&x[at], v) < v) {
        unsigned to = atomicAdd(&flag[0], 1);
        VOL_INT(y[to]) = at + (int)GID;
    }
}

// case: belongs_to_levels grid=1 block=64 expect=silent
KERNEL(belongs_to_levels) // whose note stays has noted it for the level that stays: a barrier lies between two
{
    for (unsigned level = 1; level < 5; level++) {
        int at = (int)(TID * level + 13) % 64;
        if (atomicMax(&x[at], (int)level) < (int)level)
            VOL_INT(y[at]) = (int)TID;
        __syncthreads();
    }
}

// Behind the atomic the compiler loads anew what is compared: nobody has written that since.
// case: belongs_loaded_anew grid=2 block=1 then=belongs_loaded_anew_notes expect=ordering@1@2
KERNEL(belongs_loaded_anew)
{
    x[100 + GID] = 5 + 3 * (int)GID;
}

KERNEL(belongs_loaded_anew_notes)
{
    const int *v = &x[100 + GID];
    if (atomicMax(&BEST, *v) < *v) // @1
        VOL_INT(WHERE) = (int)GID + 100; // @2
}

// case: belongs_loaded_anew_together grid=2 block=1 then=belongs_loaded_anew_packed expect=silent
KERNEL(belongs_loaded_anew_together)
{
    x[100 + GID] = 5 + 3 * (int)GID;
}

KERNEL(belongs_loaded_anew_packed)
{
    const int *v = &x[100 + GID];
    if (atomicMax(&BEST, *v * 1024 + (int)GID) < *v * 1024)
        atomicAdd(&y[1], 1);
}
