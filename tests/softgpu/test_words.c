/**
 * @file test_words.c
 * Findings in words: every cause has its sentence, in every form that it can take; nothing is left of the
 * last one; what does not fit is cut and ends.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "host/call_site.h"
#include "host/library_code.h"
#include "report/finding.h"
#include "report/ptx_line.h"
#include "report/words/words.h"
#include "unit.h"

/** The kind that goes with a cause. */
static enum finding_kind kind_of(enum finding_cause c)
{
    return c == CAUSE_NOT_RELEASED || c == CAUSE_HOST_NOT_RELEASED   ? FIND_MISSING_RELEASE
           : c == CAUSE_NOT_ACQUIRED || c == CAUSE_HOST_NOT_ACQUIRED ? FIND_MISSING_ACQUIRE
           : c >= CAUSE_RELAXED && c <= CAUSE_NOT_INTERLEAVED        ? FIND_ORDERING
           : c < CAUSE_HOST_NOT_RELEASED                             ? FIND_DATA_RACE
           : c <= CAUSE_HOST_EARLY                                   ? FIND_STREAM_RACE
           : c <= CAUSE_ENDLESS                                      ? FIND_DEADLOCK
           : c <= CAUSE_WARPS_LEFT_OUT                               ? FIND_BARRIER_DIVERGENCE
           : c <= CAUSE_WARP_OPERANDS                                ? FIND_WARP_MASK
           : c <= CAUSE_UNWRITTEN_TAKEN                              ? FIND_UNINITIALIZED_READ
           : c == CAUSE_NAMES_ARE_ONE                                ? FIND_OUT_OF_BOUNDS
           : c <= CAUSE_NOT_FREED_BY_KERNEL                          ? FIND_LEAK
           : c < CAUSE_UNKNOWN_FUNCTION                              ? FIND_OUT_OF_BOUNDS
           : c < CAUSE_CALL_FAILED                                   ? FIND_UNSUPPORTED
           : c <= CAUSE_LAUNCH_SHAPE                                 ? FIND_FAILED_CALL
           : c == CAUSE_OPERATION_FREED                              ? FIND_USE_AFTER_FREE
           : c == CAUSE_COPY_OVERLAPS                                ? FIND_DATA_RACE
           : c <= CAUSE_CALL_STRAYS                                  ? FIND_HOST_ACCESS
           : c <= CAUSE_SOURCE_CHANGED                               ? FIND_NOT_WAITED
                                                                     : FIND_UNSUPPORTED;
}

static struct call_site site[2] = {{.file = "a/one.cu", .line = 41}, {.file = "b/two.cu", .line = 7}};

/** A finding of this cause, with something in every field that its words may use. */
static struct finding sample(enum finding_cause c)
{
    struct finding f = {.kind = kind_of(c), .cause = c, .kernel = "_Z4fillPi", .object = "in", .named = true,
                        .offset = 8, .access_count = 2};
    for (int i = 0; i < 2; i++)
        f.accesses[i] = (struct finding_access){.op = i ? "load" : "store", .file = "k.cu", .line = 11 + i,
                                                .has_thread = true, .thread = {5, 6, 7}, .row_of_blocks = true};
    strcpy(f.message, "left from before");
    strcpy(f.suggestion, "left from before");
    if (c == CAUSE_VALUE_WAIT) {
        f.facts.value = (struct value_facts){.name = "cuStreamWaitValue32", .value = 2, .holds = 1};
    } else if (kind_of(c) == FIND_STREAM_RACE && c >= CAUSE_STREAMS) {
        f.facts.stream.first = (struct stream_party){.what = PARTY_KERNEL, .name = "_Z4fillPi", .stream = 2,
                                                     .call = &site[0], .issued = &site[0]};
        f.facts.stream.second = (struct stream_party){.what = PARTY_CALL, .name = "cudaMemcpyAsync", .stream = 3,
                                                      .call = &site[1], .issued = &site[1]};
    } else if (kind_of(c) == FIND_WARP_MASK) {
        f.facts.mask = (struct mask_facts){.warp = 1, .threads = {40, 50}, .masks = {0xffff, 0xff}, .operation = "vote"};
    } else if (c == CAUSE_NAMES_ARE_ONE) {
        f.facts.names = (struct names_facts){.first = "a", .other = "b", .line = 9};
    } else if (kind_of(c) == FIND_NOT_WAITED) {
        f.facts.stream.first = (struct stream_party){.what = PARTY_CALL, .name = "cudaMemcpyAsync", .stream = 2,
                                                     .call = &site[0], .issued = &site[0]};
    } else if (kind_of(c) == FIND_FAILED_CALL || c == CAUSE_OPERATION_FREED || c == CAUSE_COPY_OVERLAPS) {
        f.facts.call = (struct call_facts){.name = "cudaMemcpy", .error = "cudaErrorInvalidValue"};
    } else if (kind_of(c) >= FIND_OUT_OF_BOUNDS && c > CAUSE_NOT_FREED_BY_KERNEL) {
        f.facts.fault.text = f.facts.fault.file = "something";
    }
    return f;
}

