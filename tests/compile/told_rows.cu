// Rows of shared memory, of which checkers are told at once where all is in order (softgpu/check/rows): threads load and store them, moved by some words, some lanes of each
// warp, with barriers here and there, all drawn from a seed. Prints whether two threads conflict between two barriers, as found out word by word here.
//
//   told_rows SEED
#include <cstdio>
#include <cstdlib>

#define THREADS 128
#define WARM 24   // steps until all of the memory is known to hold something
#define STEPS (WARM + 12)

struct step {
    int store, shift;
    unsigned lanes;
    int barrier;
};

__global__ void told_rows(const struct step *steps, int n, int *out)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, v = t;
    s[t] = t;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        int at = (t + steps[i].shift) % THREADS;
        if (steps[i].lanes >> (t & 31) & 1) {
            if (steps[i].store)
                s[at] = v;
            else
                v += s[at];
        }
        if (steps[i].barrier)
            __syncthreads();
    }
    out[blockIdx.x * THREADS + t] = v;
}

static unsigned state;

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)below);
}

/** Do two threads come to one word between two barriers, and one of them stores? */
static bool conflicts(const struct step *steps)
{
    static int writer[THREADS], reader[THREADS], readers[THREADS];
    bool any = false;
    for (int i = 0, begins = 1; i < STEPS; begins = steps[i++].barrier)
        for (int t = 0; t < THREADS; t++) {
            for (int w = 0; begins && !t && w < THREADS; w++)
                writer[w] = reader[w] = -1, readers[w] = 0;
            int w = (t + steps[i].shift) % THREADS;
            if (!(steps[i].lanes >> (t & 31) & 1))
                continue;
            any |= writer[w] >= 0 && writer[w] != t;
            if (steps[i].store) {
                any |= readers[w] > 1 || (readers[w] == 1 && reader[w] != t);
                writer[w] = t;
            } else if (reader[w] != t) {
                reader[w] = t;
                readers[w]++;
            }
        }
    return any;
}

int main(int argc, char **argv)
{
    static const unsigned lanes[] = {~0u, ~0u, 0x0000ffff, 0x55555555, 0x00ff00ff, 0x7ffffffe, 0x80000001};
    struct step steps[STEPS], *on_device;
    int *out, shift = 0;
    state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    int apart = draw(3); // how often there is no barrier though rows move
    for (int i = 0; i < STEPS; i++) {
        if (i < WARM) {
            steps[i] = {0, 0, ~0u, i == WARM - 1};
            continue;
        }
        int last = steps[i - 1].barrier;
        if (last || !draw(apart ? 3 : 100))
            shift = draw(4) ? draw(THREADS) : 32 * draw(4);
        steps[i] = {draw(2), shift, lanes[draw(7)], !draw(3)};
    }
    cudaMalloc(&on_device, sizeof steps);
    cudaMalloc(&out, 2 * THREADS * sizeof *out);
    cudaMemcpy(on_device, steps, sizeof steps, cudaMemcpyHostToDevice);
    told_rows<<<2, THREADS>>>(on_device, STEPS, out);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("conflicts: %d\n", conflicts(steps));
    int result[THREADS], sum = 0;
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++)
        sum = sum * 31 + result[t];
    printf("result: %d\n", conflicts(steps) ? 0 : sum);
    return 0;
}
