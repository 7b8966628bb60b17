// Several arrays in shared memory: an index that leads out of one of them, mostly into the next. nvcc keeps each array's symbol in the addresses
// that lead into it; an address made of two symbols, or of none that can be seen, says nothing. The arrays hold 32 words.
#include "judge.cuh"

#define TWO_ARRAYS __shared__ int a[32], b[32]; a[TID] = (int)TID; b[TID] = n; __syncthreads()
#define USED __syncthreads(); y[TID] = a[TID] + b[TID]

// case: array_within grid=1 block=32 n=31 expect=silent
KERNEL(array_within)
{
    TWO_ARRAYS;
    if (TID == 0) a[n] = 1;
    USED;
}

// case: array_into_next grid=1 block=32 n=32 expect=out-of-bounds@1
KERNEL(array_into_next)
{
    TWO_ARRAYS;
    if (TID == 0) a[n] = 1; // @1
    USED;
}

// case: array_from_next grid=1 block=32 n=32 expect=out-of-bounds@1
KERNEL(array_from_next)
{
    TWO_ARRAYS;
    int v = a[TID + n]; // @1
    __syncthreads();
    b[TID] = v;
    USED;
}

// case: array_into_one_before grid=1 block=32 n=1 expect=out-of-bounds@1
KERNEL(array_into_one_before)
{
    TWO_ARRAYS;
    if (TID == 0) b[-n] = 1; // @1
    USED;
}

// case: array_up_to_its_size grid=1 block=32 n=32 expect=out-of-bounds@1
KERNEL(array_up_to_its_size)
{
    TWO_ARRAYS;
    for (int i = 0; i <= n && TID == 0; i++)
        a[i] = i; // @1
    USED;
}

// case: array_below_its_size grid=1 block=32 n=32 expect=silent
KERNEL(array_below_its_size)
{
    TWO_ARRAYS;
    for (int i = 0; i < n && TID == 0; i++)
        a[i] = i;
    USED;
}

// case: array_counted_past grid=1 block=32 n=32 expect=out-of-bounds@1
KERNEL(array_counted_past)
{
    TWO_ARRAYS;
    atomicAdd(&a[TID + 1], 1); // @1
    USED;
}

// case: array_counted grid=1 block=32 n=32 expect=silent
KERNEL(array_counted)
{
    TWO_ARRAYS;
    atomicAdd(&a[TID], 1);
    USED;
}

// case: array_vector_past grid=1 block=32 n=8 expect=out-of-bounds@1
KERNEL(array_vector_past)
{
    TWO_ARRAYS;
    if (TID == 0) reinterpret_cast<int4 *>(a)[n] = make_int4(1, 2, 3, 4); // @1
    USED;
}

// case: array_vector_last grid=1 block=32 n=7 expect=silent
KERNEL(array_vector_last)
{
    TWO_ARRAYS;
    if (TID == 0) reinterpret_cast<int4 *>(a)[n] = make_int4(1, 2, 3, 4);
    USED;
}

// Which of the two is meant cannot be told from the address.
// case: array_either grid=1 block=32 n=1 expect=silent
KERNEL(array_either)
{
    TWO_ARRAYS;
    int *p = n ? a : b;
    p[TID] += 1;
    USED;
}

// A pointer one past the end is right as long as nobody follows it.
// case: array_end_compared grid=1 block=32 n=32 expect=silent
KERNEL(array_end_compared)
{
    TWO_ARRAYS;
    for (int *p = a, *end = a + n; p != end && TID == 0; p++)
        *p = 1;
    USED;
}

// The way from one array to the other is computed: the address is made of both.
// case: array_by_distance grid=1 block=32 n=4 expect=silent
KERNEL(array_by_distance)
{
    TWO_ARRAYS;
    unsigned from = (unsigned)__cvta_generic_to_shared(a), to = (unsigned)__cvta_generic_to_shared(b);
    asm volatile("st.shared.u32 [%0], %1;" :: "r"(from + 4 * TID + (to - from)), "r"(n) : "memory");
    USED;
}

// Parts of one array, cut by hand: it is one.
// case: array_in_parts grid=1 block=32 shared=256 n=32 expect=silent
KERNEL(array_in_parts)
{
    extern __shared__ int parts[];
    __shared__ int own[64];
    int *second = parts + n, *half = own + n;
    parts[TID] = second[TID] = own[TID] = half[TID] = TID;
    __syncthreads();
    y[TID] = parts[(TID + 1) % 32 + n] + own[TID + n];
}

// Behind the last static array begins what the launch asks for.
// case: array_into_dynamic grid=1 block=32 shared=256 n=32 expect=out-of-bounds@1
KERNEL(array_into_dynamic)
{
    extern __shared__ int parts[];
    __shared__ int own[32];
    parts[TID] = own[TID] = TID;
    __syncthreads();
    if (TID == 0) own[n] = 1; // @1
    __syncthreads();
    y[TID] = parts[TID] + own[TID];
}

struct pair { int first[32], second[32]; };

// case: array_of_struct grid=1 block=32 n=32 expect=silent
KERNEL(array_of_struct)
{
    __shared__ pair p;
    __shared__ int other[32];
    p.first[TID] = p.second[TID] = other[TID] = TID;
    __syncthreads();
    int *whole = p.first;
    y[TID] = whole[TID + n] + other[TID];
}

// ---- A thread's own arrays ----

// A pointer to one that another thread uses leads into that thread's own local memory.
// case: local_of_another grid=1 block=64 n=2 expect=out-of-bounds@1
KERNEL(local_of_another)
{
    __shared__ int *of[64];
    int own[4];
    for (int i = 0; i < 4; i++)
        own[i] = (int)TID * 4 + i;
    of[TID] = own;
    __syncthreads();
    y[TID] = of[63 - TID][n]; // @1
}

// case: local_of_another_stored grid=1 block=64 n=2 expect=out-of-bounds@1
KERNEL(local_of_another_stored)
{
    __shared__ int *of[64];
    int own[4] = {n, n, n, n};
    of[TID] = own;
    __syncthreads();
    of[TID ^ 1][n] = 1; // @1
    y[TID] = own[n & 1];
}

// case: local_by_shuffle grid=1 block=32 n=2 expect=out-of-bounds@1
KERNEL(local_by_shuffle)
{
    int own[4];
    for (int i = 0; i < 4; i++)
        own[i] = x[i] + (int)TID;
    int *first = (int *)__shfl_sync(~0u, (unsigned long long)own, 0);
    y[TID] = first[n] + own[n & 1]; // @1
}

__device__ __noinline__ int local_sum(const int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

// One's own, from where others keep theirs, and handed to a function.
// case: local_kept_for_itself grid=2 block=64 n=3 expect=silent
KERNEL(local_kept_for_itself)
{
    __shared__ int *of[64];
    int own[4];
    for (int i = 0; i < 4; i++)
        own[i] = (int)TID * 4 + i;
    of[TID] = own;
    __syncthreads();
    if (of[TID] == own && of[TID] != (int *)x)
        y[GID] = of[TID][n] + local_sum(of[TID], n) + local_sum(own, 4);
}

// case: local_handed_on_by_value grid=1 block=64 n=3 expect=silent
KERNEL(local_handed_on_by_value)
{
    __shared__ int of[64][4];
    int own[4];
    for (int i = 0; i < 4; i++)
        own[i] = (int)TID * 4 + i;
    for (int i = 0; i < 4; i++)
        of[TID][i] = own[(i + n) & 3];
    __syncthreads();
    y[TID] = local_sum(of[63 - TID], n);
}
