/**
 * @file random_races.c
 * Random kernels, alone, by two, and beside copies, on softgpu, and what its findings say of them beside what is so by definition.
 *
 *   random_races launch SEED COUNT [ONE]       launches them, or the one of this number, from 0 on; under softgpu
 *   random_races compare SEED COUNT FINDINGS [ONE]   what the findings file of that says; exit status 1 where it differs
 *
 * Where the launches before have used up what kernels are looked into by, which the file says (`incomplete`), and nothing was found, compare prints
 * "alone N": it is to be launched by itself, and to be compared so.
 *
 * The same SEED and COUNT make the same kernels.
 */
#include <cuda.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"
#include "random_findings.h"

/* ---- On the device ---- */

struct device {
    CUmodule module;
    CUstream streams[2];
    CUevent event;
    CUdeviceptr arrays[GLOBAL_ARRAYS], table, out[2], aside, flags; /**< MAX_FLAGS words for each kernel */
    uint8_t *pinned;
    int mapped;                  /**< as in the scenes */
};

static void must(CUresult r, const char *what)
{
    const char *name = "?";
    if (r == CUDA_SUCCESS)
        return;
    cuGetErrorName(r, &name);
    fprintf(stderr, "%s: %s\n", what, name);
    exit(2);
}
#define MUST(call) must(call, #call)

static CUdeviceptr new_array(const struct device *d, int i)
{
    CUdeviceptr array;
    void *host;
    if (i != d->mapped) {
        MUST(cuMemAlloc(&array, GLOBAL_BYTES));
        return array;
    }
    MUST(cuMemHostAlloc(&host, GLOBAL_BYTES, CU_MEMHOSTALLOC_DEVICEMAP));
    MUST(cuMemHostGetDevicePointer(&array, host, 0));
    return array;
}

/** Page-locked memory has one address for both. */
static void free_array(const struct device *d, int i)
{
    if (i == d->mapped)
        MUST(cuMemFreeHost((void *)(uintptr_t)d->arrays[i]));
    else
        MUST(cuMemFree(d->arrays[i]));
}

static void open_device(struct device *d, const char *ptx, int kernels, uint64_t seed)
{
    CUdevice gpu;
    CUcontext context;
    uint32_t table[TABLE_WORDS];
    MUST(cuInit(0));
    MUST(cuDeviceGet(&gpu, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, gpu));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&d->module, ptx));
    d->mapped = mapped_array(seed);
    for (int i = 0; i < GLOBAL_ARRAYS; i++)
        d->arrays[i] = new_array(d, i);
    for (int i = 0; i < 2; i++) {
        MUST(cuMemAlloc(&d->out[i], 4096));
        MUST(cuStreamCreate(&d->streams[i], CU_STREAM_NON_BLOCKING));
    }
    MUST(cuMemAlloc(&d->table, sizeof table));
    MUST(cuMemAlloc(&d->aside, 4096));
    MUST(cuMemAlloc(&d->flags, (size_t)kernels * MAX_FLAGS * 4));
    MUST(cuMemsetD8(d->flags, 0, (size_t)kernels * MAX_FLAGS * 4));
    MUST(cuMemAllocHost((void **)&d->pinned, 4096));
    MUST(cuEventCreate(&d->event, CU_EVENT_DISABLE_TIMING));
    memset(d->pinned, FILL, 4096);
    for (uint32_t i = 0; i < TABLE_WORDS; i++)
        table[i] = table_word(i);
    MUST(cuMemcpyHtoD(d->table, table, sizeof table));
}

static void close_device(struct device *d)
{
    for (int i = 0; i < GLOBAL_ARRAYS; i++)
        free_array(d, i);
    for (int i = 0; i < 2; i++) {
        MUST(cuMemFree(d->out[i]));
        MUST(cuStreamDestroy(d->streams[i]));
    }
    MUST(cuMemFree(d->table));
    MUST(cuMemFree(d->aside));
    MUST(cuMemFree(d->flags));
    MUST(cuMemFreeHost(d->pinned));
    MUST(cuEventDestroy(d->event));
}

static void launch_kernel(struct device *d, const struct random_kernel *k, CUstream stream)
{
    char name[16];
    CUfunction f;
    CUdeviceptr flags = d->flags + (size_t)k->number * MAX_FLAGS * 4;
    void *params[PARAMETERS] = {&d->arrays[0], &d->arrays[1], &d->arrays[2], &d->table, &d->out[k->number % 2], &flags};
    snprintf(name, sizeof name, "k%d", k->number);
    MUST(cuModuleGetFunction(&f, d->module, name));
    MUST(cuLaunchKernel(f, k->blocks, 1, 1, k->threads, 1, 1, 0, stream, params, NULL));
}

