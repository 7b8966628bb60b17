/**
 * @file record_numerics.cu
 * Runs every form of forms.def on the operands of operands.h and writes the results to a file: on a
 * real GPU that file is the truth, on softgpu it is the claim (tests/softgpu/test_gpu_truth.c).
 *
 *   nvcc -O1 -arch=sm_90 -cudart shared -o record_numerics record_numerics.cu
 *   ./record_numerics OUTPUT [--from N]
 *
 * File: the line "fencepost numerics 1", a line with the device, driver and date, then for each form
 *   u16 length of the name, the name, u8 bytes of a result, u8 status (0 ran, 1 device error),
 *   u32 stored results, u32 hashes, the stored results, the hashes (4 bytes of each chunk's FNV-1a).
 * Numbers are little endian. A form that ends in a device error is recorded as such, and the program
 * starts itself afresh with the next one, because the error stays with the process.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

#include <unistd.h>

#include "operands.h"

/* Asm constraint and C type of an operand in a register. */
#define CONSTRAINT_NONE "l"
#define CONSTRAINT_PRED "r"
#define CONSTRAINT_U8 "r"
#define CONSTRAINT_S8 "r"
#define CONSTRAINT_U16 "h"
#define CONSTRAINT_S16 "h"
#define CONSTRAINT_U32 "r"
#define CONSTRAINT_S32 "r"
#define CONSTRAINT_U64 "l"
#define CONSTRAINT_S64 "l"
#define CONSTRAINT_SHIFT "r"
#define CONSTRAINT_F16 "h"
#define CONSTRAINT_BF16 "h"
#define CONSTRAINT_F16X2 "r"
#define CONSTRAINT_BF16X2 "r"
#define CONSTRAINT_F32 "r"
#define CONSTRAINT_F64 "l"
#define CONSTRAINT_ANGLE "r"
#define CONSTRAINT_FP8X2 "h"

template <enum operand_type T> struct reg { typedef uint32_t type; };
template <> struct reg<T_NONE> { typedef uint64_t type; };
template <> struct reg<T_U16> { typedef uint16_t type; };
template <> struct reg<T_S16> { typedef uint16_t type; };
template <> struct reg<T_F16> { typedef uint16_t type; };
template <> struct reg<T_BF16> { typedef uint16_t type; };
template <> struct reg<T_FP8X2> { typedef uint16_t type; };
template <> struct reg<T_U64> { typedef uint64_t type; };
template <> struct reg<T_S64> { typedef uint64_t type; };
template <> struct reg<T_F64> { typedef uint64_t type; };

/* One kernel a form, numbered in the order of the table. */
struct cases {
    const uint64_t *a, *b, *c;
    uint64_t *result;
    unsigned count;
};

template <int N> __global__ void form_kernel(struct cases cases);

