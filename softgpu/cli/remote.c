/**
 * @file remote.c
 * `--remote` and `--serve`: the device in a process of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "remote/serve.h"
#include "remote/wire.h"

void program_serve(const struct request *r)
{
    if (r->runs)
        serve_runs(r->serve, r->lifeline, r->program[0], r->runs);
    else
        serve(r->serve, r->lifeline, r->program[0]);
    exit(0); /* writes what is left of findings, counters and timeline */
}

int program_run_remote(const struct request *r)
{
    int pair[2], life[2], status;
    char number[16];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0 || pipe2(life, O_CLOEXEC) != 0) {
        fprintf(stderr, "softgpu: cannot make a socket: %s\n", strerror(errno));
        return EXIT_USAGE;
    }
    pid_t server = fork();
    if (server == 0) {
        close(pair[1]);
        close(life[1]);
        setpgid(0, 0); /* a terminal's Ctrl-C is for the program; we end when it has ended */
        program_serve(&(struct request){.serve = pair[0], .lifeline = life[0], .program = r->program});
    }
    close(pair[0]);
    snprintf(number, sizeof number, "%d", pair[1]);
    setenv(WIRE_VARIABLE, number, 1);
    int result = server < 0 ? EXIT_USAGE : program_run(r);
    close(pair[1]);
    close(life[1]);
    while (server > 0 && waitpid(server, &status, 0) < 0 && errno == EINTR)
        ;
    if (server > 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
        fprintf(stderr, "softgpu: the device's process did not end by itself\n");
    return result;
}
