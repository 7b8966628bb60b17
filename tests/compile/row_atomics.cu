// Atomics by half warps that fill rows of global memory, as blocks' counts are added up, which the race checker puts down once a row (softgpu/check/race/shadow/row_atomics.h):
// some blocks go through steps drawn from a seed, atomics of several kinds and scopes, of all lanes or some, in place or moved, plain and strong loads and stores of
// single words and of rows, fences and flags among them; in one or two launches, on one stream or two. With SOFTGPU_ONE_BY_ONE=1 each atomic is told by itself: findings must be the same.
//
//   row_atomics SEED
#include "drawn.cuh"

#define THREADS 64
#define WORDS 128
#define STEPS 14
#define BLOCKS 5
#define BACKGROUND 6 // of ten steps, so many are the usual atomic

enum kind { ADD, ADD_BLOCK, MAX, EXCH, CAS, ADD_RETURNS, LOAD, STORE, STRONG_LOAD, STRONG_STORE, ONE_LOAD, ONE_STORE, ONE_ADD, FENCE, BARRIER, SIGNAL, HEAR, KINDS };

struct step {
    int kind, at;
    unsigned lanes;
};

__global__ void steps(const struct step *all, int *words, int *out)
{
    const struct step *mine = all + blockIdx.x * STEPS;
    int t = threadIdx.x, v = 0;
    for (int i = 0; i < STEPS; i++) {
        int *p = words + (t + mine[i].at) % WORDS, *one = words + mine[i].at;
        bool first = t == (mine[i].at & 63);
        if (mine[i].kind == BARRIER) {
            __syncthreads();
            continue;
        }
        if (!(mine[i].lanes >> (t & 31) & 1))
            continue;
        switch (mine[i].kind) {
        case ADD: asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(p) : "memory"); break; // apart from ADD_RETURNS
        case ADD_BLOCK: atomicAdd_block(p, 1); break;
        case MAX: atomicMax(p, i); break;
        case EXCH: atomicExch(p, 3); break;
        case CAS: atomicCAS(p, 0, 5); break;
        case ADD_RETURNS: v += atomicAdd(p, 1); break;
        case LOAD: v += *p; break;
        case STORE: *p = i; break;
        case STRONG_LOAD: v += *(volatile int *)p; break;
        case STRONG_STORE: *(volatile int *)p = i; break;
        case ONE_LOAD: if (first) v += *one; break;
        case ONE_STORE: if (first) *one = i; break;
        case ONE_ADD: if (first) atomicAdd(one, 2); break;
        case FENCE: __threadfence(); break;
        case SIGNAL: __threadfence(); if (first) atomicAdd(words + WORDS, 1); break;
        case HEAR: if (*(volatile int *)(words + WORDS)) __threadfence(); break;
        default: break;
        }
    }
    if (v == -12345)
        out[0] = v;
}

int main(int argc, char **argv)
{
    static struct step host[BLOCKS * STEPS];
    int *words, *out, back[WORDS + 1];
    unsigned sum = 0;
    struct step *all;
    cudaStream_t stream[2];
    state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    draw(2);
    int usual = draw(3) == 2 ? MAX : ADD, launches = 1 + draw(3), streams = 1 + draw(3) / 2, copies = draw(3), few = draw(3), calm = 1 + draw(4);
    CHECK(cudaMalloc(&words, sizeof back));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMalloc(&all, sizeof host));
    CHECK(cudaMemset(words, 0, sizeof back));
    for (int i = 0; i < 2; i++)
        CHECK(cudaStreamCreate(&stream[i]));
    for (int l = 0; l < launches; l++) {
        for (int i = 0; i < BLOCKS * STEPS; i++) {
            bool other = draw(10) >= BACKGROUND && (few < 2 || i >= BLOCKS * STEPS - STEPS / 2) && draw(calm) == 0;
            host[i].kind = other ? draw(KINDS) : usual;
            host[i].at = other && draw(3) == 0 ? draw(WORDS) : 64 * draw(2);
            host[i].lanes = other && draw(3) == 0 ? 0xffffu << 16 * draw(2) : other && draw(3) == 0 ? (unsigned)draw(1 << 24) : ~0u;
        }
        CHECK(cudaMemcpy(all, host, sizeof host, cudaMemcpyHostToDevice));
        steps<<<BLOCKS, THREADS, 0, stream[l % streams]>>>(all, words, out);
        if (copies == 1)
            CHECK(cudaMemcpyAsync(back, words, sizeof back, cudaMemcpyDeviceToHost, stream[draw(2)]));
        if (copies == 2 || streams == 1)
            CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(back, words, sizeof back, cudaMemcpyDeviceToHost));
    for (int i = 0; i <= WORDS; i++)
        sum = sum * 31 + (unsigned)back[i];
    printf("%u\n", sum);
    return 0;
}
