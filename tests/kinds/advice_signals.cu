// What is advised where a message is passed by a signal, a lock does not order, or a thread looks without waiting: the words.
//
// case read_by_atomic expect=missing-release says=__threadfence...right.before.the.signal.on.line.[0-9]+,.by.the.thread.that.signals,.and.behind.the.loop
// case read_by_atomic_fenced expect=silent
// case waited_for_all expect=missing-release says=__threadfence...right.before.the.signal.on.line.[0-9]+,.by.the.thread.that.signals,.and.behind.the.loop
// case waited_for_all_fenced expect=silent
// case flag_stored_plain expect=data-race says=line.[0-9]+.writes.by.a.plain.store.what.line.[0-9]+.waits.for:.*before.it.and.*behind.the.loop
// case flag_stored_volatile expect=silent
// case flag_of_a_byte expect=data-race says=4.bytes.on.line.[0-9]+,.as.line.[0-9]+.has
// case flag_of_four expect=silent
// case passed_on expect=missing-release says=but.who.saw.that..line.[0-9]+..signals.to.block.2..line.[0-9]+..with.no.fence.in.between
// case passed_on_line expect=missing-release says=__threadfence...right.before.the.signal.on.line.[0-9]+,.by.the.thread.that.signals
// case passed_on_fenced expect=silent
// case made_once expect=missing-acquire says=__threadfence...right.before.line.[0-9]+:.that.is.behind.the.read.of.the.signal.on.line
// case made_once_fenced expect=silent
// case sequence expect=ordering says=__threadfence...between.line.[0-9]+.and.line.[0-9]+:
// case sequence_fenced expect=silent
// case each_first expect=ordering says=__threadfence...between.line.[0-9]+.and.line.[0-9]+:
// case each_first_fenced expect=silent
// case left_plain expect=data-race says=line.[0-9]+.writes.by.a.plain.store.what.line.[0-9]+.waits.for
// case left_volatile expect=silent
// case left_by_asm expect=data-race says=does.without.the.lock.that.is.taken.on.line.[0-9]+:.take.it.there
// case left_by_asm_both expect=silent
// case most_by_hand expect=ordering says=atomicMax.or.atomicMin
// case most_by_atomic expect=silent
// case room_checked expect=ordering says=without.the.check.on.line.[0-9]+,.look.at.what.the.update.on.line.[0-9]+.returns
// case room_taken expect=silent
// case left_in_block expect=data-race says=writes.by.a.plain.store.what.line.[0-9]+.waits.for:.*__threadfence_block
// case left_in_block_volatile expect=silent
// case held_in_loop expect=missing-acquire says=__threadfence...right.before.line.[0-9]+:.that.is.behind.the.read
// case held_in_loop_fenced expect=silent
// case looked_again expect=ordering says=__threadfence...right.before.line.[0-9]+:.that.is.behind.the.read
// case looked_again_fenced expect=silent
// case taken_by_one expect=data-race says=__syncthreads...before.line.1010,.reached.by.all.threads
// case taken_for_all expect=silent
#include <cstring>
#include <cuda_runtime.h>

#define VOL(x) (*(volatile int *)&(x))

template <bool RIGHT> __global__ void read_by_atomic(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 42;
        if (RIGHT)
            __threadfence();
        VOL(*flag) = 1;
    } else {
        while (VOL(*flag) == 0)
            ;
        if (RIGHT)
            __threadfence();
        out[0] = atomicAdd(&data[0], 0); // read_by_atomic
    }
}

/** One thread waits for its block, without a fence on either side. */
template <bool RIGHT> __global__ void waited_for_all(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = 42;
        __syncthreads();
        if (threadIdx.x == 0) {
            if (RIGHT)
                __threadfence();
            VOL(*flag) = 1;
        }
    } else {
        if (threadIdx.x == 0) {
            while (VOL(*flag) == 0)
                ;
            if (RIGHT)
                __threadfence();
        }
        __syncthreads();
        out[threadIdx.x] = data[threadIdx.x]; // waited_for_all
    }
}

