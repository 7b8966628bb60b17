/**
 * @file explain.c
 * Why a document does not fit the schema, read off libcyaml's own tables: which key, at which line,
 * and what would be allowed. libcyaml decides; this explains, because its log names lines loosely
 * and never says what is allowed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "spec/document.h"

struct place {
    struct spec_document *d;
    struct trouble *t;
    char path[256];
};

static bool explain(struct place *at, yaml_node_t *node, const cyaml_schema_value_t *schema);

static bool complain(struct place *at, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static bool complain(struct place *at, const char *format, ...)
{
    struct text s = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&s, format, args);
    va_end(args);
    document_trouble(at->d, at->t, at->path, "%s", text_str(&s));
    text_free(&s);
    return false;
}

static const char *shown(const yaml_node_t *n)
{
    return n->type == YAML_MAPPING_NODE    ? "a mapping"
           : n->type == YAML_SEQUENCE_NODE ? "a list"
                                           : (const char *)n->data.scalar.value;
}

static void allowed_keys(const cyaml_schema_field_t *f, struct text *out)
{
    for (int i = 0; f[i].key; i++)
        text_printf(out, "%s%s", i ? ", " : "", f[i].key);
}

/** Extends the path by one step, explains there, and takes the step back. */
static bool explain_below(struct place *at, yaml_node_t *node, const cyaml_schema_value_t *schema,
                          const char *format, ...) __attribute__((format(printf, 4, 5)));
static bool explain_below(struct place *at, yaml_node_t *node, const cyaml_schema_value_t *schema,
                          const char *format, ...)
{
    size_t len = strlen(at->path);
    va_list args;
    va_start(args, format);
    vsnprintf(at->path + len, sizeof at->path - len, format, args);
    va_end(args);
    bool ok = explain(at, node, schema);
    at->path[len] = 0;
    return ok;
}

static bool explain_pair(struct place *at, yaml_node_t *key, yaml_node_t *value,
                         const cyaml_schema_field_t *fields, unsigned char *seen)
{
    const char *dot = at->path[0] ? "." : "";
    if (key->type != YAML_SCALAR_NODE)
        return complain(at, "a key must be plain text");
    const char *name = (const char *)key->data.scalar.value;
    for (int i = 0; fields[i].key; i++) {
        if (strcmp(fields[i].key, name))
            continue;
        if (i < 64 && seen[i]++)
            return complain(at, "the key %s stands here twice", name);
        return explain_below(at, value, &fields[i].value, "%s%s", dot, name);
    }
    struct text allowed = {0};
    allowed_keys(fields, &allowed);
    trouble_set(at->t, "%s:%zu: %s%s%s: unknown key; allowed here: %s", at->d->shown,
                key->start_mark.line + 1, at->path, dot, name, text_str(&allowed));
    text_free(&allowed);
    return false;
}

static bool explain_mapping(struct place *at, yaml_node_t *node,
                            const cyaml_schema_field_t *fields)
{
    unsigned char seen[64] = {0};
    if (node->type != YAML_MAPPING_NODE) {
        struct text allowed = {0};
        allowed_keys(fields, &allowed);
        complain(at, "must be a mapping with the keys %s", text_str(&allowed));
        text_free(&allowed);
        return false;
    }
    for (yaml_node_pair_t *p = node->data.mapping.pairs.start; p < node->data.mapping.pairs.top;
         p++)
        if (!explain_pair(at, yaml_document_get_node(&at->d->yaml, p->key),
                          yaml_document_get_node(&at->d->yaml, p->value), fields, seen))
            return false;
    for (int i = 0; fields[i].key && i < 64; i++)
        if (!seen[i] && !(fields[i].value.flags & CYAML_FLAG_OPTIONAL))
            return complain(at, "the key %s is missing", fields[i].key);
    return true;
}

static bool explain_sequence(struct place *at, yaml_node_t *node, const cyaml_schema_value_t *s)
{
    if (node->type != YAML_SEQUENCE_NODE)
        return complain(at, "must be a list, not %s", shown(node));
    yaml_node_item_t *items = node->data.sequence.items.start;
    size_t count = (size_t)(node->data.sequence.items.top - items);
    if (count < s->sequence.min || count > s->sequence.max)
        return complain(at, "has %zu entries; allowed: %u to %u", count, s->sequence.min,
                        s->sequence.max);
    for (size_t i = 0; i < count; i++)
        if (!explain_below(at, yaml_document_get_node(&at->d->yaml, items[i]), s->sequence.entry,
                           "[%zu]", i))
            return false;
    return true;
}

static bool explain_enum(struct place *at, const char *value, const cyaml_schema_value_t *s)
{
    struct text allowed = {0};
    bool found = false;
    for (unsigned i = 0; i < s->enumeration.count; i++) {
        found |= !strcmp(s->enumeration.strings[i].str, value);
        text_printf(&allowed, "%s%s", i ? ", " : "", s->enumeration.strings[i].str);
    }
    if (!found)
        complain(at, "is %s; allowed: %s", value, text_str(&allowed));
    text_free(&allowed);
    return found;
}

static bool explain_number(struct place *at, const char *value, const cyaml_schema_value_t *s)
{
    char *end;
    errno = 0;
    if (s->type == CYAML_FLOAT)
        strtod(value, &end);
    else
        strtoll(value, &end, 0);
    if (end == value || *end || errno)
        return complain(at, "is \"%.40s\"; it must be %s", value,
                        s->type == CYAML_FLOAT ? "a number" : "an integer");
    if (s->type == CYAML_UINT && *value == '-')
        return complain(at, "is %s; it must not be negative", value);
    return true;
}

static bool explain(struct place *at, yaml_node_t *node, const cyaml_schema_value_t *s)
{
    if (!node || s->type == CYAML_IGNORE)
        return true;
    if (s->type == CYAML_MAPPING)
        return explain_mapping(at, node, s->mapping.fields);
    if (s->type == CYAML_SEQUENCE)
        return explain_sequence(at, node, s);
    if (node->type != YAML_SCALAR_NODE)
        return complain(at, "must be a single value, not %s", shown(node));
    const char *value = (const char *)node->data.scalar.value;
    if (s->type == CYAML_ENUM)
        return explain_enum(at, value, s);
    if (s->type == CYAML_STRING && node->data.scalar.length > s->string.max)
        return complain(at, "has %zu bytes; at most %u are allowed", node->data.scalar.length,
                        s->string.max);
    if (s->type == CYAML_STRING && node->data.scalar.length < s->string.min)
        return complain(at, "must not be empty");
    if (s->type == CYAML_STRING)
        return true;
    if (s->type == CYAML_BOOL)
        return !strcmp(value, "true") || !strcmp(value, "false") ||
               complain(at, "is %.40s; allowed: true, false", value);
    return explain_number(at, value, s);
}

bool document_explain(struct spec_document *d, const cyaml_schema_value_t *schema,
                      struct trouble *t)
{
    struct place at = {.d = d, .t = t};
    return explain(&at, yaml_document_get_root_node(&d->yaml), schema);
}
