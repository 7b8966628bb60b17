/**
 * @file bench_cl.c
 * The OpenCL side of `make bench`, for PoCL and Oclgrind: bench.h says how it is called and what it
 * prints. Reads kernels.cl from the path in BENCH_KERNELS.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "bench.h"

static void check(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    fprintf(stderr, "%s: OpenCL error %d\n", what, status);
    exit(1);
}

/** The whole file, 0-terminated. */
static char *read_text(const char *path)
{
    FILE *f = path ? fopen(path, "r") : NULL;
    if (!f) {
        fprintf(stderr, "cannot read %s\n", path ? path : "BENCH_KERNELS");
        exit(1);
    }
    char *text = calloc(1, 1 << 16);
    if (!text)
        abort();
    if (!fread(text, 1, (1 << 16) - 1, f))
        exit(1);
    fclose(f);
    return text;
}

static cl_kernel build(cl_context context, cl_device_id device, const char *name)
{
    cl_int e;
    char *text = read_text(getenv("BENCH_KERNELS"));
    cl_program p = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &e);
    check(e, "program");
    check(clBuildProgram(p, 1, &device, "", NULL, NULL), "build");
    cl_kernel k = clCreateKernel(p, name, &e);
    check(e, name);
    free(text);
    return k;
}

int main(int argc, char **argv)
{
    struct task t = task_make(argc, argv);
    cl_platform_id platform;
    cl_device_id device;
    cl_int e, n = (cl_int)t.count;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    check(e, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &e);
    check(e, "queue");
    cl_kernel kernel = build(context, device, t.is_sum ? "sum" : "bitonic");
    cl_mem values = clCreateBuffer(context, CL_MEM_READ_WRITE, t.bytes, NULL, &e);
    check(e, "buffer");
    cl_mem sums = clCreateBuffer(context, CL_MEM_READ_WRITE, t.blocks * sizeof(int), NULL, &e);
    check(e, "buffer");
    check(clSetKernelArg(kernel, 0, sizeof values, &values), "argument 0");
    if (t.is_sum) {
        check(clSetKernelArg(kernel, 1, sizeof n, &n), "argument 1");
        check(clSetKernelArg(kernel, 2, sizeof sums, &sums), "argument 2");
    }
    size_t local = t.threads, global = local * t.blocks;
    for (int i = 0; i < LAUNCHES; i++) {
        check(clEnqueueWriteBuffer(queue, values, CL_TRUE, 0, t.bytes, t.input, 0, NULL, NULL), "write");
        task_start(&t, i);
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
        check(clFinish(queue), "finish");
        task_stop(&t, i);
    }
    size_t bytes = t.is_sum ? t.blocks * sizeof(int) : t.bytes;
    int *result = malloc(bytes);
    if (!result)
        abort();
    check(clEnqueueReadBuffer(queue, t.is_sum ? sums : values, CL_TRUE, 0, bytes, result, 0, NULL, NULL),
          "read");
    return task_report(&t, t.is_sum ? sum_is_right(&t, result) : sort_is_right(&t, result));
}
