/**
 * @file lean.h
 * What a file needs of its head: nvcc's front ends read some MB of declarations for each file, of which it means a few.
 *
 * A declaration is left out if nothing that is kept, nor the file itself, has a name by which it could be meant. Kept are all that have such a name, whatever
 * they are and in whatever namespace (but `X::name` means nothing that is in none); all of a class; operators and overloads of those whose parameters'
 * classes are kept; and what compilers look for by themselves. So what is left out could change nothing but messages: where the file does not compile with
 * the lean head, the whole one is to be taken.
 */
#ifndef GRADER_BUILD_LEAN_H
#define GRADER_BUILD_LEAN_H

/**
 * @param head  preprocessed text of system headers
 * @param rest  the preprocessed rest of the file
 * @return the head without what the rest does not need, with each line as of its file; malloced. NULL: the head is not understood
 */
char *lean_head(const char *head, const char *rest);

#endif
