/**
 * @file listed.c
 * Runs of a list (remote/runs.h) on the program's side: forked before any code of the program's has run, for this library is started before it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "remote/runs.h"
#include "remote/wire.h"

/** In a run's process: a socket of its own to the run's device, which learns which one it is. */
static void connect_run(int control, uint8_t which)
{
    int pair[2];
    char number[16];
    struct iovec part = {&which, 1};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || !wire_send(control, &part, 1, pair[1]))
        _exit(1);
    close(pair[1]);
    close(control);
    snprintf(number, sizeof number, "%d", pair[0]);
    if (setenv(WIRE_VARIABLE, number, 1) != 0 || unsetenv(RUNS_VARIABLE) != 0)
        _exit(1);
}

/** The program itself begins in the runs' processes only. */
__attribute__((constructor)) static void make_runs(void)
{
    static struct runs runs;
    const char *list = getenv(RUNS_VARIABLE), *control = getenv(WIRE_VARIABLE);
    if (!list)
        return;
    if (!control || !runs_read(&runs, list))
        _exit(1);
    for (int i = 0; i < runs.count; i++)
        if (runs_fork(&runs.at[i])) {
            connect_run(atoi(control), (uint8_t)i);
            return;
        }
    _exit(0);
}
