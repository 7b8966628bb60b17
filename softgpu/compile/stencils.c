/**
 * @file stencils.c
 * See stencils.h. An instruction with a stencil is the stencil's bytes; one without is a call of its handler. Stencils that
 * come one after the other fall through: the jump at a stencil's end is left away.
 */
#include "compile/stencils.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "execute/bind.h"
#include "execute/engine.h"
#include "execute/warp_run.h"

typedef const struct insn *stencil_fn(struct warp *w, const struct insn *code, const handler_fn *handlers);

struct stencil {
    const uint8_t *bytes;
    size_t size;
    const Elf64_Rela *relocations;
    size_t count;
};

static struct {
    const uint8_t *file;
    const Elf64_Shdr *sections;
    int section_count;
    const Elf64_Sym *symbols;
    size_t symbol_count;
    const char *names, *section_names;
    struct stencil rows[ROW_COUNT], call, branch, leader;
} stencils;

static const char *const row_names[ROW_COUNT] = {
#define V1(id, ...) [ROW_##id] = "stencil_" #id,
#define V2(id, ...) [ROW_##id] = "stencil_" #id,
#define V3(id, ...) [ROW_##id] = "stencil_" #id,
#define V4(id, ...) [ROW_##id] = "stencil_" #id,
#include "code/ops.def"
};

static const bool row_gives_pred[ROW_COUNT] = {
#define V1(id, m, p, s, D, ...) [ROW_##id] = #D[0] == 'p',
#define V2(id, m, p, s, D, ...) [ROW_##id] = #D[0] == 'p',
#define V3(id, m, p, s, D, ...) [ROW_##id] = #D[0] == 'p',
#define V4(id, m, p, s, D, ...) [ROW_##id] = #D[0] == 'p',
#include "code/ops.def"
};

static struct stencil find(const char *name)
{
    struct stencil s = {0};
    for (size_t i = 0; i < stencils.symbol_count; i++) {
        const Elf64_Sym *y = &stencils.symbols[i];
        if (ELF64_ST_TYPE(y->st_info) != STT_FUNC || strcmp(stencils.names + y->st_name, name))
            continue;
        s.bytes = stencils.file + stencils.sections[y->st_shndx].sh_offset + y->st_value;
        s.size = y->st_size;
        for (int j = 0; j < stencils.section_count; j++)
            if (stencils.sections[j].sh_type == SHT_RELA && stencils.sections[j].sh_info == y->st_shndx) {
                s.relocations = (const Elf64_Rela *)(stencils.file + stencils.sections[j].sh_offset);
                s.count = stencils.sections[j].sh_size / sizeof *s.relocations;
            }
    }
    return s;
}

static bool read_file(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY);
    if (stencils.file || fd < 0 || fstat(fd, &st))
        return stencils.file;
    stencils.file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    const Elf64_Ehdr *e = (const Elf64_Ehdr *)stencils.file;
    stencils.sections = (const Elf64_Shdr *)(stencils.file + e->e_shoff);
    stencils.section_count = e->e_shnum;
    for (int i = 0; i < e->e_shnum; i++)
        if (stencils.sections[i].sh_type == SHT_SYMTAB) {
            const Elf64_Shdr *s = &stencils.sections[i];
            stencils.symbols = (const Elf64_Sym *)(stencils.file + s->sh_offset);
            stencils.symbol_count = s->sh_size / sizeof(Elf64_Sym);
            stencils.names = (const char *)stencils.file + stencils.sections[s->sh_link].sh_offset;
        }
    for (int i = 0; i < ROW_COUNT; i++)
        if (row_names[i])
            stencils.rows[i] = find(row_names[i]);
    stencils.call = find("stencil__call");
    stencils.branch = find("stencil__branch");
    stencils.leader = find("stencil__leader");
    return true;
}

/** Code being written: constants (read-only sections) lie at its beginning. */
struct writer {
    uint8_t *area, *end;
    uint8_t *section[4096];      /**< where a read-only section has been put */
    uint8_t **label;             /**< of each instruction */
    struct { uint8_t *field; const struct insn *to; int64_t addend; } jump[1 << 16];
    size_t jumps;
};

static uint64_t place_of(const struct insn *in, char which, bool base)
{
    uint32_t r = which == 'd' ? in->dst : in->src[which - '0'];
    if (base)
        return r & CONST_BIT ? offsetof(struct warp, constants) : offsetof(struct warp, frame);
    return r & ~CONST_BIT;
}

