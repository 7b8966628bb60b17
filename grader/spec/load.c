/**
 * @file load.c
 * lab.yaml → struct spec: bytes, tree, libcyaml by the schema, params, rules; see spec.h.
 */
#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/check.h"
#include "spec/schema.h"

#define MAX_SPEC_BYTES (256u << 10)
#define MAX_SOURCE_BYTES (1u << 20)

/** Keeps libcyaml's first complaint, for the case that explain.c finds none. */
static void keep_log(cyaml_log_t level, void *ctx, const char *format, va_list args)
{
    struct trouble *t = ctx;
    if (level == CYAML_LOG_ERROR && !t->what[0]) {
        vsnprintf(t->what, sizeof t->what, format, args);
        t->what[strcspn(t->what, "\n")] = 0;
    }
}

static struct trouble said;
static cyaml_config_t config = {.log_fn = keep_log,
                                .log_ctx = &said,
                                .mem_fn = cyaml_mem,
                                .log_level = CYAML_LOG_ERROR,
                                .flags = CYAML_CFG_NO_ALIAS};

static bool check_skeleton(const struct spec *s, const char *shown, const char *skeleton,
                           struct spec_document *d, struct trouble *t)
{
    size_t len;
    const char *why;
    char *source = text_read_file(skeleton, MAX_SOURCE_BYTES, &len, &why);
    if (!source)
        return trouble_set(t, "%s: the lab's kernel.cu beside it: %s", shown, why);
    const struct spec_kernel *kernel = spec_missing_kernel(s, source);
    const struct spec_kernel *function = spec_missing_function(s, source);
    free(source);
    if (!kernel && !function)
        return true;
    char *path = kernel ? text_format("kernels[%td].name", kernel - s->kernels)
                        : text_format("functions[%td].name", function - s->functions);
    document_trouble(d, t, path, "the skeleton kernel.cu defines no %sfunction %s",
                     kernel ? "__global__ " : "", kernel ? kernel->name : function->name);
    free(path);
    return false;
}

static bool fill(struct spec **s, struct spec_document *d, const char *text, size_t len,
                 struct trouble *t)
{
    cyaml_err_t e = CYAML_OK;
    said = (struct trouble){0};
    if (!document_explain(d, &spec_schema, t))
        return false;
    e = cyaml_load_data((const uint8_t *)text, len, &config, &spec_schema, (cyaml_data_t **)s,
                        NULL);
    if (e != CYAML_OK || !*s)
        return trouble_set(t, "%s: %s", d->shown, said.what[0] ? said.what : cyaml_strerror(e));
    (*s)->shown = text_dup(d->shown);
    (*s)->hash = text_hash(TEXT_HASH_START, text, len);
    return spec_read_params(*s, d, t) && spec_check(*s, d, t);
}

struct spec *spec_load(const char *path, const char *shown, const char *skeleton,
                       struct trouble *t)
{
    size_t len;
    const char *why;
    struct spec *s = NULL;
    char *text = text_read_file(path, MAX_SPEC_BYTES, &len, &why);
    if (!text) {
        trouble_set(t, "%s: %s", shown, why);
        return NULL;
    }
    struct spec_document d;
    bool ok = document_open(&d, text, len, shown, t) && fill(&s, &d, text, len, t) &&
              (!skeleton || check_skeleton(s, shown, skeleton, &d, t));
    document_close(&d);
    free(text);
    if (!ok) {
        spec_free(s);
        trouble_todo(t, "docs/lab_yaml.md explains every key");
        return NULL;
    }
    return s;
}

static void free_params(struct spec_param *params, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(params[i].name);
    free(params);
}

void spec_free(struct spec *s)
{
    if (!s)
        return;
    for (unsigned p = 0; p < s->parts_count; p++)
        for (unsigned c = 0; c < s->parts[p].cases_count; c++)
            free_params(s->parts[p].cases[c].params, s->parts[p].cases[c].params_count);
    for (unsigned i = 0; i < s->performance_count; i++)
        free_params(s->performance[i].params, s->performance[i].params_count);
    free(s->shown);
    cyaml_free(&config, &spec_schema, s, 0);
}

struct spec_limits spec_case_limits(const struct spec *s, const struct spec_case *c)
{
    struct spec_limits l = s->limits;
    if (!c->limits)
        return l;
#define OWN(key) l.key = c->limits->key ? c->limits->key : l.key
    OWN(seconds);
    OWN(bytes);
    OWN(output);
    OWN(result);
    OWN(steps);
#undef OWN
    return l;
}

bool spec_has_places(const struct spec *s)
{
    for (unsigned p = 0; p < s->parts_count; p++)
        for (unsigned i = 0; i < s->parts[p].cases_count; i++)
            if (s->parts[p].cases[i].places)
                return true;
    return false;
}

static bool lists(const struct spec_kernel *list, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(list[i].name, name))
            return true;
    return false;
}

bool spec_has_entry(const struct spec *s, const char *name)
{
    return lists(s->kernels, s->kernels_count, name) || lists(s->functions, s->functions_count, name);
}

const struct spec_case *spec_find_case(const struct spec *s, const char *name)
{
    for (unsigned p = 0; p < s->parts_count; p++)
        for (unsigned i = 0; i < s->parts[p].cases_count; i++)
            if (!strcmp(s->parts[p].cases[i].name, name))
                return &s->parts[p].cases[i];
    return NULL;
}

static const struct spec_param *find_param(const struct spec_param *params, unsigned count,
                                           const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(params[i].name, name))
            return &params[i];
    return NULL;
}

int64_t spec_performance_param(const struct spec *s, const struct spec_performance *p,
                               const char *name, bool *found)
{
    const struct spec_case *c = spec_find_case(s, p->case_name);
    const struct spec_param *own = find_param(p->params, p->params_count, name);
    if (!own && c)
        own = find_param(c->params, c->params_count, name);
    if (found)
        *found = own != NULL;
    return own ? own->value : 0;
}

struct spec_array_rule spec_array_rule(const struct spec *s, const struct spec_case *c,
                                       const char *array)
{
    const struct spec_compare *r = c->compare ? c->compare : &s->compare;
    for (unsigned i = 0; i < r->arrays_count; i++)
        if (!strcmp(r->arrays[i].name, array))
            return r->arrays[i];
    return (struct spec_array_rule){NULL, r->rule, r->absolute, r->relative};
}
