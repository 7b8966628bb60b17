/*
 * Loads before a choice between two comparisons: one whose value goes on in every lane, and, by a bit of `how`, one whose value the choice drops in
 * some. Bits of `how`: 1 pairs overlap, 2 both are written, 4 a value is dropped, 8 it is used all the same, 16 a half has not been written.
 */
#include <cstdio>
#include <cstdlib>

#define WORDS 2048

__global__ void step(int *v, int apart, int bit, int how)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), other = how & 1 ? (i + apart) % WORDS : i ^ apart;
    bool up = !(i & bit);
    if (other > i) {
        int a = v[i], b = v[other];
        if (up ? a > b : a < b) {
            v[i] = b;
            if (how & 2)
                v[other] = a;
        }
    }
    if (how & 4) {
        int c = v[other % WORDS], kept = up ? c : 0;
        if (how & 8)
            kept += c;
        v[i] = kept;
    }
}

int main(int, char **argv)
{
    int *v, how = atoi(argv[1]);
    if (cudaMalloc(&v, WORDS * sizeof *v))
        return 1;
    cudaMemset(v, how, (how & 16 ? WORDS / 2 : WORDS) * sizeof *v);
    for (int bit = 2; bit <= 64; bit *= 2)
        for (int apart = bit / 2; apart; apart /= 2)
            step<<<WORDS / 128, 128>>>(v, apart, bit, how);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
