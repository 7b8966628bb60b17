// Undefined values that go through functions which are called, not inlined: through arguments, in parts of structures, and results;
// told where somebody uses them, with the load where they began. Passing one is no use.
//
// nvcc: -rdc=true
//
// case added_inside expect=uninitialized-read says=computed.from.it
// case added_inside_set expect=silent
// case added_outside expect=uninitialized-read says=computed.from.it
// case added_outside_left expect=silent
// case branched_inside expect=uninitialized-read says=branches
// case branched_inside_set expect=silent
// case index_inside expect=uninitialized-read says=address
// case index_inside_set expect=silent
// case chosen_other expect=silent
// case chosen_unwritten expect=uninitialized-read says=takes.that.value
// case shuffled_inside expect=uninitialized-read says=takes.no.part
// case shuffled_inside_all expect=silent
// case shuffled_inside_left expect=silent
// case members_used expect=uninitialized-read
// case members_unused expect=silent
// case members_back expect=uninitialized-read
// case members_back_left expect=silent
// case chars_used expect=uninitialized-read
// case chars_unused expect=silent
// case padding_passed expect=silent
// case wide_used expect=uninitialized-read
// case wide_unused expect=silent
// case again_and_again expect=uninitialized-read
// case again_left_out expect=silent
// case nested_used expect=uninitialized-read
// case nested_unused expect=silent
// case by_pointer_used expect=uninitialized-read says=[Tt]hread.4.of
// case by_pointer_unused expect=silent
// case pointer_unwritten expect=uninitialized-read also=trap status=2 says=address
// case pointer_written expect=silent
// case jump_unwritten expect=uninitialized-read says=branches
// case jump_written expect=silent
// case parted_used expect=uninitialized-read says=[Tt]hread.1.of
// case parted_unused expect=silent
// case stack_again expect=silent
// case unset_used expect=uninitialized-read says=has.not.set
// case unset_unused expect=silent
// case registers_used expect=uninitialized-read
// case registers_unused expect=silent
// case made_by_builtin expect=silent
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 128 };

__device__ __noinline__ int load_add(const int *p, int v)
{
    return *p + v; // added_inside
}

__global__ void add_inside(int *out, const int *in, const int *unwritten)
{
    out[threadIdx.x] = load_add(unwritten + threadIdx.x, in[threadIdx.x]);
}

__device__ __noinline__ int fetch(const int *p)
{
    return *p; // added_outside
}

__global__ void add_outside(int *out, const int *in, const int *unwritten, int n)
{
    int v = fetch(unwritten + threadIdx.x) + 1;
    out[threadIdx.x] = (int)threadIdx.x < n ? v : in[threadIdx.x];
}

__device__ __noinline__ int sign_of(int v, const int *in)
{
    if (v > 0)
        return in[1];
    return *(volatile const int *)in;
}

__global__ void branch_inside(int *out, const int *in, const int *unwritten)
{
    out[threadIdx.x] = sign_of(unwritten[threadIdx.x], in); // branched_inside
}

__device__ __noinline__ int element(const int *in, int i)
{
    return in[i & 7];
}

__global__ void index_inside(int *out, const int *in, const int *unwritten)
{
    out[threadIdx.x] = element(in, unwritten[threadIdx.x]); // index_inside
}

__device__ __noinline__ int choose(int a, int b, int which)
{
    return which ? a : b;
}

__global__ void choose_one(int *out, const int *in, const int *unwritten, int which)
{
    int u = unwritten[threadIdx.x]; // chosen_unwritten
    out[threadIdx.x] = choose(in[threadIdx.x], u, which);
}

__device__ __noinline__ int sum_lanes(int v)
{
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(~0u, v, d); // shuffled_inside
    return v;
}

__global__ void shuffle_inside(int *out, int n, int shown)
{
    if ((int)threadIdx.x >= n)
        return;
    int sum = sum_lanes(threadIdx.x);
    if ((int)threadIdx.x < shown)
        out[threadIdx.x] = sum;
}

struct members {
    int a, b, more[14];
};

__device__ __noinline__ int sum_of(members m, int from, int to)
{
    int sum = 0;
#pragma unroll
    for (int i = 0; i < 14; i++)
        if (i >= from && i < to)
            sum += m.more[i];
    return sum + m.a;
}

__global__ void by_members(int *out, const int *in, const int *unwritten, int from, int to)
{
    members m;
    m.a = in[0];
    m.b = in[1];
    for (int i = 0; i < 14; i++)
        m.more[i] = i % 7 == 3 ? unwritten[i] : in[i]; // members_used
    out[threadIdx.x] = sum_of(m, from, to);
}

__device__ __noinline__ members several(const int *in, const int *unwritten)
{
    members m;
    for (int i = 0; i < 14; i++)
        m.more[i] = i % 7 == 3 ? unwritten[i] : in[i]; // members_back
    m.a = in[0];
    m.b = in[1];
    return m;
}