template <bool RIGHT> __global__ void flag_stored(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        VOL(data[0]) = 42;
        __threadfence();
        if (RIGHT)
            VOL(*flag) = 1;
        else
            *flag = 1; // flag_stored_plain
    } else {
        while (atomicAdd(flag, 0) == 0)
            ;
        __threadfence();
        out[0] = VOL(data[0]);
    }
}

template <typename SIZE> __global__ void flag_of(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        VOL(data[0]) = 42;
        __threadfence();
        VOL(*flag) = 1;
    } else {
        while (*(volatile SIZE *)flag == 0) // flag_of_a_byte
            ;
        __threadfence();
        out[0] = VOL(data[0]);
    }
}

// The one between fences when it has signalled already.
template <bool RIGHT> __global__ void passed_on(int *data, int *flag, int *out)
{
    if (blockIdx.x == 0) {
        data[0] = 42;
        __threadfence();
        VOL(flag[0]) = 1;
    } else if (blockIdx.x == 1) {
        while (VOL(flag[0]) == 0)
            ;
        if (RIGHT)
            __threadfence();
        VOL(flag[1]) = 1;
        __threadfence();
    } else {
        while (VOL(flag[1]) == 0)
            ;
        __threadfence();
        out[0] = data[0]; // passed_on
    }
}

template <bool RIGHT> __global__ void made_once(int *data, int *flag, int *lock, int *out)
{
    if (VOL(*flag) == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        if (VOL(*flag) == 0) {
            data[0] = 5;
            __threadfence();
            VOL(*flag) = 1;
        }
        __threadfence();
        atomicExch(lock, 0);
    }
    if (RIGHT)
        __threadfence();
    out[blockIdx.x] = data[0]; // made_once
}

template <bool RIGHT> __global__ void sequence(int *data, int *seq, int *out)
{
    if (blockIdx.x == 0) {
        VOL(*seq) = 1;
        __threadfence();
        VOL(data[0]) = 5;
        VOL(data[1]) = 5;
        __threadfence();
        VOL(*seq) = 2;
    } else {
        int before, after, a, b;
        do {
            before = VOL(*seq);
            __threadfence();
            a = VOL(data[0]);
            b = VOL(data[1]);
            if (RIGHT)
                __threadfence();
            after = VOL(*seq); // sequence
        } while (before != after || before % 2 != 0);
        out[0] = a - b;
    }
}

template <bool RIGHT> __global__ void each_first(int *flag, int *out)
{
    int own = blockIdx.x;
    VOL(flag[own]) = 1;
    if (RIGHT)
        __threadfence();
    out[own] = own == 0 ? VOL(flag[1]) : VOL(flag[0]);
}

template <bool RIGHT> __global__ void left(int *data, int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0)
        ;
    __threadfence();
    data[0] += 1;
    __threadfence();
    if (RIGHT)
        VOL(*lock) = 0;
    else
        *lock = 0; // left_plain
}

template <bool RIGHT> __global__ void left_by_asm(int *data, int *lock)
{
    if (RIGHT || blockIdx.x == 1) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        data[0] += 1;
        __threadfence();
        asm volatile("st.relaxed.gpu.b32 [%0], 0;" ::"l"(lock) : "memory");
    } else {
        data[0] += 1; // left_by_asm
    }
}

template <bool RIGHT> __global__ void most(int *best)
{
    int mine = (int)(blockIdx.x * 7) % 5;
    if (mine > VOL(*best)) {
        if (RIGHT)
            atomicMax(best, mine);
        else
            atomicExch(best, mine); // most_by_hand
    }
}

template <bool RIGHT> __global__ void room(int *count, int *slots)
{
    if (RIGHT || VOL(*count) < 2) {
        int at = atomicAdd(count, 1); // room_checked
        if (!RIGHT || at < 2)
            slots[at] = (int)blockIdx.x + 1;
    }
}

template <bool RIGHT> __global__ void left_in_block(int *data)
{
    __shared__ int lock, count;
    if (threadIdx.x == 0)
        lock = count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        while (atomicExch(&lock, 1) != 0)
            ;
        __threadfence_block();
        count += 1;
        __threadfence_block();
        if (RIGHT)
            VOL(lock) = 0;
        else
            lock = 0; // left_in_block
    }
    __syncthreads();
    if (threadIdx.x == 0)
        data[0] = count;
}

