// Atomics on two halves at once (f16x2, bf16x2) are two atomics, of two bytes each (PTX ISA 8.2.3): one on a half of them is atomic
// with its half, one on the word with neither.
//
// arch compute_90
//
// case halves_of_both expect=silent
// case halves_of_one expect=silent
// case halves_of_a_word expect=data-race
// case halves_stored expect=data-race
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { PAIRS, ONE, WORD, STORE };

__global__ void add(unsigned *p, int second)
{
    if (blockIdx.x == 0 || second == PAIRS)
        asm volatile("red.global.add.noftz.f16x2 [%0], %1;" ::"l"(p), "r"(0x3c003c00) : "memory"); // halves_of_a_word halves_stored
    else if (second == ONE)
        asm volatile("{.reg .b16 h; mov.b16 h, 0x3c00; red.global.add.noftz.f16 [%0], h;}" ::"l"((char *)p + 2) : "memory");
    else if (second == WORD)
        atomicAdd(p, 1u);
    else
        *(volatile unsigned *)p = 0;
}

// What each lane is given back: the halves as they were, in one register, of one place and of two.
__global__ void given(unsigned *p, unsigned *out)
{
    unsigned old, a = 0x3c004000, b = 0x42004400;
    asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;" : "=r"(old) : "l"(p), "r"(a) : "memory");
    out[0] = old;
    asm volatile("atom.global.add.noftz.bf16x2 %0, [%1], %2;" : "=r"(out[1]) : "l"(p + 1), "r"(0x3f804000) : "memory");
    asm volatile("atom.global.add.noftz.v2.f16x2 {%0, %1}, [%2], {%1, %0};" : "+r"(a), "+r"(b) : "l"(p + 2) : "memory");
    out[2] = a, out[3] = b;
}

int main(int argc, char **argv)
{
    auto is = [&](const char *n) { return strcmp(argv[1], n) == 0; };
    unsigned *p, host[8], out[8], *q;
    cudaMalloc(&p, sizeof host);
    cudaMalloc(&q, sizeof host);
    cudaMemset(p, 0, sizeof host);
    cudaMemset(q, 0, sizeof host);
    add<<<2, 1>>>(p, is("halves_of_both") ? PAIRS : is("halves_of_one") ? ONE : is("halves_of_a_word") ? WORD : STORE);
    cudaMemcpy(host, p, sizeof host, cudaMemcpyDefault);
    bool right = !is("halves_of_both") || host[0] == 0x40004000;
    right &= !is("halves_of_one") || host[0] == 0x40003c00;
    if (is("halves_of_both")) {
        static const unsigned before[4] = {0x3c003c00, 0x3f803f80, 0x3c004000, 0x44004200};
        cudaMemcpy(p, before, sizeof before, cudaMemcpyDefault);
        given<<<1, 1>>>(p, q);
        cudaMemcpy(host, p, sizeof host, cudaMemcpyDefault);
        cudaMemcpy(out, q, sizeof out, cudaMemcpyDefault);
        right &= !memcmp(out, before, sizeof before); /* a and b are given back what was there, and were added the other way round */
        right &= host[0] == 0x40004200 && host[1] == 0x40004040 && host[2] == 0x44004600 && host[3] == 0x45004500;
        if (!right)
            printf("%x %x %x %x: %x %x %x %x\n", out[0], out[1], out[2], out[3], host[0], host[1], host[2], host[3]);
    }
    cudaFree(p);
    cudaFree(q);
    return !right;
}
