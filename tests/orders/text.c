/**
 * @file text.c
 * The PTX of a play: each warp has a program, in which the lanes of its actors do what is theirs, one after another; each value has a register of its own, as nvcc has it.
 */
#include <string.h>

#include "play.h"

static const char *const scope_words[] = {"cta", "cluster", "gpu", "sys"};

void plays_header(FILE *out)
{
    fputs(".version 8.6\n.target sm_90\n.address_size 64\n.file 1 \"random.cu\"\n", out);
    for (int s = CTA; s <= SYS; s++)
        for (int sc = 0; sc < 2; sc++)
            fprintf(out, ".func fence_%s_%s\n{\nfence.%s.%s;\nret;\n}\n", sc ? "sc" : "acq_rel", scope_words[s], sc ? "sc" : "acq_rel", scope_words[s]);
}

static void put_fence(FILE *out, const struct event *e)
{
    const char *kind = e->sc ? "sc" : "acq_rel", *old = e->scope == CTA ? "cta" : e->scope == GPU ? "gl" : "sys";
    if (e->spelled % 3 == 0)
        fprintf(out, "call fence_%s_%s;\n", kind, scope_words[e->scope]);
    else if (e->sc && e->scope != CLUSTER && e->spelled % 3 == 1)
        fprintf(out, "membar.%s;\n", old);
    else
        fprintf(out, "fence.%s.%s;\n", kind, scope_words[e->scope]);
}

/** The address of the cluster's other block's variable. */
static void put_away(FILE *out, const struct play *p, const struct event *e, int at, const char *variable, bool generic)
{
    unsigned rank = block_of(p, e) % p->cluster;
    if (generic)
        fprintf(out, "mov.u64 %%a%d, k%d_%s; cvta.shared.u64 %%g%d, %%a%d; mapa.u64 %%g%d, %%g%d, %u;\n", at, p->number, variable, at, at, at, at, rank);
    else
        fprintf(out, "mov.u32 %%m%d, k%d_%s; mapa.shared::cluster.u32 %%m%d, %%m%d, %u;\n", at, p->number, variable, at, at, rank);
}

/** Writes the address of data, as an operand, behind what it takes; *space: the word for the instruction. */
static void put_address(FILE *out, const struct play *p, const struct event *e, int at, const char **space, char *operand)
{
    bool generic = e->spelled % 5 == 0;
    if (e->away) {
        put_away(out, p, e, at, "data", generic);
        *space = generic ? "" : ".shared::cluster";
        sprintf(operand, "%%%c%d+%u", generic ? 'g' : 'm', at, e->from);
        return;
    }
    *space = generic ? "" : e->shared ? ".shared" : ".global";
    if (generic && e->shared) {
        fprintf(out, "mov.u64 %%a%d, k%d_data; cvta.shared.u64 %%g%d, %%a%d;\n", at, p->number, at, at);
        sprintf(operand, "%%g%d+%u", at, e->from);
    } else if (e->shared) {
        sprintf(operand, "k%d_data+%u", p->number, e->from);
    } else {
        sprintf(operand, "%%data+%u", e->from);
    }
}

