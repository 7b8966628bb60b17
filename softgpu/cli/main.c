/**
 * @file main.c
 * softgpu: runs a CUDA program on the software GPU.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "compile/translator.h"

static bool is_ptx(const char *path)
{
    size_t len = strlen(path);
    return len > 4 && strcmp(path + len - 4, ".ptx") == 0;
}

int main(int argc, char **argv)
{
    struct request request = {.serve = -1, .lifeline = -1, .copy = -1};
    char why[256];
    if (argc > 1 && !strcmp(argv[1], "--translator")) /* for a program of ours: kernels become machine code in a process of its own */
        return translator_serve(argc > 2);
    int status = arguments_read(argc, argv, &request);
    if (status >= 0)
        return status;
    if (request.serve > 2)
        program_serve(&request);
    if (request.debug && !request.program[0]) /* the client will say what to run */
        return program_debug(&request);
    if (is_ptx(request.program[0]))
        return ptx_dump(request.program[0], request.dump);
    program_find(&request);
    if (program_refuses(request.program[0], why, sizeof why)) {
        fprintf(stderr, "softgpu: %s\n", why);
        return EXIT_USAGE;
    }
    if (request.debug)
        return program_debug(&request);
    if (!findings_open(&request))
        return EXIT_USAGE;
    status = request.remote ? program_run_remote(&request) : program_run(&request);
    int errors = summary_print(request.findings, request.checked, request.all);
    findings_close(&request);
    return status == 0 && errors > 0 ? EXIT_FINDINGS : status;
}