static void launch_company(struct device *d, const struct scene *s, CUstream stream)
{
    CUdeviceptr at = d->arrays[s->range.array] + s->range.from;
    switch (s->company) {
    case TWO_KERNELS: launch_kernel(d, &s->second, stream); break;
    case COPIED_FROM: MUST(cuMemcpyDtoDAsync(d->aside, at, s->range.bytes, stream)); break;
    case COPIED_TO: MUST(cuMemcpyHtoDAsync(at, d->pinned, s->range.bytes, stream)); break;
    case CLEARED: MUST(cuMemsetD8Async(at, FILL, s->range.bytes, stream)); break;
    default: break;
    }
}

static void play(struct device *d, const struct scene *s)
{
    CUstream before = d->streams[0], behind = d->streams[s->tie != BY_STREAM];
    for (int i = 0; i < GLOBAL_ARRAYS; i++) {
        if (s->company == UNWRITTEN) { /* new, so that nothing is left in it */
            free_array(d, i);
            d->arrays[i] = new_array(d, i);
        }
        if (s->written[i].bytes)
            MUST(cuMemsetD8(d->arrays[i], 0, s->written[i].bytes));
    }
    MUST(cuCtxSynchronize());
    if (s->company_first)
        launch_company(d, s, before);
    else
        launch_kernel(d, &s->first, before);
    if (s->tie == BY_EVENT) {
        MUST(cuEventRecord(d->event, before));
        MUST(cuStreamWaitEvent(behind, d->event, 0));
    }
    if (s->tie == BY_HOST)
        MUST(cuStreamSynchronize(before));
    if (s->company_first)
        launch_kernel(d, &s->first, behind);
    else
        launch_company(d, s, behind);
    MUST(cuCtxSynchronize());
    for (int i = 0; i < GLOBAL_ARRAYS && s->company == UNWRITTEN; i++)
        MUST(cuMemsetD8(d->arrays[i], 0, GLOBAL_BYTES));
}

/** @param one  -1: all */
static int launch_all(uint64_t seed, int count, int one)
{
    struct device d;
    struct scene s;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    fputs(RANDOM_KERNEL_HEADER, out);
    for (int n = 0; n < count; n++) {
        make_scene(&s, n, seed);
        random_kernel_ptx(out, &s.first);
        random_kernel_ptx(out, &s.second);
    }
    fclose(out);
    if (getenv("RACES_PTX")) {
        FILE *kept = fopen(getenv("RACES_PTX"), "w");
        if (kept) {
            fwrite(text, 1, size, kept);
            fclose(kept);
        }
    }
    open_device(&d, text, 2 * count, seed);
    for (int n = 0; n < count; n++) {
        make_scene(&s, n, seed);
        if (one < 0 || n == one)
            play(&d, &s);
    }
    close_device(&d);
    free(text);
    return 0;
}

/* ---- What was found ---- */

/** A race, or what says how it came to one. */
static bool is_race(const char *kind)
{
    static const char *const kinds[] = {"data-race", "stream-race", "missing-acquire", "missing-release", "scope-too-narrow", "ordering"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(kind, kinds[i]))
            return true;
    return false;
}

static bool uses_results(const struct random_kernel *k)
{
    for (int i = 0; i < k->count; i++)
        if ((k->step[i].act == ACT_ADD && k->step[i].used) || k->step[i].strong)
            return true;
    return false;
}

/** Results of relaxed atomics that are summed up may say what no interleaving of the threads has them say, which is an `ordering` finding and no race;
 *  where it is so nobody here decides. */
static bool is_undecided(const char *kind, int n, uint64_t seed)
{
    struct scene s;
    if (strcmp(kind, "ordering") != 0)
        return false;
    make_scene(&s, n, seed);
    return uses_results(&s.first) || (s.company == TWO_KERNELS && uses_results(&s.second));
}

/** From which scene on has less been looked into, by a line `incomplete`? */
static int scene_of_kernel(const json_t *line, int scene)
{
    const char *kernel = json_string_value(json_object_get(line, "kernel"));
    int n = kernel ? atoi(kernel + 1) / 2 : scene;
    return n < scene ? n : scene;
}