static void put_access(FILE *out, const struct play *p, const struct event *e, int at)
{
    const char *space, *vector = e->count == 4 ? ".v4" : e->count == 2 ? ".v2" : "";
    char operand[40], list[80] = "", kind = e->unit == 8 ? 'd' : 'r';
    put_address(out, p, e, at, &space, operand);
    for (uint32_t i = 0; i < e->count; i++)
        sprintf(list + strlen(list), "%s%%%c%u", i ? ", " : "", kind, 4 * (uint32_t)at + i);
    char strong[32] = "";
    if (e->strong)
        sprintf(strong, ".%s%s%s", e->order == VOLATILE ? "volatile" : e->order == RELAXED ? "relaxed" : e->op == OP_LOAD ? "acquire" : "release", e->order == VOLATILE ? "" : ".",
                e->order == VOLATILE ? "" : scope_words[e->scope]);
    const char *open = e->count > 1 ? "{" : "", *shut = e->count > 1 ? "}" : "";
    if (e->op == OP_ADD) {
        fprintf(out, "red%s.%s.add.u32 [%s], %u;\n", space, scope_words[e->scope], operand, e->byte * 0x01010101u);
        return;
    }
    if (e->op == OP_STORE) {
        for (uint32_t i = 0; i < e->count; i++)
            fprintf(out, "mov.b%d %%%c%u, %llu;\n", kind == 'd' ? 64 : 32, kind, 4 * (uint32_t)at + i, e->byte * (kind == 'd' ? 0x0101010101010101ull : 0x01010101ull));
        fprintf(out, "st%s%s%s.u%u [%s], %s%s%s;\n", strong, space, vector, e->unit * 8, operand, open, list, shut);
        return;
    }
    fprintf(out, "ld%s%s%s.u%u %s%s%s, [%s];\n", strong, space, vector, e->unit * 8, open, list, shut, operand);
    for (uint32_t i = 0; i < e->count; i++) {
        if (kind == 'd')
            fprintf(out, "cvt.u32.u64 %%r%u, %%d%u;\n", 4 * (uint32_t)at + i, 4 * (uint32_t)at + i);
        fprintf(out, "add.u32 %%sum, %%sum, %%r%u;\n", 4 * (uint32_t)at + i);
    }
}

static void put_copy(FILE *out, const struct play *p, const struct event *e, int at)
{
    fprintf(out, "mov.u32 %%r%d, k%d_data; cp.async.%s.shared.global [%%r%d+%u], [%%data+%u], %u;\n", 4 * at, p->number, e->unit == 16 && e->spelled % 2 ? "cg" : "ca",
            4 * at, e->from, e->source, e->unit);
}

static void put_bulk(FILE *out, const struct play *p, const struct event *e, int at)
{
    fprintf(out, "mov.u32 %%r%d, k%d_data;\n", 4 * at, p->number);
    if (e->op == OP_BULK_IN)
        fprintf(out, "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%%r%d+%u], [%%data+%u], %u, [k%d_met+%d];\n", 4 * at, e->from, e->source, e->unit,
                p->number, 8 * e->flag);
    else
        fprintf(out, "cp.async.bulk.global.shared::cta.bulk_group [%%data+%u], [%%r%d+%u], %u;\n", e->from, 4 * at, e->source, e->unit);
}

static const char *order_word(const struct event *e, bool writes, bool atomic)
{
    if (e->order == VOLATILE)
        return atomic ? ".relaxed" : ".volatile";
    return e->order == RELAXED ? ".relaxed" : e->order == BOTH ? ".acq_rel" : writes ? ".release" : ".acquire";
}

/** Looks by an atomic until it finds what it waits for, and leaves that there. */
static void put_poll(FILE *out, const struct event *e, const char *flag, const char *space, const char *scope, int play, int at)
{
    static const char *const nothing[] = {"add.u32|0", "or.b32|0", "xor.b32|0", "max.u32|0", "min.u32|4294967295", "and.b32|4294967295", "add.s32|0"};
    const char *word = nothing[e->spelled % 7], *bar = strchr(word, '|');
    const char *order = e->order == HALF ? ".acquire" : order_word(e, true, true);
    if (e->poll == SWAPS)
        fprintf(out, "A%d_%d:\natom%s.%s%s.cas.b32 %%r%d, [%s], %d, %d;", play, at, order, scope, space, 4 * at, flag, e->value, e->value);
    else
        fprintf(out, "A%d_%d:\natom%s.%s%s.%.*s %%r%d, [%s], %s;", play, at, order, scope, space, (int)(bar - word), word, 4 * at, flag, bar + 1);
    fprintf(out, " setp.lt.u32 %%p%d, %%r%d, %d; @%%p%d bra A%d_%d;\n", at, 4 * at, e->value, at, play, at);
}

