/**
 * @file random_orders.c
 * Random plays (play.h) on softgpu, and what its findings say of them beside what the definitions say.
 *
 *   random_orders launch FAMILY SEED COUNT [ONE]             launches them, or the one of this number, from 0 on; under softgpu
 *   random_orders compare FAMILY SEED COUNT FINDINGS [ONE]   what the findings file of that says; exit status 1 where it differs
 *   random_orders outcomes FAMILY SEED COUNT FINDINGS        the same of a launch under --exhaustive, whose tables come in
 *   random_orders ptx FAMILY SEED COUNT                      their text
 *
 * `tiny_` before the family: its small plays.
 *
 * ORDERS_WITHOUT=1,7 leaves these events, from 0 on, out of each play.
 *
 * Where the launches before have used up what kernels are looked into by, which the file says (`incomplete`), and nothing was found, compare prints
 * "alone N": it is to be launched by itself, and to be compared so.
 */
#include <cuda.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"
#include "random_findings.h"

#define OUT_BYTES 4096u

/** A family, and which of its plays. */
struct sort {
    int family;      /**< -1: none */
    bool tiny;
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

static void write_plays(FILE *out, struct sort family, uint64_t seed, int count)
{
    struct play p;
    plays_header(out);
    for (int n = 0; n < count; n++) {
        make_play(&p, family.family, family.tiny, n, seed);
        play_ptx(out, &p);
    }
}

/** @param early  it may begin before the kernel before it ends */
static void launch(CUmodule module, const char *name, void **params, uint32_t blocks, uint32_t warps, bool early)
{
    CUfunction f;
    CUlaunchAttribute attribute = {.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, .value.programmaticStreamSerializationAllowed = 1};
    CUlaunchConfig config = {.gridDimX = blocks, .gridDimY = 1, .gridDimZ = 1, .blockDimX = 32 * warps, .blockDimY = 1, .blockDimZ = 1, .attrs = &attribute, .numAttrs = early};
    MUST(cuModuleGetFunction(&f, module, name));
    MUST(cuLaunchKernelEx(&config, f, params, NULL));
}

/** Zeroes, in the device's memory or the host's, which the device sees at the same address. */
static void allocate(CUdeviceptr *at, size_t bytes, bool host)
{
    if (host) {
        MUST(cuMemHostAlloc((void **)at, bytes, CU_MEMHOSTALLOC_DEVICEMAP));
        memset((void *)*at, 0, bytes);
    } else {
        MUST(cuMemAlloc(at, bytes));
        MUST(cuMemsetD8(*at, 0, bytes));
    }
}

/** @param one  -1: all */
static int launch_all(struct sort family, uint64_t seed, int count, int one)
{
    char *text = NULL, name[24];
    size_t size = 0, bytes = (size_t)count * PLAY_STRIDE;
    CUdevice gpu;
    CUcontext context;
    CUmodule module;
    CUdeviceptr data, flags, results;
    FILE *out = open_memstream(&text, &size);
    write_plays(out, family, seed, count);
    fclose(out);
    MUST(cuInit(0));
    MUST(cuDeviceGet(&gpu, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, gpu));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoadData(&module, text));
    allocate(&data, bytes, family.family == HOST);
    allocate(&flags, bytes, family.family == HOST);
    MUST(cuMemAlloc(&results, OUT_BYTES));
    for (int n = one < 0 ? 0 : one; n < (one < 0 ? count : one + 1); n++) {
        struct play p;
        CUdeviceptr d = data + (size_t)n * PLAY_STRIDE, g = flags + (size_t)n * PLAY_STRIDE;
        void *params[] = {&d, &g, &results};
        make_play(&p, family.family, family.tiny, n, seed);
        snprintf(name, sizeof name, "k%d", n);
        launch(module, name, params, p.first ? p.first : p.blocks, p.warps, false);
        if (p.first)
            launch(module, strcat(name, "_then"), params, p.blocks - p.first, p.warps, true);
        if (p.host)
            play_host(&p, (unsigned char *)d, (unsigned char *)g);
        MUST(cuCtxSynchronize());
    }
    MUST((family.family == HOST ? cuMemFreeHost((void *)data) : cuMemFree(data)));
    MUST((family.family == HOST ? cuMemFreeHost((void *)flags) : cuMemFree(flags)));
    MUST(cuMemFree(results));
    free(text);
    return 0;
}

static bool is_race(const char *kind)
{
    static const char *const kinds[] = {"data-race", "missing-acquire", "missing-release", "scope-too-narrow", "stream-race"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (!strcmp(kind, kinds[i]))
            return true;
    return false;
}

/** Strong accesses that nothing orders are no race, and the program may rest on them. */
static bool may_be_told(int n, struct sort family, uint64_t seed)
{
    struct play p;
    if (n < 0)
        return false;
    make_play(&p, family.family, family.tiny, n, seed);
    return play_may_observe(&p);
}

/** Enters which plays race by the file. @return findings of other kinds; *behind: from which on not all was looked into */
static int read_findings(const char *path, struct sort family, uint64_t seed, bool *raced, int count, int *behind)
{
    static char line[1 << 17];
    int others = 0;
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        json_t *finding = json_loads(line, 0, NULL);
        const char *kind = json_string_value(json_object_get(finding, "kind"));
        int n = kernel_found(finding, LINES_A_PLAY, count);
        if (kind && !strcmp(kind, "incomplete")) {
            const char *kernel = json_string_value(json_object_get(finding, "kernel"));
            int from = kernel ? atoi(kernel + 1) : 0;
            *behind = from < *behind ? from : *behind;
        } else if (kind && !strcmp(kind, "outcome")) {
            json_decref(finding);
            continue;
        } else if (kind && !strcmp(kind, "ordering") && may_be_told(n, family, seed)) {
            json_decref(finding);
            continue;
        } else if (!kind || !is_race(kind) || n < 0) {
            fprintf(stderr, "not expected: %s", line);
            others++;
        } else {
            raced[n] = true;
        }
        json_decref(finding);
    }
    if (in)
        fclose(in);
    return others;
}