/** Appends a stencil. @return false where it has a relocation that is not understood */
static bool append(struct writer *o, const struct stencil *s, const struct function *f, const struct insn *in)
{
    const struct image *im = f->image;
    uint8_t *at = o->end;
    size_t size = s->size;
    if (!s->bytes)
        return false;
    memcpy(at, s->bytes, size);
    for (size_t i = 0; i < s->count; i++) {
        const Elf64_Rela *r = &s->relocations[i];
        const Elf64_Sym *y = &stencils.symbols[ELF64_R_SYM(r->r_info)];
        const char *name = stencils.names + y->st_name;
        uint8_t *field = at + r->r_offset;
        uint64_t value;
        int type = (int)ELF64_R_TYPE(r->r_info);
        if (!strcmp(name, "hole_next") && r->r_offset + 4 == s->size) {
            size -= 5; /* falls through */
            continue;
        }
        if (!strcmp(name, "hole_next") || !strcmp(name, "hole_target")) {
            o->jump[o->jumps].field = field;
            o->jump[o->jumps].addend = r->r_addend;
            o->jump[o->jumps++].to = name[5] == 'n' ? in + 1 : in->target;
            continue;
        }
        if (!strncmp(name, "hole_base_", 10))
            value = place_of(in, name[10], true);
        else if (!strncmp(name, "hole_at_", 8))
            value = place_of(in, name[8], false);
        else if (!strcmp(name, "hole_in"))
            value = (uint64_t)((const char *)in - (const char *)im->code);
        else if (!strcmp(name, "hole_handler"))
            value = (uint64_t)(in - f->entry) * sizeof(handler_fn);
        else if (!strcmp(name, "hole_imm") && in->imm < 1u << 31)
            value = in->imm;
        else if (y->st_shndx && y->st_shndx < 4096 && o->section[y->st_shndx])
            value = (uint64_t)(uintptr_t)o->section[y->st_shndx] + y->st_value;
        else
            return false;
        value += (uint64_t)r->r_addend;
        if (type == R_X86_64_64) {
            memcpy(field, &value, 8);
        } else {
            uint32_t v = (uint32_t)(type == R_X86_64_PC32 || type == R_X86_64_PLT32 ? value - (uint64_t)(uintptr_t)field : value);
            memcpy(field, &v, 4);
        }
    }
    o->end = at + size;
    return true;
}

static bool begins_block(const struct function *f, const struct insn *in)
{
    if (in == f->entry || insn_class(in - 1) == INSN_BRANCH || insn_may_split(in - 1))
        return true;
    for (const struct insn *b = f->entry; b < f->end; b++)
        if (insn_class(b) == INSN_BRANCH && b->target == in)
            return true;
    return false;
}

static struct kept {
    struct kept *next;
    const struct function *f;
    handler_fn *handlers;
    stencil_fn **entry;
} *all;

/** insn->run at the beginning of a block. */
static const struct insn *enter(struct warp *w, const struct insn *in)
{
    for (struct kept *k = all; k; k = k->next)
        if (in >= k->f->entry && in < k->f->end)
            return w->unwatched ? k->entry[in - k->f->entry](w, k->f->image->code, k->handlers)
                                : k->handlers[in - k->f->entry](w, in);
    abort();
}

size_t stencils_compile(struct function *f, const char *path)
{
    size_t n = (size_t)(f->end - f->entry), bytes = n * 600 + (1 << 20);
    struct writer *o = calloc(1, sizeof *o);
    struct kept *k = calloc(1, sizeof *k);
    if (!read_file(path))
        return 0;
    *k = (struct kept){.next = all, .f = f, .handlers = calloc(n, sizeof *k->handlers), .entry = calloc(n, sizeof *k->entry)};
    o->label = calloc(n + 1, sizeof *o->label);
    o->area = o->end = mmap(NULL, bytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < stencils.section_count; i++) {
        const Elf64_Shdr *s = &stencils.sections[i];
        if (s->sh_type != SHT_PROGBITS || !(s->sh_flags & SHF_ALLOC) || s->sh_flags & (SHF_EXECINSTR | SHF_WRITE))
            continue;
        o->end = (uint8_t *)(((uintptr_t)o->end + 63) & ~(uintptr_t)63);
        memcpy(o->section[i] = o->end, stencils.file + s->sh_offset, s->sh_size);
        o->end += s->sh_size;
    }
    uint8_t *begin = o->end;
    for (size_t i = 0; i < n; i++) {
        const struct insn *in = f->entry + i;
        k->handlers[i] = bind_handler(in);
        o->label[i] = o->end;
        if (begins_block(f, in)) {
            k->entry[i] = (stencil_fn *)(uintptr_t)o->end;
            append(o, &stencils.leader, f, in);
        }
        bool plain = in->op->plain && !insn_is_guarded(in) && in->dst2 == REG_NONE && in->dst != REG_NONE &&
                     !(row_gives_pred[insn_row(in)] && in->imm & 15);
        uint8_t *before = o->end;
        size_t jumps = o->jumps;
        if (plain && append(o, &stencils.rows[insn_row(in)], f, in))
            continue;
        o->end = before;
        o->jumps = jumps;
        append(o, insn_class(in) == INSN_BRANCH ? &stencils.branch : &stencils.call, f, in);
    }
    o->label[n] = o->end;
    for (size_t i = 0; i < o->jumps; i++) {
        int32_t v = (int32_t)(o->label[o->jump[i].to - f->entry] + o->jump[i].addend - o->jump[i].field);
        memcpy(o->jump[i].field, &v, 4);
    }
    all = k;
    for (size_t i = 0; i < n; i++)
        if (k->entry[i])
            bind_entry(&f->image->code[f->entry + i - f->image->code], enter);
    return (size_t)(o->end - begin);
}
