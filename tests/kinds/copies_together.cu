// Copies that bring the same to one place, as plain stores of one value: a warning. Where they bring different bytes it is an error, though
// no copy's bytes are there when the next one of its warp is judged.
//
// arch compute_90
//
// case copy_same_word expect=data-race level=warning
// case copy_other_words expect=data-race
// case copy_same_pieces expect=data-race level=warning
// case copy_pieces_last_word_differs expect=data-race
// case copy_same_in_pairs expect=data-race level=warning
// case copy_differs_in_one_pair expect=data-race
// case copy_first_and_last_agree expect=data-race
// case copy_zeros_beside_zeros expect=data-race level=warning
// case copy_zeros_beside_ones expect=data-race
// case copy_same_again expect=data-race level=warning
// case copy_same_of_warps expect=data-race level=warning
// case copy_others_of_warps expect=data-race
// case copy_same_read_unwaited expect=data-race
// case copy_same_of_one_lane expect=silent
// case bulk_same expect=data-race level=warning
// case bulk_others expect=data-race
#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64 };

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ void copy4(void *to, const void *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(to)), "l"(from) : "memory");
}
__device__ void copy4_of(void *to, const void *from, unsigned bytes)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(at(to)), "l"(from), "r"(bytes) : "memory");
}
__device__ void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(to)), "l"(from) : "memory");
}
__device__ void wait_all() { asm volatile("cp.async.wait_all;" ::: "memory"); }

enum what {
    copy_same_word, copy_other_words, copy_same_pieces, copy_pieces_last_word_differs, copy_same_in_pairs, copy_differs_in_one_pair,
    copy_first_and_last_agree, copy_zeros_beside_zeros, copy_zeros_beside_ones, copy_same_again, copy_same_of_warps, copy_others_of_warps,
    copy_same_read_unwaited, copy_same_of_one_lane, bulk_same, bulk_others, COUNT
};
static const char *const names[COUNT] = {
    "copy_same_word", "copy_other_words", "copy_same_pieces", "copy_pieces_last_word_differs", "copy_same_in_pairs", "copy_differs_in_one_pair",
    "copy_first_and_last_agree", "copy_zeros_beside_zeros", "copy_zeros_beside_ones", "copy_same_again", "copy_same_of_warps", "copy_others_of_warps",
    "copy_same_read_unwaited", "copy_same_of_one_lane", "bulk_same", "bulk_others"};

// in: all ones but in[8 * N ..], which counts up; the fourth word from in[7 * N] on is another one
template <what W> __global__ void words(const int *in, int *out)
{
    __shared__ __align__(16) int s[4 * N];
    const int *others = in + 8 * N;
    int t = threadIdx.x, lane = t % 32, sum = 0;
    if (W == copy_same_word && t < 32)
        copy4(&s[0], &in[0]); // copy_same_word
    if (W == copy_other_words && t < 32)
        copy4(&s[0], &others[lane]); // copy_other_words
    if (W == copy_same_pieces && t < 32)
        copy16(&s[0], &in[4 * lane]); // copy_same_pieces
    if (W == copy_pieces_last_word_differs && t < 32)
        copy16(&s[0], lane == 17 ? &in[7 * N] : &in[0]); // copy_pieces_last_word_differs
    if (W == copy_same_in_pairs && t < 32)
        copy4(&s[lane / 2], &others[lane / 2]); // copy_same_in_pairs
    if (W == copy_differs_in_one_pair && t < 32)
        copy4(&s[lane / 2], lane == 11 ? &in[0] : &others[lane / 2]); // copy_differs_in_one_pair
    if (W == copy_first_and_last_agree && t < 3)
        copy4(&s[0], lane == 1 ? &others[5] : &in[0]); // copy_first_and_last_agree
    if (W == copy_zeros_beside_zeros && t < 32)
        copy4_of(&s[0], &in[lane], 0); // copy_zeros_beside_zeros
    if (W == copy_zeros_beside_ones && t < 32)
        copy4_of(&s[0], &in[lane], lane == 9 ? 0 : 4); // copy_zeros_beside_ones
    if (W == copy_same_again)
        for (int i = 0; i < 3; i++) {
            if (t < 2)
                copy4(&s[0], &others[i]); // copy_same_again
            wait_all();
            __syncthreads();
            sum += s[0];
            __syncthreads();
        }
    if (W == copy_same_of_warps && lane == 0)
        copy4(&s[0], &in[0]); // copy_same_of_warps
    if (W == copy_others_of_warps && lane == 0)
        copy4(&s[0], &others[t]); // copy_others_of_warps
    if (W == copy_same_read_unwaited && t < 32) {
        copy4(&s[0], &in[0]);
        sum = s[0]; // copy_same_read_unwaited
    }
    if (W == copy_same_of_one_lane && t == 0) {
        copy4(&s[0], &others[1]);
        wait_all();
        copy4(&s[0], &others[2]);
    }
    wait_all();
    __syncthreads();
    if (t < 32 && W == copy_same_word)
        sum += s[0];
    out[t] = sum;
}

template <what W> __global__ void bulks(const int *in, int *out)
{
    __shared__ __align__(16) int s[4 * N];
    __shared__ uint64_t bar;
    const int *others = in + 8 * N;
    int t = threadIdx.x;
    if (t == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(at(&bar)) : "memory");
    __syncthreads();
    if (t < 2) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 32;" ::"r"(at(&bar)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 32, [%2];" ::"r"(at(s)),
                     "l"(W == bulk_same ? in : others + 8 * t), "r"(at(&bar)) : "memory"); // bulk_same bulk_others
    }
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n@!p bra W;\n}" ::"r"(at(&bar)) : "memory");
    out[t] = s[t % 8];
}

typedef void (*kernel)(const int *, int *);
template <int W> static kernel pick(int which)
{
    if (W == which)
        return W < bulk_same ? words<(what)W> : bulks<(what)W>;
    return pick<W + 1>(which);
}
template <> kernel pick<COUNT>(int) { return nullptr; }

int main(int argc, char **argv)
{
    int host[9 * N], *in, *out, which = 0;
    while (which < COUNT && (argc < 2 || strcmp(argv[1], names[which])))
        which++;
    if (which == COUNT)
        return 2;
    for (int i = 0; i < 9 * N; i++)
        host[i] = i < 8 * N ? 1 : i;
    host[7 * N + 3] = 2;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, N * sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    pick<0>(which)<<<1, N>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
