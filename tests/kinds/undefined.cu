// Undefined values that leave the device: an error where a kernel has loaded and stored one, a warning where a
// copy takes along what nobody has written; what may be left undefined; and what only other schedules read too early.
//
// also --remote
//
// case shared_taken expect=uninitialized-read says=takes.that.value
// case shared_kept expect=silent
// case array_taken expect=uninitialized-read
// case last_taken expect=uninitialized-read
// case copied_on expect=uninitialized-read
// case copied_back expect=silent
// case overwritten expect=silent
// case to_pinned expect=uninitialized-read
// case into_managed expect=uninitialized-read says=read.by.the.host
// case into_managed_set expect=silent
// case into_managed_beside expect=silent
// case into_mapped expect=uninitialized-read
// case from_variable expect=uninitialized-read
// case variable_from_unwritten expect=uninitialized-read level=warning
// case variable_from_written expect=silent
// case variable_used expect=uninitialized-read
// case constant_from_unwritten expect=uninitialized-read level=warning
// case vector_taken expect=uninitialized-read
// case vector_part expect=uninitialized-read level=warning
// case never_written expect=uninitialized-read level=warning says=512.bytes
// case half_written expect=uninitialized-read level=warning says=256.bytes
// case one_missing expect=uninitialized-read level=warning says=4.bytes
// case only_written expect=silent
// case set_first expect=silent
// case padded expect=silent
// case padded_wide expect=silent
// case padded_copied expect=silent
// case padded_bytes expect=silent
// case padded_words expect=silent
// case padded_words_on expect=silent
// case padded_aligned expect=silent
// case padded_shared expect=silent
// case bytes_taken expect=uninitialized-read
// case rows_taken expect=uninitialized-read level=warning
// case rows_fit expect=silent
// case racing expect=data-race
// case states_unset expect=uninitialized-read
// case states_set expect=silent
// case product_beyond expect=silent
// case product_beyond_stored expect=uninitialized-read says=computed.from.it
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <mma.h>

enum { N = 128, BYTES = N * sizeof(int) };

struct wide {
    int i;
    double d;
};
struct narrow {
    char c;
    int i;
    short s;
};

__device__ int variable[N];
__constant__ int constants[N];

__global__ void from_shared(int *out, int n)
{
    __shared__ int s[N];
    if (threadIdx.x < n)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x]; // shared_taken last_taken to_pinned into_managed into_mapped
}
__global__ void copy(int *out, const int *in)
{
    out[threadIdx.x] = in[threadIdx.x]; // array_taken copied_on
}
__global__ void add_variable(int *out)
{
    out[threadIdx.x] = variable[threadIdx.x] + 1; // variable_used
}
__global__ void to_variable(const int *in)
{
    variable[threadIdx.x] = in[threadIdx.x]; // from_variable
}
__global__ void copy_vector(int4 *out, const int4 *in)
{
    out[threadIdx.x] = in[threadIdx.x]; // vector_taken
}
__global__ void write(int *out, int n)
{
    if (threadIdx.x < n)
        out[threadIdx.x] = 1;
}
__global__ void write_but(int *out, int one)
{
    if (threadIdx.x != one)
        out[threadIdx.x] = 1;
}
__global__ void make_wide(wide *out)
{
    out[threadIdx.x].i = 1;
    out[threadIdx.x].d = 1;
}
__global__ void make_narrow(narrow *out)
{
    out[threadIdx.x].c = 1;
    out[threadIdx.x].i = 1;
    out[threadIdx.x].s = 1;
}
__global__ void copy_wide(wide *out, const wide *in)
{
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void copy_bytes(char *out, const char *in, int bytes)
{
    for (int i = 0; i < bytes; i++)
        out[threadIdx.x * bytes + i] = in[threadIdx.x * bytes + i];
}
struct alignas(16) aligned {
    int i;
    float4 v;
};
__global__ void copy_aligned(aligned *out, const aligned *in)
{
    out[threadIdx.x] = in[threadIdx.x];
}
__global__ void make_aligned(aligned *out)
{
    out[threadIdx.x].i = 1;
    out[threadIdx.x].v = make_float4(1, 2, 3, 4);
}
__global__ void through_shared(int *out, int words)
{
    __shared__ wide s[16];
    if (threadIdx.x < 16) {
        s[threadIdx.x].i = 1;
        s[threadIdx.x].d = 1;
    }
    __syncthreads();
    if (threadIdx.x < words)
        out[threadIdx.x] = ((int *)s)[threadIdx.x];
}
__global__ void bytes_from_shared(char *out, int n)
{
    __shared__ char s[N];
    if (threadIdx.x < n)
        s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x]; // bytes_taken
}
__global__ void pass_on(int *out)
{
    __shared__ int s[N];
    s[threadIdx.x] = 1; // racing
    out[threadIdx.x] = s[N - 1 - threadIdx.x];
}

