// All blocks write, wait, and read what another one wrote.
__global__ void k(int *data) // <<<3, 40>>>
{
    unsigned *count = (unsigned *)data;
    int *slots = data + 1, *out = data + 200;
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    slots[i] = (int)i;
    SNIPPET
    out[i] = slots[(i + 55) % 120];
}
