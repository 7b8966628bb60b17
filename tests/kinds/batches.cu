// Copies of one batch are made in any order, and a source may be read ahead of its stream, by its access order. (Of pageable memory:
// batch_pageable.cu; the sandbox has none of these.)
//
// also --remote
//
// case apart expect=silent
// case chained expect=stream-race says=copies.of.one.batch
// case two_calls expect=silent
// case same_place expect=stream-race says=copies.of.one.batch
// case boxes_apart expect=silent
// case boxes_chained expect=stream-race says=copies.of.one.batch
// case behind_kernel expect=silent
// case before_kernel expect=silent
// case other_stream expect=stream-race
// case stream_order expect=silent
// case any_order expect=stream-race says=cudaMemcpySrcAccessOrder
// case any_order_waited expect=silent
// case any_order_boxes expect=stream-race says=cudaMemcpySrcAccessOrder
// case any_order_written_later expect=silent
// case during_call expect=stream-race
// case during_call_waited expect=silent
// case changed_stream expect=stream-race
// case changed_any expect=stream-race
// case changed_during expect=silent
// case mixed expect=stream-race says=cudaMemcpySrcAccessOrder
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

enum { N = 2000, BYTES = N * sizeof(int) };

__global__ void fill(int *p, int v)
{
    for (int i = (int)threadIdx.x; i < N; i += 32)
        p[i] = v; // any_order any_order_boxes during_call mixed other_stream
}

static int *a, *b, *c, *h, *g;
static cudaStream_t s, t;

static void batch(int count, void **to, void **from, int first, int second)
{
    size_t bytes[2] = {BYTES, BYTES}, at[2] = {0, 1};
    cudaMemcpyAttributes how[2] = {};
    how[0].srcAccessOrder = (cudaMemcpySrcAccessOrder)first;
    how[1].srcAccessOrder = (cudaMemcpySrcAccessOrder)second;
    CHECK(!cudaMemcpyBatchAsync(to, (const void **)from, bytes, (size_t)count, how, at, (size_t)count, s)); // chained same_place changed_stream
}

static void one(void *to, void *from, int order)
{
    batch(1, &to, &from, order, 0);
}

static void two(void *to, void *from, void *to2, void *from2, int first = 1, int second = 1)
{
    void *tos[2] = {to, to2}, *froms[2] = {from, from2};
    batch(2, tos, froms, first, second);
}

static cudaMemcpy3DBatchOp box(void *to, void *from, int order)
{
    cudaMemcpy3DBatchOp o = {};
    o.src.type = o.dst.type = cudaMemcpyOperandTypePointer;
    o.src.op.ptr.ptr = from;
    o.dst.op.ptr.ptr = to;
    o.extent = make_cudaExtent(BYTES / 4, 4, 1);
    o.srcAccessOrder = (cudaMemcpySrcAccessOrder)order;
    return o;
}

static void boxes(cudaMemcpy3DBatchOp x, cudaMemcpy3DBatchOp y)
{
    cudaMemcpy3DBatchOp list[2] = {x, y};
    CHECK(!cudaMemcpy3DBatchAsync(2, list, 0, s)); // boxes_chained
}

static int first_of(int *device)
{
    int x;
    CHECK(!cudaStreamSynchronize(s) && !cudaMemcpy(&x, device, 4, cudaMemcpyDeviceToHost));
    return x;
}

int main(int argc, char **argv)
{
    enum { STREAM = 1, CALL, ANY };
    const char *name = argc > 1 ? argv[1] : "";
    CHECK(!cudaMalloc(&a, BYTES) && !cudaMalloc(&b, BYTES) && !cudaMalloc(&c, BYTES));
    CHECK(!cudaMallocHost(&h, BYTES) && !cudaMallocHost(&g, BYTES));
    CHECK(!cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) && !cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    for (int i = 0; i < N; i++)
        h[i] = g[i] = i + 5;
    CHECK(!cudaMemset(a, 0, BYTES) && !cudaMemset(b, 0, BYTES) && !cudaMemset(c, 0, BYTES) && !cudaDeviceSynchronize());
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return 2;
    CASE("apart") {
        two(a, h, b, g);
        CHECK(first_of(a) == 5 && first_of(b) == 5);
    }
    CASE("chained") two(a, h, b, a);
    CASE("two_calls") {
        one(a, h, STREAM);
        one(b, a, STREAM);
        CHECK(first_of(b) == 5);
    }
    CASE("same_place") two(a, h, a, b);
    CASE("boxes_apart") {
        boxes(box(a, h, STREAM), box(b, g, STREAM));
        CHECK(first_of(b) == 5);
    }
    CASE("boxes_chained") boxes(box(a, h, STREAM), box(b, a, STREAM));
    CASE("behind_kernel") {
        fill<<<1, 32, 0, s>>>(a, 3);
        one(b, a, STREAM);
        CHECK(first_of(b) == 3);
    }
    CASE("before_kernel") {
        two(a, h, b, g, ANY, STREAM);
        fill<<<1, 32, 0, s>>>(a, 3);
        CHECK(first_of(a) == 3);
    }
    CASE("other_stream") {
        one(a, h, STREAM);
        fill<<<1, 32, 0, t>>>(a, 3);
    }
    CASE("stream_order") {
        fill<<<1, 32, 0, s>>>(a, 3);
        two(b, a, c, h, STREAM, ANY);
    }
    CASE("any_order") {
        fill<<<1, 32, 0, s>>>(a, 3);
        one(b, a, ANY);
    }
    CASE("any_order_waited") {
        fill<<<1, 32, 0, s>>>(a, 3);
        CHECK(!cudaStreamSynchronize(s));
        one(b, a, ANY);
    }
    CASE("any_order_boxes") {
        fill<<<1, 32, 0, s>>>(a, 3);
        boxes(box(b, a, ANY), box(c, h, STREAM));
    }
    CASE("any_order_written_later") {
        one(b, a, ANY);
        fill<<<1, 32, 0, s>>>(a, 3);
    }
    CASE("during_call") {
        fill<<<1, 32, 0, s>>>(a, 3);
        one(b, a, CALL);
    }
    CASE("during_call_waited") {
        fill<<<1, 32, 0, s>>>(a, 3);
        CHECK(!cudaStreamSynchronize(s));
        one(b, a, CALL);
        CHECK(first_of(b) == 3);
    }
    CASE("changed_stream") {
        one(a, h, STREAM);
        h[0] = 77;
    }
    CASE("changed_any") {
        one(a, h, ANY);
        h[0] = 77; // changed_any
    }
    CASE("changed_during") {
        one(a, h, CALL);
        h[0] = 77;
        CHECK(first_of(a) == 5);
    }
    CASE("mixed") {
        fill<<<1, 32, 0, s>>>(a, 3);
        two(b, a, c, a, STREAM, ANY);
    }
    else return 2;
    CHECK(!cudaDeviceSynchronize());
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFreeHost(h), cudaFreeHost(g);
    return 0;
}
