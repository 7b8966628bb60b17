// What the host reads where nobody has written: memory that it shares with the device. A warning, as where a copy takes it.
//
// case managed expect=uninitialized-read level=warning says=nothing.has.written
// case managed_set expect=silent
// case managed_cleared expect=silent
// case pinned expect=uninitialized-read level=warning
// case pinned_copied expect=silent
// case last expect=uninitialized-read level=warning
// case last_bytes expect=uninitialized-read level=warning
// case not_last expect=silent
// case half expect=uninitialized-read level=warning
// case half_only expect=silent
// case second_time expect=uninitialized-read level=warning
// case second_time_set expect=silent
// case copied expect=uninitialized-read level=warning
// case copied_whole expect=silent
// case sent expect=uninitialized-read level=warning
// case sent_whole expect=silent
// case from_file expect=silent
// case strides expect=silent
// case strides_between expect=uninitialized-read level=warning
// case many_strides expect=silent
// case padded expect=silent
// case padded_memcpy expect=silent
// case text expect=silent
// case sorted expect=silent
// case large expect=silent
// case large_last expect=uninitialized-read level=warning
// case own_handler expect=silent
// case own_handler_before expect=silent
// case child expect=silent
// case freed expect=silent
// case threads expect=silent
// case queried expect=silent
// case fields expect=silent
// case added expect=uninitialized-read level=warning
#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "check.h"

enum { N = 1000, BYTES = N * sizeof(int), LARGE = 1 << 21 };

struct item {
    char kind;
    double value;
    short count;
};

struct fields {
    unsigned low : 3, high : 5, wide : 20;
};

__global__ void write(int *p, int n, int step)
{
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += (int)(gridDim.x * blockDim.x))
        p[i * step] = i;
}
__global__ void write_items(item *p, int n)
{
    for (int i = (int)threadIdx.x; i < n; i += 32)
        p[i].kind = 'a', p[i].value = i, p[i].count = 3;
}
__global__ void write_text(char *p)
{
    const char *text = "seven words written by a kernel, in chars";
    if (threadIdx.x == 0)
        do
            *p++ = *text;
        while (*text++);
}

