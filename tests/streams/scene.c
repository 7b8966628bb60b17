/**
 * @file scene.c
 * See scene.h.
 */
#include "scene.h"

#include <stdio.h>
#include <string.h>

static uint32_t below(uint64_t *state, uint32_t n)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32) % n;
}

/* ---- Making ---- */

static const struct range none = {-1, 0, 0};

/** Few different ranges, so that they meet. */
static struct range draw_range(uint64_t *r, int first, int count)
{
    static const struct { uint32_t from, count; } pieces[] = {{0, 64}, {64, 64}, {32, 64}, {0, 256}, {128, 128}, {96, 1}};
    uint32_t piece = below(r, sizeof pieces / sizeof *pieces);
    return (struct range){first + (int)below(r, (uint32_t)count), pieces[piece].from, pieces[piece].count};
}

/** What a scene is made of. */
struct palette {
    bool wide, pool; /* there is POOLED at that point */
    int streams, hosts;
};

static void make_copy(uint64_t *r, struct step *s, bool across, int hosts)
{
    bool to_host = below(r, 2), from_host = across ? !to_host : !to_host && below(r, 2);
    s->writes = draw_range(r, to_host ? DEVICE_BUFFERS : 0, to_host ? hosts : DEVICE_BUFFERS);
    do {
        s->reads = draw_range(r, from_host ? DEVICE_BUFFERS : 0, from_host ? hosts : DEVICE_BUFFERS);
    } while (s->reads.buffer == s->writes.buffer);
    s->reads.count = s->writes.count;
    if (s->reads.from + s->reads.count > WORDS)
        s->reads.from = WORDS - s->reads.count;
}

static void make_access(uint64_t *r, struct step *s, bool writes, int hosts)
{
    *(writes ? &s->writes : &s->reads) = draw_range(r, DEVICE_BUFFERS, hosts);
}

static const struct range all_of_pool = {POOLED, 0, WORDS};

/** Now and then a device buffer is the pool's. */
static void draw_pooled(uint64_t *r, struct step *s)
{
    bool writes = below(r, 2);
    struct range *one = writes ? &s->writes : &s->reads;
    if (one->buffer >= 0 && one->buffer < DEVICE_BUFFERS && below(r, 2))
        one->buffer = POOLED;
}

static void make_work(uint64_t *r, struct step *s, const struct palette *p)
{
    switch (s->kind) {
    case STEP_KERNEL:
        s->reads = draw_range(r, 0, DEVICE_BUFFERS + p->hosts);
        s->writes = draw_range(r, 0, DEVICE_BUFFERS + p->hosts);
        break;
    case STEP_COPY:
        make_copy(r, s, false, p->hosts);
        if (p->wide && !s->node && below(r, 4) == 0)
            *(below(r, 2) ? &s->reads : &s->writes) = none;
        break;
    case STEP_COPY_NOW:
        s->stream = LEGACY;
        make_copy(r, s, true, PINNED_BUFFERS); /* whether the host waits for a copy to managed memory is not documented */
        break;
    case STEP_FILL:
        s->writes = draw_range(r, 0, DEVICE_BUFFERS);
        break;
    case STEP_HOST_READS:
    case STEP_HOST_WRITES:
        make_access(r, s, s->kind == STEP_HOST_WRITES, p->hosts);
        break;
    case STEP_HOST_FUNCTION:
        make_access(r, s, below(r, 2), p->hosts);
        break;
    default:
        break;
    }
    if (p->pool)
        draw_pooled(r, s);
}

static void make_step(uint64_t *r, struct step *s, uint32_t waits, const struct palette *p)
{
    static const enum step_kind works[] = {STEP_KERNEL, STEP_KERNEL, STEP_KERNEL, STEP_COPY, STEP_COPY, STEP_FILL, STEP_HOST_FUNCTION,
                                           STEP_COPY_NOW, STEP_HOST_READS, STEP_HOST_WRITES};
    static const enum step_kind orders[] = {STEP_RECORD, STEP_RECORD, STEP_RECORD, STEP_WAIT_EVENT, STEP_WAIT_EVENT, STEP_WAIT_EVENT,
                                            STEP_JOIN_EVENT, STEP_JOIN_STREAM, STEP_ASK_STREAM, STEP_JOIN_ALL};
    bool order = below(r, 100) < waits;
    *s = (struct step){.kind = order ? orders[below(r, 10)] : works[below(r, 10)], .stream = (int)below(r, (uint32_t)p->streams),
                       .event = (int)below(r, EVENTS), .reads = none, .writes = none};
    if (s->stream == LEGACY && (s->kind == STEP_JOIN_STREAM || s->kind == STEP_ASK_STREAM))
        s->stream = 1; /* the documentation does not say whether that waits for other streams, too */
    if (p->wide && s->kind == STEP_JOIN_EVENT && below(r, 2))
        s->kind = STEP_ASK_EVENT;
    make_work(r, s, p);
    if (p->pool && below(r, 16) == 0)
        *s = (struct step){.kind = STEP_FREE, .stream = s->stream, .reads = none, .writes = all_of_pool};
}

