/**
 * @file graph_dot.c
 * A graph as Graphviz takes it: a box a node, with its kernel or what it copies, and the line of the call
 * that made it.
 */
#include <string.h>

#include "host/call_site.h"
#include "runtime/code/kernel.h"
#include "runtime/graph/graph.h"

static void put_words(FILE *f, const char *words)
{
    for (; *words; words++) {
        if (strchr("\"\\<>{}|", *words))
            fputc('\\', f);
        fputc(*words, f);
    }
}

static void put_node(FILE *f, const struct node *n)
{
    const struct operation *op = n->op;
    char line[200];
    fprintf(f, "  n%llu [shape=box, label=\"", (unsigned long long)n->id);
    if (op->kind == OP_KERNEL) {
        put_words(f, op->kernel->name);
        fprintf(f, "\\n%u x %u x %u blocks of %u x %u x %u threads", op->config.grid[0],
                op->config.grid[1], op->config.grid[2], op->config.block[0], op->config.block[1],
                op->config.block[2]);
    } else {
        put_words(f, op->name);
    }
    if (op->kind == OP_COPY)
        fprintf(f, "\\n%zu bytes", op->copy.width * op->copy.height * op->copy.depth);
    else if (op->kind == OP_SET)
        fprintf(f, "\\n%zu bytes", op->set.width * op->set.height * op->set.depth);
    call_site_words(call_site(op->by.call, false), line, sizeof line);
    if (line[0])
        fputs("\\n", f);
    put_words(f, line);
    fputs("\"];\n", f);
}

static void put_graph(FILE *f, const struct graph *g)
{
    for (int i = 0; i < g->nodes.count; i++) {
        const struct node *n = g->nodes.data[i];
        put_node(f, n);
        if (n->child) {
            fprintf(f, "  subgraph cluster_%llu {\n", (unsigned long long)n->child->id);
            put_graph(f, n->child);
            fputs("  }\n", f);
        }
        for (int k = 0; k < n->before.count; k++)
            fprintf(f, "  n%llu -> n%llu;\n", (unsigned long long)n->before.data[k]->id,
                    (unsigned long long)n->id);
    }
}

bool graph_dot(struct graph *g, FILE *f)
{
    fputs("digraph graph_1 {\n", f);
    put_graph(f, g);
    fputs("}\n", f);
    return !ferror(f);
}
