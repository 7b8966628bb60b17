/**
 * @file list.h
 * Growing arrays: `struct { T *data; int count, cap; }` in any struct, pushed with LIST_PUSH.
 */
#ifndef SOFTGPU_BASE_LIST_H
#define SOFTGPU_BASE_LIST_H

#include <stdlib.h>

#define LIST(T)                                                                                    \
    struct {                                                                                       \
        T *data;                                                                                   \
        int count, cap;                                                                            \
    }

/** The same with a name, for lists that are passed around. */
#define LIST_TYPE(name, T)                                                                         \
    struct name {                                                                                  \
        T *data;                                                                                   \
        int count, cap;                                                                            \
    }

/** Makes room for one more element and returns its address; the element is not initialised. */
#define LIST_PUSH(l)                                                                               \
    (((l)->count == (l)->cap                                                                       \
          ? (void)((l)->data = list_grow_((l)->data, &(l)->cap, sizeof *(l)->data))                \
          : (void)0),                                                                              \
     &(l)->data[(l)->count++])

#define LIST_FREE(l) (free((l)->data), (l)->data = NULL, (l)->count = (l)->cap = 0)

void *list_grow_(void *data, int *cap, size_t size);

#endif
