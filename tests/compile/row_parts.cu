// Rows of global memory that warps load and store in parts, some lanes of a half warp or half warps that meet in a row's middle, which the race checker keeps a part at a time
// (softgpu/check/race/shadow/row_parts.h): a few blocks go through steps drawn from a seed, whole rows and single words and atomics among them, with barriers of blocks and warps,
// in several launches on one stream or two, with copies between. With SOFTGPU_ONE_BY_ONE=1 each word is told by itself: findings must be the same.
//
//   row_parts SEED
//   row_parts SEED STREAMS   in as many streams, by turns, each mostly in a part of memory that is its own, which begins within a row
#include "drawn.cuh"

#define THREADS 64
#define WORDS 256
#define STEPS 12
#define BLOCKS 3
#define STREAMS 4
#define OWN (WORDS + 8) // words of a stream

enum kind { LOAD, STORE, SWAP, OTHER, ONE_LOAD, ONE_STORE, ADD, ALL_LOAD, BARRIER, WARP };

struct step {
    int kind, at, apart;
    unsigned lanes;
};

__global__ void steps(const struct step *all, int *words, int *out)
{
    const struct step *mine = all + blockIdx.x * STEPS;
    int t = threadIdx.x, v = 0;
    for (int i = 0; i < STEPS; i++) {
        int *p = words + (t + mine[i].at) % WORDS, *other = words + ((t ^ mine[i].apart) + mine[i].at) % WORDS;
        if (mine[i].kind == BARRIER) {
            __syncthreads();
            continue;
        }
        if (mine[i].kind == WARP) {
            __syncwarp();
            continue;
        }
        if (!(mine[i].lanes >> (t & 31) & 1))
            continue;
        switch (mine[i].kind) {
        case LOAD: v += *p; break;
        case STORE: *p = i; break;
        case SWAP: if (t < (t ^ mine[i].apart)) { int a = *p, b = *other; if (a <= b + (t & 1)) { *p = b; *other = a + 1; } } break;
        case OTHER: *other = v; break;
        case ONE_LOAD: if (t == 5) v += words[mine[i].at]; break;
        case ONE_STORE: if (t == 9) words[mine[i].at] = i; break;
        case ADD: atomicAdd(p, 1); break;
        case ALL_LOAD: v += words[mine[i].at]; break;
        default: break;
        }
    }
    if (v == -12345)
        out[0] = v;
}

int main(int argc, char **argv)
{
    static struct step host[BLOCKS * STEPS];
    int *words, *out, back[STREAMS * OWN + 64];
    unsigned sum = 0;
    struct step *all;
    cudaStream_t stream[STREAMS];
    state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    draw(2);
    int launches = 1 + draw(4), streams = 1 + (draw(3) == 2), copies = draw(4), calm = draw(6), apart = draw(4), masks = draw(5), shift = draw(3) ? 0 : draw(16);
    const bool many = argc > 2;
    const size_t bytes = (many ? STREAMS * OWN + 64 : WORDS + 64) * sizeof *words;
    if (many) {
        streams = 2 + atoi(argv[2]) % (STREAMS - 1);
        launches = 3 * streams;
    }
    CHECK(cudaMalloc(&words, bytes));
    CHECK(cudaMalloc(&out, 4));
    CHECK(cudaMalloc(&all, 3 * STREAMS * sizeof host));
    CHECK(cudaMemset(words, 0, bytes));
    for (int i = 0; i < (many ? streams : 2); i++)
        CHECK(draw(2) ? cudaStreamCreate(&stream[i]) : cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
    CHECK(cudaDeviceSynchronize());
    for (int l = 0; l < launches; l++) {
        for (int i = 0; i < BLOCKS * STEPS; i++) {
            int block = i / STEPS, other = calm == 0 || draw(8 << 2 * calm) == 0, lanes = other || draw(16) == 0 ? draw(5) : (block + i % 2 * masks + l * (masks > 2)) % 5;
            host[i].kind = other ? draw(WARP + 1) : draw(calm > 1 ? 3 : 4);
            if (calm && i % STEPS && host[i - 1].kind == SWAP && draw(8))
                host[i].kind = draw(2) ? BARRIER : WARP; // partners' words are theirs again
            host[i].at = shift + (other && draw(2) ? draw(WORDS) : apart ? 64 * block : 64 * draw(3));
            host[i].apart = other ? 1 << draw(6) : 1 << (i + l) % 5;
            host[i].lanes = lanes == 0 ? 0x55555555u << (other ? draw(2) : 0) : lanes == 1 ? 0xffffu << (other ? 16 * draw(2) : 0) : lanes == 2 && other ? (unsigned)draw(1 << 24) * 257u : lanes == 3 ? 0x0ff00ff0u : ~0u;
        }
        int *mine = words + (many ? OWN * (draw(12) ? l % streams : draw(streams)) : 0);
        CHECK(cudaMemcpyAsync(all + l * BLOCKS * STEPS, host, sizeof host, cudaMemcpyHostToDevice, stream[l % streams]));
        if (!many)
            CHECK(cudaStreamSynchronize(copies == 3 ? stream[l % streams] : 0));
        steps<<<BLOCKS, THREADS, 0, stream[l % streams]>>>(all + l * BLOCKS * STEPS, mine, out);
        if (copies == 1)
            CHECK(cudaMemcpyAsync(back, words + draw(100), 400, cudaMemcpyDeviceToHost, stream[draw(streams)]));
        if (copies == 2)
            CHECK(cudaDeviceSynchronize());
    }
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(back, words, bytes, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < bytes / sizeof *words; i++)
        sum = sum * 31 + (unsigned)back[i];
    printf("%u\n", sum);
    return 0;
}