/** A sentence begins with a capital or a name, and ends; faults leave the stop to who prints them. */
static void check_sentence(const struct finding *f)
{
    size_t n = strlen(f->message);
    CU_ASSERT(n > 20 && n < sizeof f->message - 1);
    CU_ASSERT_PTR_NULL(strstr(f->message, "left from before"));
    CU_ASSERT_STRING_NOT_EQUAL(f->suggestion, "left from before");
    CU_ASSERT_PTR_NULL(strstr(f->message, "(null)"));
    CU_ASSERT_PTR_NULL(strstr(f->message, "  "));
    if (f->cause < CAUSE_MISALIGNED)
        CU_ASSERT(f->message[n - 1] == '.' &&
                  (f->cause == CAUSE_NOT_FREED || f->cause == CAUSE_VALUE_WAIT || !islower((unsigned char)f->message[0])));
    CU_ASSERT(f->kind == FIND_UNSUPPORTED || strlen(f->rule) > 10);
}

static void test_every_cause(void)
{
    for (int c = CAUSE_NONE + 1; c < CAUSE_COUNT; c++) {
        struct finding f = sample((enum finding_cause)c);
        finding_phrase(&f);
        check_sentence(&f);
    }
}

/** The compiler's traps stand on lines that say nothing of one. */
static void test_trap(void)
{
    struct finding f = sample(CAUSE_TRAP);
    f.kind = FIND_TRAP;
    finding_phrase(&f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, "what leads to line 11"));
    CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, "null pointer"));
}

static void test_every_gap(void)
{
    for (int gap = GAP_NOTHING; gap <= GAP_PROGRAMMATIC_EARLY; gap++)
        for (int advice = TRY_RECORD_AND_WAIT; advice <= TRY_GRID_WAIT; advice++) {
            struct finding f = sample(CAUSE_STREAMS);
            f.facts.stream.gap = (enum stream_gap)gap;
            f.facts.stream.advice = (enum stream_advice)advice;
            f.facts.stream.waited = f.facts.stream.recorded = &site[0];
            finding_phrase(&f);
            check_sentence(&f);
            CU_ASSERT_PTR_NOT_NULL(strstr(f.message, "Kernel fill in stream 1 (line 41 of one.cu)"));
            CU_ASSERT(strlen(f.suggestion) > 20);
        }
}

/** A phase that never ends: what is missing in it decides what to try. */
static void test_phases(void)
{
    static const struct { struct wait_facts w; const char *says; } each[] = {
        {{.what = WAIT_FOR_PHASE, .arrivals = 1, .untouched = true}, "nothing has come in this phase"},
        {{.what = WAIT_FOR_PHASE, .arrivals = 1, .untouched = true, .phases = 4}, "4 phases have ended before this one"},
        {{.what = WAIT_FOR_PHASE, .arrivals = 31}, "or let 31 more threads arrive"},
        {{.what = WAIT_FOR_PHASE, .bytes = 16}, "as many bytes as copies bring"},
        {{.what = WAIT_FOR_MEMORY}, "All that still run wait"},
    };
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        struct finding f = sample(CAUSE_WAIT);
        f.facts.wait = each[i].w;
        finding_phrase(&f);
        check_sentence(&f);
        CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, each[i].says));
        for (size_t j = 0; j < sizeof each / sizeof each[0]; j++)
            CU_ASSERT(i == j || !strstr(f.suggestion, each[j].says));
    }
}

