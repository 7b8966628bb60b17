/**
 * @file damage.h
 * Damaged PTX for fuzzers, and what became of the slowest input. One fuzzer is one translation unit. FUZZER, its
 * name, and SLOW_SECONDS, the CPU seconds that an input may take, are defined before.
 */
#ifndef TESTS_FUZZ_DAMAGE_H
#define TESTS_FUZZ_DAMAGE_H

#include <ctype.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "bound.h"

#define ROOM (1 << 20)

struct input {
    char *text;
    size_t len;
};

static struct input files[64];
static int file_count;
static char at_hand[ROOM];
static size_t at_hand_len;
static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16) % below;
}

/* ---- Damage ---- */

static const char *const words[] = {
    "{", "}", "(", ")", "[", "]", ";", ",", ":", "|", "||", "-", "+", "!", "~", "?", "<", ">", "<<",
    "@", "=", "_", "%", "%r1", "%p1", "%rd1", "%tid.x", "%v.x", ".v4", ".reg", ".reg .v2 .b32 %v;",
    ".param", ".global", ".shared", ".local", ".extern", ".weak", ".func", ".entry", ".align",
    ".loc", ".loc 1 2 3, function_name x, inlined_at 1 2 3", ".file 1 \"x\"", ".section x {",
    ".pragma \"x\";", ".callprototype", ".branchtargets", ".attribute(.managed)", ".alias a, b;",
    "a:", "bra a;", "{ a: bra a; }", ".maxntid", ".b8", ".f32", ".f64", ".u64", ".pred", ".ptr",
    "generic(", "0xff00(", "WARP_SZ", "\"", "\"\\n\"", "/*", "*/", "//", "#", "\n#define", "call",
    "0f3F800000", "0d3FF0000000000000", "1.5", "0", "-1", "0x7fffffffffffffff", "4294967296",
    "18446744073709551615", "9223372036854775808U", "1000000", "[]", "[0]", "[1099511627776]",
    "<100000>", "<0>", "{{{{", "((((", "= {1, {2}, 3}", "\r", "\t", "::", ".",
};

static void remove_at(size_t at, size_t n)
{
    if (at + n > at_hand_len)
        n = at_hand_len - at;
    memmove(at_hand + at, at_hand + at + n, at_hand_len - at - n);
    at_hand_len -= n;
}

static void insert_at(size_t at, const char *bytes, size_t n)
{
    if (at_hand_len + n > ROOM)
        return;
    memmove(at_hand + at + n, at_hand + at, at_hand_len - at);
    memcpy(at_hand + at, bytes, n);
    at_hand_len += n;
}

/** Moves `at` to the beginning of a word or number near it, and gives its length. */
static size_t word_at(size_t *at)
{
    size_t end = *at;
    while (*at > 0 && (isalnum((unsigned char)at_hand[*at - 1]) || at_hand[*at - 1] == '_'))
        (*at)--;
    while (end < at_hand_len && (isalnum((unsigned char)at_hand[end]) || at_hand[end] == '_'))
        end++;
    return end - *at;
}

static void repeat(size_t at)
{
    static char part[64];
    size_t n = draw(sizeof part);
    if (at + n > at_hand_len)
        return;
    memcpy(part, at_hand + at, n);
    for (uint32_t times = draw(8) ? draw(4) : draw(2000); times; times--)
        insert_at(at, part, n);
}

static void splice(size_t at)
{
    const struct input *other = &files[draw((uint32_t)file_count)];
    size_t from = draw((uint32_t)other->len), n = draw(2000);
    insert_at(at, other->text + from, from + n > other->len ? other->len - from : n);
}

static void damage_once(void)
{
    size_t at = draw((uint32_t)at_hand_len), n;
    const char *word = words[draw(sizeof words / sizeof words[0])];
    switch (draw(9)) {
    case 0: at_hand[at] = (char)draw(256); break;
    case 1: at_hand[at] ^= (char)(1 << draw(8)); break;
    case 2: remove_at(at, draw(16)); break;
    case 3: insert_at(at, word, strlen(word)); break;
    case 4:
        n = word_at(&at);
        remove_at(at, n);
        insert_at(at, word, strlen(word));
        break;
    case 5: remove_at(at, word_at(&at)); break;
    case 6: repeat(at); break;
    case 7: splice(at); break;
    default:
        if (draw(4) == 0)
            at_hand_len = at;
    }
    if (at_hand_len == 0)
        insert_at(0, ".", 1);
}

/** A whole file, or its head with some lines from anywhere: short inputs are tried more often. */
static void make_input(void)
{
    const struct input *f = &files[draw((uint32_t)file_count)];
    at_hand_len = f->len < ROOM / 2 ? f->len : ROOM / 2;
    memcpy(at_hand, f->text, at_hand_len);
    if (draw(3) && at_hand_len > 1000) {
        size_t from = draw((uint32_t)at_hand_len);
        while (from < at_hand_len && at_hand[from] != '\n')
            from++;
        remove_at(200, from > 200 ? from - 200 : 0);
        if (at_hand_len > 3000)
            at_hand_len = 3000;
    }
    for (uint32_t n = 1 + draw(6); n; n--)
        damage_once();
}

/* ---- What becomes of it ---- */

static void write_input(const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return;
    fwrite(at_hand, 1, at_hand_len, f);
    fclose(f);
}

static void save_input(void)
{
    write_input("fuzz_failed.ptx");
    fprintf(stderr, FUZZER ": the input is in fuzz_failed.ptx\n");
}

static void hung(int signal_number)
{
    (void)signal_number;
    save_input();
    fprintf(stderr, FUZZER ": no end after %d s\n", SLOW_SECONDS);
    _exit(1);
}

static clock_t input_began, slowest;

/** CPU time counts: another program's work makes no input slow. */
static void input_begin(void)
{
    struct itimerval limit = {.it_value = {.tv_sec = SLOW_SECONDS}};
    signal(SIGPROF, hung);
    setitimer(ITIMER_PROF, &limit, NULL);
    input_began = clock();
}

/** The slowest input so far is kept in FUZZER_slowest.ptx. */
static void input_end(void)
{
    clock_t took = clock() - input_began;
    if (took <= slowest)
        return;
    slowest = took;
    write_input(FUZZER "_slowest.ptx");
}

static void tell_slowest(void)
{
    printf(FUZZER ": the slowest input took %.3f s: " FUZZER "_slowest.ptx\n", (double)slowest / CLOCKS_PER_SEC);
}

static bool load(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    char *text = malloc(ROOM);
    size_t len = fread(text, 1, ROOM, f);
    fclose(f);
    files[file_count++] = (struct input){text, len};
    return len > 0;
}

#endif
