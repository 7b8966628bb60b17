/**
 * @file instruction.c
 * What a faulting x86-64 instruction does, and whose it is; see instruction.h.
 */
#include "host/instruction.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <string.h>

/** Instructions of one-byte opcodes with an even number that have a byte operand in memory. */
static bool is_byte_opcode(uint8_t op)
{
    return (op < 0x40 && (op & 7) == 0) || op == 0x80 || op == 0x84 || op == 0x86 || op == 0x88 ||
           op == 0xa2 || op == 0xa4 || op == 0xaa || op == 0xc0 || op == 0xc6 || op == 0xd0 ||
           op == 0xd2 || op == 0xf6 || op == 0xfe;
}

/* AMD64 Architecture Programmer's Manual, volume 3, appendix A. */
uint64_t instruction_stores(const uint8_t *pc)
{
    bool word = false, wide = false;
    for (;; pc++) {
        if (*pc == 0x66)
            word = true;
        else if ((*pc & 0xf0) == 0x40)
            wide = *pc & 8;
        else if (*pc != 0xf0 && *pc != 0xf2 && *pc != 0xf3 && *pc != 0x2e && *pc != 0x3e &&
                 *pc != 0x64 && *pc != 0x65)
            break;
    }
    if (*pc == 0x0f) {
        uint8_t op = pc[1];
        bool byte = op == 0xb0 || op == 0xc0 || (op & 0xf0) == 0x90; /* cmpxchg, xadd, setcc */
        bool integer = byte || op == 0xb1 || op == 0xc1;
        return byte ? 1 : integer && word && !wide ? 2 : 4;
    }
    if (is_byte_opcode(*pc))
        return 1;
    return word && !wide ? 2 : 4;
}

static bool is_prefix(uint8_t op)
{
    return op == 0x66 || (op & 0xf0) == 0x40 || op == 0xf0 || op == 0xf2 || op == 0xf3 || op == 0x2e || op == 0x3e || op == 0x64 || op == 0x65;
}

enum instruction_access instruction_access(const uint8_t *pc)
{
    while (is_prefix(*pc))
        pc++;
    uint8_t op = *pc, extension = pc[1] >> 3 & 7;
    if (op == 0x0f) {
        op = pc[1];
        if (op == 0xb0 || op == 0xb1 || op == 0xc7) /* cmpxchg, cmpxchg8b */
            return ACCESS_SWAP;
        bool bits = op == 0xab || op == 0xb3 || op == 0xbb || op == 0xba || op == 0xa4 || op == 0xa5 || op == 0xac || op == 0xad;
        return bits || op == 0xc0 || op == 0xc1 ? ACCESS_UPDATE : ACCESS_STORE; /* xadd */
    }
    bool shifts = op == 0xc0 || op == 0xc1 || (op & 0xfc) == 0xd0;
    bool counts = (op & 0xfe) == 0xfe && extension < 2;
    bool turns = (op & 0xfe) == 0xf6 && (extension == 2 || extension == 3);  /* not, neg */
    bool updates = (op < 0x40 && (op & 7) < 2) || (op & 0xfc) == 0x80 || (op & 0xfe) == 0x86 || shifts || counts || turns;
    return updates ? ACCESS_UPDATE : ACCESS_STORE;
}

/** A scalar load of the 0F map, by its prefix: none, 66, F3, F2. @return 0 if it is no such thing */
static uint64_t scalar_loads(uint8_t op, unsigned prefix, bool wide)
{
    switch (op) {
    case 0x10: case 0x2c: case 0x2d: case 0x51: case 0x58: case 0x59:
    case 0x5a: case 0x5c: case 0x5d: case 0x5e: case 0x5f: case 0xc2: /* movss, cvttss2si, addss … and their doubles */
        return prefix == 2 ? 4 : prefix == 3 ? 8 : 0;
    case 0x2a: case 0x6e: /* cvtsi2ss, movd */
        return wide ? 8 : 4;
    case 0x2e: case 0x2f: /* comiss, comisd */
        return prefix ? 8 : 4;
    case 0x7e: /* movq */
        return prefix == 2 ? 8 : 0;
    default:
        return 0;
    }
}

