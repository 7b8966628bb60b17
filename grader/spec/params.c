/**
 * @file params.c
 * The free-key mapping `params` of a case or a performance entry, which libcyaml skips.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "spec/check.h"

#define MAX_PARAMS 32

static bool is_name(const char *s)
{
    if (!*s || strlen(s) > 40)
        return false;
    for (; *s; s++)
        if (!isalnum((unsigned char)*s) && *s != '_')
            return false;
    return true;
}

struct list {
    struct spec_param **params;
    unsigned *count;
};

static bool read_pair(const struct list *l, struct spec_document *d, const yaml_node_pair_t *pair,
                      const char *path, struct trouble *t)
{
    yaml_node_t *key = yaml_document_get_node(&d->yaml, pair->key);
    yaml_node_t *value = yaml_document_get_node(&d->yaml, pair->value);
    if (key->type != YAML_SCALAR_NODE || !is_name((char *)key->data.scalar.value))
        return document_trouble(d, t, path, "a name must be 1 to 40 letters, digits or _");
    const char *name = (const char *)key->data.scalar.value;
    char *end, *below = text_format("%s.%s", path, name);
    const char *number = value->type == YAML_SCALAR_NODE ? (char *)value->data.scalar.value : "";
    errno = 0;
    long long v = strtoll(number, &end, 10);
    bool ok = end != number && !*end && !errno;
    if (!ok)
        document_trouble(d, t, below, "must be an integer of at most 64 bits");
    for (unsigned i = 0; ok && i < *l->count; i++)
        if (!strcmp((*l->params)[i].name, name))
            ok = document_trouble(d, t, below, "stands here twice");
    if (ok)
        (*l->params)[(*l->count)++] = (struct spec_param){text_dup(name), v};
    free(below);
    return ok;
}

static bool read_list(const struct list *l, struct spec_document *d, const char *path,
                      struct trouble *t)
{
    yaml_node_t *node = document_at(d, "%s", path);
    if (!node)
        return true;
    if (node->type != YAML_MAPPING_NODE)
        return document_trouble(d, t, path, "must be a mapping of names to integers");
    yaml_node_pair_t *first = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
    if (end - first > MAX_PARAMS)
        return document_trouble(d, t, path, "has %td entries; allowed: %d", end - first,
                                MAX_PARAMS);
    *l->params = text_zalloc(MAX_PARAMS, sizeof **l->params);
    for (yaml_node_pair_t *p = first; p < end; p++)
        if (!read_pair(l, d, p, path, t))
            return false;
    return true;
}

bool spec_read_params(struct spec *s, struct spec_document *d, struct trouble *t)
{
    bool ok = true;
    for (unsigned p = 0; ok && p < s->parts_count; p++)
        for (unsigned c = 0; ok && c < s->parts[p].cases_count; c++) {
            struct spec_case *k = &s->parts[p].cases[c];
            char *path = text_format("parts[%u].cases[%u].params", p, c);
            ok = read_list(&(struct list){&k->params, &k->params_count}, d, path, t);
            free(path);
        }
    for (unsigned i = 0; ok && i < s->performance_count; i++) {
        struct spec_performance *q = &s->performance[i];
        char *path = text_format("performance[%u].params", i);
        ok = read_list(&(struct list){&q->params, &q->params_count}, d, path, t);
        free(path);
    }
    return ok;
}
