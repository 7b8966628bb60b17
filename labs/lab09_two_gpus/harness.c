/**
 * @file harness.c
 * lab09: two devices. The student's functions and kernels are linked with this file, which calls and launches them.
 *
 * Parameters: `part` (0 = A … 3 = D), `left` and `right`: cells or numbers on device 0 and device 1; `steps`; `threads` of a
 * block, `blocks` of device 0 and `others` of device 1; `launches`: how often it is done; `crossed`: each device is given the
 * other's stream, which is an error; `late`: the referee of part D is called twice more, with no kernel, by a thread that asks for
 * one device some time after the other.
 *
 * Both devices' kernels are launched before anybody waits: they may wait for each other.
 */
#include "harness.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gate.h"

// What kernel.cu defines; README.md says what each is to do.
cudaError_t connect_devices(void);
cudaError_t halo_by_copies(int *const a[2], int *const b[2], const size_t n[2], int steps,
                           const cudaStream_t stream[2]);
cudaError_t referee(int *desk, int bonus);
void halo_by_flags(int *a, int *b, size_t n, int steps, int side, int *mine, int *theirs);
void all_reduce(const int *in, size_t n, int first, int all, int *partial, unsigned *ticket,
                int *sum0, int *sum1);
void ask_the_host(const int *in, size_t n, int side, int *desk, int *out);

/** Words of a mailbox in part B, of the desk in part D; where in the latter the flags and the answer are. */
#define MAIL 4
#define DESK 16
enum { SUM_FLAG = 2, ANSWER = 4, ANSWER_FLAG };

struct job {
    struct harness *h;
    size_t n[2];
    int steps, launches;
    bool crossed, late;
    unsigned threads, blocks[2];
    cudaStream_t stream[2];
};

static void use(int device)
{
    CUDA_CHECK(cudaSetDevice(device));
}

/** Memory of that device, filled, or zeroed. */
static void *on(struct job *j, int device, const char *label, const void *from, size_t bytes)
{
    use(device);
    void *p = from ? harness_upload(j->h, label, from, bytes) : harness_zeros(j->h, label, bytes);
    harness_synchronize();
    return p;
}

static void launch(struct job *j, int device, const void *kernel, unsigned blocks, void **args)
{
    use(device);
    CUDA_CHECK(cudaLaunchKernel(kernel, (dim3){blocks, 1, 1}, (dim3){j->threads, 1, 1}, args, 0,
                                j->stream[device]));
}

static void wait_for_both(struct job *j)
{
    for (int d = 0; d < 2; d++) {
        use(d);
        CUDA_CHECK(cudaStreamSynchronize(j->stream[d]));
    }
}

static void done(const char *function, cudaError_t status)
{
    if (status == cudaErrorNotYetImplemented) {
        fprintf(stderr, "%s() is still to be written\n", function);
        exit(HARNESS_CUDA_ERROR);
    }
    if (status != cudaSuccess) {
        fprintf(stderr, "%s() returned %s\n", function, cudaGetErrorName(status));
        exit(HARNESS_CUDA_ERROR);
    }
}

static void connect(struct job *j)
{
    int32_t device = -1, moved = 0;
    for (int i = 0; i < 2; i++) { /* twice: who has been here before is no error */
        use(i);
        done("connect_devices", connect_devices());
        (void)cudaGetLastError();
        CUDA_CHECK(cudaGetDevice(&device));
        moved |= device != i;
    }
    harness_result(j->h, "another device is current after connect_devices (1: yes)", RESULT_I32,
                   &moved, 1);
}

// ---- A, B: a row of cells on two devices ----

/** One device's cells, between a cell of the neighbour's on either side; those at the ends of the row stay as they are. */
static int *row_of(struct job *j, int d)
{
    size_t n = j->n[d];
    int *row = harness_malloc((n + 2) * sizeof *row);
    memcpy(row, harness_input_i32(j->h, (uint64_t)d, n + 2), (n + 2) * sizeof *row);
    for (size_t i = 0; i < n + 2; i++)
        row[i] &= 0xfffff;
    row[d ? 0 : n + 1] = 0x5a5a5a; /* the neighbour's cell is for the student to bring */
    return row;
}

static void rows(struct job *j, int *a[2], int *b[2])
{
    static const char *const labels[2][2] = {{"a0", "b0"}, {"a1", "b1"}};
    for (int d = 0; d < 2; d++) {
        size_t bytes = (j->n[d] + 2) * sizeof(int);
        int *row = row_of(j, d);
        a[d] = on(j, d, labels[d][0], row, bytes);
        b[d] = on(j, d, labels[d][1], row, bytes);
        free(row);
    }
}

static void add_cells(struct job *j, int d, const char *label, const int *cells)
{
    int *row = harness_malloc(j->n[d] * sizeof *row);
    use(d);
    CUDA_CHECK(cudaMemcpy(row, cells + 1, j->n[d] * sizeof *row, cudaMemcpyDeviceToHost));
    harness_result(j->h, label, RESULT_I32, row, j->n[d]);
    free(row);
}

