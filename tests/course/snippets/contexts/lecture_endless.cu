// The lecture's loops around a step that asks whether its partner is in the array.
// replace: j>0; j <<= 2) { => j>0; j <<= 2) { unsigned ixj = tid ^ j; if (ixj < NUM) data[tid]++; } }
// replace: unsigned ixj = tid ^ j;   // the partner => unsigned ixj = tid ^ j; if (ixj < NUM) data[tid]++;
__global__ void k(int *data) // <<<1, 64>>>
{
    const unsigned NUM = 64;
    unsigned tid = threadIdx.x;
    SNIPPET
}
