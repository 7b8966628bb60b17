/**
 * @file test_draw.c
 * Pictures of timelines: where bars and arrows lie, one scale for two pictures, what is left out where
 * there is no room, and that no name breaks out of the file. And the structure of the JSON, as trace
 * viewers ask for it.
 */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline.h"
#include "unit.h"

#define LEFT 126
#define PLOT 812

static struct timeline_bar *add_bar(struct timeline *t, enum bar_kind kind, uint64_t stream, uint64_t start,
                                    uint64_t end)
{
    struct timeline_bar *b = LIST_PUSH(&t->bars);
    *b = (struct timeline_bar){.op = (uint64_t)t->bars.count, .kind = kind, .label = "scale", .stream = stream,
                               .engine = timeline_engine_of(kind), .start_ns = start, .end_ns = end,
                               .bytes = kind == BAR_KERNEL ? 0 : 4u << 20};
    t->end_ns = end > t->end_ns ? end : t->end_ns;
    return b;
}

static void add_streams(struct timeline *t, int count)
{
    for (int i = 1; i <= count; i++) {
        struct timeline_stream *s = LIST_PUSH(&t->streams);
        *s = (struct timeline_stream){.id = (uint64_t)i};
        snprintf(s->name, sizeof s->name, "stream %d", i);
    }
}

/** Two streams, each a copy in, a kernel, a copy out, a microsecond each. */
static struct timeline pipeline(void)
{
    struct timeline t = {.device = "H200"};
    add_streams(&t, 2);
    add_bar(&t, BAR_COPY_H2D, 1, 0, 1000);
    add_bar(&t, BAR_KERNEL, 1, 1000, 2000);
    add_bar(&t, BAR_COPY_H2D, 2, 1000, 2000);
    add_bar(&t, BAR_COPY_D2H, 1, 2000, 3000);
    add_bar(&t, BAR_KERNEL, 2, 2000, 3000);
    add_bar(&t, BAR_COPY_D2H, 2, 3000, 4000);
    return t;
}

static void release(struct timeline *t)
{
    LIST_FREE(&t->streams);
    LIST_FREE(&t->bars);
    LIST_FREE(&t->waits);
    LIST_FREE(&t->races);
}

static char *drawn(const struct timeline *t, uint64_t end_ns, size_t *len)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    CU_ASSERT_TRUE(f && timeline_write_svg(t, end_ns, "a <title>", f));
    fclose(f);
    if (len)
        *len = size;
    return text;
}

static int count_of(const char *text, const char *what)
{
    int n = 0;
    for (const char *p = strstr(text, what); p; p = strstr(p + 1, what))
        n++;
    return n;
}

/** Every tag is closed in order, and text holds no bare '<'. */
static bool well_formed(const char *text)
{
    char open[16][16];
    int depth = 0;
    for (const char *p = strchr(text, '<'); p; p = strchr(p + 1, '<')) {
        const char *end = strchr(p, '>');
        char name[16] = "";
        bool closing = p[1] == '/';
        size_t len = strspn(p + 1 + closing, "abcdefghijklmnopqrstuvwxyz");
        if (!end || !len || len > 15)
            return false;
        memcpy(name, p + 1 + closing, len);
        if (closing && (!depth || strcmp(open[--depth], name)))
            return false;
        if (!closing && end[-1] != '/' && depth < 16)
            strcpy(open[depth++], name);
    }
    return depth == 0;
}

static int x_of(uint64_t ns, uint64_t end_ns)
{
    return LEFT + (int)(ns * PLOT / end_ns);
}