/** The cells after the last step; and those before it, which a step too many would have overwritten. */
static void add_rows(struct job *j, int *const a[2], int *const b[2])
{
    static const char *const labels[2][2] = {
        {"cells of device 0", "cells of device 0, before the last step"},
        {"cells of device 1", "cells of device 1, before the last step"}};
    int *const *last = j->steps % 2 ? b : a, *const *before = j->steps % 2 ? a : b;
    for (int d = 0; d < 2; d++)
        add_cells(j, d, labels[d][0], last[d]);
    for (int d = 0; d < 2; d++)
        add_cells(j, d, labels[d][1], before[d]);
}

static void run_copies(struct job *j)
{
    struct gate gate = GATE_INITIALIZER;
    int *a[2], *b[2];
    rows(j, a, b);
    use(0);
    CUDA_CHECK(cudaLaunchHostFunc(j->stream[0], gate_wait, &gate));
    done("halo_by_copies", halo_by_copies(a, b, j->n, j->steps, j->stream));
    int32_t waited = !gate_open(&gate);
    wait_for_both(j);
    harness_result(j->h, "your function waited on the host; must return at once", RESULT_I32,
                   &waited, 1);
    add_rows(j, a, b);
}

/** A stream of the other device takes neither a record of an event nor a kernel: the function is to say so. */
static void run_crossed(struct job *j)
{
    const cudaStream_t crossed[2] = {j->stream[1], j->stream[0]};
    int *a[2], *b[2];
    rows(j, a, b);
    cudaError_t status = halo_by_copies(a, b, j->n, j->steps, crossed);
    if (status == cudaErrorNotYetImplemented)
        done("halo_by_copies", status);
    (void)cudaGetLastError();
    int32_t failed = status != cudaSuccess;
    harness_result(j->h, "a call failed: returned an error (1: yes)", RESULT_I32, &failed, 1);
    wait_for_both(j);
}

static void run_flags(struct job *j)
{
    int *a[2], *b[2], *mail[2];
    connect(j);
    rows(j, a, b);
    mail[0] = on(j, 0, "mail0", NULL, MAIL * sizeof(int));
    mail[1] = on(j, 1, "mail1", NULL, MAIL * sizeof(int));
    for (int d = 0; d < 2; d++) {
        size_t n = j->n[d];
        launch(j, d, (const void *)halo_by_flags, 1,
               HARNESS_ARGS(&a[d], &b[d], &n, &j->steps, &d, &mail[d], &mail[1 - d]));
    }
    wait_for_both(j);
    add_rows(j, a, b);
}

// ---- C, D: a sum over both ----

/** Of no numbers one is there that does not count. */
static int *numbers(struct job *j, int d)
{
    size_t count = j->n[d] ? j->n[d] : 1;
    int *in = harness_malloc(count * sizeof *in);
    *in = 12345;
    memcpy(in, harness_input_i32(j->h, 4 + (uint64_t)d, j->n[d]), j->n[d] * sizeof *in);
    int *p = on(j, d, d ? "in1" : "in0", in, count * sizeof *in);
    free(in);
    return p;
}

static void add_sum(struct job *j, const char *what, int launch, int *sum, int device)
{
    int32_t got;
    char label[64];
    snprintf(label, sizeof label, "%s device %d, launch %d", what, device, launch + 1);
    use(device);
    CUDA_CHECK(cudaMemcpy(&got, sum, sizeof got, cudaMemcpyDeviceToHost));
    harness_result(j->h, label, RESULT_I32, &got, 1);
}

static void run_reduce(struct job *j)
{
    int *in[2], *sum[2], all = (int)(j->blocks[0] + j->blocks[1]);
    connect(j);
    int *partial = on(j, 0, "partial", NULL, (size_t)all * sizeof(int));
    unsigned *ticket = on(j, 0, "ticket", NULL, sizeof *ticket);
    for (int d = 0; d < 2; d++) {
        in[d] = numbers(j, d);
        sum[d] = on(j, d, d ? "sum1" : "sum0", NULL, sizeof(int));
    }
    for (int l = 0; l < j->launches; l++) {
        for (int d = 0; d < 2; d++) { /* what the launch before has left is no answer */
            use(d);
            CUDA_CHECK(cudaMemset(sum[d], 0xff, sizeof(int)));
            CUDA_CHECK(cudaDeviceSynchronize());
        }
        for (int d = 0; d < 2; d++) {
            int first = d ? (int)j->blocks[0] : 0;
            launch(
                j, d, (const void *)all_reduce, j->blocks[d],
                HARNESS_ARGS(&in[d], &j->n[d], &first, &all, &partial, &ticket, &sum[0], &sum[1]));
        }
        wait_for_both(j);
        for (int d = 0; d < 2; d++)
            add_sum(j, "the sum, on", l, sum[d], d);
        if (j->launches > 1) /* "0 in the end" */
            add_sum(j, "the ticket, on", l, (int *)ticket, 0);
    }
}

