/**
 * @file ptx.c
 * Feeds the PTX parser damaged modules: `ptx BOUND SEED FILE.ptx…`, see bound.h.
 * Build it with -fsanitize=address,undefined; it prints how many inputs it tried.
 *
 * Each input is one of the files, or a part of one, damaged: bytes and tokens changed, removed,
 * repeated and moved, numbers replaced by edge values, cut off, spliced with another file. Whatever
 * comes in, the parser must end soon, with a module that can be walked or a diagnostic with a place.
 * An input that it fails on is left in fuzz_failed.ptx, the slowest one in ptx_slowest.ptx.
 */
#include <sanitizer/common_interface_defs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse/dump.h"

#define FUZZER "ptx"
#define SLOW_SECONDS 5
#include "damage.h"

static int lines_in(const char *text, size_t len)
{
    int n = 1;
    for (size_t i = 0; i < len; i++)
        n += text[i] == '\n';
    return n;
}

/** NULL, or what is wrong with a diagnostic. */
static const char *fault_of(const struct diag *d)
{
    if (d->kind == DIAG_NONE || !d->message[0])
        return "neither module nor diagnostic";
    if (d->line < 1 || d->line > lines_in(at_hand, at_hand_len))
        return "a line that is not there";
    for (const char *c = d->message; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return "a control character in the message";
    for (const char *c = d->source_line; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return "a control character in the source line";
    return NULL;
}

static bool try_input(FILE *sink, unsigned long *parsed)
{
    struct diag d = {0};
    char *exact = malloc(at_hand_len); /* so that a read past the end is seen */
    memcpy(exact, at_hand, at_hand_len);
    input_begin();
    struct ptx_module *m = module_parse("fuzz", exact, at_hand_len, &d);
    const char *fault = m ? (d.kind != DIAG_NONE ? "module and diagnostic" : NULL) : fault_of(&d);
    if (m)
        module_dump(sink, m);
    *parsed += m != NULL;
    module_free(m);
    input_end();
    free(exact);
    if (!fault)
        return true;
    save_input();
    fprintf(stderr, "ptx: %s\n", fault);
    return false;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: ptx BOUND SEED FILE.ptx...\n");
        return 2;
    }
    for (int i = 3; i < argc && file_count < 64; i++)
        if (!load(argv[i])) {
            fprintf(stderr, "ptx: cannot read %s\n", argv[i]);
            return 2;
        }
    state = strtoull(argv[2], NULL, 0) * 2 + 0x9e3779b97f4a7c15ull;
    struct bound bound = bound_of(argv[1]);
    unsigned long tried = 0, parsed = 0;
    FILE *sink = fopen("/dev/null", "w");
    __sanitizer_set_death_callback(save_input);
    do {
        make_input();
        if (!try_input(sink, &parsed))
            return 1;
        tried++;
    } while (bound_more(&bound, tried));
    fclose(sink);
    for (int i = 0; i < file_count; i++)
        free(files[i].text);
    printf("ptx: %lu inputs, %lu of them parsed\n", tried, parsed);
    tell_slowest();
    return 0;
}
