// Conditional nodes as programs have them: if and else, while, switch, one in the other; and what is refused.
#include "check.cuh"

__device__ int steps, chosen;
__global__ void decide(cudaGraphConditionalHandle h, unsigned v) { cudaGraphSetConditional(h, v); }
__global__ void count(cudaGraphConditionalHandle h, int end) { cudaGraphSetConditional(h, ++steps < end); }
__global__ void choose(int what) { chosen = chosen * 10 + what; }

static cudaGraphNode_t kernel_node(cudaGraph_t g, const cudaGraphNode_t *after, void *f, void **arguments)
{
    cudaGraphNodeParams p = {};
    cudaGraphNode_t n;
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = f;
    p.kernel.gridDim = p.kernel.blockDim = dim3(1);
    p.kernel.kernelParams = arguments;
    OK(cudaGraphAddNode(&n, g, after, NULL, after ? 1 : 0, &p));
    return n;
}

static cudaGraphNodeParams condition(cudaGraphConditionalHandle h, cudaGraphConditionalNodeType type, unsigned size)
{
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h;
    p.conditional.type = type;
    p.conditional.size = size;
    return p;
}

static void run(cudaGraph_t g, int steps_then, int chosen_then)
{
    cudaGraphExec_t x;
    int none = 0, found[2];
    OK(cudaMemcpyToSymbol(steps, &none, sizeof none));
    OK(cudaMemcpyToSymbol(chosen, &none, sizeof none));
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphLaunch(x, 0));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&found[0], steps, sizeof(int)));
    OK(cudaMemcpyFromSymbol(&found[1], chosen, sizeof(int)));
    CHECK(found[0] == steps_then && found[1] == chosen_then);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
}

// Body `i` chooses i + 1.
static void branches(cudaGraphConditionalNodeType type, unsigned size, unsigned value, int chosen_then)
{
    cudaGraph_t g;
    cudaGraphConditionalHandle h;
    cudaGraphNode_t n;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&h, g, 0, cudaGraphCondAssignDefault));
    void *arguments[] = {&h, &value};
    cudaGraphNode_t first = kernel_node(g, NULL, (void *)decide, arguments);
    cudaGraphNodeParams p = condition(h, type, size);
    OK(cudaGraphAddNode(&n, g, &first, NULL, 1, &p));
    for (int i = 0; i < (int)size; i++) {
        int what = i + 1;
        void *its[] = {&what};
        CHECK(p.conditional.phGraph_out[i] != NULL);
        kernel_node(p.conditional.phGraph_out[i], NULL, (void *)choose, its);
    }
    run(g, 0, chosen_then);
}

// A loop of three turns, in each of which an inner condition is true.
static void loop()
{
    cudaGraph_t g;
    cudaGraphConditionalHandle outer, inner;
    cudaGraphNode_t n;
    int end = 3, what = 7;
    OK(cudaGraphCreate(&g, 0));
    OK(cudaGraphConditionalHandleCreate(&outer, g, 1, cudaGraphCondAssignDefault));
    OK(cudaGraphConditionalHandleCreate(&inner, g, 1, cudaGraphCondAssignDefault));
    cudaGraphNodeParams p = condition(outer, cudaGraphCondTypeWhile, 1), q = condition(inner, cudaGraphCondTypeIf, 1);
    OK(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p));
    cudaGraph_t body = p.conditional.phGraph_out[0];
    void *arguments[] = {&outer, &end}, *its[] = {&what};
    cudaGraphNode_t counts = kernel_node(body, NULL, (void *)count, arguments);
    OK(cudaGraphAddNode(&n, body, &counts, NULL, 1, &q));
    kernel_node(q.conditional.phGraph_out[0], NULL, (void *)choose, its);
    run(g, 3, 777);
}

static void refusals()
{
    cudaGraph_t g;
    cudaGraphConditionalHandle h;
    cudaGraphNode_t n;
    OK(cudaGraphCreate(&g, 0));
    GIVES(cudaGraphConditionalHandleCreate(&h, g, 0, 16), cudaErrorInvalidValue);
    OK(cudaGraphConditionalHandleCreate(&h, g, 0, 0));
    cudaGraphNodeParams p = condition(h, cudaGraphCondTypeWhile, 2);
    GIVES(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p), cudaErrorInvalidValue);
    p = condition(h + 8, cudaGraphCondTypeIf, 1);
    GIVES(cudaGraphAddNode(&n, g, NULL, NULL, 0, &p), cudaErrorInvalidValue);
    OK(cudaGraphDestroy(g));
}

int main(void)
{
    branches(cudaGraphCondTypeIf, 1, 1, 1);
    branches(cudaGraphCondTypeIf, 1, 0, 0);
    branches(cudaGraphCondTypeIf, 2, 0, 2);
    branches(cudaGraphCondTypeSwitch, 3, 1, 2);
    branches(cudaGraphCondTypeSwitch, 3, 5, 0);
    loop();
    refusals();
    puts("ok");
    return 0;
}
