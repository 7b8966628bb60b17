/**
 * @file redirect.h
 * Functions that a program carries in itself, replaced by a library's of the same name: so that a program into which
 * the CUDA runtime was linked statically runs with ours.
 */
#ifndef SOFTGPU_HOST_REDIRECT_H
#define SOFTGPU_HOST_REDIRECT_H

/**
 * From now on a call of any function of the running program's own whose name `replacement` knows goes there. Found by
 * the program file's symbol table; to be called before the program's own code runs, as a preloaded library can.
 * @param replacement  the function for a name, NULL: leave it
 * @return how many were replaced; 0 where the program has no symbols, on other processors than x86-64, and where the
 *         host does not let code be changed
 */
int redirect_program(void *(*replacement)(const char *name));

#endif
