// nvcc: -lcuda
// Facts about the Driver API's stream memory operations, one a line, as facts.cu has them about the rest. The same
// program runs on a real GPU and on softgpu, and the two outputs are compared (memop_facts.gpu.txt).
//
//   nvcc -arch=sm_90 -cudart shared -o memop_facts memop_facts.cu -lcuda && ./memop_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <unistd.h>

static CUstream s, other;
static CUdeviceptr p, q;
static unsigned *pinned;

static void fact(const char *name, CUresult e)
{
    const char *word = "?";
    cuGetErrorName(e, &word);
    printf("%s: %s\n", name, word);
}
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v); }
#define FACT(call) fact(#call, call)

static long long word(CUdeviceptr at, int bytes = 4)
{
    long long v = 0;
    CUresult e = cuMemcpyDtoH(&v, at, bytes);
    return e ? -(long long)e : v;
}
#define HOLDS(at) fact(#at " holds", word(at))
#define HOLDS8(at) fact(#at " holds", word(at, 8))
// Does a wait for `value` end that finds `holds`?
static void waits(const char *name, unsigned holds, unsigned value, unsigned flags)
{
    cuMemsetD32(p, holds, 1);
    cuCtxSynchronize();
    CUresult e = cuStreamWaitValue32(s, p, value, flags);
    fact(name, e);
    if (e)
        return;
    cuStreamWriteValue32(s, q, 5, 0);
    usleep(20000);
    CUresult done = CUDA_ERROR_NOT_READY;
    for (int i = 0; i < 1000 && done == CUDA_ERROR_NOT_READY; i++)
        done = cuStreamQuery(s);
    fact(name, done);
    unsigned fits = flags == CU_STREAM_WAIT_VALUE_AND ? 0xffffffffu : flags == CU_STREAM_WAIT_VALUE_NOR ? 0 : value;
    cuStreamWriteValue32(other, p, fits, 0);
    fact(name, cuStreamSynchronize(s));
}

static void attributes()
{
    int v[6] = {-1, -1, -1, -1, -1, -1};
    cuDeviceGetAttribute(&v[0], CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1, 0);
    cuDeviceGetAttribute(&v[1], CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V1, 0);
    cuDeviceGetAttribute(&v[2], CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V1, 0);
    cuDeviceGetAttribute(&v[3], CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, 0);
    cuDeviceGetAttribute(&v[4], CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 0);
    cuDeviceGetAttribute(&v[5], CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 0);
    for (int i = 0; i < 6; i++)
        fact("attribute", v[i]);
}

