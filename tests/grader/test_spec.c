/**
 * @file test_spec.c
 * lab.yaml: the complete example loads as written; each broken variant of it is refused with file,
 * line, key and what is allowed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "spec/spec.h"
#include "unit.h"

#define EXAMPLE "tests/grader/specs/ok.yaml"

static void test_example(void)
{
    struct trouble t = {0};
    struct spec *s = spec_load(EXAMPLE, EXAMPLE, NULL, &t);
    CU_ASSERT_PTR_NOT_NULL_FATAL(s);
    CU_ASSERT_STRING_EQUAL(t.what, "");
    CU_ASSERT_STRING_EQUAL(s->title, "sum of a row");
    CU_ASSERT_EQUAL(s->parts_count, 2);
    const struct spec_case *odd = &s->parts[0].cases[1];
    CU_ASSERT_EQUAL(odd->params_count, 3);
    CU_ASSERT_STRING_EQUAL(odd->params[2].name, "n");
    CU_ASSERT_EQUAL(odd->params[2].value, 100003);
    CU_ASSERT_EQUAL(odd->seeds, 2);
    CU_ASSERT_EQUAL(odd->schedules, 4);
    CU_ASSERT_EQUAL(odd->exhaustive, SPEC_BOTH);
    CU_ASSERT_EQUAL(s->parts[0].cases[0].exhaustive, SPEC_NONE);
    CU_ASSERT_EQUAL(s->parts[0].cases[0].seeds, 1);
    CU_ASSERT_EQUAL(s->checks.level[VERDICT_LEAK], SPEC_LEVEL_WARNING);
    CU_ASSERT_EQUAL(s->checks.level[VERDICT_DEADLOCK], SPEC_LEVEL_AS_REPORTED);
    CU_ASSERT_EQUAL(s->credit.percent[VERDICT_MISSING_ACQUIRE], 50);
    CU_ASSERT_EQUAL(spec_case_limits(s, &s->parts[1].cases[1]).seconds, 20);
    CU_ASSERT_EQUAL(spec_case_limits(s, &s->parts[1].cases[1]).bytes, 1024);
    CU_ASSERT_EQUAL(spec_array_rule(s, odd, "order").rule, RULE_PERMUTATION);
    CU_ASSERT_EQUAL(spec_array_rule(s, odd, "sums").rule, RULE_EXACT);
    CU_ASSERT_EQUAL(spec_array_rule(s, &s->parts[1].cases[1], "order").rule, RULE_EXACT);
    CU_ASSERT_EQUAL(s->hints_count, 3);
    const struct spec_performance *speed = &s->performance[0];
    CU_ASSERT_EQUAL(spec_performance_param(s, speed, "n", NULL), 16777216);
    CU_ASSERT_EQUAL(spec_performance_param(s, speed, "grid", NULL), 264);
    CU_ASSERT_EQUAL(speed->bytes_per_element, 4);
    CU_ASSERT_EQUAL(speed->rounds, 31);
    spec_free(s);
}

/** The example with the first `from` replaced by `to`. */
static char *variant(const char *from, const char *to)
{
    const char *why;
    size_t len;
    char *text = text_read_file(EXAMPLE, 1 << 20, &len, &why);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    char *at = strstr(text, from);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    char *out = text_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    free(text);
    return out;
}

