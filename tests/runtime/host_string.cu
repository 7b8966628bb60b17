// memcpy() and memset() of page-locked memory while the device is busy with other memory: every size is
// copied right, at any offset, within and across pages. With the argument "race", memory that a copy
// which nobody waited for still writes.
#include "check.cuh"
#include <vector>

#define BYTES 40000

static unsigned char *a, *b, *device;
static cudaStream_t busy;

static unsigned char at(size_t i) { return (unsigned char)(i * 7 + i / 251); }

static void begin()
{
    OK(cudaMemsetAsync(device, 1, BYTES, busy));
}

int main(int argc, char **)
{
    static const size_t sizes[] = {0, 1, 31, 64, 100, 2047, 2048, 4096, 5000, 12289, 20000};
    std::vector<unsigned char> plain(BYTES);
    OK(cudaMallocHost(&a, BYTES));
    OK(cudaMallocHost(&b, BYTES));
    OK(cudaMalloc(&device, BYTES));
    OK(cudaStreamCreate(&busy));
    memset(b, 3, BYTES);
    begin();
    for (size_t i = 0; i < BYTES; i++)
        plain[i] = at(i);
    for (size_t n : sizes)
        for (size_t offset : {(size_t)0, (size_t)1, (size_t)4090}) {
            memcpy(a + offset, plain.data(), n); // into it, within it, out of it
            memcpy(b + offset / 2, a + offset, n);
            std::vector<unsigned char> back(n + 2, 9);
            memcpy(back.data() + 1, b + offset / 2, n);
            CHECK(back[0] == 9 && back[n + 1] == 9);
            CHECK(memcmp(back.data() + 1, plain.data(), n) == 0);
            memset(b + offset / 2, 3, n);
            std::vector<unsigned char> filled(n + 64);
            memcpy(filled.data(), b + offset / 2, n + 64);
            for (unsigned char c : filled)
                CHECK(c == 3);
        }
    memcpy(a, plain.data(), BYTES);
    memmove(a + 100, a, 20000); // overlaps
    std::vector<unsigned char> moved(20000);
    memcpy(moved.data(), a + 100, 20000);
    CHECK(memcmp(moved.data(), plain.data(), 20000) == 0);
    OK(cudaStreamSynchronize(busy));
    if (argc > 1) {
        OK(cudaMemcpyAsync(a, device, BYTES, cudaMemcpyDeviceToHost, busy));
        memcpy(plain.data(), a, BYTES); // the mistake; whose bytes it takes is anybody's guess
    }
    OK(cudaDeviceSynchronize());
    OK(cudaFreeHost(a));
    OK(cudaFreeHost(b));
    OK(cudaFree(device));
    OK(cudaStreamDestroy(busy));
    puts("host_string ok");
    return 0;
}