/** Copies that brought more than was expected have left nothing missing. */
static void test_too_many_bytes(void)
{
    struct finding f = sample(CAUSE_WAIT);
    f.facts.wait = (struct wait_facts){.what = WAIT_FOR_PHASE, .bytes = -256};
    finding_phrase(&f);
    check_sentence(&f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.message, "copies have brought 256 bytes more than were expected"));
    CU_ASSERT_PTR_NULL(strstr(f.message, "missing"));
    CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, "as many bytes as copies bring"));
}

static void test_every_advice(void)
{
    for (int advice = TRY_BARRIER; advice <= TRY_NO_RESTRICT; advice++) {
        struct finding f = sample(CAUSE_UNORDERED);
        f.facts.race.advice = (enum race_advice)advice;
        f.facts.race.lines[0] = f.facts.race.lines[1] = 2011;
        finding_phrase(&f);
        check_sentence(&f);
        CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, "2011"));
        if (advice != TRY_BARRIER_BETWEEN_BRANCHES) // two lines by its nature
            CU_ASSERT_PTR_NULL(strstr(f.suggestion, "2011 and 2011"));
    }
}

/** Nothing can stand between a line and itself. */
static void test_one_line(void)
{
    static const enum race_advice between[] = {TRY_BARRIER, TRY_BARRIER_IN_LOOP, TRY_BARRIER_FOR_ALL, TRY_CLUSTER_BARRIER,
                                               TRY_FENCE_BETWEEN, TRY_FENCE_BEFORE, TRY_BOTH_FENCES, TRY_FENCES};
    for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
        struct finding f = sample(CAUSE_UNORDERED);
        f.facts.race.advice = between[i];
        f.facts.race.lines[0] = f.facts.race.lines[1] = 2011;
        finding_phrase(&f);
        const char *line = strstr(f.suggestion, "line 2011");
        CU_ASSERT_PTR_NOT_NULL_FATAL(line);
        const char *more = strstr(line + 1, "line 2011");
        CU_ASSERT(!more || !strncmp(more, "line 2011 again", 15));
        f.facts.race.lines[1] = 2012;
        finding_phrase(&f);
        CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, "line 2011"));
        CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, "line 2012"));
    }
}

/** Where fences belong, one place or several, and one line or two; also where another fence stands. */
static void test_sc_fences(void)
{
    struct finding f = sample(CAUSE_UNORDERED);
    struct race_facts *r = &f.facts.race;
    r->advice = TRY_SC_FENCES;
    r->sc_count = 1;
    r->sc_lines[0][0] = r->sc_lines[0][1] = 2011;
    finding_phrase(&f);
    check_sentence(&f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, " between the accesses on line 2011: "));
    r->sc_count = 3;
    for (int i = 1; i < 3; i++) {
        r->sc_lines[i][0] = 100000 + i;
        r->sc_lines[i][1] = i == 1 ? 200000 : 1000;
    }
    r->sc_instead = true;
    finding_phrase(&f);
    check_sentence(&f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, ", and between line 100001 and line 200000, and after line 100002 and before line 1000, instead of"));
    CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, "before the first"));
}

