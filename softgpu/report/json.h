/**
 * @file json.h
 * A finding as one line of JSON (design.md, "Findings file").
 */
#ifndef SOFTGPU_REPORT_JSON_H
#define SOFTGPU_REPORT_JSON_H

#include "report/finding.h"

/** @return a malloc'd line without newline; the caller frees it */
char *finding_to_json(const struct finding *f, uint64_t seed, uint64_t count);

#endif
