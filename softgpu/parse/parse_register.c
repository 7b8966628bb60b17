/**
 * @file parse_register.c
 * Register declarations (PTX ISA 5.1.1, 5.4.2, 5.4.6) and the names of special registers (10).
 *
 * A vector register is declared as its elements, "%v.x" and so on: later phases see scalars only.
 */
#include <stdio.h>
#include <string.h>

#include "parse/parser.h"
#include "parse/phases.h"
#include "parse/scope.h"

static bool add_register(struct parser *p, const char *name, enum ptx_type type)
{
    struct ptx_function *f = p->f;
    if (f->regs.count >= MAX_FUNCTION_REGISTERS || p->registers >= MAX_MODULE_REGISTERS)
        return fail(p, DIAG_LIMIT, "more registers than a function may have (%d)",
                    MAX_FUNCTION_REGISTERS);
    p->registers++;
    *LIST_PUSH(&f->regs) = (struct ptx_reg){.name = name, .type = type, .scope = p->scope};
    return true;
}

static bool add_vector(struct parser *p, const char *name, enum ptx_type type, int count)
{
    char full[160];
    struct binding *b = scope_bind(p, name, BIND_VECTOR, p->f->regs.count);
    if (!b)
        return false;
    b->count = count;
    for (int i = 0; i < count; i++) {
        int len = snprintf(full, sizeof full, "%s.%c", name, "xyzw"[i]);
        if (!add_register(p, intern(p, full, (uint32_t)len)->text, type))
            return false;
    }
    return true;
}

bool add_scalar(struct parser *p, const char *name, enum ptx_type type)
{
    return add_register(p, name, type) && scope_bind(p, name, BIND_REGISTER, p->f->regs.count - 1);
}

int add_temporary(struct parser *p, enum ptx_type type)
{
    char name[16];
    int len = snprintf(name, sizeof name, "@%d", p->f->regs.count);
    return add_register(p, intern(p, name, (uint32_t)len)->text, type) ? p->f->regs.count - 1 : -1;
}

static bool add(struct parser *p, const char *name, enum ptx_type type, int vector)
{
    return vector > 1 ? add_vector(p, name, type, vector) : add_scalar(p, name, type);
}

/** Appends a number from 0 on in decimal: PTX declares registers by the thousand, and printf's way is long. @return the length */
static uint32_t append_number(char *text, size_t length, uint32_t number)
{
    char digits[10];
    int n = 0;
    do
        digits[n++] = (char)('0' + number % 10);
    while (number /= 10);
    while (n)
        text[length++] = digits[--n];
    text[length] = '\0';
    return (uint32_t)length;
}

/* register = name [ '<' count '>' ] */
static bool parse_register(struct parser *p, enum ptx_type type, int vector)
{
    const char *name;
    int64_t n;
    char full[160];
    if (!expect_name(p, &name, "a register's name"))
        return false;
    if (is_reserved_name(name))
        return fail(p, DIAG_SYNTAX, "'%s' names no register", name);
    if (strlen(name) > 128)
        return fail(p, DIAG_LIMIT, "this register's name is too long");
    if (!take_punct_if(p, '<'))
        return add(p, name, type, vector);
    if (!expect_int(p, &n, "a register count") || !expect_punct(p, '>', "a register range"))
        return false;
    if (n < 0 || n > MAX_FUNCTION_REGISTERS)
        return fail(p, DIAG_LIMIT, "more registers than a function may have (%d)",
                    MAX_FUNCTION_REGISTERS);
    size_t length = strlen(name);
    memcpy(full, name, length);
    for (int64_t i = 0; i < n; i++) {
        uint32_t len = append_number(full, length, (uint32_t)i);
        if (!add(p, intern(p, full, len)->text, type, vector))
            return false;
    }
    return true;
}

