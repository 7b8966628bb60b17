// Mapped host memory: messages between blocks, and between the host and a running kernel.
#include "judge.cuh"

// case: mapped_right grid=2 block=1 mapped expect=silent
KERNEL(mapped_right)
{
    if (BID == 0) {
        x[0] = 42;
        __threadfence_system();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence_system();
        y[0] = x[0];
    }
}

// case: mapped_no_release grid=2 block=1 mapped expect=missing-release@1@2
KERNEL(mapped_no_release)
{
    if (BID == 0) {
        x[0] = 42; // @1
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence_system();
        y[0] = x[0]; // @2
    }
}

// case: mapped_no_acquire grid=2 block=1 mapped expect=missing-acquire@1@2
KERNEL(mapped_no_acquire)
{
    if (BID == 0) {
        x[0] = 42; // @1
        __threadfence_system();
        VOL(flag[0]) = 1;
    } else {
        while (VOL(flag[0]) == 0)
            ;
        y[0] = x[0]; // @2
    }
}

// Each thread its own element: nothing to order.
// case: mapped_elements grid=4 block=64 mapped expect=silent
KERNEL(mapped_elements)
{
    x[GID] = y[GID] + 1;
}

// case: mapped_plain_add grid=4 block=64 mapped expect=data-race@1@1
KERNEL(mapped_plain_add)
{
    x[0] += y[GID] + 1; // @1
}

// case: mapped_system_atomics grid=4 block=64 mapped expect=silent
KERNEL(mapped_system_atomics)
{
    atomicAdd_system(x, y[GID] + 1);
}

// The kernel waits for the host, which answers while the kernel runs.
// case: host_converses grid=1 block=32 host schedules=1 expect=silent
KERNEL(host_converses)
{
    if (TID == 0) {
        while (VOL(flag[0]) == 0)
            ;
        __threadfence_system();
        y[0] = x[0] + 1;
        __threadfence_system();
        VOL(flag[1]) = 1;
    }
}

// The kernel answers the host and then waits for what the host never sends.
// case: host_never_sends grid=1 block=32 host schedules=1 expect=deadlock
KERNEL(host_never_sends)
{
    if (TID == 0) {
        VOL(flag[1]) = 1;
        while (VOL(flag[2]) == 0)
            ;
    }
}
