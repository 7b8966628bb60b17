// Dynamic shared memory by two names, which are one memory: as if they were two arrays, and as what they are.
#include "judge.cuh"

#define NEXT ((TID + 1) % BLOCK)

// Own value over own value, and both are read: no two threads race here.
// case: names_as_arrays grid=1 block=64 shared=1024 expect=out-of-bounds:warning@1@2
KERNEL(names_as_arrays)
{
    extern __shared__ int ints[];
    extern __shared__ float floats[];
    ints[TID] = TID + 1;
    floats[TID] = 2.0f * TID; // @1
    __syncthreads();
    y[TID] = ints[NEXT]; // @2
    x[TID] = (int)floats[NEXT];
}

// The right twin: one name, the second array at an offset.
// case: names_at_offset grid=1 block=64 shared=1024 expect=silent
KERNEL(names_at_offset)
{
    extern __shared__ int ints[];
    float *floats = (float *)&ints[BLOCK];
    ints[TID] = TID + 1;
    floats[TID] = 2.0f * TID;
    __syncthreads();
    y[TID] = ints[NEXT];
    x[TID] = (int)floats[NEXT];
}

// The same with two names, the second of which is used at an offset.
// case: names_beside_each_other grid=1 block=64 shared=1024 expect=silent
KERNEL(names_beside_each_other)
{
    extern __shared__ int ints[];
    extern __shared__ float floats[];
    ints[TID] = TID + 1;
    floats[BLOCK + TID] = 2.0f * TID;
    __syncthreads();
    y[TID] = ints[NEXT];
    x[TID] = (int)floats[BLOCK + NEXT];
}

// A barrier between the two stores helps nobody.
// case: names_with_barriers grid=2 block=64 shared=1024 expect=out-of-bounds:warning@1@2
KERNEL(names_with_barriers)
{
    extern __shared__ int ints[];
    extern __shared__ float floats[];
    ints[TID] = TID + 1;
    __syncthreads();
    floats[NEXT] = 2.0f * TID; // @1
    __syncthreads();
    x[GID] = (int)floats[TID];
    y[GID] = ints[TID]; // @2
}

// Phases: what the one name held has been read when the other takes its place.
// case: names_in_phases grid=2 block=64 shared=1024 expect=silent
KERNEL(names_in_phases)
{
    extern __shared__ int ints[];
    extern __shared__ float floats[];
    ints[TID] = TID + 1;
    __syncthreads();
    int got = ints[NEXT];
    __syncthreads();
    floats[NEXT] = 2.0f * got;
    __syncthreads();
    x[GID] = (int)floats[TID];
    __syncthreads();
    ints[NEXT] = got + 1;
    __syncthreads();
    y[GID] = ints[TID];
}

// What is stored by one name is read by the other: a union.
// case: names_as_union grid=1 block=64 shared=1024 expect=silent
KERNEL(names_as_union)
{
    extern __shared__ int ints[];
    extern __shared__ float floats[];
    floats[TID] = 2.0f * TID;
    __syncthreads();
    y[TID] = ints[NEXT];
}

// Set to nothing by one name, filled and read by the other.
// case: names_cleared grid=1 block=64 shared=1024 expect=silent
KERNEL(names_cleared)
{
    extern __shared__ int ints[];
    extern __shared__ float floats[];
    ints[TID] = 0;
    __syncthreads();
    floats[NEXT] = 2.0f * TID;
    __syncthreads();
    y[TID] = (int)floats[TID];
}

// … or read by a pointer of the first that has the second's type.
// case: names_read_as_other grid=1 block=64 shared=1024 expect=silent
KERNEL(names_read_as_other)
{
    extern __shared__ int ints[];
    extern __shared__ float floats[];
    ints[TID] = 0;
    __syncthreads();
    floats[NEXT] = 2.0f * TID;
    __syncthreads();
    y[TID] = (int)((float *)ints)[TID];
}

