/*
 * The linker's version script, made from api.def by the preprocessor. The version node is that of the real
 * library: without it the loader warns at each start.
 */
#include "runtime/api_rows.h"
#define VERSIONED(name, twin, ...) twin;
#define API(name, since, twin, here, remote, ...) name; TWIN_##twin(VERSIONED, name, )
libcudart.so.13 {
    global:
#include "runtime/api.def"
    local:
        *;
};
