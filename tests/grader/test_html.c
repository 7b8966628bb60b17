/**
 * @file test_html.c
 * The pages that the grader writes: every tag in them is one of ours whatever a submission is
 * called or prints, tags are closed in order, nothing is loaded from outside; and each finding's run
 * stands in its columns.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "class/class.h"
#include "report/report.h"
#include "report/words.h"
#include "unit.h"

/** What would break out of a text, an attribute or a script, were it not escaped. */
#define HOSTILE "<script>x()</script><img src=x onerror=x()>\"'><a href=javascript:x()>&lt;</main>"

static const char *const allowed[] = {
    "!doctype", "html", "meta", "style", "title", "main", "h1", "h2", "p", "b", "a", "span", "i",
    "div", "code", "pre", "table", "thead", "tr", "th", "td", "details", "summary", "section", "ul",
    "li", "img", "h3", "br"};

static bool is_void(const char *tag)
{
    return !strcmp(tag, "!doctype") || !strcmp(tag, "html") || !strcmp(tag, "meta") ||
           !strcmp(tag, "img") || !strcmp(tag, "br");
}

static bool is_allowed(const char *tag)
{
    for (size_t i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
        if (!strcmp(tag, allowed[i]))
            return true;
    return false;
}

/** NULL if a tag's attributes are ours; else the one that is not. */
static const char *bad_attribute(const char *from, const char *to)
{
    static char word[32];
    static const char *const ours[] = {"html", "lang", "charset", "name", "content", "http-equiv",
                                       "class", "id", "style", "href", "open", "src", "alt"};
    bool quoted = false;
    for (const char *p = from; p < to; p++) {
        quoted ^= *p == '"';
        if (quoted || *p != ' ')
            continue;
        size_t len = strcspn(p + 1, " =>\"");
        snprintf(word, sizeof word, "%.*s", (int)len, p + 1);
        bool known = false;
        for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
            known |= !strcmp(word, ours[i]);
        if (!known)
            return word;
    }
    return quoted ? "an open quote" : NULL;
}

/** Walks through a page; "" if it holds, else where it does not. */
static char *page_fault(const char *page)
{
    char open[64][16];
    int depth = 0;
    for (const char *p = strchr(page, '<'); p; p = strchr(p, '<')) {
        bool closing = p[1] == '/';
        const char *name = p + 1 + closing, *end = p;
        for (bool quoted = false; *end && (quoted || *end != '>'); end++)
            quoted ^= *end == '"';
        char tag[16] = "";
        for (size_t i = 0; i < 15 && (isalnum((unsigned char)name[i]) || name[i] == '!'); i++)
            tag[i] = name[i];
        const char *bad = bad_attribute(p, end);
        if (!*end || !is_allowed(tag) || bad)
            return text_format("<%s> %s near: %.60s", tag, bad ? bad : "", p);
        if (closing && !strcmp(tag, "html"))
            break;
        if (closing && (!depth || strcmp(open[--depth], tag)))
            return text_format("</%s> closes <%s>", tag, open[depth]);
        if (!closing && !is_void(tag) && depth < 63)
            strcpy(open[depth++], tag);
        p = end;
        if (!closing && !strcmp(tag, "style"))
            p = strstr(p, "</style>") - 1; /* the style sheet is ours */
    }
    return depth ? text_format("<%s> is not closed", open[depth - 1]) : text_dup("");
}

static struct record_access access_of(const char *op, int line, int block, int thread)
{
    return (struct record_access){.op = text_dup(op), .file = text_dup(HOSTILE), .line = line,
                                  .source = text_dup(HOSTILE), .has_thread = true,
                                  .block = {block, 0, 0}, .thread = {thread, 0, 0}};
}

/** A finding with a run: block 3's store and block 7's load, and two threads that play a part. */
static struct record_finding race(void)
{
    struct record_finding f = {.kind = VERDICT_MISSING_ACQUIRE, .level = RECORD_ERROR,
                               .message = text_dup(HOSTILE), .rule = text_dup(HOSTILE),
                               .suggestion = text_dup(HOSTILE), .object = text_dup(HOSTILE),
                               .space = text_dup(HOSTILE), .kernel = text_dup(HOSTILE), .count = 2,
                               .accesses_count = 2, .interleaving_count = 5};
    f.accesses[0] = access_of("store", 41, 3, 0);
    f.accesses[1] = access_of("load", 52, 7, 9);
    struct record_access *run = f.interleaving = text_zalloc(5, sizeof *run);
    run[0] = access_of("store", 41, 3, 0);
    run[0].object = text_dup(HOSTILE);
    run[1] = access_of("fence", 43, 3, 0);
    run[1].order = text_dup("acq_rel.gpu");
    run[2] = access_of("atomic", 45, 7, 0);
    run[2].old = text_dup("6");
    run[2].value = text_dup("7");
    run[3] = access_of("atomic", 45, 5, 0);
    run[4] = access_of("load", 52, 7, 9);
    run[3].order = text_dup(HOSTILE);
    run[3].value = text_dup("9");
    run[3].times = 12;
    run[4].value = text_dup("0");
    run[4].missed = text_dup("97");
    return f;
}

/** A record in which every text is hostile: with `states[i]` for case i. */
static struct record *hostile(const enum record_state *states, int count)
{
    struct record *r = text_zalloc(1, sizeof *r);
    *r = (struct record){
        .lab = text_dup(HOSTILE), .folder = text_dup(HOSTILE), .title = text_dup(HOSTILE),
        .file = text_dup(HOSTILE), .device = text_dup(HOSTILE), .sandbox = text_dup(HOSTILE),
        .version = text_dup(HOSTILE), .nvcc = text_dup(HOSTILE), .command = text_dup(HOSTILE),
        .next = text_dup(HOSTILE), .message = text_dup(HOSTILE), .points = 10, .earned = 3,
        .parts_count = 2, .properties_count = 1, .hints_count = 1};
    r->gpu = text_dup(HOSTILE);
    r->performance_count = 1;
    r->performance = text_zalloc(1, sizeof *r->performance);
    r->performance[0] = (struct record_performance){.title = text_dup(HOSTILE), .has_value = true,
                                                    .message = text_dup(HOSTILE), .points = 5};
    r->hints = text_zalloc(1, sizeof *r->hints);
    r->hints[0] = text_dup(HOSTILE);
    r->properties = text_zalloc(1, sizeof *r->properties);
    r->properties[0] = (struct record_property){.title = text_dup(HOSTILE),
                                                .counter = text_dup(HOSTILE),
                                                .case_name = text_dup(HOSTILE), .has_max = true,
                                                .has_min = true, .has_value = true, .value = 1e300};
    r->parts = text_zalloc(2, sizeof *r->parts);
    r->parts[0] = (struct record_part){.id = text_dup(HOSTILE), .title = text_dup(HOSTILE),
                                       .points = 10, .earned = 3, .cases_count = count};
    r->parts[1] = (struct record_part){.id = text_dup("B"), .title = text_dup(HOSTILE),
                                       .missing = text_dup(HOSTILE)};
    struct record_case *c = r->parts[0].cases = text_zalloc((size_t)count, sizeof *c);
    for (int i = 0; i < count; i++) {
        c[i] = (struct record_case){.id = text_dup(HOSTILE), .name = text_dup(HOSTILE),
                                    .title = text_dup(HOSTILE), .message = text_dup(HOSTILE),
                                    .detail = text_dup(HOSTILE), .state = states[i], .points = 5,
                                    .verdict = VERDICT_MISSING_ACQUIRE, .findings_count = 1,
                                    .hints_count = 2, .counters_count = 1, .hidden = i == 4,
                                    .timeline = text_dup(HOSTILE), .reference_timeline = text_dup("x"),
                                    .gpu = i % 2 ? STATE_FAIL : STATE_OK,
                                    .gpu_verdict = VERDICT_WRONG_RESULT,
                                    .gpu_message = text_dup(HOSTILE)};
        c[i].findings = text_zalloc(1, sizeof *c[i].findings);
        c[i].findings[0] = race();
        c[i].hints = text_zalloc(2, sizeof *c[i].hints);
        c[i].hints[0] = text_dup(HOSTILE);
        c[i].hints[1] = text_dup(HOSTILE);
        c[i].counters = text_zalloc(1, sizeof *c[i].counters);
        c[i].counters[0] = (struct record_counter){text_dup(HOSTILE), 1.5, true, 1234567};
    }
    return r;
}

static const enum record_state all_states[] = {STATE_FAIL, STATE_OK, STATE_UNJUDGED, STATE_NOT_TRIED,
                                               STATE_FAIL};

static char *page_of(const struct record *r)
{
    struct text out = {0};
    struct report_style style = {0};
    report_html(&out, r, &style);
    return out.data;
}

static void expect_sound(const char *page)
{
    char *fault = page_fault(page);
    CU_ASSERT_STRING_EQUAL(fault, "");
    if (*fault)
        printf("\n%s\n", fault);
    CU_ASSERT_PTR_NULL(strstr(page, "<script"));
    CU_ASSERT_PTR_NULL(strstr(page, "://"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "default-src 'none'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "&lt;script&gt;"));
    free(fault);
}

static void test_escaped(void)
{
    struct record *r = hostile(all_states, 5);
    for (int kind = 0; kind < 3; kind++) {
        r->state = kind == 1 ? STATE_UNJUDGED : STATE_FAIL;
        r->partial = kind == 0;
        r->verdict = kind == 2 ? VERDICT_COMPILE_ERROR : VERDICT_NONE;
        char *page = page_of(r);
        expect_sound(page);
        free(page);
    }
    record_free(r);
}

/** The checker itself sees what it is there for. */
static void test_checker(void)
{
    static const char *const unsound[] = {"<p>", "<p></b>", "<p><img src=x onerror=x()></p>",
                                          "<script></script>", "<a href=\"x\"onclick=x>", "<p"};
    for (size_t i = 0; i < sizeof unsound / sizeof unsound[0]; i++) {
        char *fault = page_fault(unsound[i]);
        CU_ASSERT_TRUE(*fault != 0);
        free(fault);
    }
}

static void test_hidden_case(void)
{
    enum record_state failed = STATE_FAIL;
    struct record *r = hostile(&failed, 1);
    struct record_case *c = &r->parts[0].cases[0];
    c->hidden = true;
    free(c->title);
    c->title = text_dup("secret title");
    free(c->findings[0].message);
    c->findings[0].message = text_dup("secret finding");
    free(c->message);
    c->message = text_dup("secret value");
    char *page = page_of(r);
    CU_ASSERT_PTR_NULL(strstr(page, "secret"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "missing-acquire"));
    c->hidden = false;
    free(page);
    page = page_of(r);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "secret title"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "secret finding"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "secret value"));
    free(page);
    record_free(r);
}

/** The n-th step's class and the text behind its number. */
static void expect_step(const char *page, int n, const char *class, const char *what)
{
    char *row = text_format("\" style=\"grid-row:%d\">", n + 1);
    const char *at = strstr(page, row), *from = at;
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    while (strncmp(from, "<div", 4))
        from--;
    char *got = text_format("%.*s", (int)(at - from), from);
    char *expected = text_format("<div class=\"step %s", class);
    CU_ASSERT_STRING_EQUAL(got, expected);
    const char *said = strstr(at, what), *next = strstr(at, "</div>");
    CU_ASSERT_TRUE(said && said < next);
    free(row);
    free(got);
    free(expected);
}

static void test_columns(void)
{
    enum record_state failed = STATE_FAIL;
    struct record *r = hostile(&failed, 1);
    char *page = page_of(r);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "class=\"run three\""));
    expect_step(page, 1, "c1 marked", "block 3 thread 0");
    expect_step(page, 2, "c1", "<b>fence, whole GPU</b>");
    expect_step(page, 3, "c2 named", "<b>took 6, left 7</b>"); /* another thread of block 7 */
    expect_step(page, 4, "c3 named", "block 5 thread 0");
    expect_step(page, 4, "c3 named", "(12 times in a row)");
    expect_step(page, 5, "c2 marked missed", "<b>saw 0, not 97</b>");
    free(page);
    /* Without a run there are the two lines alone. */
    struct record_finding *f = &r->parts[0].cases[0].findings[0];
    int steps = f->interleaving_count;
    f->interleaving_count = 0;
    page = page_of(r);
    CU_ASSERT_PTR_NULL(strstr(page, "class=\"run"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "block 7 thread 9"));
    f->interleaving_count = steps;
    free(page);
    record_free(r);
}

