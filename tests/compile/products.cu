// Rows of a sparse matrix, of which a lane reads four words at a time and elements of x by them: whole warps and parts of one, rows at even and at uneven distances, and
// with arguments a launch that faults: KIND LANE WORD VALUE.
#include <cmath>
#include <cstdio>
#include <cstdlib>

const int rows = 256, threads = 64, length = 16, room = rows * 40;
static int host[room];

#define ROW(STEP, COLUMN, VALUE)                                                                                                                                    \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                                                                  \
    if (i >= n)                                                                                                                                                     \
        return;                                                                                                                                                     \
    const int *c = (const int *)(column + start[i]);                                                                                                                \
    const float *v = (const float *)(value + start[i]);                                                                                                             \
    float s = 0;                                                                                                                                                    \
    _Pragma("unroll 1") for (int k = 0; k < length; k += 4, c += STEP, v += STEP)                                                                                   \
    {                                                                                                                                                               \
        s += VALUE(0) * x[COLUMN(0)];                                                                                                                               \
        s += VALUE(1) * x[COLUMN(1)];                                                                                                                               \
        s += VALUE(2) * x[COLUMN(2)];                                                                                                                               \
        s += VALUE(3) * x[COLUMN(3)];                                                                                                                               \
    }                                                                                                                                                               \
    y[i] += s

template <typename T>
__global__ void product(const int *start, const char *column, const char *value, const T *x, float *y, int n)
{
#define C(j) c[j]
#define V(j) v[j]
    ROW(4, C, V);
}

// Words out of order, behind and before the register, and one of four left out.
template <typename T>
__global__ void backwards(const int *start, const char *column, const char *value, const T *x, float *y, int n)
{
#define D(j) c[7 - 4 * (j)]
#define W(j) v[(j) == 2 ? 3 : 1 - (j)]
    ROW(4, D, W);
}

// Only one of each two words, and the same element of another one by an unsigned index.
__global__ void holes(const int *start, const char *column, const char *value, const float *x, float *y, int n)
{
#define E(j) (unsigned)c[2 * ((j) / 2)]
#define U(j) v[2 * ((j) % 2)]
    ROW(4, E, U);
}

// Lanes go round as often as each other, or one of them otherwise; until the sum is high; and what has been loaded last is kept, or steps on.
enum { LENGTHS, UNTIL, KEPT, STEPS };

template <int WHAT>
__global__ void turns(const int *start, const char *column, const char *value, const float *x, float *y, int words, int other)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, last = 0;
    const int *c = (const int *)(column + start[i]);
    const float *v = (const float *)(value + start[i]);
    if (i % 32 == 7)
        words = other;
    float s = 0;
#pragma unroll 1
    for (int k = 0; k < words && (WHAT != UNTIL || s < 1.5f); k += 4, c += 4, v += 4) {
        for (int j = 0; j < 4; j++)
            s += v[j] * x[c[j]];
        if (WHAT == KEPT)
            last = c[3];
        if (WHAT == STEPS)
            k += c[0] & 4;
    }
    y[i] += s + (float)last;
}

static int distance(int kind, int i)
{
    switch (kind) {
    case 0: return 64 * i;
    case 1: return 32 * i;
    case 2: return 16 * i;                          // two lanes a sector
    case 3: return 68 * i + 4;                      // not at 16 bytes
    case 4: return 64 * (rows - 1 - i);             // backwards
    case 5: return 64 * (i ^ 1);                    // uneven
    case 6: return i % 32 == 31 ? 64 : 64 * i;      // the last one elsewhere
    case 7: return 64 * (i / 32) + 100;             // all lanes one row
    case 8: return 36 * (i % 32) + 2048 * (i / 32); // words lie apart, rows overlap
    default: return 128 * (i % 100);
    }
}

static int element(int way, int k)
{
    switch (way) {
    case 0: return (int)(k * 2654435761u >> 7) % 1000;
    case 1: return k / 16;                        // lanes one after another
    case 2: return 77;                            // all at one
    case 3: return k / 16 % 32 < 2 ? 5 : k % 900; // the first two at one
    default: return k % 2 ? 999 : 0;
    }
}

static int *start, *column;
static float *value, *y;
static double *x;

static void show(const char *name, int kind, int way)
{
    float got[rows] = {};
    unsigned sum = 0;
    cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < rows; i++)
        sum = sum * 31 + *(unsigned *)&got[i];
    printf("%s %d %d: %08x\n", name, kind, way, sum);
}

static void set_rows(int kind)
{
    int at[rows];
    for (int i = 0; i < rows; i++)
        at[i] = distance(kind, i) + 32;
    cudaMemcpy(start, at, sizeof at, cudaMemcpyHostToDevice);
}

