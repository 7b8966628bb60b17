/**
 * @file result_file.c
 * Feeds the readers of result files, findings and records damaged input:
 * `result_file BOUND [SEED]`, see bound.h. Build it with -fsanitize=address,undefined.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bound.h"
#include "compare/compare.h"
#include "run/findings.h"
#include "record/finding.h"

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % below;
}

/** A copy with a few bytes, words or lengths changed. */
static char *damaged(const char *whole, size_t len, size_t *out)
{
    static const uint64_t edges[] = {0, 1, 0x7fffffff, 0xffffffff, UINT64_MAX, 1ull << 63, 64, 65};
    char *copy = text_zalloc(len + 1, 1);
    memcpy(copy, whole, len);
    for (uint32_t n = 1 + draw(4); n; n--) {
        size_t at = draw((uint32_t)len);
        size_t width = 1u << draw(4), room = len - at;
        if (draw(3))
            memcpy(copy + at, &edges[draw(8)], width < room ? width : room);
        else
            copy[at] = (char)draw(256);
    }
    *out = draw(4) ? len : draw((uint32_t)len + 1);
    copy[*out] = 0;
    return copy;
}

static char *make_result(size_t *len)
{
    struct text t = {0};
    uint32_t v[8] = {1, 3};
    text_add(&t, "FPRESULT", 8);
    text_add(&t, (char *)v, 8);
    for (uint32_t a = 0; a < 3; a++) {
        uint32_t head[2] = {1, 0}, type = (uint32_t[]){ARRAY_I32, ARRAY_F64, ARRAY_U8}[a];
        uint64_t count = 3 + a;
        char data[64] = {1, 2, 3};
        text_add(&t, (char *)head, 4);
        text_add(&t, "abc" + a, 1);
        text_add(&t, (char *)&type, 4);
        text_add(&t, (char *)&count, 8);
        text_add(&t, data, count * array_type_size((int)type));
    }
    uint32_t end = 0x21444e45;
    text_add(&t, (char *)&end, 4);
    *len = t.len;
    return t.data;
}

static void try_result(const char *whole, size_t len)
{
    struct spec s = {.compare = {.rule = (enum spec_rule)(RULE_EXACT + draw(3))}};
    struct spec_case c = {0};
    struct result_file a, b;
    size_t n;
    char *copy = damaged(whole, len, &n), *first = text_zalloc(len + 1, 1);
    memcpy(first, whole, len);
    if (!result_file_parse(&a, first, len) && !result_file_parse(&b, copy, n)) {
        free(compare_results(&s, &c, &a, &b));
        result_file_close(&b);
    } else {
        free(copy);
    }
    result_file_close(&a);
}

static const char finding_line[] =
    "{\"kind\":\"data-race\",\"level\":\"error\",\"kernel\":\"k\",\"space\":\"global\",\"object\":"
    "\"alloc0\",\"offset\":4,\"accesses\":[{\"op\":\"store\",\"file\":\"kernel.cu\",\"line\":2,"
    "\"block\":[1,0,0],\"thread\":[2,0,0],\"value\":3},{\"op\":\"load\",\"line\":9}],\"message\":"
    "\"m\",\"rule\":\"r\",\"try\":\"t\",\"count\":2,\"seed\":1}\n";

static void try_findings(const char *path)
{
    struct spec s = {0};
    struct findings f;
    struct trouble t = {0};
    size_t n;
    char *copy = damaged(finding_line, sizeof finding_line - 1, &n);
    if (text_write_file(path, copy, n))
        findings_read(&f, path, &s, "one\ntwo\n", "k.cu", &t);
    for (int i = 0; i < f.count; i++)
        record_finding_free(&f.list[i]);
    findings_free(&f);
    free(copy);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    struct bound bound = bound_of(argv[1]);
    size_t len;
    char *result = make_result(&len), path[] = "/tmp/fuzz_findings.XXXXXX";
    unsigned long tried = 0;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) | 1 : 88172645463325252u;
    if (mkstemp(path) < 0)
        return 2;
    for (; bound_more(&bound, tried); tried++) {
        try_result(result, len);
        try_findings(path);
    }
    unlink(path);
    free(result);
    printf("%lu files tried\n", tried);
    return tried == 0;
}