static void put_flag(FILE *out, const struct play *p, const struct event *e, int at)
{
    const char *space = e->away ? ".shared::cluster" : e->shared ? ".shared" : ".global", *scope = e->order == VOLATILE ? "sys" : scope_words[e->scope];
    char flag[40];
    if (e->away)
        put_away(out, p, e, at, "flags", false);
    if (e->away)
        sprintf(flag, "%%m%d+%d", at, e->flag * 4);
    else if (e->shared)
        sprintf(flag, "k%d_flags+%d", p->number, e->flag * 4);
    else
        sprintf(flag, "%%flags+%d", e->flag * 4);
    if (e->op == OP_SIGNAL && e->count)
        fprintf(out, "red%s.%s%s.add.u32 [%s], 1;\n", order_word(e, true, true), scope, space, flag);
    else if (e->op == OP_SIGNAL && e->spelled % 3 == 0 && e->order != VOLATILE)
        fprintf(out, "atom%s.%s%s.exch.b32 %%r%d, [%s], %d;\n", order_word(e, true, true), scope, space, 4 * at, flag, e->value);
    else if (e->op == OP_SIGNAL && e->order == VOLATILE)
        fprintf(out, "st.volatile%s.u32 [%s], %d;\n", space, flag, e->value);
    else if (e->op == OP_SIGNAL)
        fprintf(out, "st%s.%s%s.u32 [%s], %d;\n", order_word(e, true, false), scope, space, flag, e->value);
    else if (e->op == OP_TOKEN)
        fprintf(out, "A%d_%d:\natom%s.%s%s.cas.b32 %%r%d, [%s], %d, %d; setp.ne.u32 %%p%d, %%r%d, %d; @%%p%d bra A%d_%d;\n", p->number, at,
                e->order == HALF ? ".acquire" : order_word(e, true, true), scope, space, 4 * at, flag, e->value - 1, e->value, at, 4 * at, e->value - 1, at, p->number, at);
    else if (e->poll)
        put_poll(out, e, flag, space, scope, p->number, at);
    else if (e->order != VOLATILE && e->spelled % 4 == 0)
        fprintf(out, "A%d_%d:\natom%s.%s%s.cas.b32 %%r%d, [%s], 99, 99; setp.lt.u32 %%p%d, %%r%d, %d; @%%p%d bra A%d_%d;\n", p->number, at, order_word(e, false, true),
                scope, space, 4 * at, flag, at, 4 * at, e->value, at, p->number, at);
    else
        fprintf(out, "A%d_%d:\nld%s%s%s%s.u32 %%r%d, [%s]; setp.lt.u32 %%p%d, %%r%d, %d; @%%p%d bra A%d_%d;\n", p->number, at, order_word(e, false, false),
                e->order == VOLATILE ? "" : ".", e->order == VOLATILE ? "" : scope, space, 4 * at, flag, at, 4 * at, e->value, at, p->number, at);
}

/** Until the phase is complete: its parity may change from turn to turn. */
static void put_await(FILE *out, const struct play *p, const struct event *e, int at, const char *word)
{
    char parity[16] = "%at";
    if (p->turns > 1 && p->met_phases[e->flag] % 2)
        fprintf(out, "add.u32 %%at, %%turn, %d; and.b32 %%at, %%at, 1;\n", e->value + 2);
    else
        sprintf(parity, "%d", (e->value + 2) % 2);
    fprintf(out, "A%d_%d:\nmbarrier.%s_wait.parity%s.shared.b64 %%p%d, [k%d_met+%d], %s; @!%%p%d bra A%d_%d;\n", p->number, at, e->spelled % 3 ? "test" : "try", word, at,
            p->number, e->flag * 8, parity, at, p->number, at);
}

