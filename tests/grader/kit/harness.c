/**
 * @file harness.c
 * A stand-in for a lab's harness, so that the grader is tested without a device: it does what
 * variables named fake_… in the kernel's PTX say (attacks.c: those of the hostile sort), and writes the result
 * file by the book.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stand_in.h"

char kernel_ptx[1 << 20];
long n = 4;
static char reference_ptx[1 << 20];
static const char *ptx = kernel_ptx; /* whose turn it is */
static const char *kernel, *reference, *output, *case_name, *about, *times;
static uint64_t seed;
static long rounds, this_round;

bool has(const char *word)
{
    return strstr(ptx, word) != NULL;
}

static void arguments(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        if (!strcmp(argv[i], "--kernel"))
            kernel = argv[i + 1];
        else if (!strcmp(argv[i], "--case"))
            case_name = argv[i + 1];
        else if (!strcmp(argv[i], "--seed"))
            seed = strtoull(argv[i + 1], NULL, 10);
        else if (!strcmp(argv[i], "--output"))
            output = argv[i + 1];
        else if (!strcmp(argv[i], "--reference"))
            reference = argv[i + 1];
        else if (!strcmp(argv[i], "--about"))
            about = argv[i + 1];
        else if (!strcmp(argv[i], "--times"))
            times = argv[i + 1];
        else if (!strcmp(argv[i], "--rounds"))
            rounds = atol(argv[i + 1]);
        else if (!strcmp(argv[i], "--param") && !strncmp(argv[i + 1], "n=", 2))
            n = atol(argv[i + 1] + 2);
    }
}

static void put(FILE *f, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        fputc((int)(v >> (8 * i) & 0xff), f);
}

/** Wrong in the last element: everywhere, only on softgpu, only on a GPU, only when timed late. */
static bool is_wrong(void)
{
    return has("fake_wrong") || (has("fake_many_wrong") && n > 1) ||
           (has("fake_cpu_wrong") && !about) || (has("fake_gpu_wrong") && about) ||
           (has("fake_late_wrong") && rounds && this_round > 15);
}

/** n ints and n floats that the seed determines. */
static void result(void)
{
    FILE *f = fopen(output, "wb");
    fwrite("FPRESULT", 1, 8, f);
    put(f, 1, 4);
    put(f, 2, 4);
    for (int array = 0; array < 2; array++) {
        put(f, 4, 4);
        fwrite(array ? "real" : "ints", 1, 4, f);
        put(f, array ? 5 : 1, 4);
        put(f, (uint64_t)n, 8);
        for (long i = 0; i < n; i++) {
            uint32_t v = (uint32_t)(seed >> 7) % 1000 + (uint32_t)i;
            if (array) {
                float x = has("fake_nan") ? (float)(0.0 / 0.0) : (float)v;
                x += has("fake_near") ? x * 1e-6f : 0;
                memcpy(&v, &x, 4);
            } else if (is_wrong() && i == n - 1) {
                v++;
            } else if (has("fake_reversed")) {
                v = (uint32_t)(seed >> 7) % 1000 + (uint32_t)(n - 1 - i);
            }
            put(f, v, 4);
        }
    }
    if (!has("fake_truncated"))
        put(f, 0x21444e45, 4);
    if (has("fake_tail"))
        put(f, 0, 4);
    fclose(f);
}

static int findings_lines;

static FILE *findings_file(void)
{
    const char *path = getenv("SOFTGPU_JSON");
    return path ? fopen(path, "a") : NULL;
}

/** One finding, of two accesses, the second in the next line; each `line` is another. */
static void finding_at(const char *kind, const char *level, int line)
{
    FILE *f = findings_file();
    const char *name = has("fake_original") ? "original" : "kernel";
    if (!f)
        return;
    fprintf(f,
            "{\"kind\":\"%s\",\"level\":\"%s\",\"kernel\":\"k\",\"space\":\"global\","
            "\"object\":\"alloc0\",\"offset\":4,\"accesses\":["
            "{\"op\":\"store\",\"file\":\"/somewhere/%s.cu\",\"line\":%d,\"block\":[3,0,0],"
            "\"thread\":[0,0,0],\"value\":97},"
            "{\"op\":\"load\",\"file\":\"/somewhere/%s.cu\",\"line\":%d,\"block\":[7,0,0],"
            "\"thread\":[9,0,0],\"value\":0,\"missed\":97}],"
            "\"message\":\"block 7 may not see what block 3 wrote.\",\"rule\":\"causality\","
            "\"try\":\"%s\",\"count\":2,\"seed\":1}\n",
            kind, level, name, line, name, line + 1, has("fake_calls") ? "__threadfence() between lines 4 and 5" : "a fence");
    findings_lines++;
    fclose(f);
}

static void findings(const char *kind, const char *level)
{
    finding_at(kind, level, 4);
}

/** As softgpu ends its findings file; or how it ends where findings were lost. */
static void close_findings(void)
{
    FILE *f = getenv("SOFTGPU_JSON_END") && !has("fake_unclosed") ? findings_file() : NULL;
    if (!f)
        return;
    fprintf(f, "{\"kind\":\"end\",\"level\":\"info\",\"lines\":%d}\n",
            findings_lines + has("fake_line_lost"));
    if (has("fake_end_forged"))
        fputs("{\"kind\":\"outcome\",\"level\":\"info\"}\n", f);
    fclose(f);
    if (has("fake_end_cut") && truncate(getenv("SOFTGPU_JSON"), 20))
        exit(4);
}

