/**
 * @file harness.c
 * The run: command line, parameters, kernels, result. Buffers are in buffer.c.
 */
#include "harness.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "run.h"

/** A whole decimal number; anything else is a usage error that names `option`. */
static uint64_t parse_u64(const char *option, const char *text)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno || end == text || *end || *text < '0' || *text > '9')
        harness_usage("%s wants a number from 0 up, not '%s'", option, text);
    return value;
}

static void add_param(struct harness *h, const char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || (size_t)(equals - text) >= sizeof h->params[0].name)
        harness_usage("--param wants NAME=VALUE, not '%s'", text);
    if (h->param_count == MAX_PARAMS)
        harness_usage("more than %d parameters", MAX_PARAMS);
    struct param *p = &h->params[h->param_count++];
    memcpy(p->name, text, (size_t)(equals - text));
    const char *digits = equals + 1;
    bool negative = *digits == '-';
    uint64_t magnitude = parse_u64(p->name, digits + negative);
    if (magnitude > (uint64_t)INT64_MAX)
        harness_usage("parameter %s is out of range: %s", p->name, digits);
    p->value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
}

static void parse_options(struct harness *h, int argc, char **argv)
{
    bool seeded = false;
    for (int i = 1; i < argc; i += 2) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!value)
            harness_usage("%s wants a value", option);
        if (strcmp(option, "--kernel") == 0)
            h->kernel_path = value;
        else if (strcmp(option, "--case") == 0)
            h->case_name = value;
        else if (strcmp(option, "--output") == 0)
            h->output_path = value;
        else if (strcmp(option, "--distribution") == 0)
            h->distribution = value;
        else if (strcmp(option, "--seed") == 0)
            h->seed = parse_u64(option, value), seeded = true;
        else if (strcmp(option, "--guard") == 0)
            h->guard = (size_t)parse_u64(option, value);
        else if (strcmp(option, "--param") == 0)
            add_param(h, value);
        else if (strcmp(option, "--about") == 0)
            h->about_path = value;
        else if (strcmp(option, "--reference") == 0)
            h->reference_path = value;
        else if (strcmp(option, "--times") == 0)
            h->times_path = value;
        else if (strcmp(option, "--rounds") == 0)
            h->rounds = (unsigned)parse_u64(option, value);
        else
            harness_usage("unknown option '%s'", option);
    }
    if (!h->case_name || !h->output_path || !seeded)
        harness_usage("usage: harness [--kernel FILE.ptx] --case NAME --seed N --output FILE "
                      "[--distribution NAME] [--param NAME=VALUE]... [--guard BYTES] "
                      "[--about FILE] [--rounds N --times FILE [--reference FILE.ptx]]");
    if (!h->rounds != !h->times_path || (h->rounds && !h->kernel_path) ||
        (h->reference_path && !h->rounds))
        harness_usage("--rounds (from 1 up) and --times go together and with --kernel; "
                      "--reference needs both");
    if (h->guard > MAX_GUARD)
        harness_usage("--guard is at most %d", MAX_GUARD);
}

struct harness *harness_open(int argc, char **argv)
{
    batch_begin(&argc, &argv);
    batch_take_arguments(&argc, &argv);
    struct harness *h = harness_malloc(sizeof *h);
    *h = (struct harness){.distribution = "uniform", .guard = buffer_default_guard()};
    parse_options(h, argc, argv);
    bool again = timing_begin_run(h);
    if (h->about_path && !again)
        timing_describe_device(h->about_path);
    if (h->rounds && !again)
        timing_run_all(h, argc, argv);
    if (!h->kernel_path)
        return h;
    FILE *readable = fopen(h->kernel_path, "rb");
    if (!readable)
        harness_usage("cannot read %s: %s", h->kernel_path, strerror(errno));
    fclose(readable);
    CUDA_CHECK(cudaLibraryLoadFromFile(&h->library, h->kernel_path, NULL, NULL, 0, NULL, NULL, 0));
    return h;
}

int harness_close(struct harness *h)
{
    harness_synchronize();
    buffers_check(h);
    if (!result_write(&h->result, h->output_path))
        harness_usage("cannot write %s: %s", h->output_path, strerror(errno));
    buffers_free(h);
    if (h->library)
        CUDA_CHECK(cudaLibraryUnload(h->library));
    result_free(&h->result);
    for (int i = 0; i < h->input_count; i++)
        free(h->inputs[i]);
    free(h);
    return HARNESS_OK;
}

const char *harness_case(const struct harness *h)
{
    return h->case_name;
}

const char *harness_distribution(const struct harness *h)
{
    return h->distribution;
}

static const struct param *find_param(const struct harness *h, const char *name)
{
    for (int i = 0; i < h->param_count; i++)
        if (strcmp(h->params[i].name, name) == 0)
            return &h->params[i];
    return NULL;
}

int64_t harness_param(struct harness *h, const char *name)
{
    const struct param *p = find_param(h, name);
    if (!p)
        harness_usage("case %s must give --param %s=…", h->case_name, name);
    return p->value;
}

int64_t harness_param_or(struct harness *h, const char *name, int64_t fallback)
{
    const struct param *p = find_param(h, name);
    return p ? p->value : fallback;
}

struct random harness_random(const struct harness *h, uint64_t purpose)
{
    return random_seeded(h->seed, purpose);
}

int32_t *harness_input_i32(struct harness *h, uint64_t purpose, size_t count)
{
    if (count > SIZE_MAX / sizeof(int32_t))
        harness_usage("%zu elements are too many", count);
    if (h->input_count == MAX_INPUTS)
        harness_usage("more than %d inputs", MAX_INPUTS);
    int32_t *values = harness_malloc(count * sizeof *values);
    h->inputs[h->input_count++] = values;
    struct random r = harness_random(h, purpose);
    if (!random_fill_i32(&r, h->distribution, values, count))
        harness_usage("no distribution '%s'; there are: %s", h->distribution,
                      random_distributions());
    return values;
}

static const void *find_kernel(struct harness *h, const char *kernel)
{
    if (!h->library)
        harness_usage("--kernel FILE.ptx is missing: no file holds %s", kernel);
    cudaKernel_t function;
    cudaError_t status = cudaLibraryGetKernel(&function, h->library, kernel);
    if (status != cudaSuccess)
        harness_check(status, kernel, h->kernel_path, 0);
    return (const void *)function;
}

void harness_launch(struct harness *h, const char *kernel, struct harness_launch shape, void **args)
{
    const void *function = find_kernel(h, kernel);
    struct dim3 grid = {shape.blocks, 1, 1}, block = {shape.threads, 1, 1};
    timing_before_launch(h, shape.stream);
    CUDA_CHECK((shape.cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel)(
        function, grid, block, args, shape.shared, shape.stream));
    timing_after_launch(h);
}

unsigned harness_fit(struct harness *h, const char *kernel, struct harness_launch shape)
{
    int device, a_multiprocessor, multiprocessors;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &a_multiprocessor, find_kernel(h, kernel), (int)shape.threads, shape.shared));
    return (unsigned)(a_multiprocessor * multiprocessors);
}

void harness_synchronize(void)
{
    timing_end_stretch();
    CUDA_CHECK(cudaDeviceSynchronize());
}

void harness_result(struct harness *h, const char *name, enum result_type type, const void *data,
                    size_t count)
{
    if (h->result.count == RESULT_MAX_ARRAYS)
        harness_usage("more than %d result arrays", RESULT_MAX_ARRAYS);
    result_add(&h->result, name, type, data, count);
}
