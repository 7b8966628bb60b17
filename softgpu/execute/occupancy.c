/**
 * @file occupancy.c
 * How much of an SM a block takes, and how many blocks one SM holds (CUDA C++ Programming Guide,
 * "Multiprocessor level"; allocation units from NVIDIA's occupancy calculator).
 */
#include "execute/occupancy.h"

#include "execute/engine.h"
#include "execute/grid_run.h"
#include "parse/module.h"

/** Registers are handed out per warp in units of 256, shared memory in units of 128 bytes (256
 *  before compute capability 8.0). */
#define REGISTER_UNIT 256
/** Warps are placed on four schedulers: their number per SM counts in fours. */
#define WARP_UNIT 4

static int round_to(int n, int unit)
{
    return (n + unit - 1) / unit * unit;
}

struct sm_use occupancy_need(const struct device_model *d, const struct function *f, int threads,
                             uint64_t dynamic_shared)
{
    int warps = (threads + WARP_LANES - 1) / WARP_LANES;
    int registers = f->registers < 16 ? 16 : (int)f->registers;
    uint64_t shared = f->shared_bytes + dynamic_shared;
    struct sm_use need = {.threads = warps * WARP_LANES, .blocks = 1};
    /* Ours is an estimate, from PTX: it may lower occupancy but never refuse a launch. */
    int most_registers = warps > 0 ? d->registers_per_block / (round_to(warps, WARP_UNIT) * WARP_LANES) / 8 * 8 : 255;
    if (registers > most_registers && most_registers >= 32)
        registers = most_registers;
    need.registers = warps * round_to(registers * WARP_LANES, REGISTER_UNIT);
    uint64_t most = (uint64_t)d->shared_per_sm + 1;
    need.shared = (int)(shared > most ? most : shared) + d->shared_reserved;
    need.shared = round_to(need.shared, d->major >= 8 ? 128 : 256);
    return need;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int machine_occupancy(const struct machine *m, const struct function *f, int threads,
                      uint64_t dynamic_shared)
{
    const struct device_model *d = m->options.device;
    struct sm_use need = occupancy_need(d, f, threads, dynamic_shared);
    if (threads <= 0 || threads > 1024 || need.registers > d->registers_per_block)
        return 0;
    if (f->shared_bytes + dynamic_shared > (uint64_t)d->shared_per_block_optin)
        return 0;
    int warps = need.threads / WARP_LANES;
    int by_registers = d->registers_per_sm / (need.registers / warps) / WARP_UNIT * WARP_UNIT;
    int blocks = least(d->max_blocks_per_sm, d->max_threads_per_sm / need.threads);
    blocks = least(blocks, by_registers / warps);
    return need.shared ? least(blocks, d->shared_per_sm / need.shared) : blocks;
}

/** Most registers with which `.minnctapersm` blocks of `.maxntid` threads fit in an SM. Where so many threads or blocks do not fit
 *  anyway, ptxas warns and looks the promise over. @return 0: any number */
static uint32_t bound_of_blocks(const struct device_model *d, const struct function *f)
{
    const unsigned *most = f->req_threads[0] ? f->req_threads : f->max_threads;
    unsigned threads = 1;
    for (int i = 0; i < 3; i++)
        threads *= most[i] && most[i] <= 1024 ? most[i] : 1;
    threads = threads <= 1024 ? (threads + WARP_LANES - 1) / WARP_LANES * WARP_LANES : 1024;
    if (!most[0] || f->min_blocks > (unsigned)d->max_blocks_per_sm || f->min_blocks * threads > (unsigned)d->max_threads_per_sm)
        return 0;
    return (unsigned)d->registers_per_sm / (f->min_blocks * threads) / 8 * 8;
}

unsigned occupancy_fixed_registers(const struct device_model *d, const struct function *f)
{
    unsigned by_blocks = f->min_blocks ? bound_of_blocks(d, f) : 0, said = f->source->max_registers;
    return !said || (by_blocks && by_blocks < said) ? by_blocks : said;
}

void occupancy_keep_bounds(const struct device_model *d, struct image *im)
{
    for (int i = 0; i < im->function_count; i++) {
        struct function *f = im->functions[i];
        uint32_t most = f->min_blocks ? bound_of_blocks(d, f) : 0;
        if (most && f->registers > most)
            f->registers = most;
    }
}