uint64_t instruction_loads(const uint8_t *pc)
{
    unsigned prefix = 0;
    bool wide = false;
    for (;; pc++) {
        if (*pc == 0x66)
            prefix = prefix ? prefix : 1;
        else if (*pc == 0xf2 || *pc == 0xf3)
            prefix = *pc == 0xf3 ? 2 : 3;
        else if ((*pc & 0xf0) == 0x40)
            wide = *pc & 8;
        else if (*pc != 0xf0 && *pc != 0x2e && *pc != 0x3e && *pc != 0x64 && *pc != 0x65)
            break;
    }
    uint64_t operand = wide ? 8 : prefix == 1 ? 2 : 4;
    if (*pc == 0xc5)
        return scalar_loads(pc[2], pc[1] & 3, false);
    if (*pc == 0xc4)
        return (pc[1] & 0x1f) == 1 ? scalar_loads(pc[3], pc[2] & 3, pc[2] & 0x80) : 0;
    if (*pc == 0x0f) {
        uint8_t op = pc[1];
        if (op == 0xb6 || op == 0xbe || op == 0xb7 || op == 0xbf) /* movzx, movsx */
            return op & 1 ? 2 : 1;
        return (op & 0xf0) == 0x40 || op == 0xaf ? operand : scalar_loads(op, prefix, wide);
    }
    if (is_byte_opcode(*pc) || *pc == 0x8a || (*pc < 0x40 && (*pc & 7) == 2))
        return 1;
    if (*pc == 0x63 || *pc == 0xd9 || *pc == 0xdd) /* movsxd, fld */
        return *pc == 0xdd ? 8 : 4;
    bool known = *pc == 0x8b || *pc == 0x81 || *pc == 0x83 || *pc == 0x85 || *pc == 0xf7 || *pc == 0x69 || *pc == 0x6b ||
                 (*pc < 0x40 && ((*pc & 7) == 1 || (*pc & 7) == 3));
    return known ? operand : 0;
}

/** Where the instruction ends whose ModRM byte is at `p`, and which has no immediate. */
static const uint8_t *behind_modrm(const uint8_t *p)
{
    uint8_t mod = *p >> 6, rm = *p & 7;
    bool sib = mod != 3 && rm == 4, wide = mod == 2 || (mod == 0 && (rm == 5 || (sib && (p[1] & 7) == 5)));
    return p + 1 + sib + (wide ? 4 : mod == 1 ? 1 : 0);
}

bool instruction_masks_load(const uint8_t *pc)
{
    while (*pc == 0x66 || (*pc & 0xf0) == 0x40)
        pc++;
    bool extends = pc[0] == 0x0f && (pc[1] == 0xb6 || pc[1] == 0xb7 || pc[1] == 0xbe || pc[1] == 0xbf);
    if (!extends && pc[0] != 0x8a && pc[0] != 0x8b)
        return false;
    pc = behind_modrm(pc + 1 + extends);
    while (*pc == 0x66 || (*pc & 0xf0) == 0x40)
        pc++;
    bool group = (pc[0] == 0x80 || pc[0] == 0x81 || pc[0] == 0x83) && (pc[1] & 0xf8) == 0xe0;
    return group || pc[0] == 0x24 || pc[0] == 0x25;
}

static const void *module_of(const void *address)
{
    Dl_info info;
    return address && dladdr(address, &info) ? info.dli_fbase : NULL;
}

/** The C++ library, whose streams read and write on the program's behalf. */
static bool is_cpp_library(const void *address)
{
    Dl_info info;
    const char *name = dladdr(address, &info) && info.dli_fname ? strrchr(info.dli_fname, '/') : NULL;
    return name && (!strncmp(name, "/libstdc++.so", 13) || !strncmp(name, "/libc++.so", 10));
}

uint64_t instruction_of_program(uint64_t pc)
{
    const void *self = module_of((const void *)(uintptr_t)instruction_of_program);
    const void *library = module_of((const void *)(uintptr_t)gnu_get_libc_version);
    const void *before = module_of((const void *)(uintptr_t)memcpy); /* a sanitizer's stands before the C library's */
    const void *at = module_of((const void *)(uintptr_t)pc);
    void *frames[24];
    if (at != library && at != before && at != self) /* ours: system_calls.c copies on the program's behalf */
        return pc;
    int n = backtrace(frames, 24), i = 0;
    while (i < n && (uint64_t)(uintptr_t)frames[i] != pc)
        i++;
    for (i++; i < n; i++) {
        const void *module = module_of(frames[i]);
        if (module && module != library && module != before && module != self && !is_cpp_library(frames[i]))
            return (uint64_t)(uintptr_t)frames[i] - 1; /* within the call */
    }
    return pc;
}

bool instruction_string(const uint8_t *pc, struct instruction_string *s)
{
    if (pc[0] != 0xf3)
        return false;
    bool wide = pc[1] == 0x48;
    uint8_t op = pc[1 + wide];
    s->moves = (op & 0xfe) == 0xa4;
    s->width = !(op & 1) ? 1 : wide ? 8 : 4;
    s->length = 2u + wide;
    return s->moves || (op & 0xfe) == 0xaa;
}
