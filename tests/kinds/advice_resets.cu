// What is advised where one thread sets back what all of its block have read, beside counters whose results say where to store, and where the
// better of two is kept by hand: a barrier there, an atomic here. And where the read that came before a write of another block is to come behind it.
//
// case read_then_reset expect=data-race says=__syncthreads.*after.line.[0-9]+.and.before.the.branch nor=atomic|fence
// case read_then_reset_late expect=silent
// case reset_then_counted expect=data-race also=missing-release says=__syncthreads... nor=sets.back|fence|atomicAdd
// case pushed_then_reset expect=data-race also=missing-release says=__syncthreads... nor=__threadfence|atomicAdd
// case least_kept expect=data-race says=an.atomic.on.lines.[0-9]+.and.[0-9]+ nor=__syncthreads
// case least_kept_at_once expect=silent
// case sorted_in_warp expect=data-race says=__syncwarp nor=an.atomic
// case sorted_in_step expect=silent
// case peeled_again expect=data-race says=look.at.what.the.atomic.on.line.[0-9]+.returns nor=__syncthreads|is.plain
// case peeled_across expect=data-race says=look.at.what.the.atomic.on.line.[0-9]+.returns nor=of.the.whole.grid|is.plain
// case peeled_by_result expect=silent
// case refit_unreleased expect=missing-release says=__threadfence...right.before.the.signal nor=and.then.a.signal
// case refit expect=silent
// case offsets_early expect=data-race says=__syncthreads nor=before.a.thread.signals|after.line
// case offsets_awaited expect=silent
// case first_marks expect=data-race level=error says=an.atomic.on.lines
#include <cstring>
#include <cuda_runtime.h>

/** A round's queue is read while the next one's fills; thread 0 then empties it. */
__global__ void rounds(int *out, bool before, bool after)
{
    __shared__ int queue[2][64], n[2];
    int t = threadIdx.x, now = 0, sum = 0;
    queue[0][t] = t;
    if (t == 0) {
        n[0] = 32;
        n[1] = 0;
    }
    __syncthreads();
    for (int r = 0; r < 4; r++) {
        int count = n[now]; // read_then_reset
        if (count == 0)
            break;
        for (int i = t; i < count; i += blockDim.x) {
            int v = queue[now][i];
            sum += v;
            if (v % 2 == 0)
                queue[now ^ 1][atomicAdd(&n[now ^ 1], 1)] = v / 2;
        }
        if (before)
            __syncthreads();
        if (t == 0)
            n[now] = 0; // reset_then_counted
        now ^= 1;
        if (after)
            __syncthreads();
    }
    atomicAdd(out, sum);
}

/** The same, where an element is pushed for three others, and a count of all is kept. */
__global__ void pushes(int *out, const int *in)
{
    __shared__ int queue[2][256], n[2], all;
    int t = threadIdx.x, now = 0;
    queue[0][t] = t;
    if (t == 0) {
        n[0] = 32;
        n[1] = all = 0;
    }
    __syncthreads();
    for (int r = 0; r < 3; r++) {
        int count = n[now];
        if (count == 0)
            break;
        for (int i = t; i < count; i += blockDim.x)
            for (int k = 0; k < 3; k++) {
                int to = in[queue[now][i] * 3 + k];
                if (atomicMin(&out[to], r) > r) {
                    if (to % 4)
                        queue[now ^ 1][atomicAdd(&n[now ^ 1], 1)] = to;
                    else
                        out[64 + atomicAdd(&all, 1)] = to;
                }
            }
        if (t == 0)
            n[now] = 0; // pushed_then_reset
        now ^= 1;
        __syncthreads();
    }
}

__global__ void least(int *out, const int *in, bool at_once)
{
    __shared__ int best[4];
    int t = threadIdx.x, v = in[t];
    if (t < 4)
        best[t] = 1000;
    __syncthreads();
    if (at_once)
        atomicMin(&best[v % 4], v);
    else if (best[v % 4] > v)
        best[v % 4] = v; // least_kept
    __syncthreads();
    if (t < 4)
        out[t] = best[t];
}