static void test_pipeline(void)
{
    struct timeline t = pipeline();
    char *svg = drawn(&t, 0, NULL), *again = drawn(&t, 0, NULL), at[64];
    CU_ASSERT_TRUE(well_formed(svg));
    CU_ASSERT_STRING_EQUAL(svg, again);
    /* Each bar on its stream's row and on its engine's. */
    CU_ASSERT_EQUAL(count_of(svg, "<rect fill=\"#1f5fa8\""), 2 * 2 + 1); /* and the legend's */
    CU_ASSERT_EQUAL(count_of(svg, "<rect fill=\"#b6500b\""), 2 * 2 + 1);
    CU_ASSERT_EQUAL(count_of(svg, ">in 4 MiB</text>"), 2);
    CU_ASSERT_EQUAL(count_of(svg, ">out 4 MiB</text>"), 2);
    CU_ASSERT_EQUAL(count_of(svg, ">scale</text>"), 2);
    t.bars.data[1].label = "_Z3addPfi"; /* as nvcc names it */
    char *mangled = drawn(&t, 0, NULL);
    CU_ASSERT_EQUAL(count_of(mangled, ">add</text>"), 1);
    free(mangled);
    CU_ASSERT_EQUAL(count_of(svg, ">stream 2</text>"), 1 + 3); /* its row, and on three engines */
    CU_ASSERT_EQUAL(count_of(svg, ">copy in</text>") + count_of(svg, ">SMs</text>"), 2);
    CU_ASSERT_PTR_NULL(strstr(svg, "class=\"race\""));
    snprintf(at, sizeof at, "<rect fill=\"#1f5fa8\" x=\"%d\"", x_of(1000, 4000));
    CU_ASSERT_EQUAL(count_of(svg, at), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "4.00 µs of virtual time, H200"));
    free(svg);
    free(again);
    release(&t);
}

/** Drawn to a common end, the same time lies at the same place. */
static void test_one_scale(void)
{
    struct timeline fast = pipeline(), slow = pipeline();
    add_bar(&slow, BAR_KERNEL, 2, 4000, 8000);
    char *svg = drawn(&fast, 8000, NULL), *alone = drawn(&fast, 0, NULL), *other = drawn(&slow, 8000, NULL);
    char at[64];
    snprintf(at, sizeof at, "<rect fill=\"#1f5fa8\" x=\"%d.5\"", x_of(1000, 8000));
    CU_ASSERT_EQUAL(count_of(svg, at), 2);
    CU_ASSERT_EQUAL(count_of(other, at), 2);
    CU_ASSERT_EQUAL(count_of(alone, at), 0);
    free(svg);
    free(alone);
    free(other);
    release(&fast);
    release(&slow);
}

static void test_waits(void)
{
    struct timeline t = pipeline();
    *LIST_PUSH(&t.waits) = (struct timeline_wait){WAIT_EVENT, "cudaStreamWaitEvent", 2, 5, 1, 2, 2000, 2000,
                                                  NULL, 0};
    *LIST_PUSH(&t.waits) = (struct timeline_wait){WAIT_HOST, "cudaDeviceSynchronize", 6, 0, 2, 0, 4000, 4000,
                                                  NULL, 0};
    char *svg = drawn(&t, 0, NULL), at[64];
    CU_ASSERT_TRUE(well_formed(svg));
    snprintf(at, sizeof at, "marker-end=\"url(#tip)\" d=\"M%d ", x_of(2000, 4000));
    CU_ASSERT_EQUAL(count_of(svg, at), 1);
    CU_ASSERT_EQUAL(count_of(svg, "stream 2 waits for stream 1: cudaStreamWaitEvent"), 1);
    CU_ASSERT_EQUAL(count_of(svg, ">host</text>"), 1); /* a row for the arrow, though it has no bar */
    CU_ASSERT_EQUAL(count_of(svg, "host waits for stream 2"), 1);
    /* The same arrow a hundred times is one arrow, and the foot says so. */
    struct timeline_wait first = t.waits.data[0];
    for (int i = 0; i < 99; i++)
        *LIST_PUSH(&t.waits) = first;
    char *many = drawn(&t, 0, NULL);
    CU_ASSERT_EQUAL(count_of(many, at), 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(many, "99 arrows that lie on others are left out"));
    CU_ASSERT_PTR_NULL(strstr(svg, "left out"));
    free(svg);
    free(many);
    release(&t);
}

static void test_races(void)
{
    struct timeline t = pipeline();
    *LIST_PUSH(&t.races) = (struct timeline_race){2, 3, 0, "the kernel and the copy", "alloc0"};
    *LIST_PUSH(&t.races) = (struct timeline_race){6, 0, 3500, "the copy and the host", "alloc1"};
    *LIST_PUSH(&t.races) = (struct timeline_race){2, 99, 0, "one that was not kept", ""};
    char *svg = drawn(&t, 0, NULL);
    CU_ASSERT_TRUE(well_formed(svg));
    CU_ASSERT_EQUAL(count_of(svg, "<rect class=\"race\""), 4); /* both, one, and the kept one */
    CU_ASSERT_EQUAL(count_of(svg, "<circle"), 2);
    CU_ASSERT_EQUAL(count_of(svg, ">the kernel and the copy</text>"), 1);
    CU_ASSERT_EQUAL(count_of(svg, ">host</text>"), 1);
    free(svg);
    release(&t);
}

