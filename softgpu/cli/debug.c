/**
 * @file debug.c
 * The program under the debugger: a terminal or an editor in front.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "debug/dap/dap.h"
#include "debug/terminal/terminal.h"

int program_debug(const struct request *r)
{
    if (r->remote || !r->checked) {
        fprintf(stderr, "softgpu: the debugger takes neither --remote nor --check none: it stops at what the checkers see\n");
        return EXIT_USAGE;
    }
    program_library_path("");
    if (r->debug == DEBUG_PROTOCOL)
        return r->debug_socket ? dap_listen(r->debug_socket, r->program) : dap_run(0, 1, r->program);
    return terminal_run(r->program, r->debug_script);
}
