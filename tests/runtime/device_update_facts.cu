// nvcc: -arch=compute_90 -rdc=true -lcudadevrt
// Facts about kernel nodes of graphs that kernels update, one a line. The same program runs on a real GPU and on softgpu, and the
// two outputs are compared (device_update_facts.gpu.txt). Each part is a process of its own, since some end the context.
//
//   nvcc -arch=sm_90 -rdc=true -cudart shared -o device_update_facts device_update_facts.cu -lcudadevrt && ./device_update_facts
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static void fact(const char *name, cudaError_t e)
{
    printf("%s: %s\n", name, cudaGetErrorName(e));
    cudaGetLastError();
}
static void fact(const char *name, long long v) { printf("%s: %lld\n", name, v); }
#define FACT(call) fact(#call, call)

struct change { // what a kernel is to do to a node
    int what;
    size_t offset, size;
    unsigned long long value;
    dim3 grid;
};
enum { PARAM, NULL_PARAM, ENABLED, GRID, BATCH, BATCH_NONE, BATCH_NULL, BATCH_HALF, BATCH_FIELD, BATCH_ENABLED };

__device__ int update(cudaGraphDeviceNode_t n, change c)
{
    alignas(8) char raw[2 * sizeof(cudaGraphKernelNodeUpdate)];
    memset(raw, 0, sizeof raw);
    cudaGraphKernelNodeUpdate *u = (cudaGraphKernelNodeUpdate *)raw;
    u[0].node = u[1].node = n;
    u[0].field = cudaGraphKernelNodeFieldGridDim;
    u[0].updateData.gridDim = c.grid;
    u[1].field = cudaGraphKernelNodeFieldParam;
    u[1].updateData.param.pValue = &c.value;
    u[1].updateData.param.offset = c.offset;
    u[1].updateData.param.size = c.size;
    switch (c.what) {
    case PARAM: return cudaGraphKernelNodeSetParam(n, c.offset, &c.value, c.size);
    case NULL_PARAM: return cudaGraphKernelNodeSetParam(n, c.offset, NULL, c.size);
    case ENABLED: return cudaGraphKernelNodeSetEnabled(n, c.value);
    case GRID: return cudaGraphKernelNodeSetGridDim(n, c.grid);
    case BATCH:
    case BATCH_HALF: return cudaGraphKernelNodeUpdatesApply(u, 2);
    case BATCH_NONE: return cudaGraphKernelNodeUpdatesApply(u, 0);
    case BATCH_NULL: return cudaGraphKernelNodeUpdatesApply(NULL, 1);
    case BATCH_FIELD: u[0].field = (cudaGraphKernelNodeField)c.value; return cudaGraphKernelNodeUpdatesApply(u, 1);
    default:
        u[0].field = cudaGraphKernelNodeFieldEnabled;
        u[0].updateData.isEnabled = (unsigned)c.value;
        return cudaGraphKernelNodeUpdatesApply(u, 1);
    }
}

__global__ void updates(cudaGraphDeviceNode_t n, change c, int *error) { *error = update(n, c); }
__global__ void target(int *out, int a, short b, long long c)
{
    if (threadIdx.x == 0 && blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0) {
        out[0] += 1;
        out[1] = a;
        out[2] = b;
        out[3] = (int)c;
        out[4] = gridDim.x * 10000 + gridDim.y * 100 + gridDim.z;
    }
}
// Updates itself.
__global__ void own(int *out, int a, cudaGraphDeviceNode_t n)
{
    out[1] = a;
    out[5] = cudaGraphKernelNodeSetParam(n, 8, a + 1);
}
__global__ void fires(cudaGraphExec_t x, int *error) { *error = cudaGraphLaunch(x, cudaStreamGraphFireAndForget); }

static int *out, *error;
static change to_a(int v) { return change{PARAM, 8, 4, (unsigned long long)v, {}}; }

