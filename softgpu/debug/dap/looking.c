/**
 * @file looking.c
 * Threads, stacks, variables: what the client shows where the program stands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/dap/adapter.h"
#include "debug/talk.h"

static long long threads_per_block(const struct adapter *a)
{
    const json_t *shape = json_object_get(json_object_get(a->session.stop, "run"), "shape");
    long long n = 1;
    for (size_t i = 0; i < 3 && shape; i++)
        n *= json_integer_value(json_array_get(shape, i));
    return shape ? n : 0;
}

static long long number_of(const struct adapter *a, long long block, long long thread)
{
    long long n = threads_per_block(a);
    return n ? FIRST_THREAD + block * n + thread : HOST_THREAD;
}

long long thread_number(const struct adapter *a)
{
    return json_object_get(a->session.stop, "block") ? number_of(a, a->session.block, a->session.thread) : HOST_THREAD;
}

void forget_handles(struct adapter *a)
{
    for (int i = 0; i < a->handles.count; i++)
        free(a->handles.data[i].expression);
    a->handles.count = 0;
}

static int make_handle(struct adapter *a, struct handle h)
{
    *LIST_PUSH(&a->handles) = h;
    return a->handles.count;
}

static const struct handle *handle_of(const struct adapter *a, long long n)
{
    return n > 0 && n <= a->handles.count ? &a->handles.data[n - 1] : NULL;
}

static void look_at(struct adapter *a, const struct handle *h)
{
    a->session.block = h->block;
    a->session.thread = h->thread;
    a->session.frame = h->frame;
}

/** Asks; where the answer is an error, it is the reply's. @return NULL then */
static json_t *ask(struct adapter *a, json_t *question, struct reply *r)
{
    json_t *m = session_ask(&a->session, question);
    const char *error = talk_text(m, "error", NULL);
    if (!error)
        return m;
    fail_reply(r, "%s", error);
    json_decref(m);
    return NULL;
}

/* ---- Threads ---- */

/** The lowest thread of the group, or the one that is looked at, or one of the finding's, if they are in it. */
static long long speaker(const struct adapter *a, const json_t *group)
{
    long long block = talk_number(group, "block", 0), warp = talk_number(group, "warp", 0);
    unsigned long mask = (unsigned long)talk_number(group, "mask", 1);
    const json_t *trail = json_object_get(a->finding, "trail");
    if (block == a->session.block && warp == a->session.thread / 32 && (mask >> a->session.thread % 32 & 1))
        return a->session.thread;
    for (size_t i = 0; i < 2 && trail; i++) {
        long long t = (long long)json_integer_value(json_array_get(json_object_get(trail, "thread"), i));
        if ((long long)json_integer_value(json_array_get(json_object_get(trail, "block"), i)) == block && warp == t / 32 &&
            (mask >> t % 32 & 1))
            return t;
    }
    return warp * 32 + (mask ? __builtin_ctzl(mask) : 0);
}

static json_t *thread_entry(const struct adapter *a, const json_t *group)
{
    char name[200];
    long long block = talk_number(group, "block", 0), thread = speaker(a, group);
    unsigned long mask = (unsigned long)talk_number(group, "mask", 1);
    snprintf(name, sizeof name, "block %lld thread %lld (%d lanes): line %lld, %s", block, thread, __builtin_popcountl(mask),
             talk_number(group, "line", 0), talk_text(group, "state", ""));
    return json_pack("{s:I,s:s}", "id", (json_int_t)number_of(a, block, thread), "name", name);
}

void on_threads(struct adapter *a, const json_t *arguments, struct reply *r)
{
    json_t *list = json_array();
    (void)arguments;
    r->body = json_pack("{s:o}", "threads", list);
    if (!a->running && threads_per_block(a)) {
        json_t *question = session_question(&a->session, "threads"), *wanted = json_array(), *g, *b;
        size_t i;
        json_array_append_new(wanted, json_integer((json_int_t)a->session.block));
        json_array_foreach(json_object_get(json_object_get(a->finding, "trail"), "block"), i, b)
            json_array_append(wanted, b);
        json_object_set_new(question, "wanted", wanted);
        json_t *m = session_ask(&a->session, question);
        json_array_foreach(json_object_get(m, "groups"), i, g)
            json_array_append_new(list, thread_entry(a, g));
        json_decref(m);
    }
    if (!json_array_size(list))
        json_array_append_new(list, json_pack("{s:i,s:s}", "id", HOST_THREAD, "name", "the program on the host"));
}

/* ---- Stacks ---- */

