// What a finding advises and names: the words, not only the kind.
//
// case word_never_set expect=deadlock says=waits.at.line.[0-9]+.for.alloc0.2..to.change
// case word_set expect=silent
// case counter_by_all expect=data-race says=let.only.one.thread.do.line.[0-9]+
// case counter_by_one expect=silent
// case shift_in_place expect=data-race says=reads.what.other.threads.write.there:.read.into.a.variable
// case shift_by_variable expect=silent
// case halving_no_barrier expect=data-race says=__syncthreads.*after.the.branch.that.begins
// case halving expect=silent
// case unrolled_no_barrier expect=data-race says=__syncthreads.*before.the.loop.comes.to
// case unrolled expect=silent
// case both_in_branch expect=data-race says=outside.of.the.branch.that.begins.on.line.[0-9]+.*__syncthreads.*between.line.[0-9]+.and.line.[0-9]+,.reached.by.all.threads
// case branch_in_parts expect=silent
// case before_branch expect=data-race says=__syncthreads.*after.line.[0-9]+.and.before.the.branch.on.line
// case barrier_before_branch expect=silent
// case one_line_twice expect=data-race says=after.line.[0-9]+,.before.the.threads.come.to.it.again,.reached.by.all.threads
// case one_line_in_turn expect=silent
// case straight expect=data-race says=__syncthreads...between.line
// case never_freed expect=leak level=warning says=alloc2,.256.bytes.of.device.memory..line.[0-9]+.,.was.never.freed
// case past_the_end expect=out-of-bounds says=of.alloc0..line.[0-9]+.,.which.holds.256.bytes
// case to_the_end expect=silent
// case two_widths expect=data-race says=bytes.on.line.[0-9]+,.as.line.[0-9]+.has
// case one_width expect=silent
// case neighbour_in_place expect=data-race says=reads.what.other.blocks.write.there:.write.to.another.array
// case neighbour_elsewhere expect=silent
// case signal_unreleased expect=missing-release says=right.before.the.signal.on.line.[0-9]+,.by.the.thread.that.signals
// case signal_released expect=silent
// case data_volatile_half expect=missing-release says=right.before.the.signal.on.line
// case data_volatile_fenced expect=silent
// case neither_fence expect=missing-release says=and.behind.the.loop.that.polls.on.line.[0-9]+
// case both_fences expect=silent
// case polled_unacquired expect=missing-acquire says=__threadfence...behind.the.loop.that.polls.on.line.[0-9]+
// case polled expect=silent
// case volatile_unacquired expect=ordering says=__threadfence...(behind.the.loop.that.polls|after.the.read.of.the.signal).on.line
// case volatile_unreleased expect=ordering says=__threadfence...right.before.the.signal.on.line.[0-9]+,.by.the.thread.that.signals[^,]
// case volatile_neither expect=ordering says=__threadfence...before.the.signal.on.line.[0-9]+.and.behind.the.loop
// case volatile_fenced expect=silent
// case dynamic_by_two expect=data-race says=both.write...dynamic.3.
// case dynamic_by_one expect=silent
// case write_around expect=data-race says=__syncthreads...after.line.[0-9]+.and.before.the.branch.on.line
// case write_apart expect=silent
#include <cstdio>
#include <cstring>

__global__ void word(int *flags, bool set)
{
    if (threadIdx.x == 0 && set)
        atomicExch(&flags[2], 1);
    if (threadIdx.x == 32)
        while (atomicAdd(&flags[2], 0) == 0) // word_never_set
            ;
}

__global__ void counter(int *out, bool one)
{
    __shared__ int n;
    if (threadIdx.x == 0)
        n = 0;
    __syncthreads();
    if (!one || threadIdx.x == 0)
        n = n + 1; // counter_by_all
    __syncthreads();
    out[threadIdx.x] = n;
}

__global__ void unrolled(int *out, bool barrier)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int k = 32; k; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k]; // unrolled_no_barrier
        if (barrier)
            __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = s[0];
}

