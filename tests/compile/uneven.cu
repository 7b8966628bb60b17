// Rows of a sparse matrix of any length, from nothing to thousands of words: lanes leave a loop at different times, some never come in. What each thread counts until then is
// kept, too. With arguments a launch that faults: THREAD WORD VALUE.
#include <cmath>
#include <cstdio>
#include <cstdlib>

const int rows = 384, threads = 96, room = 1 << 16;
static int host[room];

__global__ void lengths(const int *start, const int *column, const float *value, const float *x, float *y, long long *clocks, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
    for (int k = start[2 * i]; k < start[2 * i + 1]; k++)
        s += value[k] * x[column[k]];
    clocks[i] = clock64();
    y[i] += s;
}

// Lanes that wait elsewhere: some come to the loop by another way, and some of those who have left go on at once.
__global__ void ways(const int *start, const int *column, const float *value, const float *x, float *y, long long *clocks, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, k = start[2 * i], end = start[2 * i + 1] & ~3;
    float s = 0;
    if (i % 5 == 2)
        for (int j = 0; j < i; j++)
            s = s * 0.5f + y[(i + j) % n];
    for (int again = 0; again < i % 3; again++) {
        k = start[2 * i] & ~3;
#pragma unroll 1
        for (; k < end; k += 4) {
            s += value[k] * x[column[k]];
            s += value[k + 1] * x[column[k + 1]];
            s += value[k + 2] * x[column[k + 2]];
            s += value[k + 3] * x[column[k + 3]];
        }
        if (i % 7 == 3)
            break;
        clocks[i] += clock64();
    }
    y[i] += s + (float)k;
}

// Holes in what is multiplied, and a step of more than that; the sum begins with something.
__global__ void holes(const int *start, const int *column, const float *value, const float *x, float *y, long long *clocks, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = start[2 * i] & 1023;
    const int *c = column + 4 * at;
    const float *v = value + 7 * at;
    float s = y[i];
#pragma unroll 1
    for (int k = start[2 * i]; k < start[2 * i + 1]; k += 5, c += 4, v += 9) {
        s += v[0] * x[c[0]];
        s += v[3] * x[c[1]];
        s += v[1] * x[c[2]];
        s += v[3] * x[c[3]];
    }
    y[i] = s;
    clocks[i] = clock64();
}

static int *start, *column;
static float *value, *x, *y;
static long long *clocks;

static void show(const char *name, int kind)
{
    float got[rows];
    long long counted[rows];
    unsigned long long sum = 0, when = 0;
    cudaMemcpy(got, y, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(counted, clocks, sizeof counted, cudaMemcpyDeviceToHost);
    for (int i = 0; i < rows; i++) {
        sum = sum * 31 + *(unsigned *)&got[i];
        when = when * 31 + (unsigned long long)counted[i];
    }
    printf("%s %d: %llx at %llx\n", name, kind, sum, when);
}

static int length(int kind, int i)
{
    unsigned any = i * 2654435761u >> 9;
    switch (kind) {
    case 0: return any % 31;
    case 1: return any % 8 * 4;
    case 2: return i % 32 == 5 ? 0 : 16;
    case 3: return i % 32 == 9 ? 3000 : any % 5; // longer than a group of lanes has patience
    case 4: return i % 2 ? 40 : any % 3 * 32;
    case 5: return any % 9 ? 0 : 37;
    case 6: return i % 32 < 16 ? 2100 : 2400;
    default: return 33;
    }
}

static void set_rows(int kind)
{
    int at[2 * rows];
    for (int i = 0, next = 3; i < rows; i++) {
        int words = length(kind, i), begin = kind % 2 ? (int)(i * 40503u % (room - 4096)) : next % (room - 4096);
        at[2 * i] = begin, at[2 * i + 1] = begin + words;
        next += words;
    }
    cudaMemcpy(start, at, sizeof at, cudaMemcpyHostToDevice);
}

int main(int count, char **arguments)
{
    cudaMalloc(&start, 2 * rows * sizeof *start);
    cudaMalloc(&column, sizeof host);
    cudaMalloc(&value, sizeof host);
    cudaMalloc(&x, 1000 * sizeof *x);
    cudaMalloc(&y, rows * sizeof *y);
    cudaMalloc(&clocks, rows * sizeof *clocks);
    cudaMemset(y, 0, rows * sizeof *y);
    cudaMemset(clocks, 0, rows * sizeof *clocks);
    for (int i = 0; i < room; i++)
        ((float *)host)[i] = 1.f / (float)(i % 1000 + 3);
    float odd[] = {NAN, INFINITY, -0.f, 1e-42f};
    cudaMemcpy(value, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(x, host, 1000 * sizeof *x, cudaMemcpyHostToDevice);
    for (int way = 0; way < 4; way++) {
        for (int i = 0; i < room; i++) // anywhere, one after another, all at one, as lanes lie in rows of 16
            host[i] = way == 0 ? (int)(i * 2654435761u >> 7) % 1000 : way == 1 ? i % 1000 : way == 2 ? 7 : i / 16 % 1000;
        cudaMemcpy(column, host, sizeof host, cudaMemcpyHostToDevice);
        for (int kind = 0; kind < 8; kind++) {
            set_rows(kind);
            lengths<<<rows / threads, threads>>>(start, column, value, x, y, clocks, rows);
            show("lengths", kind);
            lengths<<<rows / threads, threads>>>(start, column, value, x, y, clocks, rows - 45);
            show("fewer", kind);
            ways<<<rows / threads, threads>>>(start, column, value, x, y, clocks, rows);
            show("ways", kind);
            holes<<<rows / threads, threads>>>(start, column, value, x, y, clocks, rows);
            show("holes", kind);
        }
        cudaMemcpy(value + 40 * (way + 1), odd, sizeof odd, cudaMemcpyHostToDevice);
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    if (count > 3) {
        int thread = atoi(arguments[1]), word = atoi(arguments[2]), last = (int)strtoll(arguments[3], NULL, 0), at[2];
        set_rows(0);
        cudaMemcpy(at, start + 2 * thread, sizeof at, cudaMemcpyDeviceToHost);
        if (word >= 0) // a column of the row
            cudaMemcpy(column + at[0] + word, &last, sizeof last, cudaMemcpyHostToDevice);
        else { // where the row ends, and begins
            at[0] = last, at[1] = last + 29;
            cudaMemcpy(start + 2 * thread, at, sizeof at, cudaMemcpyHostToDevice);
        }
        lengths<<<rows / threads, threads>>>(start, column, value, x, y, clocks, rows);
        printf("outside: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    }
    return 0;
}
