// Half warps that go through rows of tiles, in shared and in global memory, of which checkers are told at once where all is in order (softgpu/check/rows): rows moved, with
// barriers here and there, all drawn from a seed. Prints whether two threads conflict between two barriers, or two launches, as found out word by word here. Then tiles are
// turned, behind a barrier; with a second argument that many columns on, so that from 1 on somebody reads the tile's padding, which nobody has written.
//
//   told_halves SEED [COLUMNS]
#include <cstdio>
#include <cstdlib>

#define TILE 16
#define PITCH (TILE + 1)
#define THREADS (TILE * TILE)
#define STEPS 14
#define BLOCKS 2
#define WIDE 48   // words from row to row in global memory

enum kind { STORE, LOAD, STORE_GLOBAL, LOAD_GLOBAL, KINDS };

struct step {
    int kind, shift, barrier;
};

__global__ void told_halves(const struct step *steps, int n, int *global, int *out)
{
    __shared__ int s[TILE * PITCH];
    int x = threadIdx.x, y = threadIdx.y, v = x + y;
    int *g = global + blockIdx.x * TILE * WIDE;
    s[y * PITCH + x] = v;
    __syncthreads();
    for (int i = 0; i < n; i++) {
        int row = (y + steps[i].shift) % TILE;
        if (steps[i].kind == STORE)
            s[row * PITCH + x] = v;
        else if (steps[i].kind == LOAD)
            v += s[row * PITCH + x];
        else if (steps[i].kind == STORE_GLOBAL)
            g[row * WIDE + x] = v;
        else
            v += g[row * WIDE + x];
        if (steps[i].barrier)
            __syncthreads();
    }
    out[(blockIdx.x * TILE + y) * TILE + x] = v;
}

__global__ void turned(const int *in, int *out, int columns)
{
    __shared__ int s[TILE * PITCH];
    int x = threadIdx.x, y = threadIdx.y;
    s[y * PITCH + x] = in[y * TILE + x];
    __syncthreads();
    out[y * WIDE + x] = s[x * PITCH + (y + columns) % PITCH];
}

static unsigned state;

static int draw(int below)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)below);
}

/** Do two rows of threads come to one row of a tile between two barriers, and one of them stores? */
static bool conflicts(const struct step *steps)
{
    static int writer[2][TILE], reader[2][TILE], readers[2][TILE];
    bool any = false;
    for (int i = 0, begins = 1; i < STEPS; begins = steps[i++].barrier)
        for (int y = 0; y < TILE; y++) {
            for (int r = 0; begins && !y && r < 2 * TILE; r++)
                writer[r / TILE][r % TILE] = reader[r / TILE][r % TILE] = -1, readers[r / TILE][r % TILE] = 0;
            int g = steps[i].kind >= STORE_GLOBAL, r = (y + steps[i].shift) % TILE;
            any |= writer[g][r] >= 0 && writer[g][r] != y;
            if (steps[i].kind == STORE || steps[i].kind == STORE_GLOBAL) {
                any |= readers[g][r] > 1 || (readers[g][r] == 1 && reader[g][r] != y);
                writer[g][r] = y;
            } else if (reader[g][r] != y) {
                reader[g][r] = y;
                readers[g][r]++;
            }
        }
    return any;
}

static bool stores_global(const struct step *steps)
{
    bool any = false;
    for (int i = 0; i < STEPS; i++)
        any |= steps[i].kind == STORE_GLOBAL;
    return any;
}

int main(int argc, char **argv)
{
    struct step steps[STEPS], *on_device;
    int *global, *out, *other, shift = 0;
    state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    int apart = draw(3), unordered = !draw(4); // whether rows move though there is no barrier; whether two launches know nothing of each other
    for (int i = 0; i < STEPS; i++) {
        if ((i && steps[i - 1].barrier) || (apart == 0 && !draw(6)))
            shift = draw(TILE);
        steps[i] = {draw(KINDS), shift, !draw(3)};
    }
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaMalloc(&on_device, sizeof steps);
    cudaMalloc(&global, BLOCKS * TILE * WIDE * sizeof *global);
    cudaMalloc(&out, BLOCKS * THREADS * sizeof *out);
    cudaMalloc(&other, BLOCKS * THREADS * sizeof *other);
    cudaMemcpy(on_device, steps, sizeof steps, cudaMemcpyHostToDevice);
    cudaMemset(global, 0, BLOCKS * TILE * WIDE * sizeof *global);
    cudaDeviceSynchronize();
    told_halves<<<BLOCKS, dim3(TILE, TILE), 0, first>>>(on_device, STEPS, global, out);
    if (!unordered)
        cudaStreamSynchronize(first);
    told_halves<<<BLOCKS, dim3(TILE, TILE), 0, second>>>(on_device, STEPS, global, other);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    printf("conflicts: %d\n", conflicts(steps) || (unordered && stores_global(steps)));
    turned<<<1, dim3(TILE, TILE)>>>(out, global, argc > 2 ? atoi(argv[2]) : 0);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    int result[TILE * WIDE], sum = 0;
    cudaMemcpy(result, global, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < TILE * WIDE; i++)
        sum = sum * 31 + result[i];
    printf("result: %d\n", conflicts(steps) || argc > 2 ? 0 : sum);
    return 0;
}
