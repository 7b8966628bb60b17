/**
 * @file document.c
 * A YAML tree with lines; see document.h.
 */
#include "spec/document.h"

#include <stdlib.h>
#include <string.h>

bool document_open(struct spec_document *d, const char *text, size_t len, const char *shown,
                   struct trouble *t)
{
    yaml_parser_t parser;
    *d = (struct spec_document){.shown = shown};
    if (!yaml_parser_initialize(&parser))
        abort();
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
    d->open = yaml_parser_load(&parser, &d->yaml);
    if (!d->open)
        trouble_set(t, "%s:%zu: not YAML: %s", shown, parser.problem_mark.line + 1,
                    parser.problem ? parser.problem : "unreadable");
    yaml_parser_delete(&parser);
    if (d->open && !yaml_document_get_root_node(&d->yaml))
        return trouble_set(t, "%s:1: the file is empty", shown);
    return d->open;
}

void document_close(struct spec_document *d)
{
    if (d->open)
        yaml_document_delete(&d->yaml);
    d->open = false;
}

/** The value of `key` in a mapping node, or NULL. */
static yaml_node_t *document_value(struct spec_document *d, yaml_node_t *mapping, const char *key)
{
    if (!mapping || mapping->type != YAML_MAPPING_NODE)
        return NULL;
    for (yaml_node_pair_t *p = mapping->data.mapping.pairs.start;
         p < mapping->data.mapping.pairs.top; p++) {
        yaml_node_t *k = yaml_document_get_node(&d->yaml, p->key);
        if (k && k->type == YAML_SCALAR_NODE &&
            !strcmp((const char *)k->data.scalar.value, key))
            return yaml_document_get_node(&d->yaml, p->value);
    }
    return NULL;
}

/** Walks as far as the path exists; `*whole` says whether it was all of it. */
static yaml_node_t *walk(struct spec_document *d, const char *path, bool *whole)
{
    yaml_node_t *node = yaml_document_get_root_node(&d->yaml), *next;
    *whole = false;
    while (node && *path) {
        if (*path == '[') {
            char *end;
            size_t i = strtoul(path + 1, &end, 10);
            next = NULL;
            if (node->type == YAML_SEQUENCE_NODE &&
                i < (size_t)(node->data.sequence.items.top - node->data.sequence.items.start))
                next = yaml_document_get_node(&d->yaml, node->data.sequence.items.start[i]);
            path = *end == ']' ? end + 1 : end;
        } else {
            path += *path == '.';
            size_t n = strcspn(path, ".[");
            char *key = text_format("%.*s", (int)n, path);
            next = document_value(d, node, key);
            free(key);
            path += n;
        }
        if (!next)
            return node;
        node = next;
    }
    *whole = true;
    return node;
}

yaml_node_t *document_at(struct spec_document *d, const char *format, ...)
{
    struct text path = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&path, format, args);
    va_end(args);
    bool whole;
    yaml_node_t *node = walk(d, text_str(&path), &whole);
    text_free(&path);
    return whole ? node : NULL;
}

bool document_trouble(struct spec_document *d, struct trouble *t, const char *path,
                      const char *format, ...)
{
    struct text message = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&message, format, args);
    va_end(args);
    bool whole;
    yaml_node_t *node = walk(d, path, &whole);
    trouble_set(t, "%s:%zu: %s%s%s", d->shown, node ? node->start_mark.line + 1 : 1, path,
                *path ? ": " : "", text_str(&message));
    text_free(&message);
    return false;
}