// A product of 16 x 16 of which only the first `filled` rows are there, left through shared memory: the first `stored` rows of 8 columns.
__global__ void product_of_rows(int *out, int filled, int stored)
{
    using namespace nvcuda;
    __shared__ half a[256], b[256];
    __shared__ float c[256];
    for (int i = threadIdx.x; i < 256; i += 32) {
        if (i < filled * 16)
            a[i] = __float2half(i % 7);
        b[i] = __float2half(i % 5);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> of_a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> of_b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> of_c;
    wmma::fill_fragment(of_c, 0.0f);
    wmma::load_matrix_sync(of_a, a, 16);
    wmma::load_matrix_sync(of_b, b, 16);
    wmma::mma_sync(of_c, of_a, of_b, of_c);
    wmma::store_matrix_sync(c, of_c, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = threadIdx.x; i < stored * 8; i += 32)
        out[i] = (int)c[i / 8 * 16 + i % 8];
}

static int *p, *q, host[2 * N];

static void back(const void *from, size_t bytes)
{
    cudaMemcpy(host, from, bytes, cudaMemcpyDeviceToHost); // never_written half_written one_missing vector_part
}

/** Blocks numbered by tickets: each puts up its sum, then adds up those before it while they come. What lies between a
 *  ticket and the sum is short, and in most orders the one before is up. */
__global__ void add_up(unsigned *ticket, unsigned *state, int *sum)
{
    __shared__ unsigned me, before;
    if (threadIdx.x == 0)
        me = atomicAdd(ticket, 1);
    __syncthreads();
    if (threadIdx.x == 31) {
        unsigned all = 0, s;
        *(volatile unsigned *)&state[me] = 1u << 16 | me;
        for (int i = (int)me - 1; i >= 0; i--) {
            while ((s = *(volatile unsigned *)&state[i]) >> 16 == 0) // states_unset
                ;
            all += s & 0xffff;
            if (s >> 16 == 2)
                break;
        }
        *(volatile unsigned *)&state[me] = 2u << 16 | (all + me);
        before = all;
    }
    __syncthreads();
    sum[me * blockDim.x + threadIdx.x] = before + threadIdx.x;
}

static bool run(const char *name)
{
#define CASE(n) else if (!strcmp(name, n))
    if (!*name)
        return false;
    CASE("shared_taken") {
        from_shared<<<1, N>>>(p, N / 2);
        back(p, BYTES);
    }
    CASE("shared_kept") {
        from_shared<<<1, N>>>(p, N / 2);
        back(p, BYTES / 2);
    }
    CASE("array_taken") {
        copy<<<1, N>>>(p, q);
        back(p, BYTES);
    }
    CASE("last_taken") {
        from_shared<<<1, N>>>(p, N - 1);
        back(p, BYTES);
    }
    CASE("copied_on") {
        copy<<<1, N>>>(p, q);
        cudaMemcpy(q, p, BYTES, cudaMemcpyDeviceToDevice);
        back(q, BYTES);
    }
    CASE("copied_back") {
        copy<<<1, N>>>(p, q);
        cudaMemset(q, 0, BYTES);
        cudaMemcpy(p, q, BYTES, cudaMemcpyDeviceToDevice);
        back(p, BYTES);
    }
    CASE("overwritten") {
        copy<<<1, N>>>(p, q);
        write<<<1, N>>>(p, N);
        back(p, BYTES);
    }
    CASE("to_pinned") {
        int *pinned;
        cudaMallocHost(&pinned, BYTES);
        from_shared<<<1, N>>>(p, N / 2);
        cudaMemcpyAsync(pinned, p, BYTES, cudaMemcpyDeviceToHost);
        cudaDeviceSynchronize();
        cudaFreeHost(pinned);
    }
    CASE("into_managed") {
        int *managed;
        cudaMallocManaged(&managed, BYTES);
        from_shared<<<1, N>>>(managed, N / 2);
        cudaDeviceSynchronize();
        printf("%d\n", managed[N - 1]); // into_managed
        cudaFree(managed);
    }
    CASE("into_managed_set") {
        int *managed;
        cudaMallocManaged(&managed, BYTES);
        from_shared<<<1, N>>>(managed, N / 2);
        cudaDeviceSynchronize();
        memset(managed, 0, BYTES);
        printf("%d\n", managed[N - 1]);
        cudaFree(managed);
    }
    CASE("into_managed_beside") {
        int *managed;
        cudaMallocManaged(&managed, BYTES);
        from_shared<<<1, N>>>(managed, N / 2);
        cudaDeviceSynchronize();
        printf("%d\n", managed[0]);
        cudaFree(managed);
    }
    CASE("into_mapped") {
        int *mapped;
        cudaHostAlloc(&mapped, BYTES, cudaHostAllocMapped);
        from_shared<<<1, N>>>(mapped, N / 2);
        cudaDeviceSynchronize();
        printf("%d\n", mapped[N - 1]); // into_mapped
        cudaFreeHost(mapped);
    }
    CASE("from_variable") {
        to_variable<<<1, N>>>(q);
        cudaMemcpyFromSymbol(host, variable, BYTES);
    }
    CASE("variable_from_unwritten") {
        write<<<1, N>>>(p, N / 2);
        cudaMemcpyToSymbol(variable, p, BYTES, 0, cudaMemcpyDeviceToDevice);
        cudaMemcpyFromSymbol(host, variable, BYTES); // variable_from_unwritten
    }
    CASE("variable_from_written") {
        write<<<1, N>>>(p, N / 2);
        cudaMemcpyToSymbol(variable, p, BYTES / 2, 0, cudaMemcpyDeviceToDevice);
        cudaMemcpyFromSymbol(host, variable, BYTES);
    }
    CASE("variable_used") {
        write<<<1, N>>>(p, N / 2);
        cudaMemcpyToSymbol(variable, p, BYTES, 0, cudaMemcpyDeviceToDevice);
        add_variable<<<1, N>>>(q);
    }
    CASE("constant_from_unwritten") {
        write<<<1, N>>>(p, N / 2);
        cudaMemcpyToSymbol(constants, p, BYTES, 0, cudaMemcpyDeviceToDevice);
        cudaMemcpyFromSymbol(host, constants, BYTES); // constant_from_unwritten
    }
    CASE("vector_taken") {
        copy_vector<<<1, N / 4>>>((int4 *)p, (int4 *)q);
        back(p, BYTES);
    }
    CASE("vector_part") {
        write_but<<<1, N>>>(q, 6);
        copy_vector<<<1, N / 4>>>((int4 *)p, (int4 *)q);
        back(q, BYTES);
    }
    CASE("never_written") back(p, BYTES);
    CASE("half_written") {
        write<<<1, N>>>(p, N / 2);
        back(p, BYTES);
    }
    CASE("one_missing") {
        write_but<<<1, N>>>(p, N - 1);
        back(p, BYTES);
    }
    CASE("only_written") {
        write<<<1, N>>>(p, N / 2);
        back(p, BYTES / 2);
    }
    CASE("set_first") {
        cudaMemset(p, 0, BYTES);
        write<<<1, N>>>(p, N / 2);
        back(p, BYTES);
    }
    CASE("padded") {
        make_narrow<<<1, 16>>>((narrow *)p);
        back(p, 16 * sizeof(narrow));
    }
    CASE("padded_wide") {
        make_wide<<<1, 16>>>((wide *)p);
        back(p, 16 * sizeof(wide));
    }
    CASE("padded_copied") {
        make_wide<<<1, 16>>>((wide *)q);
        copy_wide<<<1, 16>>>((wide *)p, (wide *)q);
        back(p, 16 * sizeof(wide));
    }
    CASE("padded_bytes") {
        make_narrow<<<1, 16>>>((narrow *)q);
        copy_bytes<<<1, 16>>>((char *)p, (char *)q, sizeof(narrow));
        make_narrow<<<1, 16>>>((narrow *)p);
        back(p, 16 * sizeof(narrow));
    }
    CASE("padded_words") { // a word of padding, copied by a thread of its own
        make_wide<<<1, 16>>>((wide *)q);
        copy<<<1, 64>>>(p, q);
        back(p, 16 * sizeof(wide));
    }
    CASE("padded_words_on") {
        make_wide<<<1, 16>>>((wide *)q);
        copy<<<1, 64>>>(p, q);
        copy<<<1, 64>>>(p + 64, p);
        copy_bytes<<<1, 64>>>((char *)q, (char *)(p + 64), 4);
        back(q, 16 * sizeof(wide));
    }
    CASE("padded_aligned") {
        make_aligned<<<1, 8>>>((aligned *)q);
        copy_aligned<<<1, 8>>>((aligned *)p, (aligned *)q);
        back(p, 8 * sizeof(aligned));
    }
    CASE("padded_shared") {
        through_shared<<<1, 64>>>(p, 64);
        back(p, 16 * sizeof(wide));
    }
    CASE("bytes_taken") {
        bytes_from_shared<<<1, N>>>((char *)p, N / 2 - 1);
        back(p, N);
    }
    CASE("rows_taken") {
        write<<<1, N>>>(p, 4);
        cudaMemcpy2D(host, 16, p, 32, 16, 8, cudaMemcpyDeviceToHost); // rows_taken
    }
    CASE("rows_fit") {
        for (int i = 0; i < 8; i++)
            write<<<1, 4>>>(p + 8 * i, 4);
        cudaMemcpy2D(host, 16, p, 32, 16, 8, cudaMemcpyDeviceToHost);
    }
    CASE("racing") {
        pass_on<<<1, N>>>(p);
        back(p, BYTES);
    }
    CASE("product_beyond") product_of_rows<<<1, 32>>>(p, 10, 10);
    CASE("product_beyond_stored") product_of_rows<<<1, 32>>>(p, 10, 11);
    CASE("states_unset") {
        cudaMemset(q, 0, 2 * sizeof(int));
        add_up<<<3, 32>>>((unsigned *)q, (unsigned *)p, q + 1);
        back(q + 1, 96 * sizeof(int));
    }
    CASE("states_set") {
        cudaMemset(q, 0, 2 * sizeof(int));
        cudaMemset(p, 0, BYTES);
        add_up<<<3, 32>>>((unsigned *)q, (unsigned *)p, q + 1);
        back(q + 1, 96 * sizeof(int));
    }
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    cudaMalloc(&p, BYTES);
    cudaMalloc(&q, BYTES);
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(q);
    return 0;
}
