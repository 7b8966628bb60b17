/**
 * @file test_progress.c
 * What lasts between calls: a lab's last record comes back whole, pictures and all, though these lie in a file of their own; pictures of another record are none.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "course/progress.h"
#include "record/record_json.h"
#include "record_sample.h"
#include "unit.h"

static const char first[] = "<svg>\none\n</svg>", second[] = "<svg>\xc3\xa9 two 1 3\n</svg>\n";

/** A kit with a folder of its own. */
static struct kit open_kit(char *folder)
{
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    return (struct kit){.root = folder, .build = folder};
}

static void close_kit(const struct kit *k)
{
    text_remove_tree(k->build);
}

/** The record's file, or that of its pictures. */
static char *read_file(const struct kit *k, const char *name, size_t *len)
{
    const char *why;
    char *path = text_format("%s/progress/lab03_x.%s", k->build, name), *text = text_read_file(path, 1u << 20, len, &why);
    free(path);
    return text;
}

static void write_file(const struct kit *k, const char *name, const char *text, size_t len)
{
    char *path = text_format("%s/progress/lab03_x.%s", k->build, name);
    CU_ASSERT(text_write_file(path, text, len));
    free(path);
}

static struct record *sample_with_pictures(void)
{
    struct record *r = sample();
    r->parts[0].cases[0].timeline = text_dup(first);
    r->parts[0].cases[1].timeline = text_dup("");
    r->parts[0].cases[1].reference_timeline = text_dup(second);
    return r;
}

static void test_pictures(void)
{
    char folder[] = "/tmp/test_progress.XXXXXX";
    struct kit k = open_kit(folder);
    struct trouble t = {0};
    struct record *r = sample_with_pictures(), *plain = sample(), *back;
    size_t len;
    CU_ASSERT_PTR_NULL(progress_load(&k, "lab03_x"));
    CU_ASSERT_FATAL(progress_save(&k, r, &t) && (back = progress_load(&k, "lab03_x")) != NULL);
    char *whole = record_to_json(r), *again = record_to_json(back), *bare = record_to_json_bare(r), *kept = read_file(&k, "record.json", &len);
    CU_ASSERT_STRING_EQUAL(whole, again);
    CU_ASSERT(strstr(whole, "svg") && !strstr(bare, "svg") && !strstr(kept, "svg"));
    CU_ASSERT_STRING_EQUAL(back->parts[0].cases[1].reference_timeline, second);
    CU_ASSERT_PTR_NULL(back->parts[0].cases[0].reference_timeline);
    record_free(back);
    CU_ASSERT_FATAL(progress_save(&k, plain, &t) && (back = progress_load(&k, "lab03_x")) != NULL); /* and those of before are gone */
    CU_ASSERT(!back->parts[0].cases[0].timeline && !read_file(&k, "pictures", &len));
    record_free(back);
    free(whole);
    free(again);
    free(bare);
    free(kept);
    record_free(r);
    record_free(plain);
    close_kit(&k);
}

static void test_damaged(void)
{
    char folder[] = "/tmp/test_progress.XXXXXX";
    struct kit k = open_kit(folder);
    struct trouble t = {0};
    struct record *r = sample_with_pictures(), *back;
    size_t len, size;
    CU_ASSERT_FATAL(progress_save(&k, r, &t));
    char *good = read_file(&k, "pictures", &len), *json = read_file(&k, "record.json", &size);
    for (size_t cut = 0; cut < len; cut++) {
        bool between = !cut || !strncmp(good + cut, "two ", 4) || !strncmp(good + cut, "one ", 4); /* which no one can tell from fewer pictures */
        write_file(&k, "pictures", good, cut);
        back = progress_load(&k, "lab03_x");
        CU_ASSERT(!back || (cut && between));
        record_free(back);
    }
    for (size_t at = 0; at < 17; at++) { /* of another record */
        good[at] ^= 1;
        write_file(&k, "pictures", good, len);
        CU_ASSERT_PTR_NULL(progress_load(&k, "lab03_x"));
        good[at] ^= 1;
    }
    write_file(&k, "pictures", good, len);
    back = progress_load(&k, "lab03_x");
    CU_ASSERT_PTR_NOT_NULL(back);
    record_free(back);
    char *at = strstr(json, "0.25");
    CU_ASSERT_FATAL(at != NULL);
    at[3] = '6';
    write_file(&k, "record.json", json, size);
    CU_ASSERT_PTR_NULL(progress_load(&k, "lab03_x"));
    free(good);
    free(json);
    record_free(r);
    close_kit(&k);
}

UNIT_MAIN("progress", {"pictures", test_pictures}, {"pictures that are not its own", test_damaged})
