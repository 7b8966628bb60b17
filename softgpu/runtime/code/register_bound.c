/**
 * @file register_bound.c
 * Numbers as ptxas 13.0 takes them, with a warning each: what is below 24 is 24 on every device, above 255 it is looked over.
 */
#include "runtime/code/register_bound.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_REGISTERS 255

void register_bound_text(char text[REGISTER_BOUND_BYTES], unsigned most)
{
    snprintf(text, REGISTER_BOUND_BYTES, "\n.pragma \"softgpu max_registers %u\";\n", most < MOST_REGISTERS ? most : MOST_REGISTERS);
}

char *register_bound_behind(const char *ptx, size_t bytes, unsigned most)
{
    char *text = malloc(bytes + REGISTER_BOUND_BYTES);
    if (!text)
        abort();
    memcpy(text, ptx, bytes);
    register_bound_text(text + bytes, most);
    return text;
}

unsigned register_bound_of(const char *options)
{
    static const char option[] = "-maxrregcount";
    unsigned long most = 0;
    for (const char *at = options; (at = strstr(at, option));) {
        at += sizeof option - 1;
        if (*at == '=' || *at == ' ')
            most = strtoul(at + 1, NULL, 10);
    }
    if (!most || most > MOST_REGISTERS)
        return 0;
    return most < REGISTER_BOUND_LEAST ? REGISTER_BOUND_LEAST : (unsigned)most;
}
