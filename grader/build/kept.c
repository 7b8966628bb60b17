/**
 * @file kept.c
 * FOLDER/HASH.cu and FOLDER/HASH.made; see kept.h. Both are renamed into place, the text last, so that several
 * graders may share a folder.
 */
#include "build/kept.h"
#include "build/assembly.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_BYTES (256u << 20)

/** "FOLDER/HASH"; the caller frees. NULL: nothing is to be kept. */
static char *kept_name(const struct kit *k, char *const *argv, const char *text)
{
    const char *folder = getenv("FENCEPOST_COMPILED");
    struct stat st;
    if (!folder || !*folder || stat(k->nvcc, &st) != 0 || assembly_is_in(text)) /* assembly.h asks for what else nvcc leaves */
        return NULL;
    uint64_t h = text_hash(TEXT_HASH_START, text, strlen(text));
    h = text_hash(h, &st.st_mtim, sizeof st.st_mtim);
    for (; *argv; argv++)
        h = text_hash(h, *argv, strlen(*argv) + 1);
    return text_format("%s/%016llx", folder, (unsigned long long)h);
}

static bool is_text(const char *path, const char *text)
{
    const char *why;
    size_t len;
    char *kept = text_read_file(path, MAX_BYTES, &len, &why);
    bool same = kept && len == strlen(text) && !memcmp(kept, text, len);
    free(kept);
    return same;
}

bool kept_take(const struct kit *k, char *const *argv, const char *text, const char *product)
{
    char *name = kept_name(k, argv, text);
    if (!name)
        return false;
    char *source = text_format("%s.cu", name), *made = text_format("%s.made", name);
    const char *why;
    size_t len;
    char *data = is_text(source, text) ? text_read_file(made, MAX_BYTES, &len, &why) : NULL;
    bool ok = data && text_write_file(product, data, len);
    free(data);
    free(source);
    free(made);
    free(name);
    return ok;
}

void kept_give(const struct kit *k, char *const *argv, const char *text, const char *product)
{
    char *name = kept_name(k, argv, text);
    if (!name)
        return;
    char *source = text_format("%s.cu", name), *made = text_format("%s.made", name);
    const char *why;
    size_t len;
    char *data = text_read_file(product, MAX_BYTES, &len, &why);
    if (data && text_write_file(made, data, len))
        text_write_file(source, text, strlen(text));
    free(data);
    free(source);
    free(made);
    free(name);
}