static void put_met(FILE *out, const struct play *p, const struct event *e, int at)
{
    bool plain = e->order == HALF && e->scope == CTA && e->spelled % 2;
    char word[32] = "";
    if (!plain)
        sprintf(word, ".%s.%s", e->order == RELAXED ? "relaxed" : e->op == OP_ARRIVE ? "release" : "acquire", scope_words[e->scope]);
    if (e->away)
        put_away(out, p, e, at, "met", false);
    if (e->away)
        fprintf(out, "mbarrier.arrive%s.shared::cluster.b64 _, [%%m%d+%d];\n", word, at, e->flag * 8);
    else if (e->op == OP_ARRIVE && e->count)
        fprintf(out, "mbarrier.arrive.expect_tx%s.shared::cta.b64 %%d%d, [k%d_met+%d], %u;\n", word, 4 * at, p->number, e->flag * 8, e->count);
    else if (e->op == OP_ARRIVE)
        fprintf(out, "mbarrier.arrive%s.shared.b64 %%d%d, [k%d_met+%d];\n", word, 4 * at, p->number, e->flag * 8);
    else
        put_await(out, p, e, at, word);
}

/** What the lane of one actor does. */
static void put_own(FILE *out, const struct play *p, const struct event *e, int at)
{
    fprintf(out, "setp.ne.u32 %%q%d, %%lane, %u; @%%q%d bra B%d_%d;\n", at, p->actor[e->actor].lane, at, p->number, at);
    switch (e->op) {
    case OP_LOAD:
    case OP_STORE:
    case OP_ADD: put_access(out, p, e, at); break;
    case OP_COPY: put_copy(out, p, e, at); break;
    case OP_BULK_OUT:
    case OP_BULK_IN: put_bulk(out, p, e, at); break;
    case OP_BULK_COMMIT: fputs("cp.async.bulk.commit_group;\n", out); break;
    case OP_BULK_WAIT: fprintf(out, "cp.async.bulk.wait_group%s %d;\n", e->arrives ? ".read" : "", e->value); break;
    case OP_TRIGGER: fputs("griddepcontrol.launch_dependents;\n", out); break;
    case OP_GRID_WAIT: fputs("griddepcontrol.wait;\n", out); break;
    case OP_PROXY: fprintf(out, "fence.proxy.async%s;\n", e->value == PROXY_GLOBAL ? ".global" : e->value == PROXY_SHARED ? ".shared::cta" : ""); break;
    case OP_COMMIT: fputs("cp.async.commit_group;\n", out); break;
    case OP_COPIES_WAIT:
        if (e->value < 0)
            fputs("cp.async.wait_all;\n", out);
        else
            fprintf(out, "cp.async.wait_group %d;\n", e->value);
        break;
    case OP_FENCE: put_fence(out, e); break;
    case OP_SIGNAL:
    case OP_WAIT:
    case OP_TOKEN: put_flag(out, p, e, at); break;
    case OP_ARRIVE:
    case OP_AWAIT: put_met(out, p, e, at); break;
    default: break;
    }
    fprintf(out, "B%d_%d:\n", p->number, at);
}

static void put_meeting(FILE *out, const struct play *p, const struct event *e, int at)
{
    if (e->op == OP_LANES) {
        fprintf(out, "mov.u32 %%r%d, 1; shl.b32 %%r%d, %%r%d, %%lane; and.b32 %%r%d, %%r%d, %u; setp.eq.u32 %%q%d, %%r%d, 0;\n", 4 * at, 4 * at + 1, 4 * at, 4 * at + 2,
                4 * at + 1, e->mask, at, 4 * at + 2);
        fprintf(out, "@%%q%d bra B%d_%d;\nbar.warp.sync %u;\nB%d_%d:\n", at, p->number, at, e->mask, p->number, at);
    } else if (e->arrives) {
        fprintf(out, e->spelled % 2 ? "bar.arrive %d, %d;\n" : "barrier.arrive %d, %d;\n", e->number, 32 * e->warps);
    } else {
        fprintf(out, e->spelled % 2 ? "bar.sync %d, %d;\n" : "barrier.sync %d, %d;\n", e->number, 32 * e->warps);
    }
}