/** Neighbours change places: what is compared is moved, not kept. */
__global__ void sort(int *out, const int *in, bool in_step)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    for (int r = 0; r < 32; r++) {
        int i = 2 * t + (r & 1);
        if (i + 1 < 32) {
            int x = s[i], y = s[i + 1];
            if (x > y) {
                s[i] = y;
                s[i + 1] = x;
            }
        }
        if (in_step)
            __syncwarp();
    }
    __syncwarp();
    out[t] = s[t];
}

__global__ void mark(int *out, const int *in)
{
    __shared__ int seen[4];
    int t = threadIdx.x, v = in[t];
    if (t < 4)
        seen[t] = 0;
    __syncthreads();
    if (seen[v % 4] == 0)
        seen[v % 4] = t + 1; // first_marks
    __syncthreads();
    if (t < 4)
        out[t] = seen[t];
}

/** Whoever takes a degree down to one less than it must be is to be peeled, once. */
template <bool BY_RESULT> __global__ void peel(int *degree, int *next)
{
    int v = (blockIdx.x * blockDim.x + threadIdx.x) / 3;
    if (BY_RESULT) {
        if (atomicSub(&degree[v], 1) == 3)
            atomicAdd(&next[v], 1);
        return;
    }
    atomicSub(&degree[v], 1);
    if (degree[v] == 2) // peeled_again
        atomicAdd(&next[v], 1);
}

/** Up a tree: who comes second to a node goes on, and puts there what its two children have, before it comes to the next. */
__global__ void refit(int *box, int *visits, const int *leaf, bool released)
{
    int n = 8 + blockIdx.x;
    box[n] = leaf[blockIdx.x];
    for (n /= 2; n > 0; n /= 2) {
        if (released)
            __threadfence();
        if (atomicAdd(&visits[n], 1) == 0)
            return;
        __threadfence();
        box[n] = max(box[2 * n], box[2 * n + 1]); // refit_unreleased
    }
}

/** The last block computes where each class begins, and lets all others go on: one thread of each block waits for that. */
__global__ void route(int *out, const int *in, int *state, bool awaited)
{
    int *count = state, *from = state + 4, *filled = state + 8, *ticket = state + 12, *go = state + 13, t = threadIdx.x, mine = in[blockIdx.x * 32 + t] % 4;
    atomicAdd(&count[mine], 1);
    __syncthreads();
    if (t == 0) {
        __threadfence();
        bool last = atomicAdd(ticket, 1) == (int)gridDim.x - 1;
        __threadfence();
        if (last) {
            for (int k = 0, sum = 0; k < 4; k++) {
                from[k] = sum;
                sum += count[k];
            }
            __threadfence();
            *(volatile int *)go = 1;
        } else {
            while (*(volatile int *)go == 0)
                ;
            __threadfence();
        }
    }
    if (awaited)
        __syncthreads();
    int to = from[mine] + atomicAdd(&filled[mine], 1); // offsets_early
    if (awaited)
        out[to] = mine;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    int *out, *in, h[192];
    auto is = [&](const char *name) { return !strcmp(which, name); };
    for (int i = 0; i < 192; i++)
        h[i] = i * 37 % 64;
    cudaMalloc(&out, 2048);
    cudaMalloc(&in, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(out, is("pushed_then_reset") ? 1 : 0, 2048);
    if (is("pushed_then_reset"))
        pushes<<<1, 32>>>(out, in);
    else if (!strncmp(which, "least", 5))
        least<<<1, 32>>>(out, in, is("least_kept_at_once"));
    else if (!strncmp(which, "sorted", 6))
        sort<<<1, 32>>>(out, in, is("sorted_in_step"));
    else if (!strncmp(which, "refit", 5))
        refit<<<8, 1>>>(out, out + 64, in, is("refit"));
    else if (!strncmp(which, "peeled", 6))
        (is("peeled_by_result") ? peel<true> : peel<false>)<<<is("peeled_across") ? 32 : 1, is("peeled_across") ? 1 : 32>>>(out, out + 64);
    else if (!strncmp(which, "offsets", 7))
        route<<<3, 32>>>(out, in, out + 256, is("offsets_awaited"));
    else if (is("first_marks"))
        mark<<<1, 32>>>(out, in);
    else
        rounds<<<1, 32>>>(out, !is("read_then_reset"), !is("reset_then_counted"));
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(in);
}