static cudaGraphNode_t kernel(cudaGraph_t g, const void *f, void **args, const cudaGraphNode_t *after = NULL)
{
    cudaGraphNode_t n;
    cudaKernelNodeParams p = {};
    p.func = (void *)f;
    p.gridDim = p.blockDim = 1;
    p.kernelParams = args;
    cudaGraphAddKernelNode(&n, g, after, after != NULL, &p);
    return n;
}
static cudaGraphNode_t a_target(cudaGraph_t g, const cudaGraphNode_t *after = NULL)
{
    int a = 1;
    short b = 2;
    long long c = 3;
    void *args[] = {&out, &a, &b, &c};
    return kernel(g, (const void *)target, args, after);
}
static cudaGraphNode_t an_updater(cudaGraph_t g, cudaGraphDeviceNode_t d, change c, const cudaGraphNode_t *after = NULL)
{
    void *args[] = {&d, &c, &error};
    return kernel(g, (const void *)updates, args, after);
}
static cudaError_t set(cudaGraphNode_t n, int on, cudaGraphDeviceNode_t *d = NULL)
{
    cudaLaunchAttributeValue v = {};
    v.deviceUpdatableKernelNode.deviceUpdatable = on;
    cudaError_t e = cudaGraphKernelNodeSetAttribute(n, cudaLaunchAttributeDeviceUpdatableKernelNode, &v);
    if (d)
        *d = v.deviceUpdatableKernelNode.devNode;
    return e;
}
static void show(const char *what)
{
    int o[6], e;
    cudaError_t s = cudaDeviceSynchronize();
    cudaMemcpy(o, out, sizeof o, cudaMemcpyDeviceToHost);
    cudaMemcpy(&e, error, sizeof e, cudaMemcpyDeviceToHost);
    printf("%s: %s, error %d, ran %d, a %d, b %d, c %d, grid %d\n", what, cudaGetErrorName(s), e, o[0], o[1], o[2], o[3], o[4]);
    cudaMemset(out, 0, 64);
    cudaMemset(error, 0xff, 4);
    cudaDeviceSynchronize();
}