static void set_columns(int way, int add)
{
    for (int i = 0; i < room; i++)
        host[i] = element(way, i) + add;
    cudaMemcpy(column, host, sizeof host, cudaMemcpyHostToDevice);
}

int main(int count, char **arguments)
{
    cudaMalloc(&start, rows * sizeof *start);
    cudaMalloc(&column, sizeof host);
    cudaMalloc(&value, sizeof host);
    cudaMalloc(&x, 1000 * sizeof *x);
    cudaMalloc(&y, rows * sizeof *y);
    cudaMemset(y, 0, rows * sizeof *y);
    for (int i = 0; i < room; i++)
        ((float *)host)[i] = 1.f / (float)(i + 3);
    cudaMemcpy(value, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(x, host, 1000 * sizeof *x, cudaMemcpyHostToDevice);
    for (int kind = 0; kind < 10; kind++)
        for (int way = 0; way < 5; way++) {
            set_rows(kind);
            set_columns(way, 0);
            const char *c = (char *)column, *v = (char *)value;
            product<<<rows / threads, threads>>>(start, c, v, (float *)x, y, rows);
            product<<<rows / threads, threads>>>(start, c, v, x, y, rows - 13);
            show("product", kind, way);
            backwards<<<rows / threads, threads>>>(start, c, v, (float *)x, y, rows);
            backwards<<<rows / threads, threads>>>(start, c, v + 4, x, y, rows - 40);
            show("backwards", kind, way);
            holes<<<rows / threads, threads>>>(start, c, v + 8, (float *)x, y, rows);
            show("holes", kind, way);
            set_columns(way, -500);
            product<<<rows / threads, threads>>>(start, c, v, (float *)x + 500, y, rows);
            show("negative", kind, way);
        }
    set_rows(0);
    set_columns(0, 0);
    for (int round = 0; round < 3; round++) {
        float odd[] = {1.f, NAN, INFINITY};
        cudaMemcpy((float *)value + 16 * 40 + 17, &odd[round], 4, cudaMemcpyHostToDevice); // of one lane, in its third turn
        cudaMemset(y, 0, rows * sizeof *y);
        for (int words = 0; words <= 44; words += 4) {
            const char *c = (char *)column, *v = (char *)value;
            turns<STEPS><<<rows / threads, threads>>>(start, c, v, (float *)x, y, words, words);
            turns<KEPT><<<rows / threads, threads>>>(start, c, v, (float *)x, y, words, words);
            turns<UNTIL><<<rows / threads, threads>>>(start, c, v, (float *)x, y, words, words);
            turns<LENGTHS><<<rows / threads, threads>>>(start, c, v, (float *)x, y, words, words);
            turns<LENGTHS><<<rows / threads, threads>>>(start, c, v, (float *)x, y, words, 12);
            show("turns", round, words);
        }
    }
    static int many[1 << 16]; // so many that the time on the device is their traffic's
    int *begins;
    float *sums;
    cudaMalloc(&begins, sizeof many);
    cudaMalloc(&sums, sizeof many);
    cudaMemset(sums, 0, sizeof many);
    for (int i = 0; i < 1 << 16; i++)
        many[i] = 64 * (i % 32 + i / 32 % 8 * 32);
    cudaMemcpy(begins, many, sizeof many, cudaMemcpyHostToDevice);
    set_columns(0, 0);
    product<<<(1 << 16) / threads, threads>>>(begins, (char *)column, (char *)value, (float *)x, sums, 1 << 16);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    if (count > 4) {
        int lane = atoi(arguments[2]), word = atoi(arguments[3]), last = (int)strtoll(arguments[4], NULL, 0), at;
        set_rows(atoi(arguments[1]));
        set_columns(0, 0);
        if (word >= 0) { // a column
            cudaMemcpy(&at, start + lane, sizeof at, cudaMemcpyDeviceToHost);
            cudaMemcpy(column + at / 4 + word, &last, sizeof last, cudaMemcpyHostToDevice);
        } else if (lane >= 0) // where a row begins
            cudaMemcpy(start + lane, &last, sizeof last, cudaMemcpyHostToDevice);
        else { // where those of the second half begin, once the first one has shown how it is
            int all[rows];
            for (int i = 0; i < rows; i++)
                all[i] = 64 * (i % 32) + (i < 128 ? 0 : 8192 + last);
            cudaMemcpy(start, all, sizeof all, cudaMemcpyHostToDevice);
            if (last & 2) { // whoever reads them all the same finds elements
                for (int i = 2048; i < room; i++)
                    host[i] = element(0, i) << 16;
                cudaMemcpy(column, host, sizeof host, cudaMemcpyHostToDevice);
            }
        }
        product<<<rows / threads, threads>>>(start, (char *)column, (char *)value, (float *)x, y, rows);
        printf("outside: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    }
    return 0;
}