__global__ void members_back(int *out, const int *in, const int *unwritten, int which)
{
    members m = several(in, unwritten);
    out[threadIdx.x] = which ? m.more[10] + 1 : m.more[9] + m.more[11];
}

struct chars {
    signed char a, b, c, d, e;
};

__device__ __noinline__ int char_of(chars c, int which)
{
    return which == 1 ? c.b * 3 : which == 2 ? c.e * 5 : (c.a + c.c) * 7;
}

__global__ void by_chars(int *out, const signed char *in, const signed char *unwritten, int which)
{
    chars c = {in[0], unwritten[1], in[2], in[3], in[4]}; // chars_used
    out[threadIdx.x] = char_of(c, which);
}

struct padded {
    char c;
    int i;
    short s;
};

__device__ __noinline__ int padded_sum(padded p)
{
    return p.c + p.i + p.s;
}

__global__ void by_padded(padded *some, int *out)
{
    some[threadIdx.x].c = 1;
    some[threadIdx.x].i = 2;
    some[threadIdx.x].s = 3;
    out[threadIdx.x] = padded_sum(some[threadIdx.x]);
}

__device__ __noinline__ double wide_of(double d, float4 f, int which)
{
    return which == 0 ? d + 1 : which == 1 ? f.x + f.z : f.y * 2;
}

__global__ void by_wide(double *out, const double *in, const double *unwritten, int which)
{
    float4 f = make_float4(1, ((const float *)unwritten)[threadIdx.x], 3, 4); // wide_used
    out[threadIdx.x] = wide_of(in[threadIdx.x], f, which);
}

__device__ __noinline__ int again(int n, int v, int used)
{
    if (n < 2)
        return used ? v + n : n;
    return again(n - 1, v, used) * 3 ^ again(n - 2, v, used);
}

__global__ void recursive(int *out, const int *unwritten, int used)
{
    int v = unwritten[threadIdx.x]; // again_and_again
    out[threadIdx.x] = again(5 + threadIdx.x % 3, v, used);
}

__device__ __noinline__ int outer(int a, int b, const int *in)
{
    int v = choose(a, b, in[0]);
    return v + choose(a, in[1], 0);
}

__global__ void nested(int *out, const int *in, const int *unwritten, int used)
{
    int u = unwritten[threadIdx.x]; // nested_used
    int v = in[threadIdx.x];
    out[threadIdx.x] = used ? outer(u, v, in) : outer(v, v, in) + choose(3, u, 1);
}

__device__ __noinline__ int uses(int v)
{
    return v * 3;
}

__device__ __noinline__ int ignores(int v)
{
    return threadIdx.x;
}

typedef int (*function)(int);

// Of eight lanes, the fifth has what nobody has written.
__global__ void by_pointer(int *out, const int *in, const int *unwritten, int used)
{
    int u = threadIdx.x % 8 == 4 ? unwritten[threadIdx.x] : in[threadIdx.x]; // by_pointer_used
    function f = (int)threadIdx.x % 8 == used ? ignores : uses;
    out[threadIdx.x] = f(u);
}

__global__ void by_table(int *out, function *table, int set)
{
    function all[2] = {uses, ignores};
    if (set)
        table[threadIdx.x] = all[threadIdx.x % 2];
    function f = table[threadIdx.x]; // pointer_unwritten
    out[threadIdx.x] = f(3);
}

// A branch by a table whose index cannot be too large, which nobody checks then.
__global__ void jump(int *out, const int *where)
{
    int i = where[threadIdx.x], v; // jump_unwritten
    asm volatile("{\n.reg .u32 i;\nand.b32 i, %1, 1;\nplaces: .branchtargets even, odd;\nbrx.idx i, places;\n"
                 "even: mov.u32 %0, 2;\nbra.uni behind;\nodd: mov.u32 %0, 3;\nbehind:\n}"
                 : "=r"(v)
                 : "r"(i));
    out[threadIdx.x] = v;
}

// Two places call one function, lanes with an odd number what nobody has written.
__global__ void parted(int *out, const int *in, const int *unwritten, int odd)
{
    int v;
    if (threadIdx.x % 2)
        v = uses(unwritten[threadIdx.x]); // parted_used
    else
        v = uses(in[threadIdx.x]);
    if ((int)threadIdx.x % 2 == odd)
        out[threadIdx.x] = v;
}

__device__ __noinline__ int deep_unused(members m, int n)
{
    return n ? sum_of(m, 0, 3) : 0;
}

// What has been passed undefined to one function is nobody's once another one has that part of the stack.
__global__ void stack_again(int *out, const int *in, const int *unwritten)
{
    members m, full;
    for (int i = 0; i < 14; i++) {
        m.more[i] = unwritten[i];
        full.more[i] = in[i];
    }
    m.a = m.b = full.a = full.b = in[0];
    int v = deep_unused(m, in[0] - in[0]);
    v += sum_of(full, 0, 14) + again(4, in[0], 1) + wide_of(in[0], make_float4(1, 2, 3, 4), 2);
    out[threadIdx.x] = v;
}