static void captured()
{
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaLaunchAttribute a = {};
    cudaLaunchConfig_t c = {};
    cudaStreamCreate(&s);
    a.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    c.gridDim = c.blockDim = 1;
    c.stream = s;
    c.attrs = &a;
    c.numAttrs = 1;
    FACT(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    FACT(cudaLaunchKernelEx(&c, target, out, 1, (short)2, 3ll));
    fact("not asked: a handle", a.val.deviceUpdatableKernelNode.devNode != NULL);
    a.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    FACT(cudaLaunchKernelEx(&c, target, out, 1, (short)2, 3ll));
    fact("a handle", a.val.deviceUpdatableKernelNode.devNode != NULL);
    FACT(cudaStreamEndCapture(s, &g));
    FACT(cudaGraphInstantiate(&x, g, 0));
    updates<<<1, 1>>>(a.val.deviceUpdatableKernelNode.devNode, to_a(7), error);
    FACT(cudaDeviceSynchronize());
    FACT(cudaGraphLaunch(x, s));
    show("captured");
    a.val.deviceUpdatableKernelNode.deviceUpdatable = 2;
    FACT(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
    FACT(cudaLaunchKernelEx(&c, target, out, 1, (short)2, 3ll));
    FACT(cudaStreamEndCapture(s, &g));
}

static void outside(bool upload)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphDeviceNode_t d;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t t = a_target(g);
    set(t, 1, &d);
    cudaGraphInstantiate(&x, g, 0);
    if (upload)
        FACT(cudaGraphUpload(x, 0));
    const change all[] = {
        to_a(10), {PARAM, 12, 2, 11}, {PARAM, 16, 8, 12}, {PARAM, 8, 2, 13}, {PARAM, 9, 1, 1}, {PARAM, 14, 2, 5}, {PARAM, 24, 1, 1},
        {PARAM, 20, 8, 1}, {PARAM, 8, 8, 14 + (15ull << 32)}, {PARAM, 0, 0, 1}, {PARAM, 100000, 4, 1}, {PARAM, (size_t)-4, 8, 1}, {NULL_PARAM, 8, 0, 0},
        {GRID, 0, 0, 0, dim3(2, 3, 4)}, {GRID, 0, 0, 0, dim3(0, 1, 1)}, {GRID, 0, 0, 0, dim3(1, 0, 1)}, {GRID, 0, 0, 0, dim3(1, 70000, 1)},
        {GRID, 0, 0, 0, dim3(1, 1, 70000)}, {GRID, 0, 0, 0, dim3(0x80000000u, 1, 1)}, {GRID, 0, 0, 0, dim3(1, 1, 1)},
        {ENABLED, 0, 0, 0}, {ENABLED, 0, 0, 1}, {BATCH, 8, 4, 20, dim3(5, 1, 1)}, {BATCH_NONE}, {BATCH_HALF, 100000, 4, 21, dim3(6, 1, 1)},
        {BATCH_HALF, 8, 4, 22, dim3(0, 1, 1)}, {BATCH_FIELD, 0, 0, 0}, {BATCH_FIELD, 0, 0, 7}, {BATCH_ENABLED, 0, 0, 0}, {BATCH_ENABLED, 0, 0, 2}};
    for (const change &c : all) {
        updates<<<1, 1>>>(d, c, error);
        cudaDeviceSynchronize();
        FACT(cudaGraphLaunch(x, 0));
        printf("%s, %d of %zu bytes at %zu, value %llx, grid %u %u %u", upload ? "uploaded" : "not uploaded", c.what, c.size, c.offset, c.value, c.grid.x, c.grid.y, c.grid.z);
        show("");
    }
    // The host's own changes, and what it is told.
    cudaKernelNodeParams p;
    cudaGraphKernelNodeGetParams(t, &p);
    fact("the host's a", *(int *)p.kernelParams[1]);
    fact("the host's grid", p.gridDim.x);
    int a = 30;
    void *args[] = {&out, &a, p.kernelParams[2], p.kernelParams[3]};
    p.kernelParams = args;
    p.gridDim = 2;
    FACT(cudaGraphExecKernelNodeSetParams(x, t, &p));
    cudaGraphLaunch(x, 0);
    show("set by the host");
    updates<<<1, 1>>>(d, to_a(31), error);
    cudaGraphLaunch(x, 0);
    show("then updated");
    a = 32;
    cudaGraphExecKernelNodeSetParams(x, t, &p);
    updates<<<1, 1>>>(d, to_a(33), error);
    cudaGraphLaunch(x, 0);
    show("set, updated, launched");
    FACT(cudaGraphUpload(x, 0));
    cudaGraphLaunch(x, 0);
    show("uploaded, launched");
    FACT(cudaGraphNodeSetEnabled(x, t, 0));
    cudaGraphLaunch(x, 0);
    show("disabled by the host");
    change on = {ENABLED, 0, 0, 1};
    updates<<<1, 1>>>(d, on, error);
    cudaGraphLaunch(x, 0);
    show("enabled by a kernel");
    unsigned is = 9;
    FACT(cudaGraphNodeGetEnabled(x, t, &is));
    fact("for the host", is);
    // Another instance begins with the graph's.
    cudaGraphExecDestroy(x);
    updates<<<1, 1>>>(d, to_a(40), error);
    fact("updated without an instance", cudaDeviceSynchronize());
    fact("new instance", cudaGraphInstantiate(&x, g, 0));
    cudaGraphLaunch(x, 0);
    show("new instance");
}

static void inside(bool upload)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphDeviceNode_t d;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t t = a_target(g);
    set(t, 1, &d);
    cudaGraphNode_t u = an_updater(g, d, to_a(50)), v = an_updater(g, d, to_a(51), &t);
    cudaGraphAddDependencies(g, &u, &t, NULL, 1);
    (void)v;
    printf("-- inside, %d\n", upload);
    FACT(cudaGraphInstantiate(&x, g, 0));
    if (upload)
        FACT(cudaGraphUpload(x, 0));
    for (int i = 0; i < 3; i++) {
        FACT(cudaGraphLaunch(x, 0));
        show("updated before and behind");
    }
    // Off, and on by what comes first.
    cudaGraphNodeSetEnabled(x, u, 0);
    if (upload)
        cudaGraphUpload(x, 0);
    for (int i = 0; i < 2; i++) {
        FACT(cudaGraphLaunch(x, 0));
        show("updated behind");
    }
    cudaGraphCreate(&g, 0);
    int a = 1;
    cudaGraphDeviceNode_t none = NULL;
    void *args[] = {&out, &a, &none};
    t = kernel(g, (const void *)own, args);
    set(t, 1, &d);
    args[2] = &d;
    cudaKernelNodeParams p = {};
    p.func = (void *)own;
    p.gridDim = p.blockDim = 1;
    p.kernelParams = args;
    FACT(cudaGraphKernelNodeSetParams(t, &p));
    FACT(cudaGraphInstantiate(&x, g, 0));
    if (upload)
        FACT(cudaGraphUpload(x, 0));
    for (int i = 0; i < 3; i++) {
        FACT(cudaGraphLaunch(x, 0));
        show("updates itself");
    }
}