/** Elements by their number where accesses are of one size, bytes where they are not. */
static void test_places(void)
{
    static const struct {
        const char *object, *space;
        uint64_t offset, bytes;
        enum ptx_type types[2];
        bool named;
        const char *words;
    } places[] = {
        {"in", "global", 8, 0, {PTX_U32, PTX_S32}, true, "\"in[2]\""},
        {"_ZZ4fillPiE1s", "shared", 32, 128, {PTX_U32, PTX_U32}, true, "\"s[8]\""},
        {"_ZZ4fillPiE4last", "shared", 0, 4, {PTX_U32, PTX_U32}, true, "\"last\""},
        {"last", "global", 0, 8, {PTX_U32, PTX_U32}, true, "\"last[0]\""},
        {"alloc7", "global", 24, 4096, {PTX_F64, PTX_F64}, false, "alloc7[3]"},
        {"in", "global", 8, 0, {PTX_U32, PTX_U64}, true, "\"in\" (byte 8)"},
        {"in", "global", 6, 0, {PTX_U32, PTX_U32}, true, "\"in\" (byte 6)"},
        {"in", "global", 8, 0, {PTX_NONE, PTX_NONE}, true, "\"in\" (byte 8)"},
        {"", "shared", 32, 0, {PTX_U32, PTX_U32}, false, "shared memory (byte 32)"},
    };
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct finding f = {.access_count = 2, .space = places[i].space, .offset = places[i].offset,
                            .object_bytes = places[i].bytes, .named = places[i].named};
        char place[96];
        strcpy(f.object, places[i].object);
        for (int k = 0; k < 2; k++)
            f.accesses[k].type = places[i].types[k];
        put_place(place, sizeof place, &f);
        CU_ASSERT_STRING_EQUAL(place, places[i].words);
    }
}

static void test_race(void)
{
    struct finding f = sample(CAUSE_UNORDERED);
    finding_phrase(&f);
    CU_ASSERT_STRING_EQUAL(f.message, "Block 0 thread (5,6,7) reads \"in\" (byte 8) and block 0 thread (5,6,7) writes "
                                      "it, and nothing orders the two: the read may get either value.");
    CU_ASSERT_STRING_EQUAL(f.suggestion, "");
    f.cause = CAUSE_NOT_ACQUIRED;
    f.kind = FIND_MISSING_ACQUIRE;
    f.facts.race = (struct race_facts){.same_block = true, .signal_line = 20, .via_line = 30,
                                       .advice = TRY_FENCE_AFTER_READ, .lines = {30, 0}};
    finding_phrase(&f);
    CU_ASSERT_STRING_EQUAL(f.suggestion, "__threadfence_block() after the read of the signal on line 30");
    f.facts.race.same_block = false;
    finding_phrase(&f);
    CU_ASSERT_STRING_EQUAL(f.suggestion, "__threadfence() after the read of the signal on line 30");
    f.facts.race.waits = true;
    finding_phrase(&f);
    CU_ASSERT_STRING_EQUAL(f.suggestion, "__threadfence() behind the loop that polls on line 30");
    f.facts.race.advice = TRY_FENCES;
    f.facts.race.lines[0] = 20;
    f.facts.race.lines[1] = 30;
    finding_phrase(&f);
    CU_ASSERT_STRING_EQUAL(f.suggestion, "__threadfence() before the signal on line 20 and behind the loop that polls on line 30");
}

/** A name as long as a program likes. */
static void test_long_names(void)
{
    static char name[5000];
    memset(name, 'x', sizeof name - 1);
    struct finding f = sample(CAUSE_UNKNOWN_FUNCTION);
    f.facts.fault.text = name;
    finding_phrase(&f);
    CU_ASSERT_EQUAL(strlen(f.message), sizeof f.message - 1);
    f = sample(CAUSE_STREAMS);
    f.facts.stream.first.name = name;
    finding_phrase(&f);
    CU_ASSERT(strlen(f.message) < sizeof f.message && strstr(f.message, "nothing orders them"));
}

static void test_names(void)
{
    static const char *const names[][2] = {
        {"in", "in"},
        {"alloc7", "alloc7"},
        {"_Z4fillPi", "fill"},
        {"_Z4fillIiEvPT_", "fill"},
        {"_ZL5table", "table"},
        {"_ZZ9block_sumxE6shared", "shared"},
        {"_ZZ5shiftILb0EEvPiE1s", "s"},
        {"_ZN3one3twoE", "one::two"},
        {"_ZN3one4fillIiEEvPT_", "one::fill"},
        {"_ZN12_GLOBAL__N_14fillEPi", "fill"},
        {"_Z", "_Z"},
        {"_Z99short", "_Z99short"},
        {"_Zx", "_Zx"},
        {"_ZN3one", "_ZN3one"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char plain[64];
        put_plain(plain, sizeof plain, names[i][0]);
        CU_ASSERT_STRING_EQUAL(plain, names[i][1]);
    }
    struct finding f = sample(CAUSE_UNORDERED);
    strcpy(f.object, "_ZZ9block_sumxE6shared");
    finding_phrase(&f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.message, "\"shared\" (byte 8)"));
}

