/**
 * @file decode.c
 * From a parsed module to a decoded image: the order of the stages, and what holds them together.
 */
#include <stdlib.h>
#include <string.h>

#include "code/frame.h"
#include "code/specials.h"
#include "decode/decoder.h"
#include "decode/find_row.h"
#include "decode/modifiers.h"
#include "decode/stages.h"
#include "host/library_code.h"
#include "memory/memory.h"
#include "memory/windows.h"

/** Bounds on one module; the frame's is on the registers of one activation. */
#define MAX_INSTRUCTIONS (1u << 24)
#define MAX_FRAME_BYTES (1u << 22)
#define MAX_FUNCTIONS 65536
#define MAX_ENTRIES 4096
#define MAX_FILES 65536

/** The functions of a module by name: of several declarations the definition counts. */
static void collect_functions(struct decoder *d)
{
    const struct ptx_module *m = d->m;
    struct image *im = d->im;
    size_t n = (size_t)m->functions.count;
    struct name_table *t = &d->functions;

    im->functions = decoder_alloc(d, n, sizeof *im->functions);
    d->infos = decoder_alloc(d, n, sizeof *d->infos);
    d->address_taken = decoder_alloc(d, n, sizeof *d->address_taken);
    d->entry_number = decoder_alloc(d, n, sizeof *d->entry_number);
    t->entries = decoder_alloc(d, n, sizeof *t->entries);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->functions.count; i++)
            if (m->functions.data[i].has_body == (pass == 0))
                t->entries[t->count++] = (struct name_entry){m->functions.data[i].name,
                                                             pass * m->functions.count + i};
    }
    name_table_sort(t);
    int kept = 0;
    for (int i = 0; i < t->count; i++) {
        if (kept && strcmp(t->entries[kept - 1].name, t->entries[i].name) == 0)
            continue;
        const struct ptx_function *pf = &m->functions.data[t->entries[i].index % m->functions.count];
        t->entries[kept] = (struct name_entry){t->entries[i].name, kept};
        d->infos[kept].source = pf;
        d->entry_number[kept] = pf->is_entry && pf->has_body ? d->entry_count++ : -1;
        kept++;
    }
    t->count = im->function_count = kept;
    d->entry_words = (d->entry_count + 63) / 64;
}

/** The names of a list of labelled directives. */
#define NAME_LIST(d, table, list)                                                                  \
    do {                                                                                           \
        (table)->entries = decoder_alloc(d, (size_t)(list).count, sizeof *(table)->entries);       \
        for (int l_ = 0; l_ < (list).count; l_++)                                                  \
            (table)->entries[(table)->count++] =                                                   \
                (struct name_entry){(list).data[l_].label, l_};                                    \
        name_table_sort(table);                                                                    \
    } while (0)

static void create_functions(struct decoder *d)
{
    for (int i = 0; i < d->im->function_count; i++) {
        struct function_info *f = &d->infos[i];
        struct function *fn = decoder_alloc(d, 1, sizeof *fn);
        const struct ptx_function *pf = f->source;
        fn->name = pf->name;
        fn->image = d->im;
        fn->is_entry = pf->is_entry;
        fn->source = pf;
        fn->flow = decoder_alloc(d, 1, sizeof *fn->flow);
        fn->code_address = CODE_WINDOW + 16 * (uint64_t)i;
        memcpy(fn->max_threads, pf->max_threads, sizeof fn->max_threads);
        memcpy(fn->req_threads, pf->req_threads, sizeof fn->req_threads);
        fn->min_blocks = pf->min_blocks;
        memcpy(fn->cluster, pf->cluster, sizeof fn->cluster);
        fn->max_cluster = pf->max_cluster;
        fn->blocks_are_clusters = pf->blocks_are_clusters;
        d->im->functions[i] = f->function = fn;
        f->entries = decoder_alloc(d, (size_t)d->entry_words, sizeof *f->entries);
        f->labels.entries =
            decoder_alloc(d, (size_t)pf->labels.count, sizeof *f->labels.entries);
        for (int l = 0; l < pf->labels.count; l++)
            f->labels.entries[f->labels.count++] =
                (struct name_entry){pf->labels.data[l].name, pf->labels.data[l].instr};
        name_table_sort(&f->labels);
        NAME_LIST(d, &f->branch_lists, pf->branch_targets);
        NAME_LIST(d, &f->prototypes, pf->prototypes);
    }
}

/** Paths by `.file` number. */
static void collect_files(struct decoder *d)
{
    const struct ptx_module *m = d->m;

    for (int i = 0; i < m->files.count; i++) {
        int number = m->files.data[i].number;
        if (number >= d->file_count && number < MAX_FILES)
            d->file_count = number + 1;
    }
    d->files = decoder_alloc(d, (size_t)d->file_count, sizeof *d->files);
    d->library_files = decoder_alloc(d, (size_t)d->file_count, sizeof *d->library_files);
    for (int i = 0; i < m->files.count; i++) {
        int number = m->files.data[i].number;
        if (number < 0 || number >= d->file_count)
            continue;
        d->files[number] = m->files.data[i].path;
        d->library_files[number] = library_file(d->files[number]);
    }
}