/** A picture of a run stands in the page as data, whatever it holds. */
static void test_timelines(void)
{
    struct record *r = hostile(all_states, 1);
    char *page = page_of(r);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "src=\"data:image/svg+xml;base64,PHNjcmlwdD54KCk8L3Nj"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "the reference's run") ? page : strstr(page, "the reference&#39;s run"));
    free(page);
    free(r->parts[0].cases[0].timeline);
    free(r->parts[0].cases[0].reference_timeline);
    r->parts[0].cases[0].timeline = r->parts[0].cases[0].reference_timeline = NULL;
    page = page_of(r);
    CU_ASSERT_PTR_NULL(strstr(page, "<img"));
    free(page);
    record_free(r);
}

/** The two tiers, where they agree and where not; and a page where no GPU took part. */
static void test_tiers(void)
{
    struct record *r = hostile(all_states, 5);
    char *page = page_of(r);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<td><b>missing-acquire</b></td><td><b>right</b>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "proves nothing"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<td><b>right</b></td><td><b>wrong</b>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "show this report to your instructor"));
    CU_ASSERT_PTR_NULL(strstr(page, "No GPU took part"));
    free(page);
    free(r->gpu);
    r->gpu = NULL;
    page = page_of(r);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "No GPU took part"));
    CU_ASSERT_PTR_NULL(strstr(page, "proves nothing"));
    free(page);
    record_free(r);
}