static void from_device()
{
    cudaGraph_t g, h;
    cudaGraphExec_t x, y;
    cudaGraphDeviceNode_t d;
    cudaGraphCreate(&g, 0);
    cudaGraphNode_t t = a_target(g);
    FACT(set(t, 1, &d));
    FACT(cudaGraphInstantiate(&x, g, cudaGraphInstantiateFlagDeviceLaunch));
    FACT(cudaGraphUpload(x, 0));
    cudaGraphCreate(&h, 0);
    cudaGraphNode_t u = an_updater(h, d, to_a(60));
    void *args[] = {&x, &error};
    kernel(h, (const void *)fires, args, &u);
    FACT(cudaGraphInstantiate(&y, h, cudaGraphInstantiateFlagDeviceLaunch));
    FACT(cudaGraphUpload(y, 0));
    for (int i = 0; i < 2; i++) {
        FACT(cudaGraphLaunch(y, 0));
        show("updated, then fired");
    }
    FACT(cudaGraphLaunch(x, 0));
    show("by the host");
    // In a conditional node's body.
    cudaGraphConditionalHandle handle;
    cudaGraphNodeParams p = {cudaGraphNodeTypeConditional};
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandleCreate(&handle, g, 1, cudaGraphCondAssignDefault);
    p.conditional.handle = handle;
    p.conditional.type = cudaGraphCondTypeIf;
    p.conditional.size = 1;
    cudaGraphNode_t n;
    FACT(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    t = a_target(p.conditional.phGraph_out[0]);
    FACT(set(t, 1, &d));
    u = an_updater(g, d, to_a(61));
    cudaGraphAddDependencies(g, &u, &n, NULL, 1);
    cudaError_t e = cudaGraphInstantiate(&x, g, 0);
    fact("in a body", e);
    if (e)
        return;
    FACT(cudaGraphUpload(x, 0));
    FACT(cudaGraphLaunch(x, 0));
    show("in a body");
    FACT(cudaGraphLaunch(x, 0));
    show("in a body");
}

static void wrong(int which)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphDeviceNode_t d;
    int *memory;
    cudaMalloc(&memory, 4096);
    cudaMemset(memory, 0, 4096);
    cudaGraphCreate(&g, 0);
    set(a_target(g), 1, &d);
    const char *what[] = {"no handle", "some memory", "not instantiated", "graph destroyed", "no values", "a batch of NULL", "no values, no size"};
    const change null_param = {NULL_PARAM, 8, 4}, batch_null = {BATCH_NULL}, none = {NULL_PARAM, 8, 0};
    if (which > 2)
        cudaGraphInstantiate(&x, g, 0);
    if (which == 3) {
        cudaGraphExecDestroy(x);
        cudaGraphDestroy(g);
    }
    d = which == 0 ? NULL : which == 1 ? (cudaGraphDeviceNode_t)memory : d;
    updates<<<1, 1>>>(d, which == 4 ? null_param : which == 5 ? batch_null : which == 6 ? none : to_a(70), error);
    show(what[which]);
    if (which != 2)
        return;
    cudaGraphInstantiate(&x, g, 0);
    cudaGraphLaunch(x, 0);
    show("instantiated then");
}

static void part(int i)
{
    printf("-- part %d\n", i);
    cudaMalloc(&out, 64);
    cudaMalloc(&error, 4);
    cudaMemset(out, 0, 64);
    cudaMemset(error, 0xff, 4);
    cudaDeviceSynchronize();
    if (i == 1)
        captured();
    else if (i < 4)
        outside(i == 3);
    else if (i < 6)
        inside(i == 5);
    else if (i == 6)
        from_device();
    else
        wrong(i - 7);
}

int main()
{
    for (int i = 1; i < 14; i++) {
        fflush(stdout);
        pid_t p = fork();
        if (!p) {
            part(i);
            fflush(stdout);
            _exit(0);
        }
        int status;
        waitpid(p, &status, 0);
        if (WIFSIGNALED(status))
            printf("-- part %d: signal %d\n", i, WTERMSIG(status));
    }
}
