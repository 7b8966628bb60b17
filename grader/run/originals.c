/**
 * @file originals.c
 * build/reference/LAB-original-HASH.jsonl, beside the references; see originals.h. The hash is that of all that the run is
 * made from: the original's, the harness's and softgpu's bytes, and what the two are told.
 */
#include "run/originals.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/findings.h"

#define MAX_FINDINGS (64u << 20)

/** Words of a command, without the folders of this grade's own that some end in. */
static uint64_t hash_words(uint64_t h, char *const *words, const char *scratch)
{
    for (; words && *words; words++) {
        const char *own = strstr(*words, scratch);
        h = text_hash(h, *words, own ? (size_t)(own - *words) : strlen(*words));
        h = text_hash(h, "", 1);
    }
    return h;
}

/** The caller frees; NULL: nothing is kept. */
static char *kept_name(const struct case_runner *r, const struct command *c)
{
    const struct build *b = r->build;
    if (r->gpu || !b->kept_original)
        return NULL;
    const uint64_t files[] = {b->original_hash, b->harness_hash, b->common_hash, b->softgpu_hash};
    uint64_t h = text_hash(TEXT_HASH_START, files, sizeof files);
    h = hash_words(h, c->argv, r->scratch);
    h = hash_words(h, c->device.argv ? c->device.env : c->env, r->scratch);
    return text_format("%s-%016llx.jsonl", b->kept_original, (unsigned long long)h);
}

static bool copy(const char *from, const char *to)
{
    const char *why;
    size_t len;
    char *text = text_read_file(from, MAX_FINDINGS, &len, &why);
    bool ok = text && text_write_file(to, text, len);
    free(text);
    return ok;
}

bool originals_take(const struct case_runner *r, struct command *c)
{
    char *name = kept_name(r, c);
    bool there = name && access(name, R_OK) == 0 && copy(name, c->files.findings);
    for (int i = 0; there && c->device.argv && i < 2; i++) {
        close(c->device.sockets[i]);
        close(c->device.lifeline[i]);
    }
    free(name);
    return there;
}

/** Has it errors, and its end? One in which softgpu has not followed everything is as good: it follows as much the next time. */
static bool is_whole(const struct case_runner *r, const char *path)
{
    struct findings f;
    struct trouble t = {0};
    bool whole = findings_read(&f, path, r->spec, "", "original.cu", &t) && f.complete && f.errors && !f.unsupported;
    for (int i = 0; i < f.count; i++)
        record_finding_free(&f.list[i]);
    findings_free(&f);
    return whole;
}

void originals_give(const struct case_runner *r, const struct command *c, const struct child *ended)
{
    if (ended->end != CHILD_EXITED || !is_whole(r, c->files.findings))
        return;
    char *name = kept_name(r, c);
    if (name)
        copy(c->files.findings, name);
    free(name);
}