/** All warps of a cluster come to its barrier, also those without actors. */
static void put_cluster_barrier(FILE *out, const struct play *p, int at, uint32_t block, uint32_t warp)
{
    const struct event *e = &p->event[at];
    bool relaxed = false;
    for (int i = at; i < p->count && p->event[i].meeting == e->meeting; i++)
        if (p->actor[p->event[i].actor].block == block && p->actor[p->event[i].actor].warp == warp)
            relaxed = p->event[i].order == RELAXED;
    if (e->op == OP_GO)
        fprintf(out, e->spelled % 2 ? "barrier.cluster.wait;\n" : "barrier.cluster.wait.acquire.aligned;\n");
    else
        fprintf(out, "barrier.cluster.arrive%s%s;\n", relaxed ? ".relaxed" : e->spelled % 3 ? ".release" : "", e->spelled % 2 ? "" : ".aligned");
}

static bool is_of_warp(const struct play *p, const struct event *e, uint32_t block, uint32_t warp)
{
    const struct actor *a = &p->actor[e->actor];
    return is_of_cluster(e) ? a->block / p->cluster == block / p->cluster : a->block == block && a->warp == warp;
}

/** Does a block use another one's shared memory, or meet it? */
static bool uses_cluster(const struct play *p)
{
    bool uses = false;
    for (int i = 0; i < p->count; i++)
        uses |= p->event[i].away || is_of_cluster(&p->event[i]);
    return uses;
}

static void put_warp(FILE *out, const struct play *p, uint32_t block, uint32_t warp)
{
    int met = 0;
    fprintf(out, "W%d_%u_%u:\n", p->number, block, warp);
    if (p->turns > 1)
        fprintf(out, "mov.u32 %%turn, 0;\nT%d_%u_%u:\n", p->number, block, warp);
    for (int i = 0; i < p->count; i++) {
        const struct event *e = &p->event[i];
        if (!is_of_warp(p, e, block, warp) || e->op == OP_COMPLETE || (e->meeting && e->meeting == met))
            continue;
        fprintf(out, ".loc 1 %d 0\n", p->number * LINES_A_PLAY + 2 + i);
        if (is_of_cluster(e))
            put_cluster_barrier(out, p, i, block, warp), met = e->meeting;
        else if (e->meeting)
            put_meeting(out, p, e, i), met = e->meeting;
        else
            put_own(out, p, e, i);
    }
    fprintf(out, ".loc 1 %d 0\n", p->number * LINES_A_PLAY + LINES_A_PLAY - 1);
    if (p->turns > 1)
        fprintf(out, "add.u32 %%turn, %%turn, 1; setp.lt.u32 %%here, %%turn, %d; @%%here bra T%d_%u_%u;\n", p->turns, p->number, block, warp);
    for (int i = 0; i < p->actors; i++)
        if (p->actor[i].block == block && p->actor[i].warp == warp)
            fprintf(out, "setp.eq.u32 %%here, %%lane, %u; @%%here st.global.u32 [%%out+%d], %%sum;\n", p->actor[i].lane, 4 * i);
    if (uses_cluster(p)) /* none leaves before all have used its memory */
        fputs("barrier.cluster.arrive;\nbarrier.cluster.wait;\n", out);
    fputs("ret;\n", out);
}

/** Which words of shared data, or of shared flags, does anybody use? */
static uint32_t used_words(const struct play *p, bool flags)
{
    uint32_t used = 0;
    for (int i = 0; i < p->count; i++) {
        const struct event *e = &p->event[i];
        if (flags && e->shared && (e->op == OP_SIGNAL || e->op == OP_WAIT || e->op == OP_TOKEN))
            used |= 1u << e->flag;
        for (uint32_t at = e->from / 4; !flags && e->shared && e->op <= OP_COPY && 4 * at < e->from + e->unit * e->count; at++)
            used |= 1u << at;
        for (uint32_t at = e->source / 4; !flags && e->op == OP_BULK_OUT && 4 * at < e->source + e->unit; at++)
            used |= 1u << at;
    }
    return used;
}

static bool has_bulk(const struct play *p)
{
    bool has = false;
    for (int i = 0; i < p->count; i++)
        has |= is_bulk(&p->event[i]);
    return has;
}

