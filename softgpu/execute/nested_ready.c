/**
 * @file nested_ready.c
 * Launches that may begin: a heap, the earliest launched first.
 */
#include "execute/nested.h"

static bool earlier(const struct nested_launches *heap, int a, int b)
{
    return heap->data[a]->turn < heap->data[b]->turn;
}

static void swap(struct nested_launches *heap, int a, int b)
{
    struct nested_launch *t = heap->data[a];
    heap->data[a] = heap->data[b];
    heap->data[b] = t;
}

void nested_push_ready(struct family *f, struct nested_launch *l)
{
    *LIST_PUSH(&f->ready) = l;
    for (int i = f->ready.count - 1; i && earlier(&f->ready, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(&f->ready, i, (i - 1) / 2);
}

struct nested_launch *nested_pop_ready(struct family *f)
{
    struct nested_launches *heap = &f->ready;
    struct nested_launch *first = heap->data[0];
    heap->data[0] = heap->data[--heap->count];
    for (int i = 0, least = 0;; i = least) {
        for (int c = 2 * i + 1; c <= 2 * i + 2 && c < heap->count; c++)
            if (earlier(heap, c, least))
                least = c;
        if (least == i)
            return first;
        swap(heap, i, least);
    }
}
