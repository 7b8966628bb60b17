/**
 * @file dev_new.c
 * Copying the files of course/new_lab with @LAB@ and @FOLDER@ filled in; see dev_new.h.
 */
#include "course/dev_new.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *from, *to; /**< in grader/course/new_lab; in the kit, %s the lab's folder */
} files[] = {
    {"README.md", "labs/%s/README.md"},
    {"lab.yaml", "labs/%s/lab.yaml"},
    {"harness.c", "labs/%s/harness.c"},
    {"kernel.cu", "labs/%s/kernel.cu"},
    {"solution.cu", "solutions/%s/kernel.cu"},
    {"alternative.cu", "solutions/%s/alternatives/contiguous.cu"},
    {"wrong_no_bounds.cu", "solutions/%s/wrong/no_bounds.cu"},
    {"wrong_one_each.cu", "solutions/%s/wrong/one_each.cu"},
};

static bool is_lab_name(const char *s)
{
    if (strncmp(s, "lab", 3) || !isdigit((unsigned char)s[3]) || !isdigit((unsigned char)s[4]) ||
        s[5] != '_' || !s[6] || strlen(s) > 60)
        return false;
    for (s += 6; *s; s++)
        if (!islower((unsigned char)*s) && !isdigit((unsigned char)*s) && *s != '_')
            return false;
    return true;
}

/** `text` with every `mark` replaced; frees `text`. */
static char *fill_in(char *text, const char *mark, const char *value)
{
    struct text out = {0};
    const char *p = text;
    for (const char *at; (at = strstr(p, mark)); p = at + strlen(mark)) {
        text_add(&out, p, (size_t)(at - p));
        text_puts(&out, value);
    }
    text_puts(&out, p);
    free(text);
    return out.data ? out.data : text_dup("");
}

static bool copy(const struct kit *k, const char *name, const char *from, const char *to,
                 struct trouble *t)
{
    const char *why;
    size_t len;
    size_t mark = strcspn(to, "%");
    char *source = kit_path(k, "grader/course/new_lab/%s", from);
    char *target = kit_path(k, "%.*s%s%s", (int)mark, to, name, to + mark + 2);
    char *text = text_read_file(source, 1 << 20, &len, &why), *lab = kit_short_name(name);
    bool ok = text != NULL;
    if (!ok)
        trouble_set(t, "%s: %s", source, why);
    if (ok) {
        char *folder = text_format("%.*s", (int)(strrchr(target, '/') - target), target);
        text = fill_in(fill_in(text, "@LAB@", lab), "@FOLDER@", name);
        ok = (text_make_dirs(folder) || trouble_set(t, "cannot write to %s: %s", folder, strerror(errno))) &&
             text_put_file(target, text, strlen(text), t);
        free(folder);
    }
    if (ok)
        printf("%s\n", target + strlen(k->root) + 1);
    free(text);
    free(lab);
    free(source);
    free(target);
    return ok;
}

bool dev_new(const struct kit *k, const char *name, struct trouble *t)
{
    if (!is_lab_name(name))
        return trouble_set(t, "dev new %.60s: allowed: labNN_topic, as lab20_mine", name);
    char *short_name = kit_short_name(name);
    struct trouble ignored = {0};
    const char *taken = kit_find_lab(k, short_name, &ignored);
    bool ok = !taken || trouble_set(t, "there is already %s", taken);
    for (size_t i = 0; ok && i < sizeof files / sizeof files[0]; i++)
        ok = copy(k, name, files[i].from, files[i].to, t);
    if (ok)
        printf("Next: make %s && ./grade dev check %s\n", short_name, short_name);
    free(short_name);
    return ok;
}