static void test_incomplete(void)
{
    for (int c = INCOMPLETE_NOT + 1; c < INCOMPLETE_CAUSES; c++)
        CU_ASSERT(strlen(incomplete_words((enum incomplete_cause)c)) > 10);
}

/* Every cause with its accesses on these lines of the PTX. */
static void check_ptx_lines(int first)
{
    for (enum finding_cause c = CAUSE_UNORDERED; c < CAUSE_COUNT; c++) {
        struct finding f = sample(c), with = f;
        for (int i = 0; i < 2; i++) {
            f.accesses[i].file = NULL;
            f.accesses[i].line = 0;
            f.accesses[i].ptx_line = first + i;
        }
        finding_phrase(&f);
        finding_phrase(&with);
        CU_ASSERT(!strstr(f.message, "line 0") == !strstr(with.message, "line 0"));
        CU_ASSERT(!strstr(f.suggestion, "line 0") == !strstr(with.suggestion, "line 0"));
        for (const char *at = f.message; (at = strstr(at, "line ")); at++)
            CU_ASSERT(atoi(at + 5) < PTX_LINE_BASE);
        for (const char *at = f.suggestion; (at = strstr(at, "line ")); at++)
            CU_ASSERT(atoi(at + 5) < PTX_LINE_BASE);
        CU_ASSERT_EQUAL(f.accesses[1].line, 0);
    }
}

/* PTX without .loc: lines are those of the PTX, in the order that they have there, however many it has. */
static void test_ptx_lines(void)
{
    check_ptx_lines(30);
    check_ptx_lines(137324);
    check_ptx_lines(90000000);
    struct finding f = sample(CAUSE_UNORDERED);
    for (int i = 0; i < 2; i++) {
        f.accesses[i] = (struct finding_access){.op = "store", .ptx_line = 137324 + i, .has_thread = true};
        f.facts.race.lines[i] = line_to_say(NULL, 0, 137324 + i);
    }
    f.facts.race.advice = TRY_BARRIER;
    finding_phrase(&f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, "between PTX line 137324 and PTX line 137325"));
    f.facts.race.advice = TRY_WIDER_SCOPE;
    finding_phrase(&f);
    CU_ASSERT_PTR_NOT_NULL(strstr(f.suggestion, "on PTX lines 137324 and 137325"));
}

/** Whose a file is. */
static void test_library_files(void)
{
    static const struct { const char *path; bool library; } cases[] = {
        {"/usr/local/cuda/targets/x86_64-linux/include/cccl/cub/block/block_scan.cuh", true},
        {"/usr/local/cuda-13.0/include/cooperative_groups.h", true},
        {"/usr/include/c++/14/algorithm", true},
        {"/usr/include/c++/14/bits/vector.tcc", true},
        {"/home/me/cccl/cub/cub/grid/grid_barrier.cuh", true},
        {"/home/me/cccl/cub/test/test_grid_barrier.cu", false},
        {"/home/me/cccl/examples/basic/example.cu", false},
        {"/home/me/cuda/bin/main.cpp", false},
        {"/home/me/cuda-samples/include/kernel.c", false},
        {"/home/me/lab/kernel.cuh", false},
        {"kernel.cu", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (library_file(cases[i].path) != cases[i].library)
            fprintf(stderr, "not %d: %s\n", cases[i].library, cases[i].path);
        CU_ASSERT_EQUAL(library_file(cases[i].path), cases[i].library);
    }
}

UNIT_MAIN("words", {"every cause", test_every_cause}, {"trap", test_trap}, {"every gap", test_every_gap},
          {"phases", test_phases}, {"too many bytes", test_too_many_bytes}, {"every advice", test_every_advice}, {"one line", test_one_line}, {"sc fences", test_sc_fences},
          {"places", test_places}, {"a race", test_race}, {"long names", test_long_names}, {"plain names", test_names},
          {"incomplete", test_incomplete},
          {"lines of the PTX", test_ptx_lines}, {"library files", test_library_files})