static void test_class_page(void)
{
    enum record_state failed = STATE_FAIL, passed = STATE_OK;
    struct record *bad = hostile(&failed, 1), *good = hostile(&passed, 1);
    good->earned = good->points;
    struct submission list[] = {
        {.name = (char *)HOSTILE, .record = bad},
        {.name = (char *)"50% #1?", .record = good},
        {.name = (char *)HOSTILE, .state = SUBMISSION_REJECTED, .why = HOSTILE}};
    struct class c = {.list = list, .count = 3, .seed = 5};
    struct text out = {0};
    gradebook_page(&out, &c, HOSTILE);
    expect_sound(text_str(&out));
    CU_ASSERT_PTR_NOT_NULL(strstr(text_str(&out), "href=\"pages/50%25%20%231%3F.html\""));
    text_free(&out);
    record_free(bad);
    record_free(good);
}

static void test_sentences(void)
{
    for (int v = VERDICT_NONE + 1; v < VERDICT_COUNT; v++)
        CU_ASSERT_TRUE(strlen(verdict_meaning((enum verdict)v)) > 20);
    CU_ASSERT_PTR_NOT_NULL(sentence_of_counter("bank_conflicts"));
    CU_ASSERT_PTR_NULL(sentence_of_counter("no_such_counter"));
}

UNIT_MAIN("html", {"every text is escaped", test_escaped}, {"the checker", test_checker},
          {"a hidden case tells its kind only", test_hidden_case}, {"columns of a run", test_columns},
          {"two tiers", test_tiers}, {"timelines", test_timelines},
          {"the page of a class", test_class_page}, {"a sentence each", test_sentences})