__global__ void unset(int *out, const int *in, int used)
{
    int v;
    asm volatile("" : "+r"(v));
    out[threadIdx.x] = used ? uses(v) : ignores(v); // registers
}

extern "C" __device__ __noinline__ int last_of(int a, int b)
{
    return b + 1;
}

// Arguments and results in registers, which nvcc does not do.
__global__ void by_registers(int *out, const int *in, const int *unwritten, int used)
{
    int u = unwritten[threadIdx.x], v = in[threadIdx.x], r; // registers_used
    if (!used)
        v = last_of(u, v);
    asm volatile("call (%0), last_of, (%1, %2);" : "=r"(r) : "r"(used ? v : u), "r"(used ? u : v));
    out[threadIdx.x] = r + last_of(1, 2);
}

extern "C" __device__ __noinline__ long long fetch_long(const long long *p)
{
    return *p;
}

// A place for a result, in which an undefined one has been, and then a built-in function's.
__global__ void by_builtin(int *out, const long long *unwritten)
{
    unsigned long long made;
    if (unwritten == NULL)
        out[0] = (int)fetch_long(unwritten);
    asm volatile("{\n.param .b64 r;\n.param .b64 a;\n"
                 "st.param.b64 [a], %1;\ncall (r), fetch_long, (a);\n"
                 "st.param.b64 [a], 16;\ncall (r), malloc, (a);\nld.param.b64 %0, [r];\n}"
                 : "=l"(made)
                 : "l"(unwritten));
    out[threadIdx.x] = made != 0;
    free((void *)made);
    free(malloc(8));
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *out, *in, *unwritten, host[N * 4];
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&unwritten, sizeof host);
    cudaMemset(out, 0, sizeof host);
    cudaMemset(in, 1, sizeof host);
    auto is = [&](const char *s) { return !strcmp(name, s); };
    auto begins = [&](const char *s) { return !strncmp(name, s, strlen(s)); };
    if (is("added_inside_set") || is("branched_inside_set") || is("index_inside_set"))
        cudaMemset(unwritten, 1, sizeof host);
    if (begins("added_inside"))
        add_inside<<<1, N>>>(out, in, unwritten);
    else if (begins("added_outside"))
        add_outside<<<1, N>>>(out, in, unwritten, is("added_outside") ? N : 0);
    else if (begins("branched_inside"))
        branch_inside<<<1, N>>>(out, in, unwritten);
    else if (begins("index_inside"))
        index_inside<<<1, N>>>(out, in, unwritten);
    else if (begins("chosen"))
        choose_one<<<1, N>>>(out, in, unwritten, is("chosen_other"));
    else if (begins("shuffled_inside"))
        shuffle_inside<<<1, 64>>>(out, is("shuffled_inside_all") ? 64 : 40, is("shuffled_inside_left") ? 32 : 64);
    else if (begins("members_back"))
        members_back<<<1, N>>>(out, in, unwritten, is("members_back"));
    else if (begins("members"))
        by_members<<<1, N>>>(out, in, unwritten, is("members_used") ? 8 : 4, is("members_used") ? 12 : 9);
    else if (begins("chars"))
        by_chars<<<1, N>>>(out, (signed char *)in, (signed char *)unwritten, is("chars_used") ? 1 : 2);
    else if (is("padding_passed"))
        by_padded<<<1, 32>>>((padded *)unwritten, out);
    else if (begins("wide"))
        by_wide<<<1, 64>>>((double *)out, (double *)in, (double *)unwritten, is("wide_used") ? 2 : 1);
    else if (begins("again"))
        recursive<<<1, N>>>(out, unwritten, is("again_and_again"));
    else if (begins("nested"))
        nested<<<1, N>>>(out, in, unwritten, is("nested_used"));
    else if (begins("by_pointer"))
        by_pointer<<<1, N>>>(out, in, unwritten, is("by_pointer_used") ? 3 : 4);
    else if (begins("pointer"))
        by_table<<<1, 64>>>(out, (function *)unwritten, is("pointer_written"));
    else if (begins("jump"))
        jump<<<1, N>>>(out, is("jump_written") ? in : unwritten);
    else if (begins("parted"))
        parted<<<1, N>>>(out, in, unwritten, is("parted_used"));
    else if (is("stack_again"))
        stack_again<<<1, N>>>(out, in, unwritten);
    else if (begins("unset"))
        unset<<<1, N>>>(out, in, is("unset_used"));
    else if (begins("registers"))
        by_registers<<<1, N>>>(out, in, unwritten, is("registers_used"));
    else if (is("made_by_builtin"))
        by_builtin<<<1, N>>>(out, (long long *)unwritten);
    if (cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 2;
    printf("%d\n", host[0]);
    cudaFree(out);
    cudaFree(in);
    cudaFree(unwritten);
    return 0;
}
