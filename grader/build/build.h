/**
 * @file build.h
 * From kernel.cu to the things that a run needs: what the student and the reference run, the
 * harness, the device's library; and hashes of each for the record.
 *
 * In a kernel lab the harness is a program, and `student` and `reference` are PTX that it loads. In a
 * host-code lab the harness is an object, and they are programs in which it is linked.
 */
#ifndef GRADER_BUILD_BUILD_H
#define GRADER_BUILD_BUILD_H

#include "base/kit.h"
#include "options.h"
#include "spec/spec.h"

struct build {
    char *source;      /**< the student's text, for the lines of findings */
    char *file;        /**< as the user named it */
    char *student, *reference, *harness;
    bool has_kits;         /**< the reference, and the original where there is one, and all else that their runs need is there */
    char *original;        /**< what the lab's original.cu was built to; NULL: no case asks about it */
    char *original_source; /**< its text */
    char *kept_original;   /**< how names of files begin in which its findings are kept */
    uint64_t original_hash;
    const char *ptx;       /**< of a host-code lab: device code that runs in place of the student's program's own; NULL;
                                borrowed */
    char *library;     /**< softgpu's folder, for LD_LIBRARY_PATH */
    char *own_library; /**< the same where the device is in the program's own process, in a host-code lab, too */
    char *server;      /**< the softgpu command, which plays the device for a host-code lab's programs;
                            NULL: softgpu is in the harness's own process */
    char *nvcc_version;
    uint64_t source_hash, reference_hash, harness_hash, softgpu_hash;
    uint64_t common_hash; /**< of libharness.a, in a host-code lab */
    struct trouble of_kits; /**< why has_kits is false: told where the student's file compiles */
    char *compile_error; /**< set where the student's file does not compile; not a trouble */
};

/**
 * Compiles and finds everything for one lab.
 * @param scratch  a private folder of this grade
 * @return false with `t` filled where nothing can be judged. A student's compile error is no
 *         trouble: then `compile_error` is set. build_free() is due either way.
 */
bool build_lab(struct build *b, const struct kit *k, const struct spec *s, const char *lab,
               const struct options *o, const char *scratch, struct trouble *t);
/** The first half of build_lab(): all but what is made of the student's text. */
bool build_find(struct build *b, const struct kit *k, const struct spec *s, const char *lab,
                const struct options *o, const char *scratch, struct trouble *t);
/** The second half. */
bool build_make(struct build *b, const struct kit *k, const struct spec *s, const char *scratch, struct trouble *t);
void build_free(struct build *b);

/**
 * One nvcc run with fixed arguments in a folder of its own.
 * @param text    the source; it is written to FOLDER/kernel.cu
 * @param shown   how messages name the source
 * @param errors  set to nvcc's errors with the student's lines, malloced, where it does not compile
 * @return the path FOLDER/kernel.ptx, malloced; NULL with `errors` or `t` set
 */
char *compile_kernel(const struct kit *k, const char *arch, const char *text, const char *shown,
                     const char *folder, char **errors, struct trouble *t);
/** What a host-code lab's program is made of besides the student's file. */
struct program_parts {
    const struct spec *spec;
    char *harness; /**< the lab's harness as an object */
    char *common;  /**< libharness.a */
    char *library; /**< libcudart.so.13, for its symbols */
};

/** As compile_kernel(), for host code: the result is FOLDER/program. */
char *compile_program(const struct kit *k, const struct program_parts *p, const char *text,
                      const char *shown, const char *folder, char **errors, struct trouble *t);
/** The second half of compile_program(), from an object that is there already. */
char *link_program(const struct kit *k, const struct program_parts *p, const char *object,
                   const char *shown, const char *folder, char **errors, struct trouble *t);
/** "13.0.88", from the compiler itself; the caller frees. */
char *compile_version(const struct kit *k);

/** nvcc's output as a student reads it: NAME:LINE: error: …, that line, at most `max` of them. */
char *compile_errors(const char *output, const char *source, const char *shown, int max);

#endif