/** The graph whose first node is step `first` once more, from step `from` on. @return how many nodes it has */
static int launch_again(uint64_t *r, struct scene *s, int from, int first, const struct palette *p)
{
    int stream = (int)below(r, (uint32_t)p->streams), count = 0;
    do {
        struct step *n = &s->step[from + count];
        *n = s->step[first + count];
        n->stream = stream;
        n->again = 1 + first;
        n->after <<= from - first;
    } while (!s->step[first + count++].last);
    return count;
}

/** Nodes from step `from` on, some of which depend on some before: as drawn, or as two streams that are captured make it. */
static void make_graph(uint64_t *r, struct scene *s, int from, int count, const struct palette *p)
{
    static const enum step_kind works[] = {STEP_KERNEL, STEP_KERNEL, STEP_COPY, STEP_FILL};
    int stream = (int)below(r, (uint32_t)p->streams);
    bool captured = below(r, 2);
    uint32_t in_lane[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        struct step *n = &s->step[from + i];
        uint32_t bit = 1u << (from + i);
        *n = (struct step){.kind = works[below(r, 4)], .stream = stream, .reads = none, .writes = none, .node = i + 1, .last = i + 1 == count, .lane = -1};
        if (captured) {
            n->lane = i ? (int)below(r, 2) : 0;
            n->after = n->lane && !in_lane[1] ? in_lane[0] : in_lane[n->lane]; /* the second begins where the first is */
            in_lane[n->lane] = bit;
        } else {
            for (int k = 0; k < i; k++)
                n->after |= below(r, 2) ? 1u << (from + k) : 0;
        }
        make_work(r, n, p);
    }
}

static bool uses_pool(const struct scene *s, int first)
{
    bool any = false;
    for (int i = first; i == first || !s->step[i - 1].last; i++)
        any |= s->step[i].reads.buffer == POOLED || s->step[i].writes.buffer == POOLED;
    return any;
}

void scene_make(struct scene *s, uint64_t seed, int number)
{
    static const uint32_t often[] = {20, 45, 60, 70};
    uint64_t r = seed * 1000003 + (uint64_t)number;
    uint32_t waits = often[below(&r, 4)];
    s->count = 3 + (int)below(&r, MAX_STEPS - 3);
    struct palette p = {.wide = seed % 2 == 0, .streams = seed % 2 ? 4 : STREAMS, .hosts = seed % 2 ? PINNED_BUFFERS : HOST_BUFFERS};
    int graph = -1; /* the latest's first step */
    for (int i = 0, nodes; i < s->count; i += nodes ? nodes : 1) {
        nodes = p.wide && i + 4 <= s->count && below(&r, 8) == 0 ? 2 + (int)below(&r, 3) : 0;
        bool again = nodes && graph >= 0 && below(&r, 2) && (p.pool || !uses_pool(s, graph));
        if (i == 0 && p.wide && below(&r, 2)) {
            nodes = 0;
            p.pool = true;
            s->step[i] = (struct step){.kind = STEP_ALLOC, .stream = 1 + (int)below(&r, (uint32_t)p.streams - 1), .reads = none, .writes = all_of_pool};
        } else if (again) {
            nodes = launch_again(&r, s, i, graph, &p);
            graph = i;
        } else if (nodes) {
            make_graph(&r, s, graph = i, nodes, &p);
        } else {
            make_step(&r, &s->step[i], waits, &p);
            p.pool &= s->step[i].kind != STEP_FREE;
        }
    }
}

/* ---- What happens before what ---- */

