/**
 * @file device_library.h
 * What of NVIDIA's libcudadevrt is written in PTX here: a module that is linked to those that call it.
 */
#ifndef SOFTGPU_PARSE_DEVICE_LIBRARY_H
#define SOFTGPU_PARSE_DEVICE_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

extern const char device_library[];

/** Whether the text names a function of the library. Its own definition, if it has one, counts before the library's. */
bool device_library_needed(const char *text, size_t len);

#endif
