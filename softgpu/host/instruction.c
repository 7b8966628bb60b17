/**
 * @file instruction.c
 * What a faulting x86-64 instruction does, and whose it is; see instruction.h.
 */
#include "host/instruction.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <gnu/libc-version.h>
#include <string.h>

#include "host/opcode.h"

/** What the instruction at `pc` does with memory, also where no ModRM byte names the place: mov to and from an absolute address, stos, movs. */
static struct opcode_use use_at(const uint8_t *pc, struct opcode *c)
{
    opcode_read(pc, c);
    struct opcode_use u = opcode_use(c);
    bool moves = c->op == 0xa2 || c->op == 0xa3 || c->op == 0xa4 || c->op == 0xa5 || c->op == 0xaa || c->op == 0xab;
    if (c->map == ONE_BYTE && moves)
        u = (struct opcode_use){!(c->op & 1) ? 1 : c->wide ? 8 : c->narrow ? 2 : 4, false, true};
    return u;
}

uint64_t instruction_stores(const uint8_t *pc)
{
    struct opcode c;
    struct opcode_use u = use_at(pc, &c);
    return u.bytes && u.bytes < 4 ? u.bytes : 4;
}

enum instruction_access instruction_access(const uint8_t *pc)
{
    struct opcode c;
    struct opcode_use u = use_at(pc, &c);
    if (c.map == MAP_0F && !c.vex && (c.op == 0xb0 || c.op == 0xb1 || c.op == 0xc7)) /* cmpxchg, cmpxchg8b */
        return ACCESS_SWAP;
    return u.loads ? ACCESS_UPDATE : ACCESS_STORE;
}

uint64_t instruction_loads(const uint8_t *pc)
{
    struct opcode c;
    struct opcode_use u = use_at(pc, &c);
    return u.loads && u.bytes <= 8 ? u.bytes : 0;
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
    struct opcode load, and;
    opcode_read(pc, &load);
    bool extends = load.map == MAP_0F && !load.vex && (load.op == 0xb6 || load.op == 0xb7 || load.op == 0xbe || load.op == 0xbf);
    if (!extends && (load.map != ONE_BYTE || (load.op != 0x8a && load.op != 0x8b)))
        return false;
    opcode_read(behind_modrm(load.at), &and);
    bool group = (and.op == 0x80 || and.op == 0x81 || and.op == 0x83) && (*and.at & 0xf8) == 0xe0;
    return and.map == ONE_BYTE && (group || and.op == 0x24 || and.op == 0x25);
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

static enum instruction_owner owner_of(const void *address)
{
    const void *at = module_of(address);
    if (at == module_of((const void *)(uintptr_t)instruction_origin))
        return OWNER_SELF;
    bool c = at == module_of((const void *)(uintptr_t)gnu_get_libc_version) ||
             at == module_of((const void *)(uintptr_t)memcpy); /* a sanitizer's stands before the C library's */
    return c ? OWNER_C_LIBRARY : OWNER_PROGRAM;
}

struct instruction_origin instruction_origin(uint64_t pc)
{
    void *frames[INSTRUCTION_FRAMES + 8];
    int n = backtrace(frames, INSTRUCTION_FRAMES + 8), i = 0;
    struct instruction_origin o = {.owner = owner_of((const void *)(uintptr_t)pc)};
    while (i < n && (uint64_t)(uintptr_t)frames[i] != pc)
        i++;
    if (o.owner == OWNER_PROGRAM)
        o.frames[o.count++] = pc;
    for (i++; i < n && o.count < INSTRUCTION_FRAMES; i++) {
        enum instruction_owner owner = owner_of(frames[i]);
        if (owner == OWNER_SELF && !o.count)
            o.owner = OWNER_SELF;
        if (owner == OWNER_PROGRAM && module_of(frames[i]) && !is_cpp_library(frames[i]))
            o.frames[o.count++] = (uint64_t)(uintptr_t)frames[i] - 1; /* within the call */
    }
    if (!o.count)
        o.frames[o.count++] = pc;
    return o;
}

uint64_t instruction_of_program(uint64_t pc)
{
    if (owner_of((const void *)(uintptr_t)pc) == OWNER_PROGRAM) /* not ours: system_calls.c copies on the program's behalf */
        return pc;
    return instruction_origin(pc).frames[0];
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
