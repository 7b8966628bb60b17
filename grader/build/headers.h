/**
 * @file headers.h
 * What a file includes, read once: the includes at its head are the same from edit to edit, and most of what nvcc reads. Kept of them, in BUILD/headers,
 * are the preprocessor's text and its macros, for each pass, and the host's compiler's precompiled header. A kept head is made of the names of
 * system headers alone, in a sandbox that no submission has part in.
 *
 * headers.c is the grader's side; prefix.c runs in the sandbox (steps.h).
 */
#ifndef GRADER_BUILD_HEADERS_H
#define GRADER_BUILD_HEADERS_H

#include "base/kit.h"

#define HEADERS_REST "rest.cu"          /**< beside kernel.cu: what comes behind its head */
#define HEADERS_END "fencepost_end"     /**< of kernel.cu where a head is made: what is declared behind it */
#define HEADERS_MADE "made"             /**< the folder, in that of the compile, in which a head is made */
#define HEADERS_MAX_FILE (512u << 20)
/** The files of a kept head that are made in the sandbox; the host's are missing where there is no pass for it. */
#define HEADERS_FILES {"device.ii", "device.macros", "host.ii", "host.macros", "host.h", "host.h.gch"}

/** How a file begins. */
struct head {
    char *includes; /**< its includes, one a line, as they are kept */
    size_t length;  /**< of the text up to where the rest begins */
    unsigned line;  /**< the rest's first */
};

/** @return whether nothing in `text` minds how the includes of system headers with which it begins were read, if there are any, and what nvcc puts before them;
 *  free `includes` */
bool head_read(struct head *h, const char *text);

/** Makes a folder of files from a head's kernel.cu in the sandbox. @return whether that could be done */
typedef bool headers_maker(void *ctx, const char *head);

/**
 * The kept head of a text, up to date, its rest written to FOLDER/rest.cu. A head that is not kept is made by `make` the second time that it is seen.
 * @param folder  in which the text is compiled
 * @return its folder; the caller frees. NULL: there is none
 */
char *headers_find(const struct kit *k, char *const *argv, const char *text, const char *folder, headers_maker *make, void *ctx);

/* prefix.c */

/** Makes the files of a head in ./made. @param host, device, compile  commands that preprocess kernel.cu for either pass, that of cudafe++, and the host's
 *  compiler's; NULL where there is no host's pass */
bool prefix_make(const char *host, const char *front, const char *compile, const char *device);
/** A preprocessor's command for the rest alone; the caller frees. NULL: it is none that is known. */
char *prefix_command(const char *command, const char *folder, bool host);
/** What that command made becomes what the whole command would have made. @param lean  without what the rest does not need of the head (lean.h)
 *  @return false if the rest includes more, or the head is not understood */
bool prefix_join(const char *command, const char *folder, bool host, bool lean);
/** What cudafe++ made is told to begin with the precompiled header, where it does; with a lean head in place of that. @param compile  the command that comes next */
bool prefix_shorten(const char *compile, const char *folder, bool lean);

#endif
