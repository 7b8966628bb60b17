/**
 * @file schema.c
 * lab.yaml's grammar: one table a mapping, one row a key. A new key is a row here, a member in
 * spec.h and a line in docs/lab_yaml.md; ranges that libcyaml cannot express are in check.c.
 */
#include "spec/schema.h"

#include "spec/spec.h"

#define REQ CYAML_FLAG_DEFAULT
#define OPT CYAML_FLAG_OPTIONAL
#define TEXT(key, flags, type, member, max)                                                        \
    CYAML_FIELD_STRING_PTR(key, (flags) | CYAML_FLAG_POINTER, struct type, member, 1, max)
#define LIST_OF(key, flags, type, member, entry, min, max)                                         \
    CYAML_FIELD_SEQUENCE(key, (flags) | CYAML_FLAG_POINTER, struct type, member, &entry, min, max)
#define CHOICE(key, flags, type, member, table)                                                    \
    CYAML_FIELD_ENUM(key, (flags) | CYAML_FLAG_STRICT, struct type, member, table,                 \
                     CYAML_ARRAY_LEN(table))

static const cyaml_strval_t rules[] = {
    {"exact", RULE_EXACT}, {"permutation", RULE_PERMUTATION}, {"tolerance", RULE_TOLERANCE}};
static const cyaml_strval_t levels[] = {{"error", SPEC_LEVEL_ERROR},
                                        {"warning", SPEC_LEVEL_WARNING},
                                        {"ignore", SPEC_LEVEL_IGNORE}};
static const cyaml_strval_t codes[] = {{"device", SPEC_DEVICE}, {"host", SPEC_HOST}};
static const cyaml_strval_t visibilities[] = {{"visible", SPEC_VISIBLE}, {"hidden", SPEC_HIDDEN}};
static const cyaml_strval_t exhaustive[] = {{"reference", SPEC_REFERENCE}, {"both", SPEC_BOTH}};

static const cyaml_schema_value_t text_entry = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, 600)};

static const cyaml_schema_field_t kernel_fields[] = {
    TEXT("name", REQ, spec_kernel, name, 100),
    TEXT("signature", REQ, spec_kernel, signature, 400), CYAML_FIELD_END};
static const cyaml_schema_value_t kernel_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_kernel, kernel_fields)};

static const cyaml_schema_field_t array_rule_fields[] = {
    TEXT("name", REQ, spec_array_rule, name, 100),
    CHOICE("rule", REQ, spec_array_rule, rule, rules),
    CYAML_FIELD_FLOAT("absolute", OPT, struct spec_array_rule, absolute),
    CYAML_FIELD_FLOAT("relative", OPT, struct spec_array_rule, relative), CYAML_FIELD_END};
static const cyaml_schema_value_t array_rule_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_array_rule, array_rule_fields)};

static const cyaml_schema_field_t compare_fields[] = {
    CHOICE("rule", REQ, spec_compare, rule, rules),
    CYAML_FIELD_FLOAT("absolute", OPT, struct spec_compare, absolute),
    CYAML_FIELD_FLOAT("relative", OPT, struct spec_compare, relative),
    LIST_OF("arrays", OPT, spec_compare, arrays, array_rule_entry, 0, 64), CYAML_FIELD_END};

static const cyaml_schema_field_t limits_fields[] = {
    CYAML_FIELD_UINT("seconds", OPT, struct spec_limits, seconds),
    CYAML_FIELD_UINT("bytes", OPT, struct spec_limits, bytes),
    CYAML_FIELD_UINT("output", OPT, struct spec_limits, output),
    CYAML_FIELD_UINT("result", OPT, struct spec_limits, result),
    CYAML_FIELD_UINT("steps", OPT, struct spec_limits, steps), CYAML_FIELD_END};

static const cyaml_schema_field_t case_fields[] = {
    TEXT("name", REQ, spec_case, name, 40),
    TEXT("title", REQ, spec_case, title, 60),
    CYAML_FIELD_INT("points", REQ, struct spec_case, points),
    CHOICE("visibility", OPT, spec_case, visibility, visibilities),
    CYAML_FIELD_IGNORE("params", OPT), /* params.c */
    TEXT("distribution", OPT, spec_case, distribution, 40),
    TEXT("counts_with", OPT, spec_case, counts_with, 40),
    TEXT("after", OPT, spec_case, after, 40),
    TEXT("places", OPT, spec_case, places, 40),
    CYAML_FIELD_UINT("seeds", OPT, struct spec_case, seeds),
    CYAML_FIELD_UINT("schedules", OPT, struct spec_case, schedules),
    CHOICE("exhaustive", OPT, spec_case, exhaustive, exhaustive),
    CYAML_FIELD_MAPPING_PTR("compare", OPT | CYAML_FLAG_POINTER, struct spec_case, compare,
                            compare_fields),
    CYAML_FIELD_MAPPING_PTR("limits", OPT | CYAML_FLAG_POINTER, struct spec_case, limits,
                            limits_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t case_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_case, case_fields)};

static const cyaml_schema_field_t part_fields[] = {
    TEXT("id", REQ, spec_part, id, 8),
    TEXT("title", REQ, spec_part, title, 60),
    LIST_OF("needs", OPT, spec_part, needs, text_entry, 0, 26),
    LIST_OF("calls", OPT, spec_part, calls, text_entry, 0, 64),
    LIST_OF("cases", REQ, spec_part, cases, case_entry, 1, 64), CYAML_FIELD_END};
