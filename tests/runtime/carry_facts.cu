// The carry flag from one instruction to the next of another sort: what a subtraction leaves and an addition takes, and the other way round. One fact a
// line; the same program runs on a real GPU and on softgpu, and the two outputs are compared (carry_facts.gpu.txt). Behind it what nvcc makes of that:
// divisions of 128 bits.
#include <cstdio>

#define CHAIN(first, second) asm volatile("{ .reg .u32 t; .reg .u64 u, v; " first " " second " }" : "=r"(r) : "r"(zero), "r"(one), "r"(all)); *out++ = r

__global__ void chains(unsigned *out, volatile unsigned *in)
{
    unsigned r, zero = in[0], one = in[1], all = in[2];
    CHAIN("sub.cc.u32 t, %1, %2;", "addc.u32 %0, %1, %1;");
    CHAIN("sub.cc.u32 t, %2, %1;", "addc.u32 %0, %1, %1;");
    CHAIN("add.cc.u32 t, %3, %2;", "subc.u32 %0, %1, %1;");
    CHAIN("add.cc.u32 t, %1, %2;", "subc.u32 %0, %1, %1;");
    CHAIN("sub.cc.u32 t, %1, %2;", "subc.u32 %0, %1, %1;");
    CHAIN("sub.cc.u32 t, %2, %1;", "subc.u32 %0, %1, %1;");
    CHAIN("add.cc.u32 t, %3, %2;", "addc.u32 %0, %1, %1;");
    CHAIN("mad.lo.cc.u32 t, %3, %2, %3;", "subc.u32 %0, %1, %1;");
    CHAIN("sub.cc.u32 t, %1, %2;", "madc.lo.u32 %0, %1, %1, %1;");
    CHAIN("sub.cc.u32 t, %2, %1;", "madc.hi.u32 %0, %1, %1, %1;");
    CHAIN("sub.cc.u32 t, %1, %2; subc.cc.u32 t, %3, %1;", "addc.u32 %0, %1, %1;");
    CHAIN("sub.cc.u32 t, %1, %2; subc.cc.u32 t, %1, %1;", "addc.u32 %0, %1, %1;");
    CHAIN("add.cc.u32 t, %1, %2; subc.cc.u32 t, %1, %1;", "addc.u32 %0, %1, %1;");
    CHAIN("sub.cc.u32 t, %2, %1; addc.cc.u32 t, %3, %1;", "subc.u32 %0, %1, %1;");
    CHAIN("sub.cc.u64 u, 0, 1;", "addc.u64 v, 0, 0; cvt.u32.u64 %0, v;");
    CHAIN("sub.cc.u64 u, 1, 0;", "addc.u64 v, 0, 0; cvt.u32.u64 %0, v;");
    CHAIN("add.cc.u64 u, -1, 1;", "subc.u64 v, 0, 0; cvt.u32.u64 %0, v;");
    CHAIN("add.cc.u64 u, 0, 1;", "subc.u64 v, 0, 0; cvt.u32.u64 %0, v;");
}

typedef unsigned __int128 wide;

__global__ void divisions(const unsigned long long *n, int count, unsigned long long *hash)
{
    unsigned long long h = 0, wrong = 0;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < count; b++)
            for (int c = 0; c < count; c++) {
                wide x = (wide)n[a] << 64 | n[b], y = (wide)n[c] << (b % 3 * 32) | n[(a + b + c) % count];
                if (!y)
                    continue;
                wide q = x / y, r = x % y, s = (wide)((__int128)x / (__int128)y);
                wrong += q * y + r != x || r >= y;
                for (int i = 0; i < 6; i++) {
                    wide v = i < 2 ? q : i < 4 ? r : s;
                    h = (h ^ (unsigned long long)(i % 2 ? v >> 64 : v)) * 0x9e3779b97f4a7c15ull;
                    h ^= h >> 29;
                }
            }
    hash[0] = h;
    hash[1] = wrong;
}

int main()
{
    static const unsigned in[] = {0, 1, ~0u};
    static const unsigned long long numbers[] = {0, 1, 2, 3, 7, 10, 0xffffffffull, 0x100000000ull, 0x123456789abcdefull, 0x21f5747568ull,
                                                 0x7fffffffffffffffull, 0x8000000000000000ull, 0xfffffffffffffffeull, ~0ull};
    const int facts = 18, count = sizeof numbers / sizeof *numbers;
    unsigned *device_in, *out, host[facts];
    unsigned long long *device_numbers, *hash, host_hash[2];
    cudaMalloc(&device_in, sizeof in);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&device_numbers, sizeof numbers);
    cudaMalloc(&hash, sizeof host_hash);
    cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemcpy(device_numbers, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    chains<<<1, 1>>>(out, device_in);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < facts; i++)
        printf("chain %d: %x\n", i, host[i]);
    divisions<<<1, 1>>>(device_numbers, count, hash);
    cudaMemcpy(host_hash, hash, sizeof host_hash, cudaMemcpyDeviceToHost);
    printf("divisions: %llu wrong, %llx\n", host_hash[1], host_hash[0]);
    cudaFree(device_in);
    cudaFree(out);
    cudaFree(device_numbers);
    cudaFree(hash);
    return 0;
}
