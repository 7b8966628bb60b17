/**
 * @file library.h
 * Loaded device code: a program's registered fat binaries and cudaLibraryLoad*'s files.
 */
#ifndef SOFTGPU_RUNTIME_LIBRARY_H
#define SOFTGPU_RUNTIME_LIBRARY_H

#include <stdio.h>

#include "runtime/code/jit_options.h"
#include "runtime/code/kernel.h"
#include "runtime/state/runtime.h"

/** A `__device__`, `__constant__` or `__managed__` variable as the host knows it. */
struct symbol {
    const void *host;          /**< the host's shadow variable */
    void **managed;            /**< where the host keeps a managed variable's address, or NULL */
    char *name;
};

/** What cudaLibrary_t and the handle of `__cudaRegisterFatBinary` point to. */
struct library {
    struct library *next;
    char *name;                /**< for messages */
    const struct fatbin_wrapper *wrapper; /**< registered code, loaded on first use; NULL if loaded */
    bool registered;           /**< by the program itself: lives until it is unregistered */
    cudaError_t wrong;         /**< what is the matter with its code, on any device, told late */
    char *ptx;                 /**< where there are several devices: the text, to load it on the others; owned */
    size_t ptx_bytes;
    struct on_device {
        cudaError_t status;    /**< of the load, once tried */
        bool tried;
        struct image *image;
    } on[MAX_DEVICES];
    LIST(struct kernel *) kernels;
    LIST(struct symbol) symbols;
};

/** The device is about to be reset: its images go. */
void libraries_reset_on(int device);
struct library *library_new(const char *name);
void library_free(struct library *l);
struct library *library_of(const void *handle);
/** Loads PTX text, a fat binary or a wrapper of one; `limit` bytes may be read. */
cudaError_t library_load(struct library *l, const void *data, size_t limit);
/** What code is opened as. */
enum library_form {
    LIBRARY_READ_LATE, /**< a library: what is wrong with its code is told when something of it is asked for */
    LIBRARY_MODULE,    /**< a module: at once */
    LIBRARY_PART,      /**< likewise, and what it lacks another part may define */
};
/** A new library of the code in PTX text, a fat binary or a wrapper of one; `limit` bytes may be read.
 *  `name` is for messages. Nothing is left of one that does not load.
 *  @return cudaErrorInvalidValue  also where an option has a value that it cannot have */
cudaError_t library_open_by(const struct jit_options *j, enum library_form form, const char *name, const void *code, size_t limit,
                            cudaLibrary_t *out);
/** A file's bytes with a NUL after them, malloced; NULL with errno set. */
char *library_read_file(const char *path, size_t *bytes);
/** Where it says why the calling thread's code does not load, until the next call; NULL: stderr. */
void library_log(FILE *f);
/** Most registers of a kernel that says nothing itself, in what the calling thread loads until the next call; 0: any number. */
void library_bound(unsigned most);
/** Whether what the calling thread loads until the next call must define all that it uses. */
void library_whole(bool whole);
/** What there is of it on the calling thread's device. */
struct on_device *library_here(struct library *l);
/** Loads a library on the calling thread's device, on first use. */
cudaError_t library_ensure(struct library *l);
/** The kernel that a function is the code of, with `function` set; NULL: none has been asked for. */
struct kernel *library_kernel_of(const struct function *f);
struct kernel *library_kernel(struct library *l, const char *name, const void *host_function);
/** A variable's address on the device and its bytes; with `managed`, only one of those. */
cudaError_t library_find_variable(struct library *l, const char *name, uint64_t *address, size_t *bytes,
                                  bool managed);

#endif