static const struct {
    const char *from, *to, *says;
} broken[] = {
    {"points: 100", "points: 99", "x.yaml:5: points: is 99, but the cases and properties add up to 100"},
    {"points: 100\n", "points: 100\npiont: 3\n", "x.yaml:6: piont: unknown key; allowed here: title"},
    {"title: any shape", "tilte: any shape", "parts[1].tilte: unknown key; allowed here: id, title"},
    {"        points: 5", "        points: five", "parts[0].cases[0].points: is \"five\"; it must be an integer"},
    {"rule: exact", "rule: exactly", "compare.rule: is exactly; allowed: exact, permutation"},
    {"needs: [A]", "needs: [C]", "parts[1].needs[0]: allowed: the id of a part that stands earlier"},
    {"needs: [A]", "needs: A", "parts[1].needs: must be a list"},
    {"needs: [A]", "needs: [A]\n    calls: [other]", "parts[1].calls[0]: allowed: the name of one of the lab's functions or kernels"},
    {"n: 1}", "n: 1.5}", "params.n: must be an integer"},
    {"n: 1}", "n: 1, n: 2}", "params.n: stands here twice"},
    {"n: 1}", "n: 99999999999999999999}", "must be an integer of at most 64 bits"},
    {"data-race: error", "data-race: fatal", "checks.data-race: is fatal; allowed: error, warning, ignore"},
    {"data-race: error", "datarace: error", "checks.datarace: unknown key"},
    {"missing-acquire: 50", "missing-acquire: 101", "credit.missing-acquire: is 101; allowed: 0 to 100"},
    {"exhaustive: both", "exhaustive: all", "exhaustive: is all; allowed: reference, both"},
    {"seeds: 2", "seeds: 0", "seeds: is 0; allowed: 1 to 100"},
    {"seeds: 2", "seeds: -2", "it must not be negative"},
    {"seconds: 10", "seconds: 601", "limits.seconds: is 601; allowed: 1 to 600"},
    {"limits: {seconds: 20}", "limits: {secs: 20}", "limits.secs: unknown key; allowed here: seconds"},
    {"devices: 2", "devices: 9", "devices"},
    {"arch: compute_75", "arch: compute_70", "arch: is compute_70; allowed: compute_75 and above"},
    {"name: odd", "name: tiny", "parts[0].cases[1].name: another case has this name"},
    {"name: odd", "name: Odd", "allowed: a-z 0-9 _ -"},
    {"id: B", "id: A", "another part has this id"},
    {"kernels:\n  - name: row_sum\n", "functions:\n  - name: row_sum\n", "x.yaml:2: kernels: must list the kernels"},
    {"points: 100\n", "points: 100\ncode: host\n", "functions: must list the functions"},
    {"points: 100\n", "points: 100\ncode: gpu\n", "code: is gpu; allowed: device, host"},
    {"kernels:\n", "functions: [{name: f, signature: void f()}]\nkernels:\n", "x.yaml:7: functions: only a lab with"},
    {"kernels:\n", "code: host\nfunctions: [{name: f g, signature: void f()}]\nkernels:\n", "functions[0].name: must be a C identifier"},
    {"kernels:\n", "code: host\nfunctions: [{name: f, signature: void f()}]\nkernels:\n", "performance[0]: allowed with code: device only"},
    {"    max: 1\n", "    at_most_reference: 1.5\n", ""},
    {"    max: 1\n", "    max: 1\n    at_most_reference: 1.5\n", "properties[0]: has a bound and a ratio"},
    {"    max: 1\n", "    at_least_reference: 0\n", "properties[0]: a ratio to the reference must be"},
    {"    max: 1\n", "", "properties[0]: needs one of max"},
    {"case: odd", "case: even", "properties[0].case: no case has this name"},
    {"ratio: 2.0", "ratio: 1.1", "ratios must ascend"},
    {"credit: 50}", "credit: 100}", "performance[0].bands[1]: ratios must ascend and credits descend"},
    {"ratio: 1.2", "ratio: 0", "performance[0].bands[0]: allowed: a ratio above 0"},
    {"case: large\n    params", "case: small\n    params", "performance[0].case: no case has this name"},
    {"elements: n", "elements: m", "performance[0].elements: allowed: a parameter of the entry or its case"},
    {"    elements: n\n", "", "performance[0]: the key elements is missing"},
    {"bytes_per_element: 4", "bytes_per_element: 0", "performance[0].bytes_per_element: must be above 0"},
    {"bytes_per_element: 4", "bytes_per_element: four", "performance[0].bytes_per_element: is \"four\""},
    {"rounds: 31", "rounds: 8", "performance[0].rounds: is 8; allowed: 9 to 101"},
    {"{n: 16777216}", "{n: 0}", "performance[0].elements: allowed:"},
    {"{n: 16777216}", "{n: x}", "performance[0].params.n: must be an integer"},
    {"    max: 1\n", "    max: 1\n    required: true\n", "properties[0]: needs either points or required: true"},
    {"    max: 1\n", "    max: 1\n    required: yes\n", "properties[0].required: is yes; allowed: true, false"},
    {"    max: 1\n", "    max: 1\n    kernel: row_sum\n    object: in\n", "properties[0]: allowed: one of kernel, object"},
    {"    max: 1\n", "    max: 1\n    object: in\n    unit: bytes\n", ""},
    {"seeds: 2", "counts_with: tiny\n        seeds: 2", ""},
    {"seeds: 2", "counts_with: odd\n        seeds: 2", "counts_with: allowed: another case of the part"},
    {"seeds: 2", "counts_with: large\n        seeds: 2", "counts_with: allowed: another case of the part"},
    {"seeds: 2", "after: tiny\n        seeds: 2", ""},
    {"seeds: 2", "after: odd\n        seeds: 2", "after: allowed: a case of the part that stands earlier"},
    {"seeds: 2", "after: none\n        seeds: 2", "after: allowed: a case of the part that stands earlier"},
    {"counts_with: large", "places: some_lines", ""},
    {"counts_with: large", "places: \"two words\"", "places: allowed: a-z 0-9 _"},
    {"exhaustive: both", "exhaustive: both\n        places: lines", "exhaustive: not allowed beside places"},
    {"exhaustive: both", "places: lines", "properties[0].case: a case with places does not run"},
    {"absolute: 1.0e-6", "absolute: .nan", "absolute"},
    {"relative: 1.0e-5", "relative: 2", "must be from 0 to 1"},
    {"finding: data-race", "finding: datarace", "hints[2].finding: not a kind"},
    {"- case: tiny\n    steps:", "- case: tiny\n    part: A\n    steps:", "needs exactly one of"},
    {"next: >", "nexus: >", "nexus: unknown key"},
    {"title: sum of a row\n", "", "the key title is missing"},
    {"topics: [barriers", "topics: [barriers: {", "not YAML"},
    {"topics:", "needs: [lab03, lab3]\ntopics:", "needs[1]: allowed: a lab's short name, as lab03"},
    {"summary: Each", "summary: &a Each", ""},
};

