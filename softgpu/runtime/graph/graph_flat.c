/**
 * @file graph_flat.c
 * A graph, its child graphs within it, as one list: every step comes after those that it depends on. Of those
 * that may come next the one that was added first does, so that graphs of the same making give the same list.
 */
#include <string.h>

#include "runtime/graph/graph.h"

void steps_free(struct steps *steps)
{
    graph_nodes -= steps->count;
    for (int i = 0; i < steps->count; i++) {
        struct step *s = &steps->data[i];
        template_free(s->op);
        LIST_FREE(&s->before);
        LIST_FREE(&s->kinds);
        for (unsigned k = 0; k < s->body_count; k++)
            steps_free(&s->bodies[k]);
        free(s->bodies);
    }
    LIST_FREE(steps);
}

/* What a graph's nodes became: the step that their dependants wait for. */
struct walk {
    struct steps *out;
    int *step_of; /* by the node's index */
    int *missing; /* dependencies that have no step yet */
};

static struct step *push(struct steps *out, const struct node *n, const struct operation *op)
{
    struct step *s = LIST_PUSH(out);
    graph_nodes++;
    *s = (struct step){.op = template_copy(op),
                       .type = n->type,
                       .event = n->event,
                       .node = n->id,
                       .from = (struct node *)(uintptr_t)n,
                       .first = -1};
    return s;
}

static void come_after(struct steps *steps, struct step *s, int before, unsigned char kind)
{
    *LIST_PUSH(&s->before) = before;
    *LIST_PUSH(&s->kinds) = kind;
    steps->data[before].has_after |= kind == EDGE_END;
}

static bool flatten(struct graph *g, struct steps *out, int begin);

/* A child graph is its beginning, its nodes, and its end, which stands for the node. */
static bool push_child(struct node *n, struct steps *out)
{
    int begin = out->count - 1;
    out->data[begin].node = 0;
    if (!flatten(n->child, out, begin))
        return false;
    struct step *end = push(out, n, n->op);
    end->first = begin;
    int last = out->count - 1;
    for (int i = begin; i < last; i++)
        if (!out->data[i].has_after)
            come_after(out, &out->data[last], i, EDGE_END);
    return true;
}

/* What a conditional node holds is laid out for itself: which of it runs, and how often, is known at a launch. */
static bool lay_bodies(const struct node *n, struct step *s)
{
    s->bodies = calloc(n->body_count, sizeof *s->bodies);
    if (!s->bodies)
        abort();
    s->condition_type = n->condition_type;
    s->condition = n->condition;
    for (; s->body_count < n->body_count; s->body_count++)
        if (!graph_flatten(n->bodies[s->body_count], &s->bodies[s->body_count]))
            return false;
    return true;
}

static bool push_node(struct node *n, struct walk *w, int begin)
{
    struct step *s = push(w->out, n, n->op);
    for (int i = 0; i < n->before.count; i++)
        come_after(w->out, s, w->step_of[n->before.data[i]->index], n->kinds.data[i]);
    if (!n->before.count && begin >= 0)
        come_after(w->out, s, begin, EDGE_END);
    if (n->child && !push_child(n, w->out))
        return false;
    if (n->body_count && !lay_bodies(n, s))
        return false;
    w->step_of[n->index] = w->out->count - 1;
    return true;
}

