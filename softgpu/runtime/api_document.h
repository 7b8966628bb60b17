/**
 * @file api_document.h
 * api.def for people.
 */
#ifndef SOFTGPU_RUNTIME_API_DOCUMENT_H
#define SOFTGPU_RUNTIME_API_DOCUMENT_H

#include <stdio.h>

/** The line with which the list begins in docs/runtime.md; it goes on to the end. */
#define API_DOCUMENT_HEADING "## Every call\n"

/** Writes the list of all calls as Markdown, its heading included (`softgpu --calls`). */
void api_document(FILE *out);
/** The same of the Driver API, for docs/driver.md (`softgpu --driver-calls`). */
void driver_document(FILE *out);

#endif