/** A referee that does not answer leaves the kernels waiting: they get an answer before the program ends with his error. */
static void judged(struct job *j, cudaError_t status, volatile int *desk)
{
    if (status != cudaSuccess) {
        desk[ANSWER] = 0;
        desk[ANSWER_FLAG] = 1;
        wait_for_both(j);
    }
    done("referee", status);
}

/** Stands for both devices, of which one comes late: when the other one has asked, and then so long that a referee who does not
 *  wait for it has answered. */
struct askers {
    volatile int *desk;
    int late;
    bool early; /**< he did */
};
enum { LATE_LOOKS = 10, LATE_PAUSE_NS = 1000000 };

static void *ask_late(void *data)
{
    struct askers *a = data;
    a->desk[1 - a->late] = 100;
    __atomic_store_n(&a->desk[SUM_FLAG + 1 - a->late], 1, __ATOMIC_RELEASE);
    for (int i = 0; i < LATE_LOOKS && !a->desk[ANSWER_FLAG]; i++)
        nanosleep(&(struct timespec){0, LATE_PAUSE_NS}, NULL);
    a->early = a->desk[ANSWER_FLAG] != 0;
    a->desk[a->late] = 20;
    __atomic_store_n(&a->desk[SUM_FLAG + a->late], 1, __ATOMIC_RELEASE);
    return NULL;
}

/** The referee alone, with no kernel: what he answers when, whichever device comes late. */
static void run_late(struct job *j, int *desk)
{
    int32_t early[2];
    for (int late = 0; late < 2; late++) {
        struct askers a = {.desk = desk, .late = late};
        pthread_t thread;
        memset(desk, 0, DESK * sizeof *desk);
        if (pthread_create(&thread, NULL, ask_late, &a) != 0)
            harness_usage("no thread could be started");
        done("referee", referee(desk, 3));
        pthread_join(thread, NULL);
        early[late] = a.early;
    }
    harness_result(j->h, "answered before both had asked (1: yes)", RESULT_I32, early, 2);
}

static void run_referee(struct job *j)
{
    int *in[2], *out[2], *desk;
    struct random r = harness_random(j->h, 9);
    int bonus = (int)random_below(&r, 1000);
    use(0);
    CUDA_CHECK(cudaHostAlloc((void **)&desk, DESK * sizeof *desk,
                             cudaHostAllocPortable | cudaHostAllocMapped));
    harness_name_memory(desk, "desk");
    if (j->late)
        run_late(j, desk);
    for (int d = 0; d < 2; d++) {
        in[d] = numbers(j, d);
        out[d] = on(j, d, d ? "out1" : "out0", NULL, sizeof(int));
    }
    for (int l = 0; l < j->launches; l++, bonus++) {
        memset(desk, 0, DESK * sizeof *desk);
        for (int d = 0; d < 2; d++)
            launch(j, d, (const void *)ask_the_host, 1,
                   HARNESS_ARGS(&in[d], &j->n[d], &d, &desk, &out[d]));
        judged(j, referee(desk, bonus), desk);
        wait_for_both(j);
        for (int d = 0; d < 2; d++)
            add_sum(j, "the answer, on", l, out[d], d);
    }
    CUDA_CHECK(cudaFreeHost(desk));
}

int main(int argc, char **argv)
{
    /* A kernel that is loaded at its first launch may wait for a device on which another one waits for it. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    static void (*const parts[])(struct job *) = {run_copies, run_flags, run_reduce, run_referee};
    struct harness *h = harness_open(argc, argv);
    unsigned part = (unsigned)harness_param(h, "part");
    struct job j = {.h = h,
                    .n = {(size_t)harness_param(h, "left"), (size_t)harness_param(h, "right")},
                    .steps = (int)harness_param_or(h, "steps", 0),
                    .launches = (int)harness_param_or(h, "launches", 1),
                    .crossed = harness_param_or(h, "crossed", 0) != 0,
                    .late = harness_param_or(h, "late", 0) != 0,
                    .threads = (unsigned)harness_param_or(h, "threads", 32),
                    .blocks = {(unsigned)harness_param_or(h, "blocks", 1),
                               (unsigned)harness_param_or(h, "others", 1)}};
    if (part >= sizeof parts / sizeof *parts)
        harness_usage("there is no part %u", part);
    for (int d = 0; d < 2; d++) {
        use(d);
        CUDA_CHECK(cudaStreamCreateWithFlags(&j.stream[d], cudaStreamNonBlocking));
        harness_name_stream(j.stream[d], "stream[%d]", d);
    }
    (part == 0 && j.crossed ? run_crossed : parts[part])(&j);
    for (int d = 0; d < 2; d++)
        CUDA_CHECK(cudaStreamDestroy(j.stream[d]));
    use(0);
    return harness_close(h);
}