static void test_broken(void)
{
    char path[] = "/tmp/test_spec.XXXXXX";
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct trouble t = {0};
        char *text = variant(broken[i].from, broken[i].to);
        CU_ASSERT_FATAL(text_write_file(path, text, strlen(text)));
        struct spec *s = spec_load(path, "x.yaml", NULL, &t);
        bool as_told = broken[i].says[0] ? !s && strstr(t.what, broken[i].says)
                                                  && !strncmp(t.what, "x.yaml:", 7)
                                         : s != NULL;
        if (!as_told)
            printf("\n  %s -> %s: %s", broken[i].from, broken[i].to, s ? "accepted" : t.what);
        CU_ASSERT_TRUE(as_told);
        spec_free(s);
        free(text);
    }
    unlink(path);
}

/** Aliases could make a small file huge; nothing needs them. */
static void test_alias(void)
{
    char path[] = "/tmp/test_spec.XXXXXX";
    close(mkstemp(path));
    struct trouble t = {0};
    char *text = variant("title: sum of a row\nsummary: Each", "title: &a x\nsummary: *a\nnext: Each");
    text_write_file(path, text, strlen(text));
    CU_ASSERT_PTR_NULL(spec_load(path, "x.yaml", NULL, &t));
    unlink(path);
    free(text);
}

static void test_skeleton(void)
{
    char path[] = "/tmp/test_spec.XXXXXX";
    close(mkstemp(path));
    const char *with = "extern \"C\" __global__ void __launch_bounds__(64)\nrow_sum (const int *in)\n{}";
    const char *without[] = {"// __global__ void row_sum(int)\n", "void row_sum(int) {}",
                             "__global__ void row_sum2(int) {}",
                             "const char *s = \"__global__ void row_sum(\";",
                             "/* __global__ */ void row_sum() {}", ""};
    struct trouble t = {0};
    text_write_file(path, with, strlen(with));
    struct spec *s = spec_load(EXAMPLE, "x.yaml", path, &t);
    CU_ASSERT_PTR_NOT_NULL(s);
    spec_free(s);
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        t = (struct trouble){0};
        text_write_file(path, without[i], strlen(without[i]));
        CU_ASSERT_PTR_NULL(spec_load(EXAMPLE, "x.yaml", path, &t));
        CU_ASSERT_PTR_NOT_NULL(strstr(t.what, "x.yaml:8: kernels[0].name: the skeleton"));
    }
    unlink(path);
}

UNIT_MAIN("spec", {"the complete example", test_example}, {"broken variants", test_broken},
          {"aliases", test_alias}, {"kernels in the skeleton", test_skeleton})
