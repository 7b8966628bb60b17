/**
 * @file record_sample.h
 * A record with something of everything: a part of two cases, one of which has a finding, a property, a time on a GPU.
 */
#ifndef TESTS_GRADER_RECORD_SAMPLE_H
#define TESTS_GRADER_RECORD_SAMPLE_H

#include "record/record.h"

/** @return a record of the caller's, for record_free() */
static struct record *sample(void)
{
    struct record *r = text_zalloc(1, sizeof *r);
    *r = (struct record){
        .lab = text_dup("lab03"), .folder = text_dup("lab03_x"), .title = text_dup("guard"),
        .file = text_dup("k.cu"), .device = text_dup("softgpu"), .sandbox = text_dup("D"),
        .version = text_dup("1"), .nvcc = text_dup("13"), .command = text_dup("./grade lab03"),
        .seed = 0x5f3a91c2, .spec_hash = 0xfedcba9876543210u, .points = 20, .earned = 10,
        .state = STATE_FAIL, .seconds = 0.25, .parts_count = 1, .properties_count = 1,
    };
    r->parts = text_zalloc(1, sizeof *r->parts);
    r->properties = text_zalloc(1, sizeof *r->properties);
    r->properties[0] = (struct record_property){.title = text_dup("one launch"),
                                                .counter = text_dup("launches"),
                                                .case_name = text_dup("two"), .has_max = true,
                                                .max = 1, .has_value = true, .value = 2,
                                                .state = STATE_FAIL};
    r->parts[0] = (struct record_part){.id = text_dup("B"), .title = text_dup("the guard"),
                                       .points = 20, .earned = 10, .state = STATE_FAIL,
                                       .cases_count = 2};
    r->parts[0].code = 0xfedcba9876543211u;
    r->parts[0].seed = 0x77;
    struct record_case *c = r->parts[0].cases = text_zalloc(2, sizeof *c);
    c[0] = (struct record_case){.id = text_dup("B1"), .name = text_dup("one"),
                                .title = text_dup("n = 1 … \"quoted\""), .points = 10, .earned = 10};
    c[1] = (struct record_case){.id = text_dup("B2"), .name = text_dup("two"),
                                .title = text_dup("n = 2"), .points = 10, .state = STATE_FAIL,
                                .verdict = VERDICT_MISSING_ACQUIRE, .findings_count = 1};
    c[1].findings = text_zalloc(1, sizeof *c[1].findings);
    c[1].findings[0] = (struct record_finding){
        .kind = VERDICT_MISSING_ACQUIRE, .level = RECORD_ERROR, .message = text_dup("a \x01 b"),
        .offset = 4, .count = 3, .seed = UINT64_MAX, .accesses_count = 2,
        .accesses = {{.op = text_dup("store"), .file = text_dup("k.cu"), .line = 2,
                      .has_thread = true, .block = {3, 0, 0}, .value = text_dup("97")},
                     {.op = text_dup("load"), .line = 3, .missed = text_dup("97")}},
    };
    struct record_finding *f = &c[1].findings[0];
    f->interleaving_count = 2;
    f->interleaving = text_zalloc(2, sizeof *f->interleaving);
    f->interleaving[0] = (struct record_access){.op = text_dup("fence"), .line = 43,
                                                .order = text_dup("sc.gpu"), .times = 2};
    f->interleaving[1] = (struct record_access){.op = text_dup("atomic"), .line = 45, .offset = 12,
                                                .object = text_dup("alloc1"), .has_thread = true,
                                                .block = {7, 0, 0}, .value = text_dup("7"),
                                                .old = text_dup("6")};
    c[1].counters_count = 1;
    c[1].counters = text_zalloc(1, sizeof *c[1].counters);
    c[1].counters[0] = (struct record_counter){text_dup("barriers"), 2.5, true, 2};
    c[1].gpu = STATE_FAIL;
    c[1].gpu_verdict = VERDICT_WRONG_RESULT;
    c[1].gpu_message = text_dup("expected 1");
    r->gpu = text_dup("NVIDIA H200");
    r->performance_count = 1;
    r->bonus = 5;
    r->performance = text_zalloc(1, sizeof *r->performance);
    r->performance[0] = (struct record_performance){
        .title = text_dup("speed"), .case_name = text_dup("one"), .has_value = true, .ratio = 1.5,
        .low = 1.25, .high = 2, .us = 15, .reference_us = 10, .rounds = 21, .points = 10,
        .earned = 5, .possible = 10, .state = STATE_UNJUDGED, .message = text_dup("noise")};
    return r;
}

#endif
