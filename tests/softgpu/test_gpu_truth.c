/**
 * @file test_gpu_truth.c
 * One program, two devices: record_numerics ran on a real GPU once and left tests/gpu/h200.dat; here it
 * runs on softgpu, and the two files are compared form by form. Exact forms must agree in every bit;
 * approximate ones within the error that the PTX ISA documents, and the share of equal results is
 * printed.
 *
 *   test_gpu_truth [RECORDED [CLAIMED]]   CLAIMED: a file already made on softgpu
 */
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#include "execute/numerics/numerics.h"
#include "gpu/operands.h"
#include "softgpu/gpu_record.h"
#include "unit.h"

#define FORM(name, text, D, A, B, C, check) {name, T_##D, {T_##A, T_##B, T_##C}, check},
static const struct form forms[] = {
#include "gpu/forms.def"
};
#undef FORM

static const char *recorded_path = "tests/gpu/h200.dat";
static const char *claimed_path;
static struct record_file recorded, claimed;

static double f32_distance(uint32_t a, uint32_t b)
{
    int64_t ka = a & 0x80000000 ? -(int64_t)(a & 0x7fffffff) : a;
    int64_t kb = b & 0x80000000 ? -(int64_t)(b & 0x7fffffff) : b;
    return fabs((double)(ka - kb));
}

/** |got - want| in units of what the ISA allows for this f32 operation and operand. */
static double f32_error(int check, uint32_t operand, uint32_t got, uint32_t want)
{
    double x = f32_real(operand), g = f32_real(got), w = f32_real(want), error = fabs(g - w);
    switch (check) {
    case CHECK_ULP1:
        return f32_distance(got, want);
    case CHECK_ULP2:
        return f32_distance(got, want) / 2;
    case CHECK_LG2:   /* ours is rounded: half a unit more */
        return x > 0.5 && x < 2 ? error / 0x1p-22 : error / (fabs(w) * (0x1p-22 + 0x1p-25));
    case CHECK_SIN:
        if (fabs(x) > 100 * M_PI)   /* no accuracy is promised, but a sine it is */
            return fabs(g) <= 1 ? 0 : 2;
        return error / (fabs(x) <= 2 * M_PI ? exp2(-20.5) : exp2(-14.7));
    default:
        return error / (fabs(w) * 0x1p-11);
    }
}

static double f64_error(int check, uint64_t got, uint64_t want)
{
    double g = f64_real(got), w = f64_real(want);
    return fabs(g - w) / (fabs(w) * (check == CHECK_F64_UPPER ? 0x1p-19 : 0x1p-51));
}

static double half_error(int check, bool bf16, uint16_t got, uint16_t want)
{
    double g = bf16 ? bf16_value(got) : f16_value(got), w = bf16 ? bf16_value(want) : f16_value(want);
    double error = fabs(g - w), unit = bf16 ? 0x1p-8 : 0x1p-11;   /* half a unit: ours is rounded */
    if (check == CHECK_HALF_TANH)
        return error / ((bf16 ? 0x1p-8 : exp2(-10.987)) + unit * fabs(w));
    double least = bf16 ? 0 : 0x1p-24;   /* subnormal f16: one unit */
    return error / fmax(least, fabs(w) * ((bf16 ? 0x1p-7 : exp2(-9.9)) + unit));
}

static bool agrees(const struct form *f, uint64_t operand, uint64_t got, uint64_t want)
{
    if (got == want)
        return true;
    switch (f->result) {
    case T_F32: {
        uint32_t g = (uint32_t)got, w = (uint32_t)want;
        return !f32_is_nan(g) && !f32_is_nan(w) && f32_error(f->check, (uint32_t)operand, g, w) <= 1;
    }
    case T_F64:
        return !f64_is_nan(got) && !f64_is_nan(want) && f64_error(f->check, got, want) <= 1;
    default:
        for (unsigned half = 0; half < type_bytes(f->result) / 2; half++) {
            uint16_t g = (uint16_t)(got >> (16 * half)), w = (uint16_t)(want >> (16 * half));
            bool bf16 = f->result == T_BF16 || f->result == T_BF16X2;
            if (g != w && !(half_error(f->check, bf16, g, w) <= 1))   /* NaN: not within */
                return false;
        }
        return true;
    }
}