static bool slurp(const char *path, char *into)
{
    int fd = open(path, O_RDONLY);
    bool ok = fd >= 0 && read(fd, into, (1 << 20) - 1) > 0;
    close(fd);
    return ok;
}

/** What a kernel "takes": 100 µs, a little more or less each round, and what fake_… asks for. */
static double time_of(long round, bool beside)
{
    double us = 100 + (double)((round * 7919 + (beside ? 13 : 0)) % 21 - 10) / 10;
    if (ptx == reference_ptx && strstr(kernel_ptx, "fake_brake"))
        return 2 * us; /* the other kernel does something to the reference */
    return us * (has("fake_slow") ? 1.6 : has("fake_snail") ? 9 : 1) *
           (has("fake_noisy") && round % 2 ? 3 : 1) * (has("fake_edgy") && round % 2 ? 1.25 : 1) /
           (has("fake_impossible") ? 1000 : 1);
}

/** As common/timing.c: rounds, results of each, times; two more rounds than are asked for. */
static void timed_runs(void)
{
    FILE *f = fopen(times, "w");
    const char *prefix = output;
    uint64_t base = seed;
    fputs("{\"times\":[", f);
    for (long round = 0; round < rounds + 2; round++)
        for (int which = 0; which < (reference ? 2 : 1); which++) {
            static char path[4096];
            ptx = which ? reference_ptx : kernel_ptx;
            this_round = round;
            seed = base * 1000 + (uint64_t)round;
            snprintf(path, sizeof path, "%s.%ld.%s", prefix, round,
                     which ? "reference" : "kernel");
            output = path;
            if (!has("fake_lazy") || round < 9)
                result();
            if (round >= 2)
                fprintf(f, "%s{\"round\":%ld,\"which\":\"%s\",\"us\":%.3f}",
                        round > 2 || which ? "," : "", round - 2, which ? "reference" : "kernel",
                        time_of(round, reference != NULL));
        }
    fputs("]}\n", f);
    fclose(f);
}

static void describe(void)
{
    FILE *f = fopen(about, "w");
    fputs("{\"device\":\"fake\\u001b[2J GPU\",\"driver\":13000,\"l2_bytes\":1,"
          "\"bandwidth\":1e12,\"host_reachable\":0}\n", f);
    fclose(f);
}

/** What softgpu counts: one of 64 threads has done it all where "fake_alone" stands; "fake_shared" shows two
 *  blocks at work in the third schedule only. */
static void counters(void)
{
    const char *path = getenv("SOFTGPU_COUNTERS"), *schedules = getenv("SOFTGPU_SCHEDULES");
    bool one_block = has("fake_alone") || (has("fake_shared") && schedules && atoi(schedules) < 3);
    FILE *f = path ? fopen(path, "w") : NULL;
    if (!f)
        return;
    fprintf(f, "{\"longest_warp\": %d, \"kernels\": {\"k\": {\"launches\": 1}}, "
               "\"objects\": {\"out\": {\"writing_blocks\": %d}}}\n",
            has("fake_alone") ? 123456 : 100, one_block ? 1 : 8);
    fclose(f);
}

int main(int argc, char **argv)
{
    arguments(argc, argv);
    if (n > 1000000) {
        fputs("harness: there is no distribution \"gauss\"\n", stderr);
        return 4;
    }
    if (n < 0) {
        fputs("harness.c:12: cudaErrorInvalidConfiguration: invalid configuration argument\n", stderr);
        return 3;
    }
    if (!output || !case_name || !slurp(kernel, kernel_ptx) ||
        (reference && !slurp(reference, reference_ptx)))
        return 4;
    for (int i = 3; i < 64; i++)
        if (close(i) == 0) {
            fprintf(stderr, "descriptor %d was inherited\n", i);
            return 4;
        }
    if (getenv("FENCEPOST_SECRET")) {
        fprintf(stderr, "the environment was inherited\n");
        return 4;
    }
    if (about && has("fake_no_gpu"))
        return 3;
    if (about)
        describe();
    counters();
    attack();
    misbehave();
    if (has("fake_cuda")) {
        fprintf(stderr, "harness.c:9: cudaErrorIllegalAddress: an illegal memory access\n");
        return 3;
    }
    if (has("fake_claim")) {
        printf("PASS 100\nScore: 100/100\n");
        fprintf(stderr, "\033[2J{\"score\": 100}\n");
        return 0;
    }
    if (has("fake_race"))
        findings("missing-acquire", "error");
    if (has("fake_warning"))
        findings("ordering", "warning");
    for (int i = 0; i < 300 && has("fake_warnings"); i++)
        finding_at("ordering", "warning", 100 + i);
    if (has("fake_bounds"))
        finding_at("out-of-bounds", "error", 7);
    if (has("fake_diverged"))
        finding_at("barrier-divergence", "error", 8);
    if (has("fake_endless"))
        findings("step-limit", "error");
    if (has("fake_deadlock"))
        findings("deadlock", "error");
    if (has("fake_unset"))
        finding_at("uninitialized-read", "error", has("fake_unset_index") ? 7 : has("fake_unset_else") ? 20 : 5);
    if (has("fake_late_race"))
        findings("data-race", "error");
    if (has("fake_unsupported"))
        findings("unsupported", "error");
    if (has("fake_incomplete"))
        findings("incomplete", "info");
    if (rounds && has("fake_timed_crash"))
        raise(SIGSEGV);
    if (rounds && has("fake_timed_cuda")) {
        fprintf(stderr, "harness.c:9: cudaErrorIllegalAddress: an illegal memory access\n");
        return 3;
    }
    if (rounds)
        timed_runs();
    else
        result();
    close_findings();
    return 0;
}