/** Sets of steps that are done, one bit each. */
struct order {
    uint64_t before[MAX_STEPS];   /**< what happens before the step */
    uint64_t stream[STREAMS];     /**< what the next of the stream waits for in it */
    uint64_t event[EVENTS];
    uint64_t host;
    uint32_t recorded;            /**< events, by bits */
    uint64_t done[MAX_STEPS];     /**< by a graph's first node: what is when it has ended */
    uint64_t launched;            /**< what the graph at hand comes after, */
    uint64_t nodes;               /**< and its nodes so far, with that */
    bool functions_tell;          /**< the host gets to know what a host function does, and all before it */
};

static bool is_blocking(int stream)
{
    return stream != NOT_BLOCKING && stream != URGENT;
}

/** What work that is given to the stream now waits for there. */
static uint64_t ahead(const struct order *o, int stream)
{
    uint64_t all = o->stream[stream];
    for (int i = 0; i < STREAMS; i++)
        if (is_blocking(i) && is_blocking(stream) && (i == LEGACY || stream == LEGACY))
            all |= o->stream[i];
    return all;
}

static bool is_pinned(int buffer)
{
    return buffer >= DEVICE_BUFFERS && buffer < DEVICE_BUFFERS + PINNED_BUFFERS;
}

/** Is the step done when its call returns? So it is with copies from host memory to host memory, here pageable and page-locked. */
static bool is_synchronous(const struct step *s)
{
    bool pageable = s->kind == STEP_COPY && (s->reads.buffer < 0 || s->writes.buffer < 0);
    return s->kind == STEP_COPY_NOW || (pageable && (is_pinned(s->reads.buffer) || is_pinned(s->writes.buffer)));
}

static void give(struct order *o, int n, const struct step *s)
{
    o->before[n] = o->host | ahead(o, s->stream);
    o->stream[s->stream] = o->before[n] | 1ull << n;
    if (is_synchronous(s) || (s->kind == STEP_HOST_FUNCTION && o->functions_tell))
        o->host |= o->stream[s->stream];
}

static void give_node(struct order *o, int n, const struct step *s)
{
    if (s->node == 1)
        o->nodes = o->launched = o->host | ahead(o, s->stream) | (s->again ? o->done[s->again - 1] : 0);
    o->before[n] = o->launched;
    for (int i = 0; i < n; i++)
        if (s->after >> i & 1)
            o->before[n] |= 1ull << i | o->before[i];
    o->nodes |= 1ull << n;
    if (s->last)
        o->stream[s->stream] = o->done[n + 1 - s->node] = o->nodes;
}

static void go_on(struct order *o, int n, const struct step *s)
{
    if (s->node) {
        give_node(o, n, s);
        return;
    }
    switch (s->kind) {
    case STEP_HOST_READS:
    case STEP_HOST_WRITES:
        o->before[n] = o->host;
        o->host |= 1ull << n;
        break;
    case STEP_RECORD:
        o->stream[s->stream] = o->event[s->event] = ahead(o, s->stream) | o->host;
        o->recorded |= 1u << s->event;
        break;
    case STEP_WAIT_EVENT:
        if (o->recorded >> s->event & 1) /* else it does nothing */
            o->stream[s->stream] = ahead(o, s->stream) | o->event[s->event];
        break;
    case STEP_JOIN_EVENT:
    case STEP_ASK_EVENT:
        o->host |= o->event[s->event];
        break;
    case STEP_JOIN_STREAM:
    case STEP_ASK_STREAM:
        o->host |= o->stream[s->stream];
        break;
    case STEP_JOIN_ALL:
        for (int i = 0; i < STREAMS; i++)
            o->host |= o->stream[i];
        break;
    default:
        give(o, n, s);
    }
}

static bool overlap(const struct range *a, const struct range *b)
{
    return a->buffer >= 0 && a->buffer == b->buffer && a->from < b->from + b->count && b->from < a->from + a->count;
}

static bool on_host(const struct step *s)
{
    return s->kind == STEP_HOST_FUNCTION || s->kind == STEP_HOST_READS || s->kind == STEP_HOST_WRITES;
}

static bool conflict(const struct step *a, const struct step *b)
{
    return overlap(&a->writes, &b->writes) || overlap(&a->writes, &b->reads) || overlap(&a->reads, &b->writes);
}

/** May what has been issued before it run before the step? */
static bool lets_run(const struct step *s)
{
    return is_synchronous(s) || (s->kind > STEP_COPY_NOW && s->kind != STEP_RECORD && s->kind != STEP_WAIT_EVENT);
}