// What is done under the lock stands in the loop that takes it.
template <bool RIGHT> __global__ void held_in_loop(int *data, int *lock)
{
    bool mine = false;
    do {
        mine = atomicCAS(lock, 0, 1) == 0;
        if (mine) {
            if (RIGHT)
                __threadfence();
            data[0] += 1; // held_in_loop
            __threadfence();
            atomicExch(lock, 0);
        }
    } while (!mine);
}

template <bool RIGHT> __global__ void looked_again(int *data, int *seq, int *out)
{
    if (blockIdx.x == 0) {
        atomicAdd(seq, 1);
        __threadfence();
        VOL(data[0]) = 3;
        VOL(data[1]) = 3;
        __threadfence();
        atomicAdd(seq, 1);
    } else {
        int a, b, s;
        for (;;) {
            s = VOL(*seq);
            if (s & 1)
                continue;
            if (RIGHT)
                __threadfence();
            a = VOL(data[0]); // looked_again
            b = VOL(data[1]);
            __threadfence();
            if (VOL(*seq) == s)
                break;
        }
        out[0] = a - b;
    }
}

#line 1001 // the advice is to name the line of the branch
template <bool RIGHT> __global__ void taken(int *sum, int *lock)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
    }
    if (RIGHT)
        __syncthreads();
    if (threadIdx.x < 2)
        sum[threadIdx.x] += 32;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(lock, 0);
    }
}

#define CASE(name) (strcmp(argv[1], name) == 0)
#define PAIR(wrong, right, kernel, blocks, ...)                                                                                \
    else if (CASE(wrong)) kernel<false><<<blocks, 1>>>(__VA_ARGS__);                                                           \
    else if (CASE(right)) kernel<true><<<blocks, 1>>>(__VA_ARGS__)

int main(int argc, char **argv)
{
    int *d;
    (void)argc;
    cudaMalloc(&d, 128);
    cudaMemset(d, 0, 128);
    int *flag = d + 8, *lock = d + 12, *out = d + 16;
    if (CASE("flag_of_a_byte"))
        flag_of<char><<<2, 1>>>(d, flag, out);
    else if (CASE("flag_of_four"))
        flag_of<int><<<2, 1>>>(d, flag, out);
    else if (CASE("passed_on_line"))
        passed_on<false><<<3, 1>>>(d, flag, out);
    PAIR("read_by_atomic", "read_by_atomic_fenced", read_by_atomic, 2, d, flag, out);
    else if (CASE("waited_for_all"))
        waited_for_all<false><<<2, 2>>>(d, flag, out);
    else if (CASE("waited_for_all_fenced"))
        waited_for_all<true><<<2, 2>>>(d, flag, out);
    PAIR("flag_stored_plain", "flag_stored_volatile", flag_stored, 2, d, flag, out);
    PAIR("passed_on", "passed_on_fenced", passed_on, 3, d, flag, out);
    PAIR("made_once", "made_once_fenced", made_once, 3, d, flag, lock, out);
    PAIR("sequence", "sequence_fenced", sequence, 2, d, flag, out);
    PAIR("each_first", "each_first_fenced", each_first, 2, flag, out);
    PAIR("left_plain", "left_volatile", left, 3, d, lock);
    PAIR("left_by_asm", "left_by_asm_both", left_by_asm, 2, d, lock);
    PAIR("most_by_hand", "most_by_atomic", most, 5, d);
    PAIR("room_checked", "room_taken", room, 4, flag, out);
    else if (CASE("left_in_block"))
        left_in_block<false><<<1, 96>>>(d);
    else if (CASE("left_in_block_volatile"))
        left_in_block<true><<<1, 96>>>(d);
    else if (CASE("taken_by_one"))
        taken<false><<<3, 32>>>(d, lock);
    else if (CASE("taken_for_all"))
        taken<true><<<3, 32>>>(d, lock);
    PAIR("held_in_loop", "held_in_loop_fenced", held_in_loop, 3, d, lock);
    PAIR("looked_again", "looked_again_fenced", looked_again, 2, d, flag, out);
    int result[32];
    cudaMemcpy(result, d, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return 0;
}