static int compare_all(struct sort family, uint64_t seed, int count, const char *path, int one)
{
    int races = 0, behind = count;
    bool *raced = calloc((size_t)count, sizeof *raced);
    if (!raced)
        return 2;
    int wrong = read_findings(path, family, seed, raced, count, &behind);
    for (int n = one < 0 ? 0 : one; n < (one < 0 ? count : one + 1); n++) {
        struct play p;
        make_play(&p, family.family, family.tiny, n, seed);
        bool so = play_races(&p);
        races += so;
        if (so == raced[n] || (so && play_may_observe(&p)))
            continue;
        if (so && n >= behind && one < 0) {
            printf("alone %d\n", n);
            continue;
        }
        wrong++;
        fprintf(stderr, "kernel %d: %s\n", n, so ? "a race, and nothing was found" : "no race, and one was found");
    }
    free(raced);
    printf("%s%s: %d kernels, of which %d race; %d answers differ\n", family.tiny ? "tiny " : "", family_names[family.family], count, races, wrong);
    return wrong || (one < 0 && count >= 40 && (races < count / 8 || races > count * 3 / 4));
}

/* ---- All outcomes ---- */

/** What the table of --exhaustive says of a kernel. */
struct table {
    int outcomes;
    bool complete;
};

static void read_tables(FILE *in, struct table *tables, int count)
{
    char line[1 << 12];
    int n = -1, outcomes;
    while (fgets(line, sizeof line, in)) {
        int k;
        if (sscanf(line, "k%d: %d outcome", &k, &outcomes) == 2 && k < count)
            n = k, tables[n] = (struct table){outcomes, true};
        if (n >= 0 && strstr(line, "not everything was tried"))
            tables[n].complete = false;
    }
}

static bool has_copies(const struct play *p)
{
    for (int i = 0; i < p->count; i++)
        if (copies(&p->event[i]))
            return true;
    return false;
}

/** Without a race there is one outcome; with one it is told, if all was tried. */
static int compare_outcomes(struct sort family, uint64_t seed, int count, const char *path)
{
    int races = 0, complete = 0, behind;
    bool *raced = calloc((size_t)count, sizeof *raced);
    struct table *tables = calloc((size_t)count, sizeof *tables);
    if (!raced || !tables)
        return 2;
    int wrong = read_findings(path, family, seed, raced, count, &behind);
    read_tables(stdin, tables, count);
    for (int n = 0; n < count; n++) {
        struct play p;
        make_play(&p, family.family, family.tiny, n, seed);
        bool so = play_races(&p), all = tables[n].complete;
        races += so, complete += all;
        if ((!so && raced[n]) || (so && all && !raced[n]) || (!so && all && tables[n].outcomes != 1) || (all && has_copies(&p))) {
            fprintf(stderr, "kernel %d: %s, %s found, %d outcomes, %s\n", n, so ? "a race" : "no race", raced[n] ? "one" : "none", tables[n].outcomes,
                    all ? "complete" : "incomplete");
            wrong++;
        }
    }
    free(raced);
    free(tables);
    printf("%s: %d kernels, of which %d race and %d have all outcomes; %d answers differ\n", family_names[family.family], count, races, complete, wrong);
    return wrong || (complete < count / 2 && family.family != COPIES && family.family != MIXED && family.family != PHASES && family.family != BULK);
}

static struct sort sort_of(const char *name)
{
    struct sort s = {-1, !strncmp(name, "tiny_", 5)};
    for (int f = 0; f < FAMILY_COUNT; f++)
        if (!strcmp(name + 5 * s.tiny, family_names[f]))
            s.family = f;
    return s;
}

int main(int argc, char **argv)
{
    struct sort s = argc > 4 ? sort_of(argv[2]) : (struct sort){-1, false};
    uint64_t seed = s.family >= 0 ? strtoull(argv[3], NULL, 10) : 0;
    if (s.family >= 0 && !strcmp(argv[1], "launch"))
        return launch_all(s, seed, atoi(argv[4]), argc > 5 ? atoi(argv[5]) : -1);
    if (s.family >= 0 && !strcmp(argv[1], "compare") && argc > 5)
        return compare_all(s, seed, atoi(argv[4]), argv[5], argc > 6 ? atoi(argv[6]) : -1);
    if (s.family >= 0 && !strcmp(argv[1], "outcomes") && argc > 5)
        return compare_outcomes(s, seed, atoi(argv[4]), argv[5]);
    if (s.family >= 0 && !strcmp(argv[1], "ptx")) {
        write_plays(stdout, s, seed, atoi(argv[4]));
        return 0;
    }
    fprintf(stderr, "random_orders launch|compare|outcomes|ptx FAMILY SEED COUNT …\n");
    return 2;
}