static long sum(const int *p, int n, int step = 1)
{
    long s = 0;
    for (int i = 0; i < n; i++)
        s += p[i * step]; // managed pinned last half second_time strides_between large_last
    return s;
}
static void on_fault(int)
{
    _exit(5);
}
static int taken;
static jmp_buf back;
static void jump(int)
{
    taken++;
    longjmp(back, 1);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *m, *h, *d, own[N];
    CHECK(!cudaMallocManaged(&m, BYTES) && !cudaMallocHost(&h, BYTES) && !cudaMalloc(&d, BYTES) && !cudaMemset(d, 0, BYTES));
    long s = 0;
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return 2;
    CASE("managed") s = sum(m, N);
    CASE("managed_set") {
        for (int i = 0; i < N; i++)
            m[i] = i;
        s = sum(m, N);
    }
    CASE("managed_cleared") {
        CHECK(!cudaMemset(m, 0, BYTES) && !cudaDeviceSynchronize());
        CHECK(sum(m, N) == 0);
    }
    CASE("pinned") s = sum(h, N);
    CASE("pinned_copied") {
        CHECK(!cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost));
        CHECK(sum(h, N) == 0);
    }
    CASE("last") {
        write<<<4, 32>>>(m, N - 1, 1);
        CHECK(!cudaDeviceSynchronize());
        s = sum(m, N);
    }
    CASE("last_bytes") {
        write_text<<<1, 32>>>((char *)m);
        CHECK(!cudaDeviceSynchronize());
        for (int i = 0; i < 60; i++)
            s += ((volatile char *)m)[i]; // last_bytes
    }
    CASE("not_last") {
        write<<<4, 32>>>(m, N - 1, 1);
        CHECK(!cudaDeviceSynchronize());
        CHECK(sum(m, N - 1) == (N - 1) * (N - 2) / 2);
    }
    CASE("half") {
        write<<<4, 32>>>(h, N / 2, 1);
        CHECK(!cudaDeviceSynchronize());
        s = sum(h, N);
    }
    CASE("half_only") {
        write<<<4, 32>>>(h, N / 2, 1);
        CHECK(!cudaDeviceSynchronize());
        s = sum(h, N / 2);
        write<<<4, 32>>>(h, N, 1);
        CHECK(!cudaDeviceSynchronize());
        s += sum(h, N);
    }
    CASE("second_time") {
        for (int i = 0; i < N - 1; i++)
            m[i] = 1;
        write<<<4, 32>>>(m, N / 2, 1);
        CHECK(!cudaDeviceSynchronize());
        s = sum(m, N);
    }
    CASE("second_time_set") {
        for (int i = N / 2; i < N; i++)
            m[i] = 1;
        write<<<4, 32>>>(m, N / 2, 1);
        CHECK(!cudaDeviceSynchronize());
        s = sum(m, N);
    }
    CASE("copied") {
        write<<<4, 32>>>(m, N / 2, 1);
        CHECK(!cudaDeviceSynchronize());
        memcpy(own, m, BYTES);
        s = sum(own, N / 2);
    }
    CASE("copied_whole") {
        write<<<4, 32>>>(m, N, 1);
        CHECK(!cudaDeviceSynchronize());
        memcpy(own, m, BYTES);
        s = sum(own, N);
    }
    CASE("sent") {
        FILE *f = fopen("/dev/null", "w");
        write<<<4, 32>>>(m, N / 2, 1);
        CHECK(!cudaDeviceSynchronize());
        CHECK(f && fwrite(m, sizeof *m, N, f) == N && !fclose(f));
    }
    CASE("sent_whole") {
        FILE *f = fopen("/dev/null", "w");
        write<<<4, 32>>>(m, N, 1);
        CHECK(!cudaDeviceSynchronize());
        CHECK(f && fwrite(m, sizeof *m, N, f) == N && !fclose(f));
    }
    CASE("from_file") {
        FILE *f = fopen("/dev/zero", "r");
        CHECK(f && fread(h, sizeof *h, N, f) == N && !fclose(f));
        int pipes[2];
        CHECK(!pipe(pipes) && ::write(pipes[1], own, 16) == 16 && read(pipes[0], m, BYTES) == 16);
        CHECK(sum(h, N) == 0 && m[3] == own[3]);
    }
    CASE("strides") {
        write<<<4, 32>>>(m, N / 2, 2);
        CHECK(!cudaDeviceSynchronize());
        CHECK(sum(m, N / 2, 2) == N / 2 * (N / 2 - 1) / 2);
    }
    CASE("strides_between") {
        write<<<4, 32>>>(m, N / 2, 2);
        CHECK(!cudaDeviceSynchronize());
        s = sum(m + 1, N / 2, 2);
    }
    CASE("many_strides") {
        int *big;
        CHECK(!cudaMallocManaged(&big, LARGE));
        for (int turn = 0; turn < 3; turn++) {
            write<<<4, 256>>>(big, LARGE / 64, 8);
            CHECK(!cudaDeviceSynchronize());
            s += sum(big, LARGE / 64, 8);
        }
        cudaFree(big);
    }
    CASE("padded") {
        item *p = (item *)m, one;
        write_items<<<1, 32>>>(p, 32);
        CHECK(!cudaDeviceSynchronize());
        for (int i = 0; i < 32; i++) {
            one = p[i];
            CHECK(one.value == i && one.count == 3);
        }
    }
    CASE("padded_memcpy") {
        item *p = (item *)m, some[32];
        write_items<<<1, 32>>>(p, 32);
        CHECK(!cudaDeviceSynchronize());
        memcpy(some, p, sizeof some);
        CHECK(some[31].value == 31);
        for (int i = 0; i < 32; i++) {
            memcpy(&some[i], &p[31 - i], sizeof(item));
            CHECK(some[i].value == 31 - i);
        }
    }
    CASE("text") {
        char *text = (char *)h + 7, line[200];
        write_text<<<1, 32>>>(text);
        CHECK(!cudaDeviceSynchronize());
        CHECK(strlen(text) == 41 && strchr(text, ',') && !strcmp(strrchr(text, ' '), " chars"));
        CHECK(snprintf(line, sizeof line, "%s", text) == 41 && strdup(text));
    }
    CASE("sorted") {
        write<<<4, 32>>>(m, N - 100, 1);
        CHECK(!cudaDeviceSynchronize());
        std::sort(m, m + N - 100, [](int a, int b) { return a > b; });
        CHECK(m[0] == N - 101 && std::is_sorted(m, m + N - 100, [](int a, int b) { return a > b; }));
    }
    CASE("large") {
        int *big;
        CHECK(!cudaMallocHost(&big, LARGE * sizeof(int)));
        for (int i = 0; i < LARGE; i++)
            big[i] = 1;
        CHECK(sum(big, LARGE) == LARGE);
        write<<<4, 256>>>(big, 5000, 1);
        CHECK(!cudaDeviceSynchronize());
        s = sum(big, LARGE);
        cudaFreeHost(big);
    }
    CASE("large_last") {
        int *big;
        CHECK(!cudaMallocHost(&big, LARGE * sizeof(int)));
        for (int i = 0; i < LARGE / 2; i++)
            big[i] = 1;
        s = sum(big, LARGE);
        cudaFreeHost(big);
    }
    CASE("own_handler") {
        signal(SIGSEGV, on_fault);
        for (int i = 0; i < N; i++)
            m[i] = i;
        s = sum(m, N);
    }
    CASE("own_handler_before") {
        struct sigaction a = {};
        a.sa_handler = jump, a.sa_flags = SA_NODEFER;
        CHECK(!sigaction(SIGSEGV, &a, NULL));
        int *fresh;
        CHECK(!cudaMallocManaged(&fresh, BYTES));
        if (!setjmp(back))
            *(volatile int *)8 = 1;
        for (int i = 0; i < N; i++)
            fresh[i] = i;
        CHECK(taken == 1 && sum(fresh, N) == N * (N - 1) / 2);
        cudaFree(fresh);
    }
    CASE("child") {
        int status;
        pid_t child = fork();
        if (!child) {
            m[3] = 4;
            _exit(m[3] + 1);
        }
        CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 5);
    }
    CASE("freed") {
        int *other;
        CHECK(!cudaMallocManaged(&other, BYTES) && !cudaFree(other));
        CHECK(!cudaMallocManaged(&other, BYTES));
        for (int i = 0; i < N; i++)
            other[i] = i;
        s = sum(other, N);
        cudaFree(other);
    }
    CASE("threads") {
        std::thread a([&] { for (int i = 0; i < N; i++) m[i] = i; }), b([&] { for (int i = 0; i < N; i++) h[i] = i; });
        a.join(), b.join();
        write<<<4, 32>>>(m, N / 2, 1);
        CHECK(!cudaDeviceSynchronize());
        long sums[2];
        std::thread x([&] { sums[0] = sum(m, N); }), y([&] { sums[1] = sum(m, N); });
        x.join(), y.join();
        CHECK(sums[0] == sums[1]);
    }
    CASE("fields") {
        struct fields *f = (struct fields *)m;
        for (int i = 0; i < 4; i++)
            f[i].low = i, f[i].high = 2, f[i].wide = 1000u * i;
        CHECK(f[2].high == 2 && f[3].low == 3 && f[3].wide == 3000);
    }
    CASE("added") {
        for (int i = 0; i < 3; i++)
            *m += i; // added
        s = *m;
    }
    CASE("queried") {
        write<<<4, 32>>>(m, N, 1);
        while (cudaStreamQuery(0) == cudaErrorNotReady)
            ;
        s = sum(m, N);
    }
    else return 2;
    printf("%ld\n", s);
    CHECK(!cudaDeviceSynchronize());
    cudaFree(m), cudaFreeHost(h), cudaFree(d);
    return 0;
}
