// How many blocks of a kernel fit; 42 if none.
__global__ void k(int *data)
{
    data[threadIdx.x] = 1;
}
int main()
{
    int blocks = 0, threads = 256;
    void (*kernel)(int *) = k;
    SNIPPET
    return blocks > 0 ? 0 : 42;
}