/** Compares one form; prints the first differences. @return how many results are wrong */
static unsigned compare_form(const struct form *f, const struct record *want, const struct record *got,
                             unsigned *equal)
{
    static uint64_t storage[3][16384];
    uint64_t *operand[3] = {storage[0], storage[1], storage[2]};
    if (form_stored(f) + form_hashed(f) > COUNT_OF(storage[0]))
        abort();
    form_operands(f, operand);
    unsigned wrong = 0;
    for (uint32_t i = 0; i < want->stored; i++) {
        uint64_t g = record_result(got, i), w = record_result(want, i);
        *equal += g == w;
        if (f->check == CHECK_EXACT ? g == w : agrees(f, operand[0][i], g, w))
            continue;
        if (wrong++ < 4)
            printf("    %s(%llx, %llx, %llx): GPU %llx, softgpu %llx\n", f->name,
                   (unsigned long long)operand[0][i], (unsigned long long)operand[1][i],
                   (unsigned long long)operand[2][i], (unsigned long long)w, (unsigned long long)g);
    }
    for (uint32_t h = 0; h < want->hashes; h++)
        if (record_hash(got, h) != record_hash(want, h) && wrong++ < 4)
            printf("    %s: random cases %u to %u differ\n", f->name, h * HASH_CHUNK,
                   (h + 1) * HASH_CHUNK - 1);
    return wrong;
}

static void test_forms(void)
{
    unsigned bad = 0, missing = 0, exact = 0, approximate = 0, compared = 0, same = 0, of_same = 0;
    printf("\n    recorded on %s\n", recorded.title);
    for (unsigned i = 0; i < COUNT_OF(forms); i++) {
        const struct form *f = &forms[i];
        const struct record *want = record_find(&recorded, f->name, i);
        const struct record *got = record_find(&claimed, f->name, i);
        if (!want || want->failed || !got || got->failed || want->stored != form_stored(f) ||
            want->stored != got->stored || want->hashes != got->hashes || want->bytes != got->bytes) {
            printf("    %s: %s\n", f->name,
                   !want || want->failed ? "not recorded on the GPU: record again"
                   : !got || got->failed ? "softgpu cannot run it"
                                         : "recorded with other operands: record again");
            missing++;
            continue;
        }
        unsigned equal = 0, wrong = compare_form(f, want, got, &equal);
        compared += want->stored + want->hashes * HASH_CHUNK;
        exact += f->check == CHECK_EXACT;
        if (f->check != CHECK_EXACT) {
            approximate++;
            same += equal;
            of_same += want->stored;
            printf("    %-28s %5.1f%% equal\n", f->name, 100.0 * equal / want->stored);
        }
        if (wrong) {
            printf("    %s: %u differ\n", f->name, wrong);
            bad++;
        }
    }
    printf("    %u exact forms, %u approximate (%.1f%% of their results equal), %u results; "
           "%u forms differ, %u not compared\n",
           exact, approximate, of_same ? 100.0 * same / of_same : 0, compared, bad, missing);
    CU_ASSERT_EQUAL(bad, 0);
    CU_ASSERT_EQUAL(missing, 0);
    /* Rounded values cannot equal a GPU's tables everywhere: such a file came from softgpu itself. */
    CU_ASSERT(same < of_same);
}

/** Runs record_numerics on softgpu. */
static bool make_claim(const char *output)
{
    const char *build = getenv("BUILD") ? getenv("BUILD") : "build";
    char softgpu[512], program[512];
    snprintf(softgpu, sizeof softgpu, "%s/bin/softgpu", build);
    snprintf(program, sizeof program, "%s/tests/gpu/record_numerics", build);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        execl(softgpu, softgpu, "--check", "none", program, output, (char *)NULL);
        perror(softgpu);
        _exit(127);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static void test_files(void)
{
    char made[64] = "/tmp/softgpu_numerics_XXXXXX";
    CU_ASSERT_FATAL(record_file_open(&recorded, recorded_path));
    if (!claimed_path) {
        int fd = mkstemp(made);
        CU_ASSERT_FATAL(fd >= 0);
        close(fd);
        CU_ASSERT(make_claim(made));
    }
    bool read = record_file_open(&claimed, claimed_path ? claimed_path : made);
    if (!claimed_path)
        unlink(made);
    CU_ASSERT_FATAL(read);
}

int main(int argc, char **argv)
{
    static const struct unit_test tests[] = {{"files", test_files}, {"forms", test_forms}};
    recorded_path = argc > 1 ? argv[1] : recorded_path;
    claimed_path = argc > 2 ? argv[2] : NULL;
    int status = unit_main("numerics on a GPU and on softgpu", tests, 2);
    record_file_close(&recorded);
    record_file_close(&claimed);
    return status;
}
