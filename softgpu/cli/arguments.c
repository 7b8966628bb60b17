/**
 * @file arguments.c
 * The command line, by the option table of options/options.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/options.h"
#include "cli/cli.h"
#include "code/ops.h"
#include "compile/compile.h"
#include "options/device_model.h"
#include "execute/grid.h"
#include "runtime/api_document.h"

static void help(FILE *out)
{
    fputs("usage: softgpu [OPTION]... PROGRAM [ARGUMENT]...\n"
          "       softgpu debug [-x COMMANDS] [OPTION]... PROGRAM [ARGUMENT]...\n"
          "       softgpu --dump tokens|module|code FILE.ptx\n\n"
          "Runs a CUDA program, built with nvcc -cudart shared, without a GPU.\n\n",
          out);
    for (int i = 0; option_row(i); i++) {
        const struct option_row *row = option_row(i);
        char left[40];
        snprintf(left, sizeof left, "%s %s", row->flag, row->argument ? row->argument : "");
        fprintf(out, "  %-18s %s\n", left, row->help);
    }
    fputs("  --all              print each finding in full, also those that one change mends together\n"
          "  --remote           run the device in a process of its own, which the program cannot write to\n"
          "  --serve FD[,FD]    be that process, for PROGRAM at the other end of a socket, until that or\n"
          "                     a pipe is closed\n"
          "  --runs LIST        with --serve: for several, which come one after the other as LIST says\n"
          "  --debug            speak the Debug Adapter Protocol on standard input and output; --debug=SOCKET:\n"
          "                     with one client of a local socket\n"
          "  --devices          alone: list the devices there are to play\n"
          "  --instructions     list the PTX instructions that run, as Markdown\n"
          "  --calls            list the calls of the CUDA runtime, as Markdown\n"
          "  --driver-calls     list those of the Driver API\n"
          "  --help, --version\n\n"
          "Exit status: the program's own; 86 where it ended with 0 and an error was found, but for\n"
          "--check none, where a kernel's fault is the program's to notice, as on a GPU; 2 where it\n"
          "could not be run.\n",
          out);
}

static void list_devices(void)
{
    for (int i = 0; device_model_at(i); i++) {
        const struct device_model *d = device_model_at(i);
        printf("%-7s %-28s compute %d.%d, %3d SMs, %3llu GiB\n", d->key, d->name, d->major,
               d->minor, d->sms, (unsigned long long)(d->memory_bytes >> 30));
    }
}

static const struct option_row *row_of(const char *flag, size_t len)
{
    for (int i = 0; option_row(i); i++)
        if (strlen(option_row(i)->flag) == len && !strncmp(option_row(i)->flag, flag, len))
            return option_row(i);
    return NULL;
}

static int usage(const char *message, const char *what)
{
    fprintf(stderr, "softgpu: ");
    fprintf(stderr, message, what);
    fprintf(stderr, " (see softgpu --help)\n");
    return EXIT_USAGE;
}

/** One option at argv[*i], with its value there or in the next argument. @return -1 or a status */
static int take_option(int argc, char **argv, int *i, struct options *check)
{
    const char *flag = argv[*i], *equals = strchr(flag, '='), *value = "1";
    size_t len = equals ? (size_t)(equals - flag) : strlen(flag);
    const struct option_row *row = row_of(flag, len);
    char error[256];
    if (!row)
        return usage("unknown option '%s'", flag);
    if (equals)
        value = equals + 1;
    else if (row->argument && *i + 1 >= argc)
        return usage("%s needs a value", flag);
    else if (row->argument)
        value = argv[++*i];
    if (!option_set(check, row->flag, value, error, sizeof error))
        return usage("%s", error);
    setenv(row->variable, value, 1);
    return -1;
}

int arguments_read(int argc, char **argv, struct request *r)
{
    static struct options check;
    char error[256];
    if (!options_from_env(&check, error, sizeof error))
        return usage("%s", error);
    if (!getenv("SOFTGPU_CHECK"))
        setenv("SOFTGPU_CHECK", "all", 1);
    int i = 1;
    if (argc > 1 && !strcmp(argv[1], "debug")) {
        r->debug = DEBUG_TERMINAL;
        i++;
    }
    for (; i < argc && argv[i][0] == '-'; i++) {
        if (!strcmp(argv[i], "--")) {
            i++;
            break;
        }
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            help(stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--version")) {
            printf("softgpu " FENCEPOST_VERSION ", PTX ISA up to 9.x\nmachine code: %s\n", compile_describe());
            return 0;
        }
        if (!strcmp(argv[i], "--devices") && i + 1 >= argc) {
            list_devices();
            return 0;
        }
        if (!strcmp(argv[i], "--instructions")) {
            ops_document(stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--calls")) {
            api_document(stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--driver-calls")) {
            driver_document(stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--all")) {
            r->all = true;
            continue;
        }
        if (!strcmp(argv[i], "--remote")) {
            r->remote = true;
            continue;
        }
        if (!strncmp(argv[i], "--debug", 7) && (!argv[i][7] || argv[i][7] == '=')) {
            r->debug = DEBUG_PROTOCOL;
            r->debug_socket = argv[i][7] ? argv[i] + 8 : NULL;
            continue;
        }
        if (r->debug == DEBUG_TERMINAL && !strcmp(argv[i], "-x") && i + 1 < argc) {
            r->debug_script = argv[++i];
            continue;
        }
        if (!strcmp(argv[i], "--serve") && i + 1 < argc) {
            const char *comma = strchr(argv[++i], ',');
            r->serve = atoi(argv[i]);
            r->lifeline = comma ? atoi(comma + 1) : -1;
            continue;
        }
        if (!strcmp(argv[i], "--runs") && i + 1 < argc) {
            r->runs = argv[++i];
            continue;
        }
        int status = take_option(argc, argv, &i, &check);
        if (status >= 0)
            return status;
    }
    if (i >= argc && r->serve < 3 && r->debug != DEBUG_PROTOCOL)
        return usage("%s", "no program given");
    r->program = argv + i; /* argv ends with NULL */
    r->checked = strcmp(getenv("SOFTGPU_CHECK"), "none") != 0;
    r->dump = getenv("SOFTGPU_DUMP");
    return -1;
}
