/**
 * @file error_words.c
 * Error codes: names and texts.
 */
#include "runtime/api.h"

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
#define ERROR(code, name, text) {code, #name, text},
#include "runtime/forms/errors.def"
#undef ERROR
};

static const char unknown[] = "unrecognized error code";

static int find(cudaError_t e)
{
    for (unsigned i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].code == (int)e)
            return (int)i;
    return -1;
}

const char *cudaGetErrorName(cudaError_t e)
{
    int i = find(e);
    return i < 0 ? unknown : errors[i].name;
}

const char *cudaGetErrorString(cudaError_t e)
{
    int i = find(e);
    return i < 0 ? unknown : errors[i].text;
}
