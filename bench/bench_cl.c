/**
 * @file bench_cl.c
 * The OpenCL side of `make bench`, for PoCL and Oclgrind: tasks.h says how it is called, bench.h what it
 * prints. Reads kernels.cl from the path in BENCH_KERNELS.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include "tasks.h"

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
    struct run r = run_make(argc, argv);
    cl_platform_id platform;
    cl_device_id device;
    cl_mem buffer[MAX_BUFFERS];
    cl_int e;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    check(e, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &e);
    check(e, "queue");
    cl_kernel kernel = build(context, device, work_names[r.work]);
    for (int i = 0; i < r.buffers; i++) {
        size_t bytes = 4 * r.buffer[i].words;
        int zero = 0;
        buffer[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &e);
        check(e, "buffer");
        check(clSetKernelArg(kernel, (cl_uint)i, sizeof buffer[i], &buffer[i]), "argument");
        if (!r.buffer[i].in)
            check(clEnqueueFillBuffer(queue, buffer[i], &zero, sizeof zero, 0, bytes, 0, NULL, NULL), "fill");
    }
    check(clSetKernelArg(kernel, (cl_uint)r.buffers, sizeof r.n, &r.n), "size");
    size_t local[2] = {r.threads[0], r.threads[1]};
    size_t global[2] = {local[0] * r.blocks[0], local[1] * r.blocks[1]};
    for (int l = 0; l < LAUNCHES; l++) {
        for (int i = 0; i < r.buffers; i++)
            if (r.buffer[i].in)
                check(clEnqueueWriteBuffer(queue, buffer[i], CL_TRUE, 0, 4 * r.buffer[i].words, r.buffer[i].in, 0,
                                           NULL, NULL), "write");
        check(clFinish(queue), "finish");
        task_start(&r.task, l);
        check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL), "launch");
        check(clFinish(queue), "finish");
        task_stop(&r.task, l);
    }
    size_t words = r.buffer[r.result].words;
    int *result = (int *)words_new(words);
    check(clEnqueueReadBuffer(queue, buffer[r.result], CL_TRUE, 0, 4 * words, result, 0, NULL, NULL), "read");
    return task_report(&r.task, result_is_right(&r, result));
}