/** Enters what the file says of each scene. *behind: from which on not all was looked into. @return findings of other kinds, or about nothing of ours */
static int read_findings(const char *path, struct verdict *found, int count, uint64_t seed, int *behind)
{
    char line[1 << 16];
    int others = 0;
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        json_t *finding = json_loads(line, 0, NULL);
        const char *kind = json_string_value(json_object_get(finding, "kind"));
        const char *level = json_string_value(json_object_get(finding, "level"));
        int n = kernel_found(finding, LINES_A_KERNEL * 2, count);
        bool undefined = kind && !strcmp(kind, "uninitialized-read");
        if (kind && !strcmp(kind, "incomplete")) {
            *behind = scene_of_kernel(finding, *behind);
            json_decref(finding); /* says that a bound was met, mostly not of which kernel; what is found all the same is compared */
            continue;
        }
        if (!kind || (!is_race(kind) && !undefined) || !level || n < 0) {
            fprintf(stderr, "not expected: %s", line);
            others++;
        } else if (undefined) {
            found[n].undefined = true;
        } else if (is_undecided(kind, n, seed)) {
            found[n].ordering = true;
        } else {
            enum race_verdict v = strcmp(level, "error") ? RACE_SAME_VALUE : RACE_ERROR;
            found[n].races = v > found[n].races ? v : found[n].races;
        }
        json_decref(finding);
    }
    if (in)
        fclose(in);
    return others;
}

/** Where accesses conflict, what holds nothing hangs on the order, and what has been found already ends the search for more. */
static bool agrees(const struct verdict *found, const struct verdict *so)
{
    if ((so->races && found->ordering && !found->races) || so->races == RACE_MAYBE)
        return true;
    return (found->races == so->races || (so->races == RACE_EITHER && found->races)) && (so->races || found->undefined == so->undefined);
}

/** @param one  -1: all */
static int compare_all(uint64_t seed, int count, const char *path, int one)
{
    static const char *const words[] = {"nothing", "a warning of a race", "a race, or a warning of one", "anything", "a race"};
    int counts[RACE_ERROR + 1] = {0}, undefined = 0, wrong, behind = count;
    struct verdict *found = calloc((size_t)count, sizeof *found);
    if (!found)
        return 2;
    wrong = read_findings(path, found, count, seed, &behind);
    for (int n = one < 0 ? 0 : one; n < (one < 0 ? count : one + 1); n++) {
        struct scene s;
        make_scene(&s, n, seed);
        struct verdict so = verdict_of_scene(&s);
        counts[so.races]++;
        undefined += so.undefined;
        if (agrees(&found[n], &so))
            continue;
        if (n >= behind && one < 0 && found[n].races < so.races) {
            printf("alone %d\n", n);
            continue;
        }
        wrong++;
        fprintf(stderr, "kernels of lines %d to %d (company %d, tie %d): %s%s was found, %s%s is right\n", 2 * n * LINES_A_KERNEL,
                (2 * n + 2) * LINES_A_KERNEL - 1, s.company, s.tie, words[found[n].races], found[n].undefined ? " and undefined values" : "",
                words[so.races], so.undefined ? " and undefined values" : "");
    }
    free(found);
    printf("%d kernels or pairs: %d do not conflict, %d of these with undefined values, %d with one value, %d do, %d may; %d answers differ\n", count,
           counts[RACE_NONE], undefined, counts[RACE_SAME_VALUE], counts[RACE_EITHER] + counts[RACE_ERROR], counts[RACE_MAYBE], wrong);
    if (one >= 0)
        return wrong != 0;
    return wrong || counts[0] < count / 4 || counts[RACE_ERROR] < count / 8 || undefined < count / 70;
}

int main(int argc, char **argv)
{
    if ((argc == 4 || argc == 5) && !strcmp(argv[1], "launch"))
        return launch_all(strtoull(argv[2], NULL, 10), atoi(argv[3]), argc == 5 ? atoi(argv[4]) : -1);
    if ((argc == 5 || argc == 6) && !strcmp(argv[1], "compare"))
        return compare_all(strtoull(argv[2], NULL, 10), atoi(argv[3]), argv[4], argc == 6 ? atoi(argv[5]) : -1);
    fprintf(stderr, "random_races launch SEED COUNT [ONE] | compare SEED COUNT FINDINGS [ONE]\n");
    return 2;
}
