/**
 * @file batch.h
 * Several runs by one program, each in a process of its own that is forked when the program and its libraries are loaded, before it has
 * called CUDA: `harness --batch FILE --until FD`. The grader runs references so.
 *
 * FILE has for each run its number, its folder, its arguments and, behind an empty word, its environment, which another empty word ends; words end in a
 * NUL. Runs follow one after the other; of each that ends with HARNESS_OK a line of stdout tells the number and its seconds. When the other end of the pipe FD is
 * closed no other begins.
 */
#ifndef COMMON_BATCH_H
#define COMMON_BATCH_H

/** In each run's process: sets its arguments and returns. The program itself ends here. Does nothing without --batch. */
void batch_begin(int *argc, char ***argv);

/** What stands in place of a command line where one serves several runs: the arguments are words, each with a NUL behind it, of the file
 *  `arguments` in the run's folder. */
#define BATCH_ARGUMENTS "--arguments-of-folder"
/** Takes them where that is all there is. */
void batch_take_arguments(int *argc, char ***argv);

#endif