// Bytes: every fourth one is another's.
// case: names_of_bytes grid=1 block=64 n=2 shared=1024 expect=out-of-bounds:warning@1@2
KERNEL(names_of_bytes)
{
    extern __shared__ unsigned char bytes[];
    extern __shared__ int ints[];
    bytes[TID] = (unsigned char)TID;
    __syncthreads();
    if (TID == 0)
        ints[n] = 7; // @1
    __syncthreads();
    y[TID] = bytes[TID]; // @2
    x[TID] = ints[n];
}

// case: names_of_other_bytes grid=1 block=64 n=16 shared=1024 expect=silent
KERNEL(names_of_other_bytes)
{
    extern __shared__ unsigned char bytes[];
    extern __shared__ int ints[];
    bytes[TID] = (unsigned char)TID;
    __syncthreads();
    if (TID == 0)
        ints[n] = 7;
    __syncthreads();
    y[TID] = bytes[TID];
    x[TID] = ints[n];
}

// Counters by atomics, beside a tile.
// case: names_counted grid=1 block=64 shared=1024 expect=out-of-bounds:warning@1@2
KERNEL(names_counted)
{
    extern __shared__ unsigned counts[];
    extern __shared__ float tile[];
    if (TID < 8)
        counts[TID] = 0;
    __syncthreads();
    tile[TID] = 0.5f * TID; // @1
    __syncthreads();
    atomicAdd(&counts[TID % 8], 1u); // @2
    __syncthreads();
    x[TID] = (int)tile[NEXT];
    y[TID] = (int)counts[TID % 8];
}

// case: names_counted_behind grid=1 block=64 shared=1024 expect=silent
KERNEL(names_counted_behind)
{
    extern __shared__ unsigned counts[];
    extern __shared__ float tile[];
    if (TID < 8)
        counts[BLOCK + TID] = 0;
    __syncthreads();
    tile[TID] = 0.5f * TID;
    __syncthreads();
    atomicAdd(&counts[BLOCK + TID % 8], 1u);
    __syncthreads();
    x[TID] = (int)tile[NEXT];
    y[TID] = (int)counts[BLOCK + TID % 8];
}

// A function has a name of its own for what its kernel calls otherwise.
static __device__ __noinline__ void names_other(int t)
{
    extern __shared__ float scratch[];
    scratch[t] = 1.0f; // @1
}

// case: names_in_function grid=1 block=64 shared=1024 expect=out-of-bounds:warning
KERNEL(names_in_function)
{
    extern __shared__ int ints[];
    ints[TID] = TID;
    __syncthreads();
    names_other(TID);
    __syncthreads();
    y[TID] = ints[NEXT];
}

// Which name it is is known at run time alone: nothing is said.
// case: names_chosen grid=1 block=64 shared=1024 expect=silent
KERNEL(names_chosen)
{
    extern __shared__ int ints[];
    extern __shared__ unsigned others[];
    ints[TID] = TID;
    __syncthreads();
    int *one = n > 1000 ? ints : (int *)others;
    one[TID] = 2 * TID;
    __syncthreads();
    y[TID] = ints[NEXT];
}

// One name a type, and each kernel has one.
template <typename T> struct Typed;
template <> struct Typed<int> {
    static __device__ int *get() { extern __shared__ int typed_int[]; return typed_int; }
};
template <> struct Typed<float> {
    static __device__ float *get() { extern __shared__ float typed_float[]; return typed_float; }
};
template <typename T> static __device__ void reverse(int *to)
{
    T *s = Typed<T>::get();
    s[TID] = (T)TID;
    __syncthreads();
    to[TID] = (int)s[BLOCK - 1 - TID];
}

// case: names_of_types grid=1 block=64 shared=1024 expect=silent
KERNEL(names_of_types)
{
    reverse<int>(x);
    __syncthreads();
    reverse<float>(y);
}
