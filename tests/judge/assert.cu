// Device asserts.
#include <cassert>

#include "judge.cuh"

// case: assert_fails grid=2 block=32 n=50 expect=assert@1
KERNEL(assert_fails)
{
    assert((int)GID < n); // @1
    y[GID] = 1;
}

// case: assert_holds grid=2 block=32 n=64 expect=silent
KERNEL(assert_holds)
{
    assert((int)GID < n);
    y[GID] = 1;
}
