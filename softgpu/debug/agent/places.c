/**
 * @file places.c
 * Where breakpoints come to stand: on their line if it has code, else on the next one that has, of a kernel or of the
 * program; nowhere yet while no code of their file is loaded, as kernels are at their first use.
 */
#include <stdlib.h>
#include <string.h>

#include "debug/agent/state.h"
#include "debug/talk.h"
#include "host/source_line.h"

/** Of a file's line, as long as no more is loaded. Looked up once: each order to run asks again. */
struct known_place {
    char *file;
    int asked;
    uint64_t loads;
    int line;              /**< 0: none */
    bool file_known;       /**< there is code of this file */
};
static LIST(struct known_place) known;

void places_forget(void)
{
    for (int i = 0; i < known.count; i++)
        free(known.data[i].file);
    LIST_FREE(&known);
}

static bool is_of_file(void *self, const char *file)
{
    return path_ends(file, ((const struct known_place *)self)->file);
}

/** nvcc gives each kernel a function on the host, at the kernel's line, that launches it. */
static bool is_of_host(void *self, const char *symbol)
{
    const struct image *im;
    (void)self;
    for (int i = 0; (im = machine_image(agent.machine, i)) != NULL; i++)
        for (int k = 0; k < im->function_count; k++)
            if (!strcmp(im->functions[k]->name, symbol))
                return false;
    return !strstr(symbol, "__device_stub__");
}

/** The first line with code of a kernel from the one asked for on; 0: none. */
static int device_line(struct known_place *p)
{
    const struct image *im;
    int best = 0;
    for (int i = 0; (im = machine_image(agent.machine, i)) != NULL; i++) {
        const char *last = NULL;
        bool is_file = false;
        for (uint32_t k = 0; k < im->code_count; k++) {
            const struct site *site = insn_site(im, &im->code[k]);
            if (!site->line || !site->file)
                continue;
            if (site->file != last)
                is_file = path_ends(last = site->file, p->file);
            p->file_known |= is_file;
            if (is_file && site->line >= p->asked && (!best || site->line < best))
                best = site->line;
        }
    }
    return best;
}

static void find_line(struct known_place *p)
{
    int device = device_line(p);
    p->line = device;
    if (device == p->asked)
        return;
    struct source_line host = source_line_from(p->asked, is_of_file, is_of_host, p);
    /* Between two functions of the host the next line may be a kernel's that is not loaded yet. */
    bool sure = host.line == p->asked || host.inside || p->file_known;
    if (host.line && sure && (!device || host.line < device))
        p->line = host.line;
}

static const struct known_place *place_of_line(const char *file, int line)
{
    uint64_t loads = machine_loads(agent.machine);
    for (int i = 0; i < known.count; i++)
        if (known.data[i].asked == line && !strcmp(known.data[i].file, file)) {
            struct known_place *p = &known.data[i];
            if (p->loads != loads) {
                p->loads = loads;
                p->file_known = false;
                find_line(p);
            }
            return p;
        }
    struct known_place *p = LIST_PUSH(&known);
    *p = (struct known_place){.file = strdup(file), .asked = line, .loads = loads};
    if (!p->file)
        abort();
    find_line(p);
    return p;
}

static bool has_function(const char *name)
{
    const struct image *im;
    for (int i = 0; (im = machine_image(agent.machine, i)) != NULL; i++)
        for (int k = 0; k < im->function_count; k++)
            if (im->functions[k]->entry && function_is_named(im->functions[k], name))
                return true;
    return false;
}

json_t *place_break(struct breakpoint *b)
{
    const char *message = NULL;
    bool stands;
    if (b->file) {
        const struct known_place *p = place_of_line(b->file, b->asked);
        stands = p->line > 0;
        b->line = stands ? p->line : b->asked;
        message = stands ? NULL
                  : p->file_known ? "there is no code on this line, nor behind it"
                                  : "no code of this file is loaded so far: kernels are at their first use";
    } else {
        stands = has_function(b->function);
        message = stands ? NULL : "no function of this name is loaded so far: kernels are at their first use";
    }
    json_t *m = json_pack("{s:i,s:b}", "id", b->id, "stands", stands);
    if (b->file)
        json_object_set_new(m, "at", json_integer(b->line));
    if (message)
        json_object_set_new(m, "message", json_string(message));
    return m;
}

void place_breaks(struct conditions *c)
{
    c->loads = machine_loads(agent.machine);
    for (int i = 0; i < c->breaks.count; i++) {
        json_t *m = place_break(&c->breaks.data[i]);
        json_object_set_new(m, "event", json_string("placed"));
        if (!talk_send(agent.fd, m, -1))
            agent_give_up();
    }
    marks_forget();
}