static void test_hostile_names(void)
{
    static const char *const names[] = {"<script>x()</script>", "a&b\"'", "\xff\xfe\x01", "\xed\xa0\x80",
                                        "\xe2\x80", "µs"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct timeline t = pipeline();
        for (int b = 0; b < t.bars.count; b++)
            t.bars.data[b].label = names[i];
        snprintf(t.streams.data[0].name, sizeof t.streams.data[0].name, "%s", names[i]);
        *LIST_PUSH(&t.races) = (struct timeline_race){2, 3, 0, names[i], names[i]};
        char *svg = drawn(&t, 0, NULL);
        CU_ASSERT_TRUE(well_formed(svg));
        CU_ASSERT_PTR_NULL(strstr(svg, "<script"));
        for (const char *c = svg; *c; c++)
            CU_ASSERT_TRUE((unsigned char)*c >= 0x20 || *c == '\n');
        CU_ASSERT_PTR_NULL(strpbrk(svg, "\xff\xfe\xed"));
        CU_ASSERT_EQUAL(strstr(svg, ">µs (kernel)") != NULL, i == 5);
        free(svg);
        release(&t);
    }
}

/** 64 streams of 1000 operations: still a picture, not a book. */
static void test_many(void)
{
    struct timeline t = {.device = "H200"};
    add_streams(&t, 64);
    for (uint64_t i = 0; i < 1000; i++)
        for (uint64_t s = 1; s <= 64; s++)
            add_bar(&t, i % 2 ? BAR_KERNEL : BAR_COPY_H2D, s, i * 1000 + s * 10, i * 1000 + s * 10 + 700);
    for (int i = 0; i < 20000; i++)
        *LIST_PUSH(&t.waits) = (struct timeline_wait){WAIT_EVENT, "cudaStreamWaitEvent", 1, 2,
                                                      1 + (uint64_t)i % 64, 1 + (uint64_t)i * 7 % 64,
                                                      (uint64_t)i * 50, (uint64_t)i * 50 + 20, NULL, 0};
    size_t len;
    char *svg = drawn(&t, 0, &len);
    CU_ASSERT_TRUE(well_formed(svg));
    CU_ASSERT_TRUE(len < 4u << 20);
    CU_ASSERT_EQUAL(count_of(svg, ">stream 64</text>"), 1); /* every row is named, no bar is */
    CU_ASSERT_PTR_NULL(strstr(svg, "MiB</text>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "are left out"));
    CU_ASSERT_TRUE(count_of(svg, "marker-end") <= 2000 + 1);
    /* Two kinds that take the same time share the cells in halves. */
    int kernels = count_of(svg, "<rect fill=\"#1f5fa8\""), copies = count_of(svg, "<rect fill=\"#b6500b\"");
    CU_ASSERT_TRUE(kernels > 64 * 100 && abs(kernels - copies) < kernels / 10);
    free(svg);
    release(&t);
}

static void test_empty(void)
{
    struct timeline t = {.device = "H200"};
    char *svg = drawn(&t, 0, NULL);
    CU_ASSERT_TRUE(well_formed(svg));
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "&#60;title&#62;"));
    free(svg);
    struct timeline cut = pipeline();
    cut.cut = true;
    svg = drawn(&cut, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(svg, "later operations were not kept"));
    free(svg);
    release(&cut);
}

/* ---- Chrome trace JSON ---- */

static const char *text_of(const json_t *e, const char *key)
{
    const char *s = json_string_value(json_object_get(e, key));
    return s ? s : "";
}

static double number_of(const json_t *e, const char *key)
{
    const json_t *v = json_object_get(e, key);
    CU_ASSERT_TRUE(json_is_number(v));
    return json_number_value(v);
}

static bool same_row(const json_t *a, const json_t *b)
{
    return number_of(a, "pid") == number_of(b, "pid") && number_of(a, "tid") == number_of(b, "tid");
}