/* alignment = [ .align n ], which says nothing of a register */
static bool skip_alignment(struct parser *p)
{
    int64_t n = 1;
    if (!at_dot(p, "align"))
        return true;
    advance(p);
    return expect_int(p, &n, "an alignment") && ((n > 0 && (n & (n - 1)) == 0) || fail(p, DIAG_SYNTAX, "an alignment is a power of two"));
}

/* registers = '.reg' alignment [ '.v2' | '.v4' ] '.' type register { ',' register } ';' */
bool parse_registers(struct parser *p)
{
    char word[16] = "";
    int vector = 1;
    advance(p);
    if (!skip_alignment(p))
        return false;
    if (at_dot(p, "v2") || at_dot(p, "v4")) {
        vector = p->t.start[1] - '0';
        advance(p);
    }
    if (p->t.kind == TOKEN_DOT && p->t.len < sizeof word)
        memcpy(word, p->t.start, p->t.len);
    enum ptx_type type = ptx_type_of(word);
    if (!type)
        return fail(p, DIAG_SYNTAX, "a register's type is expected here");
    if (type == PTX_BF16 || type == PTX_BF16X2 || type == PTX_TF32)
        return fail(p, DIAG_SYNTAX, ".%s is a type of instructions, none of registers", word);
    if (vector > 1 && (type == PTX_PRED || ptx_type_bytes(type) * (unsigned)vector > 16))
        return fail(p, DIAG_SYNTAX, "there is no register of %d .%s: a vector has at most 128 bits", vector, word);
    advance(p);
    do {
        if (!parse_register(p, type, vector))
            return false;
    } while (take_punct_if(p, ','));
    return expect_punct(p, ';', "a register declaration");
}

/** Whether `name` is `prefix` and a number from 0 to `last`. */
static bool is_numbered(const char *name, const char *prefix, int last)
{
    size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) || name[n] < '0' || name[n] > '9')
        return false;
    int number = 0;
    for (name += n; *name >= '0' && *name <= '9' && number < 1000; name++)
        number = number * 10 + *name - '0';
    return *name == '\0' && number <= last;
}

static const char *const triples[] = {"%tid", "%ntid", "%ctaid", "%nctaid", "%clusterid", "%nclusterid", "%cluster_ctaid", "%cluster_nctaid"};

bool is_special_vector(const char *name)
{
    for (size_t i = 0; i < sizeof triples / sizeof triples[0]; i++)
        if (!strcmp(name, triples[i]))
            return true;
    return false;
}

bool is_special_register(const char *name)
{
    static const char *const singles[] = {
        "%laneid", "%warpid", "%nwarpid", "%smid", "%nsmid", "%gridid", "%is_explicit_cluster",
        "%cluster_ctarank", "%cluster_nctarank", "%lanemask_eq", "%lanemask_le", "%lanemask_lt",
        "%lanemask_ge", "%lanemask_gt", "%clock", "%clock_hi", "%clock64", "%globaltimer",
        "%globaltimer_lo", "%globaltimer_hi", "%reserved_smem_offset_begin",
        "%reserved_smem_offset_end", "%reserved_smem_offset_cap", "%reserved_smem_offset_0",
        "%reserved_smem_offset_1", "%total_smem_size", "%aggr_smem_size", "%dynamic_smem_size",
        "%current_graph_exec"};
    for (size_t i = 0; i < sizeof triples / sizeof triples[0]; i++) {
        size_t n = strlen(triples[i]);
        const char *rest = name + n;
        if (!strncmp(name, triples[i], n) &&
            (*rest == '\0' || (*rest == '.' && rest[1] && strchr("xyzw", rest[1]) && !rest[2])))
            return true;
    }
    for (size_t i = 0; i < sizeof singles / sizeof singles[0]; i++)
        if (!strcmp(name, singles[i]))
            return true;
    return is_numbered(name, "%envreg", 31) || is_numbered(name, "%pm", 7) ||
           (!strncmp(name, "%pm", 3) && strlen(name) == 7 && !strcmp(name + 4, "_64"));
}