static void writes()
{
    CUdeviceptr managed, free_one;
    static unsigned pageable[4];
    FACT(cuStreamWriteValue32(s, p, 7, 0));
    FACT(cuStreamSynchronize(s));
    HOLDS(p);
    FACT(cuStreamWriteValue32(s, p, 8, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
    FACT(cuStreamWriteValue32(s, p, 9, 2));
    FACT(cuStreamWriteValue32(0, p + 4, 10, 0));
    FACT(cuStreamWriteValue32(s, p + 2, 11, 0));
    FACT(cuStreamWriteValue64(s, p + 8, 0x100000002ull, 0));
    FACT(cuStreamWriteValue64(s, p + 20, 12, 0));
    FACT(cuStreamWriteValue32(s, 0, 1, 0));
    FACT(cuStreamSynchronize(s));
    HOLDS(p);
    HOLDS(p + 4);
    HOLDS8(p + 8);
    FACT(cuStreamWriteValue32(s, (CUdeviceptr)(uintptr_t)pageable, 1, 0));
    FACT(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
    FACT(cuStreamWriteValue32(s, managed, 1, 0));
    FACT(cuStreamWriteValue32(s, (CUdeviceptr)(uintptr_t)pinned, 33, 0));
    FACT(cuStreamSynchronize(s));
    fact("pinned", pinned[0]);
    FACT(cuMemAlloc(&free_one, 4 << 20));
    FACT(cuMemFree(free_one));
    FACT(cuStreamWriteValue32(s, free_one, 1, 0));
    FACT(cuStreamWaitValue32(s, free_one, 0, 0));
}

static void all_waits()
{
    waits("5 >= 5", 5, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits("4 >= 5", 4, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits("0x80000004 >= 5", 0x80000004u, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits("0x80000005 >= 5", 0x80000005u, 5, CU_STREAM_WAIT_VALUE_GEQ);
    waits("2 >= 0xfffffff0", 2, 0xfffffff0u, CU_STREAM_WAIT_VALUE_GEQ);
    waits("5 == 5", 5, 5, CU_STREAM_WAIT_VALUE_EQ);
    waits("6 == 5", 6, 5, CU_STREAM_WAIT_VALUE_EQ);
    waits("6 & 2", 6, 2, CU_STREAM_WAIT_VALUE_AND);
    waits("5 & 2", 5, 2, CU_STREAM_WAIT_VALUE_AND);
    waits("nor 0xfffffff0 0x0f", 0xfffffff0u, 0x0f, CU_STREAM_WAIT_VALUE_NOR);
    waits("nor 0xfffffff0 0x07", 0xfffffff0u, 0x07, CU_STREAM_WAIT_VALUE_NOR);
    waits("flush", 5, 5, CU_STREAM_WAIT_VALUE_FLUSH);
    waits("flags 4", 5, 5, 4);
    FACT(cuStreamWaitValue32(s, p + 2, 0, 0));
    FACT(cuStreamWaitValue64(s, p + 4, 0, 0));
    FACT(cuStreamWaitValue32(s, 0, 0, 0));
    FACT(cuStreamWaitValue64(s, p + 8, 0x100000002ull, CU_STREAM_WAIT_VALUE_EQ));
    FACT(cuStreamSynchronize(s));
    pinned[1] = 0;
    FACT(cuStreamWaitValue32(s, (CUdeviceptr)(uintptr_t)&pinned[1], 1, 0));
    FACT(cuStreamWriteValue32(s, q, 99, 0));
    usleep(20000);
    FACT(cuStreamQuery(s));
    *(volatile unsigned *)&pinned[1] = 1;
    FACT(cuStreamSynchronize(s));
    HOLDS(q);
}

static CUstreamBatchMemOpParams op(CUstreamBatchMemOpType type, CUdeviceptr at, unsigned long long value, unsigned flags)
{
    CUstreamBatchMemOpParams b;
    memset(&b, 0, sizeof b);
    b.operation = type;
    if (type == CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES || type == CU_STREAM_MEM_OP_BARRIER)
        b.memoryBarrier.flags = flags;
    else
        b.writeValue.address = at, b.writeValue.value64 = value, b.writeValue.flags = flags;
    return b;
}

static void batches()
{
    CUstreamBatchMemOpParams b[4] = {op(CU_STREAM_MEM_OP_WRITE_VALUE_32, p, 21, 0),
                                     op(CU_STREAM_MEM_OP_WAIT_VALUE_32, p, 21, CU_STREAM_WAIT_VALUE_EQ),
                                     op(CU_STREAM_MEM_OP_BARRIER, 0, 0, 0),
                                     op(CU_STREAM_MEM_OP_WRITE_VALUE_64, p + 8, 22, 0)};
    FACT(cuStreamBatchMemOp(s, 4, b, 0));
    FACT(cuStreamSynchronize(s));
    HOLDS(p);
    HOLDS8(p + 8);
    FACT(cuStreamBatchMemOp(s, 0, b, 0));
    FACT(cuStreamBatchMemOp(s, 1, b, 1));
    b[0] = op(CU_STREAM_MEM_OP_BARRIER, 0, 0, 1);
    FACT(cuStreamBatchMemOp(s, 1, b, 0));
    b[0] = op(CU_STREAM_MEM_OP_BARRIER, 0, 0, 2);
    FACT(cuStreamBatchMemOp(s, 1, b, 0));
    b[0] = op(CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES, 0, 0, 0);
    FACT(cuStreamBatchMemOp(s, 1, b, 0));
    b[0] = op((CUstreamBatchMemOpType)9, p, 0, 0);
    FACT(cuStreamBatchMemOp(s, 1, b, 0));
    static CUstreamBatchMemOpParams many[300];
    for (int i = 0; i < 300; i++)
        many[i] = op(CU_STREAM_MEM_OP_WRITE_VALUE_32, p, (unsigned)i, 0);
    FACT(cuStreamBatchMemOp(s, 256, many, 0));
    FACT(cuStreamBatchMemOp(s, 257, many, 0));
    many[3].writeValue.address = p + 1; // nothing of a batch with an error in it takes place
    cuMemsetD32(p, 1000, 1);
    FACT(cuStreamBatchMemOp(s, 8, many, 0));
    FACT(cuStreamSynchronize(s));
    HOLDS(p);
}

static void captured()
{
    CUgraph g;
    CUgraphExec x;
    CUgraphNode nodes[4];
    CUgraphNodeType type;
    size_t count = 4;
    FACT(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    FACT(cuStreamWriteValue32(s, p, 41, 0));
    FACT(cuStreamWaitValue32(s, p, 41, 0));
    FACT(cuStreamEndCapture(s, &g));
    FACT(cuGraphGetNodes(g, nodes, &count));
    fact("nodes", (long long)count);
    for (size_t i = 0; i < count; i++) {
        cuGraphNodeGetType(nodes[i], &type);
        fact("type", type);
    }
    FACT(cuGraphInstantiate(&x, g, 0));
    FACT(cuGraphLaunch(x, s));
    FACT(cuStreamSynchronize(s));
    HOLDS(p);
}

int main()
{
    CUcontext c;
    CUdevice d;
    setvbuf(stdout, nullptr, _IONBF, 0);
    alarm(60);
    cuInit(0);
    cuDeviceGet(&d, 0);
    cuDevicePrimaryCtxRetain(&c, d);
    cuCtxSetCurrent(c);
    cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
    cuStreamCreate(&other, CU_STREAM_NON_BLOCKING);
    cuMemAlloc(&p, 4096);
    cuMemAlloc(&q, 4096);
    cuMemsetD32(p, 0, 1024);
    cuMemAllocHost((void **)&pinned, 4096);
    attributes();
    writes();
    all_waits();
    batches();
    captured();
}
