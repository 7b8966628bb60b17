/**
 * @file logs.h
 * What cudaLogsDumpToMemory() and its like give to programs (runtime/logs.c).
 */
#ifndef SOFTGPU_RUNTIME_STATE_LOGS_H
#define SOFTGPU_RUNTIME_STATE_LOGS_H

/** One more message: a call of the program's fails. `error`: the code's name. Calls the program's callbacks: not to be called with the
 *  runtime's lock. */
void log_failed_call(int code, const char *error, const char *function);

#endif