static json_t *frame_entry(struct adapter *a, const json_t *place, struct handle h)
{
    const char *file = talk_text(place, "file", NULL);
    json_t *m = json_pack("{s:i,s:s,s:I,s:i}", "id", make_handle(a, h), "name", talk_text(place, "function", "?"), "line",
                          (json_int_t)talk_number(place, "line", 0), "column", 0);
    if (file) {
        const char *slash = strrchr(file, '/');
        json_object_set_new(m, "source", json_pack("{s:s,s:s}", "name", slash ? slash + 1 : file, "path", file));
    }
    return m;
}

void on_stack_trace(struct adapter *a, const json_t *arguments, struct reply *r)
{
    long long n = talk_number(arguments, "threadId", 0) - FIRST_THREAD, threads = threads_per_block(a);
    bool host = n < 0 || !threads;
    struct handle h = {.kind = HANDLE_FRAME};
    json_t *list, *f;
    size_t i;
    if (!host) {
        h.block = n / threads;
        h.thread = n % threads;
    }
    json_t *m = ask(a, json_pack("{s:s,s:I,s:I}", "do", host ? "host" : "stack", "block", (json_int_t)h.block, "thread",
                                 (json_int_t)h.thread), r);
    if (!m)
        return;
    list = json_array();
    json_array_foreach(json_object_get(m, "frames"), i, f) {
        h.frame = (int)i;
        json_array_append_new(list, frame_entry(a, f, h));
    }
    json_decref(m);
    r->body = json_pack("{s:i,s:o}", "totalFrames", (int)json_array_size(list), "stackFrames", list);
}

/* ---- Variables ---- */

void on_scopes(struct adapter *a, const json_t *arguments, struct reply *r)
{
    static const struct {
        const char *name;
        int kind;
    } scopes[] = {{"Locals", HANDLE_LOCALS}, {"CUDA", HANDLE_SPECIAL}, {"Buffers", HANDLE_BUFFERS}, {"PTX registers", HANDLE_REGISTERS}};
    const struct handle *at = handle_of(a, talk_number(arguments, "frameId", 0));
    json_t *list = json_array();
    r->body = json_pack("{s:o}", "scopes", list);
    if (!at || at->kind != HANDLE_FRAME)
        return;
    struct handle h = *at;
    for (size_t i = 0; i < sizeof scopes / sizeof scopes[0] && threads_per_block(a); i++) {
        h.kind = scopes[i].kind;
        json_array_append_new(list, json_pack("{s:s,s:i,s:b}", "name", scopes[i].name, "variablesReference", make_handle(a, h),
                                              "expensive", h.kind == HANDLE_REGISTERS));
    }
}

/** One variable; what has parts gets a number to ask for them. */
static json_t *variable(struct adapter *a, const struct handle *in, const char *name, const char *expression, const json_t *m)
{
    int parts = 0;
    if (talk_number(m, "count", 0) > 0 && talk_true(m, "placed"))
        parts = make_handle(a, (struct handle){HANDLE_VALUE, in->block, in->thread, in->frame, strdup(expression)});
    json_t *v = json_pack("{s:s,s:s,s:s,s:i,s:s}", "name", name, "value", talk_text(m, "value", talk_text(m, "error", "?")), "type",
                          talk_text(m, "type", ""), "variablesReference", parts, "evaluateName", expression);
    if (talk_true(m, "placed")) {
        char address[32];
        snprintf(address, sizeof address, "0x%llx", (unsigned long long)talk_number(m, "address", 0));
        json_object_set_new(v, "memoryReference", json_string(address));
    }
    return v;
}

static json_t *evaluate(struct adapter *a, const char *text, const char *format)
{
    json_t *question = session_question(&a->session, "evaluate");
    json_object_set_new(question, "text", json_string(text));
    json_object_set_new(question, "format", json_string(format));
    return session_ask(&a->session, question);
}

static void list_children(struct adapter *a, struct handle h, json_t *list)
{
    json_t *m = evaluate(a, h.kind == HANDLE_VALUE ? h.expression : "", "+"), *c;
    size_t i;
    json_array_foreach(json_object_get(m, "children"), i, c)
        json_array_append_new(list, variable(a, &h, talk_text(c, "name", ""), talk_text(c, "expression", talk_text(c, "name", "")), c));
    json_decref(m);
}

static void list_named(struct adapter *a, struct handle h, json_t *list, const char *name)
{
    json_t *m = evaluate(a, name, "");
    json_array_append_new(list, variable(a, &h, name, name, m));
    json_decref(m);
}