/* Steps of `g` that begins after step `begin`, -1: the launch. @return false where edges make a circle */
static bool flatten(struct graph *g, struct steps *out, int begin)
{
    int n = g->nodes.count, done = 0;
    struct walk w = {out, calloc((size_t)n + 1, sizeof(int)), calloc((size_t)n + 1, sizeof(int))};
    LIST(int) *after = calloc((size_t)n + 1, sizeof *after);
    LIST(int) ready = {0};
    if (!w.step_of || !w.missing || !after)
        abort();
    graph_number(g);
    for (int i = 0; i < n; i++) {
        const struct node *node = g->nodes.data[i];
        w.missing[i] = node->before.count;
        for (int k = 0; k < node->before.count; k++)
            *LIST_PUSH(&after[node->before.data[k]->index]) = i;
        if (!node->before.count)
            *LIST_PUSH(&ready) = i;
    }
    for (; done < ready.count; done++) {
        int at = ready.data[done];
        if (!push_node(g->nodes.data[at], &w, begin))
            break;
        for (int k = 0; k < after[at].count; k++)
            if (--w.missing[after[at].data[k]] == 0)
                *LIST_PUSH(&ready) = after[at].data[k];
    }
    for (int i = 0; i < n; i++)
        LIST_FREE(&after[i]);
    LIST_FREE(&ready);
    free(after);
    free(w.step_of);
    free(w.missing);
    return done == n;
}

/* Rows for pictures: nodes of one stream stay together; others go on with the branch of one that they depend
 * on, if nobody else does. */
static void branches(struct steps *steps)
{
    LIST(uint64_t) streams = {0};
    bool *taken = calloc((size_t)steps->count + 1, sizeof *taken);
    unsigned next = 0;
    if (!taken)
        abort();
    for (int i = 0; i < steps->count; i++) {
        struct step *s = &steps->data[i];
        uint64_t stream = s->op->by.captured;
        int found = -1;
        for (int k = 0; stream && k < streams.count; k++)
            if (streams.data[k] == stream)
                found = k;
        if (found >= 0) {
            s->branch = (unsigned)found;
            continue;
        }
        for (int k = 0; !stream && k < s->before.count && found < 0; k++)
            if (!taken[s->before.data[k]])
                found = s->before.data[k];
        if (found >= 0) {
            taken[found] = true;
            s->branch = steps->data[found].branch;
            continue;
        }
        s->branch = next++;
        while (streams.count < (int)next)
            *LIST_PUSH(&streams) = 0;
        streams.data[s->branch] = stream;
    }
    LIST_FREE(&streams);
    free(taken);
}

bool graph_flatten(struct graph *g, struct steps *out)
{
    *out = (struct steps){0};
    if (!flatten(g, out, -1)) {
        steps_free(out);
        return false;
    }
    branches(out);
    return true;
}

/* ---- comparing ---- */

/* Steps that end the graph; `*first` is the first of them. */
static int count_ends(const struct step *steps, int count, const struct step **first)
{
    int ends = 0;
    for (int i = count - 1; i >= 0; i--)
        if (!steps[i].has_after) {
            *first = &steps[i];
            ends++;
        }
    return ends;
}

bool steps_fit(const struct steps *have, int first, int count, int begin, const struct steps *fresh,
               cudaGraphExecUpdateResultInfo *why)
{
    *why = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateErrorTopologyChanged};
    if (fresh->count != count)
        return false;
    for (int i = 0; i < count; i++) {
        const struct step *s = &have->data[first + i], *f = &fresh->data[i];
        if (s->type == f->type && !s->node == !f->node)
            continue;
        why->result = cudaGraphExecUpdateErrorNodeTypeChanged;
        why->errorNode = (cudaGraphNode_t)f->from;
        return false;
    }
    const struct step *end = NULL, *other;
    if (begin < 0 && count_ends(fresh->data, count, &end) > count_ends(have->data, count, &other)) {
        why->errorNode = (cudaGraphNode_t)end->from;
        return false;
    }
    for (int i = 0; i < count; i++) {
        const struct step *s = &have->data[first + i], *f = &fresh->data[i];
        bool root = s->before.count == 1 && s->before.data[0] == begin;
        why->errorNode = (cudaGraphNode_t)f->from;
        if (f->before.count != (root ? 0 : s->before.count))
            return false;
        for (int k = 0; k < f->before.count; k++) {
            if (s->before.data[k] == first + f->before.data[k] && s->kinds.data[k] == f->kinds.data[k])
                continue;
            why->errorFromNode = (cudaGraphNode_t)fresh->data[f->before.data[k]].from;
            return false;
        }
    }
    return true;
}
