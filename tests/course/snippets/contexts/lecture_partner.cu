// The lecture's loops around a step that goes to its partner.
// replace: j>0; j <<= 2) { => j>0; j <<= 2) { unsigned ixj = tid ^ j; data[tid] += shared[ixj]; } }
// replace: unsigned ixj = tid ^ j;   // the partner => unsigned ixj = tid ^ j; data[tid] += shared[ixj];
__global__ void k(int *data) // <<<1, 64>>>
{
    const unsigned NUM = 64;
    unsigned tid = threadIdx.x;
    __shared__ int shared[NUM];
    shared[tid] = tid;
    __syncthreads();
    SNIPPET
}