/** What docs/judge_limits.md says that it does not see: the host's own threads beside each other, and a host function before the other has been issued. */
static bool is_unseen(const struct scene *s, int first, int second)
{
    bool ran = false;
    for (int i = first + 1; i <= second; i++)
        ran |= i < second ? lets_run(&s->step[i]) : false;
    return (on_host(&s->step[first]) && on_host(&s->step[second])) || (s->step[first].kind == STEP_HOST_FUNCTION && ran);
}

/** Is one a host function on which others wait, and does the other wait for such a one, too? Functions run one after another, and which first is drawn. */
static bool is_between_functions(const struct scene *s, const uint64_t before[], int last, int first, int second)
{
    for (int turn = 0; turn < 2; turn++) {
        int function = turn ? second : first, other = turn ? first : second;
        bool followed = false, behind = false;
        for (int i = 0; i <= last; i++) {
            followed |= s->step[i].kind < STEP_HOST_READS && (before[i] >> function & 1);
            behind |= i != function && s->step[i].kind == STEP_HOST_FUNCTION && (before[other] >> i & 1);
        }
        if (s->step[function].kind == STEP_HOST_FUNCTION && followed && behind)
            return true;
    }
    return false;
}

/** Has a host function, between the two by what comes before what, changed what the first has used there? Its change is all that is compared then. */
static bool is_hidden(const struct scene *s, const uint64_t before[], int last, int first, int second)
{
    for (int turn = 0; turn < 2; turn++) {
        int hidden = turn ? second : first, other = turn ? first : second;
        for (int i = 0; i <= last; i++)
            if (i != other && s->step[i].kind == STEP_HOST_FUNCTION && (before[i] >> hidden & 1) && !(before[i] >> other & 1) &&
                !(before[other] >> i & 1) && on_host(&s->step[other]) &&
                (overlap(&s->step[i].writes, &s->step[hidden].writes) || overlap(&s->step[i].writes, &s->step[hidden].reads)))
                return true;
    }
    return false;
}

enum scene_verdict scene_verdict(const struct scene *s, int steps[2])
{
    struct order o = {0}, told = {.functions_tell = true};
    enum scene_verdict v = SCENE_ORDERED;
    for (int n = 0; n < s->count; n++) {
        go_on(&o, n, &s->step[n]);
        go_on(&told, n, &s->step[n]);
    }
    for (int n = 0; n < s->count; n++)
        for (int i = 0; i < n; i++) {
            if (!conflict(&s->step[i], &s->step[n]) || o.before[n] >> i & 1)
                continue;
            bool unseen = told.before[n] >> i & 1 || is_unseen(s, i, n) || is_between_functions(s, o.before, s->count - 1, i, n) ||
                          is_hidden(s, o.before, s->count - 1, i, n);
            enum scene_verdict here = unseen ? SCENE_EITHER : SCENE_CONFLICTS;
            if (here > v)
                v = here, steps[0] = i, steps[1] = n;
        }
    return v;
}

/* ---- For people ---- */

void scene_print(const struct scene *s)
{
    static const char *const names[] = {"kernel", "copy", "fill", "alloc", "free", "host function", "copy now", "host reads", "host writes", "record", "stream waits",
                                        "join event", "ask event", "join stream", "ask stream", "join all"};
    for (int i = 0; i < s->count; i++) {
        const struct step *t = &s->step[i];
        fprintf(stderr, "  %2d %-13s stream %d", i, names[t->kind], t->stream);
        if (t->kind >= STEP_RECORD && t->kind <= STEP_ASK_EVENT)
            fprintf(stderr, " event %d", t->event);
        if (t->reads.buffer >= 0)
            fprintf(stderr, " reads %d[%u, %u)", t->reads.buffer, t->reads.from, t->reads.from + t->reads.count);
        if (t->writes.buffer >= 0)
            fprintf(stderr, " writes %d[%u, %u)", t->writes.buffer, t->writes.from, t->writes.from + t->writes.count);
        if (t->node)
            fprintf(stderr, " node %d, %s, after steps %#x%s", t->node, t->lane < 0 ? "by hand" : t->lane ? "captured beside" : "captured", t->after,
                    t->again ? ", again" : t->last ? ", the last" : "");
        fputc('\n', stderr);
    }
}
