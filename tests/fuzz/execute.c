/**
 * @file execute.c
 * Runs damaged programs: `execute BOUND SEED`, see bound.h, with GOLDEN for the folder of the cases.
 *
 * Each input is a golden case's PTX in which a few words and lines were exchanged for others of the same file, so that
 * much of it still loads. It runs on the case's own launch under a step limit, now plain, now observed by all
 * checkers, in one of the three schedules: whatever it does, it must end soon with a status, or not load with a
 * diagnostic. An input that fails is left in fuzz_failed.ptx, the slowest one in execute_slowest.ptx.
 */
#define main golden_main /* the cases' reader and their launch are those of the golden test */
#include "golden/run.c"
#undef main

#define FUZZER "execute"
#define SLOW_SECONDS 10
#include "damage.h"
#include "execute/grid_life.h"

#define STEPS 100000
#define TURN (1 << 22) /* the limit is looked at when a turn ends: 65,536 instructions a warp */
#define MAX_CASES 64

static struct test_case cases[MAX_CASES];
static unsigned long loaded, ended[16];

/** Bytes of the line at `*at`, which is moved to its beginning. */
static size_t line_at(size_t *at)
{
    while (*at > 0 && at_hand[*at - 1] != '\n')
        --*at;
    const char *end = memchr(at_hand + *at, '\n', at_hand_len - *at);
    return end ? (size_t)(end - at_hand) - *at + 1 : at_hand_len - *at;
}

/** A line is taken out, doubled, or put somewhere else. */
static void move_line(void)
{
    static char line[4096];
    size_t at = draw((uint32_t)at_hand_len), n = line_at(&at), to = draw((uint32_t)at_hand_len);
    if (n > sizeof line)
        return;
    memcpy(line, at_hand + at, n);
    if (draw(2))
        remove_at(at, n);
    if (draw(3) && at_hand_len) {
        to = to < at_hand_len ? to : at_hand_len - 1;
        line_at(&to);
        insert_at(to, line, n);
    }
}

/** A word, a register, a number or a part of an instruction's name becomes another one of the file. */
static void exchange_word(void)
{
    static char word[64];
    size_t at = draw((uint32_t)at_hand_len), from = draw((uint32_t)at_hand_len);
    size_t n = word_at(&from);
    if (n == 0 || n >= sizeof word)
        return;
    memcpy(word, at_hand + from, n);
    size_t old = word_at(&at);
    if (old == 0 || isdigit((unsigned char)at_hand[at]) != isdigit((unsigned char)word[0]))
        return;
    remove_at(at, old);
    insert_at(at, word, n);
}

static const struct test_case *make_program(void)
{
    uint32_t which = draw((uint32_t)file_count);
    at_hand_len = files[which].len;
    memcpy(at_hand, files[which].text, at_hand_len);
    for (uint32_t n = 1 + draw(4); n && at_hand_len; n--)
        switch (draw(8)) {
        case 0:
            damage_once();
            break;
        case 1:
        case 2:
            move_line();
            break;
        default:
            exchange_word();
        }
    if (at_hand_len == 0)
        insert_at(0, ".", 1);
    return &cases[which];
}

/** Ends in a status within the step limit; NULL, or what is wrong. */
static const char *launch_it(struct test_case *c, struct machine *machine, struct image *im,
                             enum schedule_kind schedule)
{
    uint8_t params[4096];
    struct function *f = image_function(im, c->kernel);
    if (!f || f->param_bytes > sizeof params)
        return NULL;
    make_buffers(c, machine);
    make_params(c, f, params);
    if (machine_occupancy(machine, f, (int)(c->block[0] * c->block[1] * c->block[2]), c->shared) ==
        0)
        return NULL;
    struct grid_config config = {.kernel = f,
                                 .dynamic_shared = c->shared,
                                 .params = params,
                                 .cooperative = c->cooperative,
                                 .op = 1};
    memcpy(config.grid, c->grid, sizeof c->grid);
    memcpy(config.block, c->block, sizeof c->block);
    machine_set_schedule(machine, schedule, draw(1000));
    struct grid *g = grid_start(machine, &config);
    while (g->status == GRID_RUNNING)
        if (machine_step(machine, 10000) == STEP_STUCK)
            grid_abort(g, GRID_DEADLOCK);
    bool too_long = g->instructions > STEPS + TURN;
    ended[g->status]++;
    grid_destroy(g);
    loaded++;
    return too_long ? "the step limit does not hold" : NULL;
}

static bool try_program(const struct test_case *made_for, FILE *sink)
{
    struct test_case c = *made_for;
    struct diag d = {0};
    struct options o = {.device = c.device,
                        .check = draw(2),
                        .schedules = 1,
                        .threads = 1,
                        .step_limit = STEPS,
                        .json_path = "execute_findings.json",
                        .max_findings = 100,
                        .out = sink};
    enum schedule_kind schedule = o.check ? (enum schedule_kind)draw(3) : SCHEDULE_NATURAL;
    strcpy(o.check_list, o.check ? "all" : "none");
    input_begin();
    struct machine *machine = machine_create(&o);
    struct image *im = machine_load(machine, "fuzz", at_hand, at_hand_len, &d);
    const char *fault = im             ? launch_it(&c, machine, im, schedule)
                        : d.message[0] ? NULL
                                       : "neither program nor diagnostic";
    machine_destroy(machine);
    input_end();
    if (fault) {
        save_input();
        fprintf(stderr, "execute: %s\n", fault);
    }
    return !fault;
}

static void died(int signal_number)
{
    save_input();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void load_cases(void)
{
    const char *folder = getenv("GOLDEN") ? getenv("GOLDEN") : "tests/golden";
    char path[512];
    glob_t found;
    snprintf(path, sizeof path, "%s/*.expect", folder);
    if (glob(path, 0, NULL, &found) != 0)
        exit(2);
    for (size_t i = 0; i < found.gl_pathc && file_count < MAX_CASES; i++) {
        snprintf(path, sizeof path, "%.*s.ptx",
                 (int)(strrchr(found.gl_pathv[i], '.') - found.gl_pathv[i]), found.gl_pathv[i]);
        read_case(&cases[file_count], found.gl_pathv[i]);
        if (!load(path))
            exit(2);
    }
    globfree(&found);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: execute BOUND SEED\n");
        return 2;
    }
    state = strtoull(argv[2], NULL, 0) * 2 + 0x9e3779b97f4a7c15ull;
    load_cases();
    signal(SIGSEGV, died);
    signal(SIGABRT, died);
    signal(SIGFPE, died);
    FILE *sink = fopen("/dev/null", "w");
    struct bound bound = bound_of(argv[1]);
    unsigned long tried = 0;
    do {
        const struct test_case *c = make_program();
        if (!try_program(c, sink))
            return 1;
        tried++;
    } while (bound_more(&bound, tried));
    fclose(sink);
    printf("execute: %lu inputs, %lu of them ran\n", tried, loaded);
    for (size_t i = 0; i < sizeof status_names / sizeof *status_names; i++)
        if (ended[i])
            printf("  %lu %s\n", ended[i], status_names[i]);
    tell_slowest();
    return loaded == 0;
}
