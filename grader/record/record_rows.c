/**
 * @file record_rows.c
 * The tables: a row a member.
 */
#include "record/record_rows.h"

#include "record/record.h"

#define ROW(type, s, member) {#member, type, offsetof(struct s, member), NULL, 0, 0}
#define MANY(kind, s, member, element, table)                                                      \
    {#member, kind, offsetof(struct s, member), table, sizeof(struct element),                     \
     offsetof(struct s, member##_count)}
#define TEXTS(s, member)                                                                           \
    {#member, STRINGS, offsetof(struct s, member), NULL, 0, offsetof(struct s, member##_count)}
#define END {NULL, INT, 0, NULL, 0, 0}

#define ACCESS_ROWS                                                                                \
    ROW(STRING, record_access, op), ROW(STRING, record_access, file),                              \
        ROW(INT, record_access, line), ROW(STRING, record_access, source),                         \
        ROW(BOOL, record_access, has_thread), ROW(TRIPLE, record_access, block),                   \
        ROW(TRIPLE, record_access, thread), ROW(STRING, record_access, value),                     \
        ROW(STRING, record_access, missed), ROW(STRING, record_access, called_from),               \
        ROW(STRING, record_access, within), ROW(INT, record_access, element)
static const struct row access_rows[] = {ACCESS_ROWS, END};
static const struct row step_rows[] = {ACCESS_ROWS, ROW(STRING, record_access, object),
                                       ROW(INT64, record_access, offset),
                                       ROW(STRING, record_access, old),
                                       ROW(STRING, record_access, order),
                                       ROW(INT, record_access, times), END};

static const struct row counter_rows[] = {
    ROW(STRING, record_counter, name),        ROW(REAL, record_counter, value),
    ROW(BOOL, record_counter, has_reference), ROW(REAL, record_counter, reference), END};

static const struct row finding_rows[] = {
    ROW(VERDICT, record_finding, kind),    ROW(LEVEL, record_finding, level),
    ROW(STRING, record_finding, kernel),   ROW(STRING, record_finding, space),
    ROW(STRING, record_finding, object),   ROW(INT64, record_finding, offset),
    ROW(STRING, record_finding, part),     ROW(INT, record_finding, element),     ROW(INT64, record_finding, object_bytes),
    ROW(STRING, record_finding, allocated),
    ROW(STRING, record_finding, message),  ROW(STRING, record_finding, rule),
    ROW(STRING, record_finding, suggestion), ROW(INT, record_finding, advised),
    ROW(BOOL, record_finding, tried), ROW(INT64, record_finding, count),
    ROW(HEX64, record_finding, seed),
    MANY(PAIR, record_finding, accesses, record_access, access_rows),
    MANY(LIST, record_finding, interleaving, record_access, step_rows), END};

static const struct row case_rows[] = {
    ROW(STRING, record_case, id),      ROW(STRING, record_case, name),
    ROW(STRING, record_case, title),   ROW(BOOL, record_case, hidden),
    ROW(INT, record_case, points),     ROW(INT, record_case, earned),
    ROW(STATE, record_case, state),    ROW(VERDICT, record_case, verdict),
    ROW(BOOL, record_case, kit_fault), ROW(REAL, record_case, seconds),
    ROW(INT, record_case, runs),
    ROW(INT, record_case, runs_passed), ROW(STRING, record_case, message),
    ROW(PICTURE, record_case, timeline), ROW(PICTURE, record_case, reference_timeline),
    ROW(STRING, record_case, detail),
    ROW(STRING, record_case, counts_with), ROW(STRING, record_case, uncounted),
    MANY(LIST, record_case, findings, record_finding, finding_rows),
    TEXTS(record_case, hints),
    MANY(LIST, record_case, counters, record_counter, counter_rows),
    ROW(STATE, record_case, gpu),      ROW(VERDICT, record_case, gpu_verdict),
    ROW(REAL, record_case, gpu_seconds), ROW(STRING, record_case, gpu_message), END};

static const struct row part_rows[] = {
    ROW(STRING, record_part, id),      ROW(STRING, record_part, title),
    ROW(INT, record_part, points),     ROW(INT, record_part, earned),
    ROW(STATE, record_part, state),    ROW(STRING, record_part, missing),
    ROW(HEX64, record_part, code),     ROW(BOOL, record_part, kept),
    ROW(HEX32, record_part, seed),
    MANY(LIST, record_part, cases, record_case, case_rows), END};

static const struct row property_rows[] = {
    ROW(STRING, record_property, title),   ROW(STRING, record_property, counter),
    ROW(STRING, record_property, unit),    ROW(BOOL, record_property, required),
    ROW(STRING, record_property, case_name), ROW(STRING, record_property, part),
    ROW(BOOL, record_property, has_value),
    ROW(BOOL, record_property, has_max),   ROW(BOOL, record_property, has_min),
    ROW(REAL, record_property, value),     ROW(REAL, record_property, max),
    ROW(REAL, record_property, min),       ROW(BOOL, record_property, has_reference),
    ROW(REAL, record_property, reference), ROW(INT, record_property, points),
    ROW(INT, record_property, earned),     ROW(STATE, record_property, state), END};

static const struct row performance_rows[] = {
    ROW(STRING, record_performance, title), ROW(STRING, record_performance, case_name),
    ROW(BOOL, record_performance, has_value), ROW(REAL, record_performance, ratio),
    ROW(REAL, record_performance, low),    ROW(REAL, record_performance, high),
    ROW(REAL, record_performance, us),     ROW(REAL, record_performance, reference_us),
    ROW(REAL, record_performance, floor_us), ROW(INT, record_performance, rounds),
    ROW(INT, record_performance, points),  ROW(INT, record_performance, earned),
    ROW(INT, record_performance, possible), ROW(STATE, record_performance, state),
    ROW(STRING, record_performance, message), END};

const struct row record_rows[] = {
    ROW(STRING, record, lab),         ROW(STRING, record, folder),
    ROW(STRING, record, title),       ROW(STRING, record, file),
    ROW(STRING, record, device),      ROW(STRING, record, sandbox),
    ROW(STRING, record, version),     ROW(STRING, record, nvcc),
    ROW(STRING, record, command),     ROW(HEX32, record, seed),
    ROW(INT, record, schedules),      ROW(HEX64, record, spec_hash),
    ROW(HEX64, record, source_hash),  ROW(HEX64, record, reference_hash),
    ROW(HEX64, record, harness_hash), ROW(HEX64, record, softgpu_hash),
    ROW(INT64, record, time),         ROW(REAL, record, seconds),
    ROW(INT, record, points),         ROW(INT, record, earned),
    ROW(BOOL, record, kit_fault),
    ROW(BOOL, record, partial),       ROW(STATE, record, state),
    ROW(VERDICT, record, verdict),    ROW(STRING, record, message),
    ROW(STRING, record, next), ROW(STRING, record, compare),       MANY(LIST, record, parts, record_part, part_rows),
    MANY(LIST, record, properties, record_property, property_rows),
    ROW(STRING, record, gpu),         ROW(STRING, record, gpu_message),
    ROW(BOOL, record, gpu_reaches_host),
    MANY(LIST, record, performance, record_performance, performance_rows),
    ROW(INT, record, bonus),          ROW(INT, record, bonus_points), TEXTS(record, hints), END};