static bool check_bounds(struct decoder *d)
{
    if (d->im->function_count <= MAX_FUNCTIONS && d->entry_count <= MAX_ENTRIES)
        return true;
    diag_line(d->diag, DIAG_LIMIT, 0, "the module has more than %d functions or %d kernels",
              MAX_FUNCTIONS, MAX_ENTRIES);
    return false;
}

/** Reserves code for all bodies: an implicit return follows each. */
static bool reserve_code(struct decoder *d)
{
    uint64_t total = 0;

    for (int i = 0; i < d->im->function_count; i++) {
        if (!info_has_body(&d->infos[i]))
            continue;
        d->infos[i].first_insn = (uint32_t)total;
        total += (uint64_t)d->infos[i].source->instrs.count + 1;
        if (total > MAX_INSTRUCTIONS) {
            diag_line(d->diag, DIAG_LIMIT, d->infos[i].source->line,
                      "the module has more than %u instructions", MAX_INSTRUCTIONS);
            return false;
        }
    }
    d->im->code_count = d->im->site_count = (uint32_t)total;
    d->im->code = decoder_alloc(d, total, sizeof *d->im->code);
    d->im->sites = decoder_alloc(d, total, sizeof *d->im->sites);
    return true;
}

static void clear_operands(struct insn *in)
{
    in->dst = in->dst2 = in->guard = REG_NONE;
    for (int i = 0; i < 4; i++)
        in->src[i] = REG_NONE;
}

/** An instruction that stops the program with the reason if it is ever reached. */
static void make_unsupported(struct decoder *d, struct insn *in)
{
    *in = (struct insn){.site = in->site};
    insn_choose(in, ROW_unsupported);
    clear_operands(in);
    in->extra = arena_strndup(&d->im->arena, d->error, strlen(d->error));
}

static bool decode_guard(struct decoder *d, const struct ptx_instr *pi, struct insn *in)
{
    const struct function_info *f = d->info;

    if (pi->guard < 0)
        return true;
    if (pi->guard >= f->source->regs.count || f->source->regs.data[pi->guard].type != PTX_PRED)
        return decode_fail(d, "the guard must be a predicate");
    in->guard = f->reg_offset[pi->guard];
    in->guard_negated = pi->guard_negated;
    return true;
}

static bool decode_row(struct decoder *d, const struct ptx_instr *pi, const struct op_info *row, uint64_t mode, struct insn *in)
{
    if (form_refused(d, pi) || !operand_forms_fit(d, pi))
        return false;
    if (!row && op_known(pi->mnemonic))
        return decode_fail(d, "this form of %.40s is not supported", pi->mnemonic);
    if (!row)
        return decode_fail(d, "instruction %.40s is not supported%s", pi->mnemonic,
                           strcmp(pi->mnemonic, "multimem") ? "" : ": there are no multicast objects (cuMulticastCreate), and devices here say so");
    in->op = row;
    in->imm = mode;
    return (row->plain ? decode_alu(d, pi, in, row) : decode_functions[row - op_table](d, pi, in)) && operand_types_fit(d, pi) && literals_fit(d, pi);
}

/** An instruction's text as far as the message needs it. */
static void name_instruction(struct decoder *d, const struct ptx_instr *pi)
{
    char reason[sizeof d->error], text[96];
    size_t n = (size_t)snprintf(text, sizeof text, "%s", pi->mnemonic);

    for (int k = 0; k < pi->modifier_count && n < sizeof text; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, ".%s", pi->modifiers[k]);
    memcpy(reason, d->error, sizeof reason);
    snprintf(d->error, sizeof d->error, "%s: %.120s", text, reason);
}

/** Of rows whose pattern says more than an order. */
static const char *order_of(const struct op_info *row)
{
    switch ((enum op_row)(row - op_table)) {
    case ROW_cvt_small: return "ROUND? satfinite? relu? TYPES";
    case ROW_cvt_pack_half: return "ROUND? relu? satfinite? TYPES";
    case ROW_createpolicy: return "fractional|range|cvt SPACE? L2? CACHE? b64";
    case ROW_fence: return "sc|acq_rel|acquire|release? SCOPE";
    default: return row->pattern;
    }
}

/** … with its modifiers in the order of its row. On failure the error is that of the text's order. */
static bool decode_in_order(struct decoder *d, const struct ptx_instr *pi, const struct op_info *row, struct insn *in)
{
    const char *modifiers[MAX_REORDERED];
    char reason[sizeof d->error];

    if (!row || row->plain ||
        !modifiers_in_order(pi, order_of(row), modifiers))
        return false;
    struct ptx_instr *other = decoder_alloc(d, 1, sizeof *other);
    *other = *pi;
    other->modifiers = decoder_alloc(d, (size_t)pi->modifier_count, sizeof *modifiers);
    memcpy(other->modifiers, modifiers, (size_t)pi->modifier_count * sizeof *modifiers);
    *in = (struct insn){.site = in->site};
    clear_operands(in);
    memcpy(reason, d->error, sizeof reason);
    d->error[0] = 0;
    if (decode_row(d, other, row, 0, in))
        return true;
    memcpy(d->error, reason, sizeof reason);
    return false;
}