enum { FIRST_FORM = __COUNTER__ + 1 };
#define FORM(name, text, D, A, B, C, check) FORM_KERNEL(__COUNTER__, text, D, A, B, C)
#define FORM_KERNEL(n, text, D, A, B, C)                                                           \
    template <> __global__ void form_kernel<n - FIRST_FORM>(struct cases cases)                    \
    {                                                                                              \
        unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                        \
        if (i >= cases.count)                                                                      \
            return;                                                                                \
        reg<T_##D>::type d;                                                                        \
        asm volatile(text                                                                          \
                     : "=" CONSTRAINT_##D(d)                                                       \
                     : CONSTRAINT_##A((reg<T_##A>::type)cases.a[i]),                               \
                       CONSTRAINT_##B((reg<T_##B>::type)cases.b[i]),                               \
                       CONSTRAINT_##C((reg<T_##C>::type)cases.c[i]));                              \
        cases.result[i] = d;                                                                       \
    }
#include "forms.def"
#undef FORM

#define FORM(name, text, D, A, B, C, check) {name, T_##D, {T_##A, T_##B, T_##C}, check},
static const struct form forms[] = {
#include "forms.def"
};
#undef FORM
enum { FORM_COUNT = sizeof forms / sizeof forms[0] };

typedef void (*kernel_fn)(struct cases);
template <int... N> static kernel_fn kernel_at(int i, std::integer_sequence<int, N...>)
{
    static const kernel_fn all[] = {form_kernel<N>...};
    return all[i];
}

#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t status_ = (call);                                                              \
        if (status_ != cudaSuccess) {                                                              \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                           \
                    cudaGetErrorString(status_));                                                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { MAX_CASES = 64 * 64 + 128 + RANDOM_FULL + RANDOM_HASHED + RANDOM_APPROX };

static uint64_t *device_operand[3], *device_result;
static uint64_t host_operand[3][MAX_CASES], host_result[MAX_CASES];

static void put(FILE *out, const void *data, size_t bytes)
{
    if (bytes && fwrite(data, bytes, 1, out) != 1) {
        perror("cannot write the results");
        exit(1);
    }
}

/** @return whether the form ran; host_result then holds its results */
static bool run_form(int index, unsigned total)
{
    struct cases cases = {device_operand[0], device_operand[1], device_operand[2], device_result, total};
    uint64_t *operands[3] = {host_operand[0], host_operand[1], host_operand[2]};
    form_operands(&forms[index], operands);
    for (int k = 0; k < 3; k++)
        CHECK(cudaMemcpy(device_operand[k], host_operand[k], total * sizeof(uint64_t),
                         cudaMemcpyHostToDevice));
    CHECK(cudaMemset(device_result, 0xee, total * sizeof(uint64_t)));

    kernel_fn kernel = kernel_at(index, std::make_integer_sequence<int, FORM_COUNT>());
    kernel<<<(total + 127) / 128, 128>>>(cases);
    cudaError_t status = cudaGetLastError();
    if (status == cudaSuccess)
        status = cudaDeviceSynchronize();
    if (status == cudaSuccess)
        status = cudaMemcpy(host_result, device_result, total * sizeof(uint64_t),
                            cudaMemcpyDeviceToHost);
    if (status != cudaSuccess)
        fprintf(stderr, "form %d, %s: %s\n", index, forms[index].name, cudaGetErrorString(status));
    return status == cudaSuccess;
}

static void write_form(FILE *out, const struct form *f, bool ran)
{
    uint16_t length = (uint16_t)strlen(f->name);
    uint8_t head[2] = {(uint8_t)type_bytes(f->result), (uint8_t)!ran};
    uint32_t stored = ran ? form_stored(f) : 0;
    uint32_t hashes = ran ? form_hashed(f) / HASH_CHUNK : 0;
    put(out, &length, 2);
    put(out, f->name, length);
    put(out, head, 2);
    put(out, &stored, 4);
    put(out, &hashes, 4);
    for (uint32_t i = 0; i < stored; i++)
        put(out, &host_result[i], head[0]);
    for (uint32_t h = 0; h < hashes; h++) {
        uint64_t hash = HASH_START;
        for (uint32_t i = 0; i < HASH_CHUNK; i++)
            hash = hash_bytes(hash, &host_result[stored + h * HASH_CHUNK + i], head[0]);
        put(out, &hash, 4);
    }
}

static void write_title(FILE *out)
{
    struct cudaDeviceProp prop;
    int driver = 0, runtime = 0;
    char date[32];
    time_t now = time(NULL);
    CHECK(cudaGetDeviceProperties(&prop, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    char title[512];
    int length = snprintf(title, sizeof title, "fencepost numerics 1\n%s, sm_%d%d, driver %d, runtime %d, %s\n",
                          prop.name, prop.major, prop.minor, driver, runtime, date);
    put(out, title, (size_t)length);
    fputs(title, stdout);
}

int main(int argc, char **argv)
{
    int from = argc == 4 && strcmp(argv[2], "--from") == 0 ? atoi(argv[3]) : 0;
    if ((argc != 2 && argc != 4) || from < 0 || from > FORM_COUNT) {
        fprintf(stderr, "usage: %s OUTPUT [--from N]\n", argv[0]);
        return 2;
    }
    FILE *out = fopen(argv[1], from ? "ab" : "wb");
    if (!out) {
        perror(argv[1]);
        return 1;
    }
    if (!from)
        write_title(out);
    for (int k = 0; k < 3; k++)
        CHECK(cudaMalloc((void **)&device_operand[k], sizeof host_result));
    CHECK(cudaMalloc((void **)&device_result, sizeof host_result));

    for (int i = from; i < FORM_COUNT; i++) {
        unsigned total = form_stored(&forms[i]) + form_hashed(&forms[i]);
        if (total > MAX_CASES) {
            fprintf(stderr, "%s: %u cases are too many\n", forms[i].name, total);
            return 1;
        }
        bool ran = run_form(i, total);
        write_form(out, &forms[i], ran);
        if (!ran) {
            char next[16];
            snprintf(next, sizeof next, "%d", i + 1);
            if (fclose(out) != 0)
                return 1;
            execl("/proc/self/exe", argv[0], argv[1], "--from", next, (char *)NULL);
            perror("cannot start again");
            return 1;
        }
    }
    long bytes = ftell(out);
    if (fclose(out) != 0) {
        perror(argv[1]);
        return 1;
    }
    printf("%d forms, %ld bytes, to %s\n", FORM_COUNT, bytes, argv[1]);
    return 0;
}
