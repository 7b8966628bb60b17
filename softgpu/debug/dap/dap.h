/**
 * @file dap.h
 * The debugger's front end for editors: the Debug Adapter Protocol.
 */
#ifndef SOFTGPU_DEBUG_DAP_DAP_H
#define SOFTGPU_DEBUG_DAP_DAP_H

#include <stdbool.h>

/** One session with the client that writes to `in` and reads from `out`; `program` and its arguments are what it
 *  starts unless the client names another, NULL-terminated, perhaps empty. @return exit status */
int dap_run(int in, int out, char **program);
/** Waits for one client on the local socket `path`, which it makes and removes, and serves it. @return exit status */
int dap_listen(const char *path, char **program);

#endif