/** A driver would not load the module; what the instruction does is known all the same. */
static void note_target(struct decoder *d, const struct ptx_instr *pi)
{
    if (!version_lacks(d, pi) && !target_lacks(d, pi))
        return;
    name_instruction(d, pi);
    fprintf(d->lacking, "PTX line %d, %s\n", pi->line, d->error);
    d->error[0] = 0;
}

static void decode_instruction(struct decoder *d, int i)
{
    const struct ptx_instr *pi = &d->info->source->instrs.data[i];
    struct insn *in = &d->im->code[d->info->first_insn + (uint32_t)i];

    clear_operands(in);
    d->instr = pi;
    d->error[0] = 0;
    if (pi->mnemonic[0] == 0) {
        insn_choose(in, ROW_nop);
        return;
    }
    if (d->info->function->frame_bytes > MAX_FRAME_BYTES)
        decode_fail(d, "the function needs too many registers");
    else if (modifiers_placed(d, pi) && (decode_row(d, pi, d->rows[i], d->modes[i], in) || decode_in_order(d, pi, d->rows[i], in)) && decode_guard(d, pi, in)) {
        note_target(d, pi);
        return;
    }
    name_instruction(d, pi);
    make_unsupported(d, in);
}

static void decode_function(struct decoder *d, struct function_info *f)
{
    const struct ptx_function *pf = f->source;
    int n = pf->instrs.count;
    struct insn *first = &d->im->code[f->first_insn], *last = &first[n];

    d->info = f;
    d->rows = calloc((size_t)n + 1, sizeof *d->rows);
    d->modes = calloc((size_t)n + 1, sizeof *d->modes);
    if (!d->rows || !d->modes)
        abort();
    for (int i = 0; i < n; i++)
        d->rows[i] = op_find(&pf->instrs.data[i], &d->modes[i]);
    locals_place(d, f);
    registers_assign(d, f);
    sites_fill(d, f);
    base_variables_find(d);
    for (int i = 0; i < n; i++)
        decode_instruction(d, i);
    clear_operands(last);
    insn_choose(last, pf->is_entry ? ROW_exit : ROW_ret);
    f->function->entry = first;
    f->function->end = last + 1;
    if (f->function->frame_bytes > MAX_FRAME_BYTES)
        f->function->frame_bytes = sizeof(struct frame_header);
    base_variables_forget(d);
    free(d->rows);
    free(d->modes);
}

/** Formals of functions without a body: built-ins read their arguments by the caller's slots. */
static void declare_function(struct decoder *d, struct function_info *f)
{
    d->info = f;
    locals_place(d, f);
}

/** What nvlink finds missing; the device runtime's functions may be called where nothing reaches the call. */
static bool check_linked(struct decoder *d)
{
    const struct ptx_function *f = d->undefined;

    for (int i = 0; i < d->im->function_count; i++)
        if (d->address_taken[i] && !info_has_body(&d->infos[i]) && !builtin_exists(d->infos[i].source->name))
            f = d->infos[i].source;
    if (d->m->parts < 2 || !f || !strncmp(f->name, "__cuda", 6) || !strncmp(f->name, "cuda", 4))
        return true;
    diag_line(d->diag, DIAG_SYNTAX, f->line, "linking: undefined reference to '%.80s'", f->name);
    return false;
}

static bool decode_all(struct decoder *d)
{
    collect_functions(d);
    if (!check_bounds(d))
        return false;
    create_functions(d);
    collect_files(d);
    if (!reserve_code(d) || !variables_place(d) || !shared_place(d))
        return false;
    for (int i = 0; i < d->im->function_count; i++) {
        if (info_has_body(&d->infos[i]))
            decode_function(d, &d->infos[i]);
        else
            declare_function(d, &d->infos[i]);
    }
    if (!check_linked(d) || !constants_write(d))
        return false;
    library_looks_take(d);
    atomic_numbers_take(d);
    dynamic_names_keep(d);
    return true;
}

struct image *image_decode(struct ptx_module *m, const struct variable_placer *placer,
                           struct diag *diag)
{
    struct image *im = calloc(1, sizeof *im);
    struct decoder *d = calloc(1, sizeof *d);

    if (!im || !d)
        abort();
    im->module = m;
    char *lacking = NULL;
    size_t bytes = 0;
    *d = (struct decoder){.im = im, .m = m, .placer = placer, .diag = diag, .lacking = open_memstream(&lacking, &bytes)};
    if (!d->lacking)
        abort();
    bool ok = decode_all(d);
    fclose(d->lacking);
    im->lacking = bytes ? arena_strndup(&im->arena, lacking, bytes) : NULL;
    free(lacking);
    free(d->constants);
    free(d);
    if (ok)
        return im;
    image_free(im);
    return NULL;
}