/** Whether a slice of this event's row is open at its time: there a viewer hangs a flow's end. */
static bool on_a_slice(const json_t *events, const json_t *e)
{
    size_t i;
    json_t *s;
    double at = number_of(e, "ts");
    json_array_foreach(events, i, s)
        if (!strcmp(text_of(s, "ph"), "X") && same_row(s, e) && number_of(s, "ts") <= at &&
            at < number_of(s, "ts") + number_of(s, "dur"))
            return true;
    return false;
}

static bool row_is_named(const json_t *events, const json_t *e)
{
    size_t i;
    json_t *m;
    json_array_foreach(events, i, m)
        if (!strcmp(text_of(m, "ph"), "M") && !strcmp(text_of(m, "name"), "thread_name") && same_row(m, e))
            return *text_of(json_object_get(m, "args"), "name") != 0;
    return false;
}

/** The other end of a flow: the same id, category and name. */
static const json_t *flow_end(const json_t *events, const json_t *start)
{
    size_t i;
    json_t *f;
    json_array_foreach(events, i, f)
        if (!strcmp(text_of(f, "ph"), "f") && number_of(f, "id") == number_of(start, "id"))
            return f;
    return NULL;
}

static void expect_event(const json_t *events, const json_t *e)
{
    const char *ph = text_of(e, "ph");
    CU_ASSERT_TRUE(strlen(ph) == 1 && strchr("XMsfi", *ph));
    CU_ASSERT_TRUE(*text_of(e, "name") != 0);
    CU_ASSERT_TRUE(json_is_integer(json_object_get(e, "pid")) && json_is_integer(json_object_get(e, "tid")));
    if (*ph == 'M')
        return;
    CU_ASSERT_TRUE(number_of(e, "ts") >= 0 && isfinite(number_of(e, "ts")));
    CU_ASSERT_TRUE(row_is_named(events, e));
    if (*ph == 'X')
        CU_ASSERT_TRUE(number_of(e, "dur") >= 0);
    if (*ph == 'i')
        CU_ASSERT_STRING_EQUAL(text_of(e, "s"), "t");
    if (*ph == 's' || *ph == 'f')
        CU_ASSERT_TRUE(on_a_slice(events, e));
    if (*ph == 'f')
        CU_ASSERT_STRING_EQUAL(text_of(e, "bp"), "e");
    if (*ph != 's')
        return;
    const json_t *end = flow_end(events, e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(end);
    CU_ASSERT_STRING_EQUAL(text_of(end, "cat"), text_of(e, "cat"));
    CU_ASSERT_STRING_EQUAL(text_of(end, "name"), text_of(e, "name"));
    CU_ASSERT_TRUE(number_of(end, "ts") >= number_of(e, "ts"));
}

static void test_trace_json(void)
{
    struct timeline t = pipeline();
    *LIST_PUSH(&t.waits) = (struct timeline_wait){WAIT_EVENT, "cudaStreamWaitEvent", 2, 5, 1, 2, 2000, 2000,
                                                  NULL, 0};
    *LIST_PUSH(&t.races) = (struct timeline_race){2, 3, 0, "both", "alloc0"};
    char *text = NULL;
    size_t size = 0, i;
    FILE *f = open_memstream(&text, &size);
    CU_ASSERT_TRUE(f && timeline_write_json(&t, f));
    fclose(f);
    json_t *o = json_loadb(text, size, 0, NULL), *events = json_object_get(o, "traceEvents"), *e;
    CU_ASSERT_TRUE_FATAL(json_is_array(events));
    int slices = 0, flows = 0, instants = 0;
    json_array_foreach(events, i, e) {
        expect_event(events, e);
        slices += !strcmp(text_of(e, "ph"), "X");
        flows += !strcmp(text_of(e, "ph"), "s");
        instants += !strcmp(text_of(e, "ph"), "i");
    }
    CU_ASSERT_EQUAL(slices, 2 * 6); /* each on its stream and on its engine */
    CU_ASSERT_EQUAL(flows, 1);
    CU_ASSERT_EQUAL(instants, 2);
    json_decref(o);
    free(text);
    release(&t);
}

UNIT_MAIN("draw", {"a pipeline", test_pipeline}, {"one scale", test_one_scale}, {"waits", test_waits},
          {"races", test_races}, {"hostile names", test_hostile_names},
          {"64 streams of 1000", test_many}, {"nothing, and too much", test_empty}, {"trace JSON", test_trace_json})
