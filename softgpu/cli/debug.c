/**
 * @file debug.c
 * The program under the debugger: a terminal or an editor in front.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "debug/terminal/terminal.h"

int program_debug(const struct request *r)
{
    if (r->remote || !r->checked) {
        fprintf(stderr, "softgpu: the debugger takes neither --remote nor --check none: it stops at what the checkers see\n");
        return EXIT_USAGE;
    }
    program_library_path("");
    return terminal_run(r->program, r->debug_script);
}
