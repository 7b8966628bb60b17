/**
 * @file redirect.h
 * Functions that an object carries in itself, replaced by others of the same name: so that what the CUDA runtime was
 * linked into statically runs with ours.
 */
#ifndef SOFTGPU_LIBAUDIT_REDIRECT_H
#define SOFTGPU_LIBAUDIT_REDIRECT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * From now on a call of any function of the object's own whose name `replacement` knows goes there. Found by the
 * file's symbol table; to be called before the object's code runs. One thread at a time.
 * @param path         the object's file
 * @param bias         where it is loaded, against what the file says
 * @param mark         objects without a symbol that begins so are left alone
 * @param replacement  the function for a name, NULL: leave it
 * @return how many were replaced; 0 for an object without the mark; -1 if the host does not let its code be changed
 */
int redirect_object(const char *path, uint64_t bias, const char *mark, void *(*replacement)(const char *name));

/** A function of an object's, and another of its own that takes and returns the same. */
struct redirect_pair {
    const char *from, *to;
};
/** The same where both are the object's own, found by what it gives to others.
 *  @return how many of the pairs; 0 where one function is not there, or the host does not let the code be changed */
int redirect_within(const char *path, uint64_t bias, const struct redirect_pair *pairs, int count);

/** Calls `see` for each function that the library in that file gives to others. @return false: no such file */
bool redirect_names(const char *path, void (*see)(const char *name));

#endif