static void list_registers(struct adapter *a, json_t *list)
{
    json_t *m = session_ask(&a->session, session_question(&a->session, "registers")), *g;
    size_t i;
    json_array_foreach(json_object_get(m, "registers"), i, g) {
        char value[64];
        long long v = talk_number(g, "value", 0);
        const char *type = talk_text(g, "type", "");
        float f;
        unsigned low = (unsigned)v;
        memcpy(&f, &low, sizeof f);
        if (!strcmp(type, "f32"))
            snprintf(value, sizeof value, "%.9g", (double)f);
        else
            snprintf(value, sizeof value, "0x%llx", (unsigned long long)v);
        json_array_append_new(list, json_pack("{s:s,s:s,s:s,s:i,s:s}", "name", talk_text(g, "name", ""), "value", value, "type",
                                              type, "variablesReference", 0, "evaluateName", talk_text(g, "name", "")));
    }
    json_decref(m);
}

void on_variables(struct adapter *a, const json_t *arguments, struct reply *r)
{
    static const char *const special[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    const struct handle *at = handle_of(a, talk_number(arguments, "variablesReference", 0));
    json_t *list = json_array(), *b;
    size_t i;
    r->body = json_pack("{s:o}", "variables", list);
    if (!at)
        return;
    struct handle h = *at; /* the list may move */
    char *kept = h.expression = h.expression ? strdup(h.expression) : NULL;
    look_at(a, &h);
    if (h.kind == HANDLE_REGISTERS) {
        list_registers(a, list);
    } else if (h.kind == HANDLE_SPECIAL) {
        for (i = 0; i < 4; i++)
            list_named(a, h, list, special[i]);
    } else if (h.kind == HANDLE_BUFFERS) {
        json_t *m = session_ask(&a->session, session_question(&a->session, "buffers"));
        json_array_foreach(json_object_get(m, "buffers"), i, b)
            list_named(a, h, list, talk_text(b, "name", ""));
        json_decref(m);
    } else {
        list_children(a, h, list);
    }
    free(kept);
}

void on_evaluate(struct adapter *a, const json_t *arguments, struct reply *r)
{
    const char *text = talk_text(arguments, "expression", "");
    const struct handle *at = handle_of(a, talk_number(arguments, "frameId", 0));
    struct handle h = at ? *at : (struct handle){HANDLE_FRAME, a->session.block, a->session.thread, 0, NULL};
    look_at(a, &h);
    if (!strcmp(talk_text(arguments, "context", ""), "repl") && on_console(a, text, r))
        return;
    json_t *m = evaluate(a, text, "");
    const char *error = talk_text(m, "error", NULL);
    if (error) {
        fail_reply(r, "%s", error);
    } else {
        r->body = variable(a, &h, text, text, m);
        json_object_set(r->body, "result", json_object_get(r->body, "value"));
    }
    json_decref(m);
}

void on_exception_info(struct adapter *a, const json_t *arguments, struct reply *r)
{
    (void)arguments;
    if (!a->finding || !json_object_get(a->session.stop, "finding")) {
        fail_reply(r, "there is no finding here");
        return;
    }
    char *all = json_dumps(a->finding, JSON_INDENT(2));
    r->body = json_pack("{s:s,s:s,s:s,s:{s:s,s:s}}", "exceptionId", talk_text(a->finding, "kind", "finding"), "description",
                        talk_text(a->finding, "message", ""), "breakMode", "always", "details", "message",
                        talk_text(a->finding, "message", ""), "stackTrace", all ? all : "");
    free(all);
}

/** Base64 (RFC 4648) of numbers 0 to 255. */
static char *base64(const json_t *bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = json_array_size(bytes), at = 0;
    char *out = malloc((n + 2) / 3 * 4 + 1);
    if (!out)
        abort();
    for (size_t i = 0; i < n; i += 3) {
        unsigned three = 0;
        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (unsigned)(i + k < n ? json_integer_value(json_array_get(bytes, i + k)) : 0);
        for (size_t k = 0; k < 4; k++)
            out[at++] = i + k > n ? '=' : digits[three >> (18 - 6 * k) & 63];
    }
    out[at] = '\0';
    return out;
}

void on_read_memory(struct adapter *a, const json_t *arguments, struct reply *r)
{
    unsigned long long from = strtoull(talk_text(arguments, "memoryReference", "0"), NULL, 0) +
                              (unsigned long long)talk_number(arguments, "offset", 0);
    long long count = talk_number(arguments, "count", 0);
    json_t *question = session_question(&a->session, "memory");
    json_object_set_new(question, "address", json_integer((json_int_t)from));
    json_object_set_new(question, "bytes", json_integer(count > 65536 ? 65536 : count < 0 ? 0 : count));
    json_t *m = ask(a, question, r);
    if (!m)
        return;
    char address[32], *text = base64(json_object_get(m, "data"));
    snprintf(address, sizeof address, "0x%llx", from);
    r->body = json_pack("{s:s,s:i,s:s}", "address", address, "unreadableBytes",
                        (int)(count - (long long)json_array_size(json_object_get(m, "data"))), "data", text);
    free(text);
    json_decref(m);
}
