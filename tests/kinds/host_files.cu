// Files and sockets that the host reads into, and writes from, memory that it shares with the device: a buffer half of which is on
// its way works like any other, and the half that is on its way is told.
//
// also --remote
//
// case read_other expect=silent
// case read_same expect=stream-race
// case read_behind expect=silent
// case fread_other expect=silent
// case fread_same expect=stream-race
// case write_source expect=silent
// case write_result expect=stream-race
// case fwrite_source expect=silent
// case fwrite_result expect=stream-race
// case send_source expect=silent
// case send_result expect=stream-race
// case receive_other expect=silent
// case receive_same expect=stream-race
// case stream_other expect=silent
// case stream_same expect=stream-race
// case gather_other expect=silent
// case gather_result expect=stream-race
// case scatter_other expect=silent
// case scatter_same expect=stream-race
// case receive_parts_other expect=silent
// case receive_parts_same expect=stream-race
// case send_parts_other expect=silent
// case send_parts_result expect=stream-race
// case read_at_other expect=silent
// case fresh_memory expect=silent
// case managed_other expect=silent
// case managed_result expect=stream-race
// case while_blocked expect=silent
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sys/socket.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>
#include <cuda_runtime.h>

#include "check.h"

enum { N = 5000 }; // bytes of a half: the two share a page

__global__ void fill(char *p)
{
    for (int i = (int)threadIdx.x; i < N; i += 32)
        p[i] = 1;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    char *h, *d, *m, byte;
    int pair[2], zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
    FILE *in = fopen("/dev/zero", "rb"), *out = fopen("/dev/null", "wb");
    std::ifstream from("/dev/zero", std::ios::binary);
    cudaStream_t s;
    CHECK(!cudaMallocHost(&h, 2 * N) && !cudaMalloc(&d, N) && !cudaMallocManaged(&m, 2 * N));
    CHECK(!cudaMemset(d, 7, N) && !cudaDeviceSynchronize() && !cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    memset(h, 0, 2 * N);
    memset(m, 0, 2 * N);
    auto up = [&] { CHECK(!cudaMemcpyAsync(d, h, N, cudaMemcpyHostToDevice, s)); };
    auto down = [&] { CHECK(!cudaMemcpyAsync(h, d, N, cudaMemcpyDeviceToHost, s)); };
    iovec both[2] = {{h + N, 10}, {h + N + 100, N - 100}}, same[2] = {{h + N, 10}, {h + 10, N - 100}};
    struct msghdr parts = {}, same_parts = {};
    parts.msg_iov = both, same_parts.msg_iov = same, parts.msg_iovlen = same_parts.msg_iovlen = 2;
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return 2;
    CASE("read_other") {
        up();
        h[N] = 1;
        CHECK(read(zero, h + N, N) == N && h[N] == 0);
    }
    CASE("read_same") {
        up();
        CHECK(read(zero, h, N) == N); // read_same
    }
    CASE("read_behind") {
        up();
        CHECK(!cudaStreamSynchronize(s));
        CHECK(read(zero, h, N) == N);
    }
    CASE("fread_other") {
        up();
        CHECK(fread(h + N, 4, N / 4, in) == N / 4);
    }
    CASE("fread_same") {
        up();
        CHECK(fread(h, 4, N / 4, in) == N / 4); // fread_same
    }
    CASE("write_source") {
        up();
        CHECK(write(null, h, N) == N);
    }
    CASE("write_result") {
        down();
        CHECK(write(null, h, N) == N); // write_result
    }
    CASE("fwrite_source") {
        up();
        CHECK(fwrite(h, 1, N, out) == N);
    }
    CASE("fwrite_result") {
        down();
        CHECK(fwrite(h, 1, N, out) == N); // fwrite_result
    }
    CASE("send_source") {
        up();
        CHECK(send(pair[0], h, N, 0) == N);
    }
    CASE("send_result") {
        down();
        CHECK(send(pair[0], h, N, 0) == N); // send_result
    }
    CASE("receive_other") {
        CHECK(send(pair[0], h, N, 0) == N);
        up();
        CHECK(recv(pair[1], h + N, N, 0) == N);
    }
    CASE("receive_same") {
        CHECK(send(pair[0], h, N, 0) == N);
        up();
        CHECK(recv(pair[1], h, N, 0) == N); // receive_same
    }
    CASE("stream_other") {
        up();
        CHECK(from.read(h + N, N));
    }
    CASE("stream_same") {
        up();
        CHECK(from.read(h, N)); // stream_same
    }
    CASE("gather_other") {
        down();
        CHECK(writev(null, both, 2) == N - 90);
    }
    CASE("gather_result") {
        down();
        CHECK(writev(null, same, 2) == N - 90); // gather_result
    }
    CASE("scatter_other") {
        up();
        h[N + 100] = 1;
        CHECK(readv(zero, both, 2) == N - 90 && h[N + 100] == 0);
    }
    CASE("scatter_same") {
        up();
        CHECK(readv(zero, same, 2) == N - 90); // scatter_same
    }
    CASE("receive_parts_other") {
        CHECK(send(pair[0], h, N - 90, 0) == N - 90);
        up();
        h[N + 100] = 1;
        CHECK(recvmsg(pair[1], &parts, 0) == N - 90 && h[N + 100] == 0 && parts.msg_iov == both && parts.msg_iovlen == 2);
    }
    CASE("receive_parts_same") {
        CHECK(send(pair[0], h, N - 90, 0) == N - 90);
        up();
        CHECK(recvmsg(pair[1], &same_parts, 0) == N - 90); // receive_parts_same
    }
    CASE("send_parts_other") {
        h[N + 100] = 5;
        down();
        CHECK(sendmsg(pair[0], &parts, 0) == N - 90);
    }
    CASE("send_parts_result") {
        down();
        CHECK(sendmsg(pair[0], &same_parts, 0) == N - 90); // send_parts_result
    }
    CASE("read_at_other") {
        up();
        h[N + 100] = 1;
        CHECK(preadv(zero, both, 2, 0) == N - 90 && h[N + 100] == 0 && pwritev(null, both, 2, 0) == N - 90);
    }
    CASE("fresh_memory") { // nobody has written there, nothing is under way
        char *fresh;
        CHECK(!cudaMallocManaged(&fresh, N));
        struct iovec there = {fresh, N};
        struct msghdr one = {};
        one.msg_iov = &there, one.msg_iovlen = 1;
        CHECK(send(pair[0], h, N, 0) == N && recvmsg(pair[1], &one, 0) == N && fresh[N - 1] == 0);
        CHECK(!cudaFree(fresh));
    }
    CASE("managed_other") {
        fill<<<1, 32, 0, s>>>(m);
        CHECK(read(zero, m + N, N) == N);
    }
    CASE("managed_result") {
        fill<<<1, 32, 0, s>>>(m);
        CHECK(write(null, m, N) == N); // managed_result
    }
    CASE("while_blocked") { // a thread waits for bytes when the copy of the other half is issued
        std::thread reader([&] { CHECK(recv(pair[1], h + N, N, MSG_WAITALL) == N); });
        CHECK(send(pair[0], &byte, 1, 0) == 1);
        usleep(100000);
        up();
        CHECK(write(pair[0], d ? argv[0] : "", 1) == 1);
        for (int i = 2; i < N; i++)
            CHECK(write(pair[0], "", 1) == 1);
        reader.join();
    }
    else return 2;
    CHECK(!cudaDeviceSynchronize());
    CHECK(!cudaFree(d) && !cudaFree(m) && !cudaFreeHost(h) && !cudaStreamDestroy(s));
    return 0;
}
