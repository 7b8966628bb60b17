/**
 * @file ptx_line.h
 * PTX without .loc has no source lines: what findings say of it names lines of the PTX itself.
 */
#ifndef SOFTGPU_REPORT_PTX_LINE_H
#define SOFTGPU_REPORT_PTX_LINE_H

#include "code/image.h"

/** Numbers from here on stand for lines of the PTX; words.c writes them so. Their order is that of the lines. */
#define PTX_LINE_BASE (1 << 30)

/** A line for a sentence: of `file`, or, where there is none, of the PTX. */
static inline int line_to_say(const char *file, int line, int ptx_line)
{
    return file || line || ptx_line <= 0 ? line : PTX_LINE_BASE + ptx_line;
}

/** The same of an instruction's place. */
#define site_line_to_say(s) line_to_say((s)->file, (s)->line, (s)->ptx_line)

/** … and of an instruction of that image. */
static inline int insn_line_to_say(const struct image *im, const struct insn *in)
{
    const struct site *s = insn_site(im, in);
    return site_line_to_say(s);
}

#endif