/** Shared memory is zero where it is used, and mbarriers know how many arrive; all threads know it. */
static void put_beginning(FILE *out, const struct play *p)
{
    int k = p->number;
    fprintf(out, "setp.ne.u32 %%first, %%lane, 0; setp.ne.u32 %%zero, %%warp, 0; or.pred %%first, %%first, %%zero; @%%first bra READY%d;\n", k);
    for (uint32_t i = 0; i < DATA_BYTES / 4; i++)
        if (used_words(p, false) >> i & 1)
            fprintf(out, "st.shared.u32 [k%d_data+%u], 0;\n", k, 4 * i);
    for (int i = 0; i < MAX_FLAGS; i++)
        if (used_words(p, true) >> i & 1)
            fprintf(out, "st.shared.u32 [k%d_flags+%d], 0;\n", k, 4 * i);
    for (int i = 0; i < MAX_MET; i++)
        if (p->met_count[i])
            fprintf(out, "mbarrier.init.shared.b64 [k%d_met+%d], %d;\n", k, 8 * i, p->met_count[i]);
    if (has_bulk(p)) /* whose proxy sees what begins */
        fputs("fence.proxy.async;\n", out);
    fprintf(out, "READY%d:\n%s", k, uses_cluster(p) ? "barrier.cluster.arrive;\nbarrier.cluster.wait;\n" : "bar.sync 0;\n");
}

/** The kernel of these blocks. */
static void put_entry(FILE *out, const struct play *p, const char *name, uint32_t from, uint32_t to)
{
    int k = p->number;
    fprintf(out, ".visible .entry k%d%s(.param .u64 p0, .param .u64 p1, .param .u64 p2)\n", k, name);
    if (p->cluster > 1)
        fprintf(out, ".reqnctapercluster %u\n", p->cluster);
    fprintf(out, "{\n.reg .b32 %%t, %%lane, %%warp, %%b, %%at, %%sum, %%turn, %%r<%d>, %%m<%d>;\n.reg .b64 %%data, %%flags, %%out, %%d<%d>, %%a<%d>, %%g<%d>;\n", 4 * MAX_EVENTS,
            MAX_EVENTS, 4 * MAX_EVENTS, MAX_EVENTS, MAX_EVENTS);
    fprintf(out, ".reg .pred %%first, %%zero, %%here, %%p<%d>, %%q<%d>;\n", MAX_EVENTS, MAX_EVENTS);
    fprintf(out, ".shared .align 16 .b8 k%d_data[%u];\n.shared .align 16 .b8 k%d_flags[%d];\n.shared .align 8 .b8 k%d_met[%d];\n.loc 1 %d 0\n", k, DATA_BYTES, k, 4 * MAX_FLAGS, k,
            8 * MAX_MET, k * LINES_A_PLAY);
    fputs("ld.param.u64 %data, [p0]; ld.param.u64 %flags, [p1]; ld.param.u64 %out, [p2];\n"
          "mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; and.b32 %lane, %t, 31; shr.u32 %warp, %t, 5; mov.u32 %sum, 0;\n", out);
    fprintf(out, "add.u32 %%b, %%b, %u;\n", from);
    put_beginning(out, p);
    for (uint32_t b = from; b < to; b++)
        for (uint32_t w = 0; w < p->warps; w++)
            fprintf(out, "mad.lo.u32 %%at, %%b, 8, %%warp; setp.eq.u32 %%here, %%at, %u; @%%here bra W%d_%u_%u;\n", 8 * b + w, k, b, w);
    fputs("ret;\n", out);
    for (uint32_t b = from; b < to; b++)
        for (uint32_t w = 0; w < p->warps; w++)
            put_warp(out, p, b, w);
    fputs("}\n", out);
}

void play_ptx(FILE *out, const struct play *p)
{
    put_entry(out, p, "", 0, p->first ? p->first : p->blocks);
    if (p->first)
        put_entry(out, p, "_then", p->first, p->blocks);
}