static const cyaml_schema_value_t part_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_part, part_fields)};

/* A row a kind of finding, made from softgpu's table of kinds. */
static const cyaml_schema_field_t checks_fields[] = {
#define KIND(e, n, ...) CHOICE(n, OPT, spec_checks, level[VERDICT_##e], levels),
#define UNJUDGED(...)
#include "report/kinds.def"
    CYAML_FIELD_END};
static const cyaml_schema_field_t credit_fields[] = {
#define KIND(e, n, ...) CYAML_FIELD_INT(n, OPT, struct spec_credit, percent[VERDICT_##e]),
#define UNJUDGED(...)
#include "report/kinds.def"
    CYAML_FIELD_END};

static const cyaml_schema_field_t property_fields[] = {
    TEXT("title", REQ, spec_property, title, 60),
    TEXT("counter", REQ, spec_property, counter, 60),
    TEXT("kernel", OPT, spec_property, kernel, 100),
    TEXT("object", OPT, spec_property, object, 100),
    TEXT("unit", OPT, spec_property, unit, 100),
    CYAML_FIELD_BOOL("required", OPT, struct spec_property, required),
    CYAML_FIELD_FLOAT_PTR("max", OPT | CYAML_FLAG_POINTER, struct spec_property, max),
    CYAML_FIELD_FLOAT_PTR("min", OPT | CYAML_FLAG_POINTER, struct spec_property, min),
    CYAML_FIELD_FLOAT_PTR("at_most_reference", OPT | CYAML_FLAG_POINTER, struct spec_property,
                          at_most_reference),
    CYAML_FIELD_FLOAT_PTR("at_least_reference", OPT | CYAML_FLAG_POINTER, struct spec_property,
                          at_least_reference),
    CYAML_FIELD_INT("points", OPT, struct spec_property, points),
    TEXT("part", OPT, spec_property, part, 8),
    TEXT("case", OPT, spec_property, case_name, 40), CYAML_FIELD_END};
static const cyaml_schema_value_t property_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_property, property_fields)};

static const cyaml_schema_field_t band_fields[] = {
    CYAML_FIELD_FLOAT("ratio", REQ, struct spec_band, ratio),
    CYAML_FIELD_INT("credit", REQ, struct spec_band, credit), CYAML_FIELD_END};
static const cyaml_schema_value_t band_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_band, band_fields)};
static const cyaml_schema_field_t performance_fields[] = {
    TEXT("title", REQ, spec_performance, title, 60),
    TEXT("case", REQ, spec_performance, case_name, 40),
    CYAML_FIELD_INT("points", REQ, struct spec_performance, points),
    LIST_OF("bands", REQ, spec_performance, bands, band_entry, 1, 10),
    CYAML_FIELD_IGNORE("params", OPT), /* params.c */
    TEXT("elements", REQ, spec_performance, elements, 40),
    CYAML_FIELD_FLOAT("bytes_per_element", REQ, struct spec_performance, bytes_per_element),
    CYAML_FIELD_UINT("rounds", OPT, struct spec_performance, rounds), CYAML_FIELD_END};
static const cyaml_schema_value_t performance_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_performance, performance_fields)};

static const cyaml_schema_field_t hint_fields[] = {
    TEXT("finding", OPT, spec_hint, finding, 40), TEXT("case", OPT, spec_hint, case_name, 40),
    TEXT("part", OPT, spec_hint, part, 8),
    LIST_OF("steps", REQ, spec_hint, steps, text_entry, 1, 10), CYAML_FIELD_END};
static const cyaml_schema_value_t hint_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct spec_hint, hint_fields)};

static const cyaml_schema_field_t top_fields[] = {
    TEXT("title", REQ, spec, title, 60),
    TEXT("summary", REQ, spec, summary, 400),
    LIST_OF("topics", OPT, spec, topics, text_entry, 0, 16),
    LIST_OF("needs", OPT, spec, needs, text_entry, 0, 16),
    CYAML_FIELD_INT("points", REQ, struct spec, points),
    CHOICE("code", OPT, spec, code, codes),
    LIST_OF("kernels", OPT, spec, kernels, kernel_entry, 1, 32),
    LIST_OF("functions", OPT, spec, functions, kernel_entry, 1, 32),
    TEXT("arch", OPT, spec, arch, 20),
    CYAML_FIELD_INT("devices", OPT, struct spec, devices),
    LIST_OF("parts", REQ, spec, parts, part_entry, 1, 26),
    CYAML_FIELD_MAPPING("compare", OPT, struct spec, compare, compare_fields),
    CYAML_FIELD_MAPPING("checks", OPT, struct spec, checks, checks_fields),
    CYAML_FIELD_MAPPING("credit", OPT, struct spec, credit, credit_fields),
    LIST_OF("properties", OPT, spec, properties, property_entry, 0, 128),
    LIST_OF("performance", OPT, spec, performance, performance_entry, 0, 16),
    CYAML_FIELD_MAPPING("limits", OPT, struct spec, limits, limits_fields),
    LIST_OF("hints", OPT, spec, hints, hint_entry, 0, 64), TEXT("next", REQ, spec, next, 600),
    CYAML_FIELD_END};

const cyaml_schema_value_t spec_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct spec, top_fields)};
