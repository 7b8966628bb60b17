/**
 * @file dump.h
 * The first two stages in text, for `--dump tokens` and `--dump module`.
 */
#ifndef SOFTGPU_PARSE_DUMP_H
#define SOFTGPU_PARSE_DUMP_H

#include <stdio.h>

#include "parse/module.h"

/** One token a line: line:column kind text. @return false with `d` filled at the first bad token */
bool tokens_dump(FILE *out, const char *name, const char *text, size_t len, struct diag *d);
/** Variables, functions and instructions as the parser understood them. */
void module_dump(FILE *out, const struct ptx_module *m);

#endif