template <bool variable>
__global__ void shift(int *out)
{
    __shared__ int s[65];
    s[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0)
        s[64] = 0;
    __syncthreads();
    if (variable) {
        int next = s[threadIdx.x + 1];
        __syncthreads();
        s[threadIdx.x] = next;
    } else {
        s[threadIdx.x] = s[threadIdx.x + 1]; // shift_in_place
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

__global__ void halve(int *out, int n, bool barrier)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    for (int k = n; k; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] += s[threadIdx.x + k]; // halving_no_barrier
        if (barrier)
            __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = s[0];
}

__global__ void branch(int *out, volatile int *n, bool parts)
{
    __shared__ int s[64];
    if (threadIdx.x % 4 < 2) {
        n[threadIdx.x] = 1;
        s[threadIdx.x] = n[threadIdx.x];
        if (!parts)
            out[threadIdx.x] = s[threadIdx.x ^ 1]; // both_in_branch
        n[threadIdx.x] = 2;
    }
    if (!parts)
        return;
    __syncthreads();
    if (threadIdx.x % 4 < 2)
        out[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void before(int *out, volatile int *n, bool barrier)
{
    __shared__ int s[64];
    s[threadIdx.x] = n[threadIdx.x];
    if (barrier)
        __syncthreads();
    if (threadIdx.x % 4 < 2) {
        n[threadIdx.x] = 1;
        out[threadIdx.x] = s[threadIdx.x ^ 2]; // before_branch
        n[threadIdx.x] = 2;
    }
}

__global__ void end(int *out, bool right)
{
    if (threadIdx.x < 64 || !right)
        out[threadIdx.x] = 1; // past_the_end
}

__global__ void line(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[threadIdx.x ^ 33]; // straight
}

/** A loop that the compiler unrolls: one line, twice. */
template <bool right>
__global__ void turns(int *out)
{
    __shared__ int s[64];
#pragma unroll
    for (int k = 0; k < 2; k++) {
        s[threadIdx.x ^ 33 * k] = threadIdx.x; // one_line_twice
        if (right)
            __syncthreads();
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

/** A flag that is polled as it is written, or by its first half only. */
__global__ void widths(int *out, bool right)
{
    unsigned long long *flag = (unsigned long long *)out;
    if (blockIdx.x == 0)
        atomicExch(flag, 1ull);
    else if (right)
        while (atomicAdd(flag, 0ull) == 0)
            ;
    else
        while (*(volatile int *)out == 0) // two_widths
            ;
}

__global__ void neighbours(int *in, int *out, bool right)
{
    int *to = right ? out : in;
    to[blockIdx.x] = in[(blockIdx.x + 1) % 4]; // neighbour_in_place
}

/** The whole block writes, and its thread 0 signals behind the barrier. */
__global__ void signals(int *out, volatile int *flag, bool right)
{
    if (blockIdx.x == 0) {
        out[threadIdx.x] = 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            if (right)
                __threadfence();
            *flag = 1;
        }
    } else {
        if (threadIdx.x == 0) {
            while (*flag == 0)
                ;
            __threadfence();
        }
        __syncthreads();
        out[32 + threadIdx.x] = out[threadIdx.x]; // signal_unreleased
    }
}

/** Data that one side takes for volatile: the signal is what needs the fence. */
__global__ void half(int *out, volatile int *flag, bool right)
{
    if (blockIdx.x == 0) {
        *(volatile int *)out = 42;
        if (right)
            __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        __threadfence();
        out[1] = out[0]; // data_volatile_half
    }
}

/** Neither side orders anything: a fence in one of them mends nothing. */
__global__ void neither(int *out, volatile int *flag, bool right)
{
    if (blockIdx.x == 0) {
        out[0] = 42;
        if (right)
            __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        if (right)
            __threadfence();
        out[1] = out[0]; // neither_fence
    }
}

// What the second block waits for must be acquired where its wait has ended, and not in the loop.
__global__ void polls(int *a, int *flag, bool right)
{
    if (blockIdx.x == 0) {
        a[1] = 1;
        __threadfence();
        *(volatile int *)flag = 1;
        return;
    }
    while (*(volatile int *)flag == 0) {
    }
    if (right)
        __threadfence();
    a[0] = a[1]; // polled_unacquired
}

// Volatile on both sides: which of the two fences is missing.
__global__ void kept_volatile(volatile int *a, int *flag, bool released, bool acquired)
{
    if (blockIdx.x == 0) {
        a[1] = 7;
        if (released)
            __threadfence();
        atomicExch(flag, 1);
        return;
    }
    while (atomicAdd(flag, 0) == 0)
        ;
    if (acquired)
        __threadfence();
    a[0] = a[1]; // volatile_unacquired volatile_unreleased volatile_neither
}

// Dynamic shared memory begins behind the static part: elements of it are counted from there.
__global__ void behind_static(int *out, bool one)
{
    extern __shared__ int dynamic[];
    __shared__ int first[40];
    first[threadIdx.x] = (int)threadIdx.x;
    if (threadIdx.x == 0 || (threadIdx.x == 1 && !one))
        dynamic[3] = first[threadIdx.x]; // dynamic_by_two
    __syncthreads();
    out[threadIdx.x] = dynamic[3];
}

// A reader that comes late does not stand in the branch: the write does that its barrier must not come into.
__global__ void around(int *out, bool right)
{
    __shared__ int s;
    if (threadIdx.x == 0)
        s = 1;
    __syncthreads();
    if (threadIdx.x >= 32)
        for (int i = 0; i < 100; i++)
            out[threadIdx.x] += i;
    __syncwarp();
    out[threadIdx.x] = s; // write_around
    if (right)
        __syncthreads();
    if (threadIdx.x == 0)
        s = 2;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *a, *b, *b2;
    cudaMalloc((void **)&a, 64 * sizeof *a);
    cudaMalloc(&b, 64 * sizeof *b);
    cudaMemset(a, 0, 64 * sizeof *a);
    cudaMemset(b, 0, 64 * sizeof *b);
    struct { const char *name; int which; bool right; } cases[] = {
        {"word_never_set", 0, false},     {"word_set", 0, true},
        {"counter_by_all", 1, false},     {"counter_by_one", 1, true},
        {"shift_in_place", 2, false},     {"shift_by_variable", 2, true},
        {"halving_no_barrier", 3, false}, {"halving", 3, true},
        {"unrolled_no_barrier", 7, false}, {"unrolled", 7, true},
        {"both_in_branch", 4, false},     {"branch_in_parts", 4, true},
        {"before_branch", 5, false},      {"barrier_before_branch", 5, true},
        {"straight", 6, false},           {"never_freed", 9, false},
        {"two_widths", 10, false},        {"one_width", 10, true},
        {"neighbour_in_place", 11, false}, {"neighbour_elsewhere", 11, true},
        {"signal_unreleased", 12, false}, {"signal_released", 12, true},
        {"data_volatile_half", 13, false}, {"data_volatile_fenced", 13, true},
        {"one_line_twice", 14, false},    {"one_line_in_turn", 14, true},
        {"neither_fence", 15, false},     {"both_fences", 15, true},
        {"polled_unacquired", 16, false}, {"polled", 16, true},
        {"volatile_unacquired", 18, true}, {"volatile_unreleased", 19, true},
        {"dynamic_by_two", 21, false},    {"dynamic_by_one", 21, true},
        {"volatile_neither", 20, false},  {"volatile_fenced", 20, true},
        {"write_around", 17, false},      {"write_apart", 17, true},
        {"past_the_end", 8, false},       {"to_the_end", 8, true},
    };
    for (const auto &c : cases) {
        if (strcmp(c.name, name))
            continue;
        switch (c.which) {
        case 0: word<<<1, 64>>>(a, c.right); break;
        case 1: counter<<<1, 64>>>(a, c.right); break;
        case 2: c.right ? shift<true><<<1, 64>>>(a) : shift<false><<<1, 64>>>(a); break;
        case 3: halve<<<1, 64>>>(a, 32, c.right); break;
        case 4: branch<<<1, 64>>>(a, b, c.right); break;
        case 5: before<<<1, 64>>>(a, b, c.right); break;
        case 7: unrolled<<<1, 64>>>(a, c.right); break;
        case 8: end<<<1, 128>>>(a, c.right); break;
        case 10: widths<<<2, 1>>>(a, c.right); break;
        case 11: neighbours<<<4, 1>>>(a, b, c.right); break;
        case 12: signals<<<2, 32>>>(a, b, c.right); break;
        case 13: half<<<2, 1>>>(a, b, c.right); break;
        case 14: c.right ? turns<true><<<1, 64>>>(a) : turns<false><<<1, 64>>>(a); break;
        case 15: neither<<<2, 1>>>(a, b, c.right); break;
        case 16: polls<<<2, 1>>>(a, b, c.right); break;
        case 17: around<<<1, 64>>>(a, c.right); break;
        case 18: kept_volatile<<<2, 1>>>(a, b, c.right, false); break;
        case 19: kept_volatile<<<2, 1>>>(a, b, false, c.right); break;
        case 20: kept_volatile<<<2, 1>>>(a, b, c.right, c.right); break;
        case 21: behind_static<<<1, 32, 64>>>(a, c.right); break;
        case 9: cudaMalloc((void **)&b2, 256); break;
        case 6: line<<<1, 64>>>(a); break;
        }
    }
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    return 0;
}
