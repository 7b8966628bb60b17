/**
 * @file mnemonic.c
 * See mnemonic.h.
 */
#include "check/mnemonic.h"

#include <pthread.h>
#include <string.h>

uint32_t mnemonic_of_row[ROW_COUNT];

static void fill(void)
{
    static const struct {
        const char *name;
        enum mnemonic bit;
    } names[] = {{"ld", M_ld},     {"ldu", M_ldu},   {"st", M_st},     {"atom", M_atom},
                 {"red", M_red},   {"mov", M_mov},   {"cvta", M_cvta}, {"shfl", M_shfl},
                 {"prmt", M_prmt}, {"selp", M_selp}, {"or", M_or},     {"bfi", M_bfi},
                 {"cvt", M_cvt},   {"and", M_and},   {"shl", M_shl},   {"shr", M_shr},
                 {"redux", M_redux}};
    for (int row = 0; row < ROW_COUNT; row++)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (op_table[row].mnemonic && !strcmp(op_table[row].mnemonic, names[i].name))
                mnemonic_of_row[row] = names[i].bit;
}

void mnemonic_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
}
