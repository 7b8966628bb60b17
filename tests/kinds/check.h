// A call, or a result, without which a case means nothing.
#include <cstdio>
#include <cstdlib>

#define CHECK(x)                                                                                                       \
    do {                                                                                                               \
        if (!(x)) {                                                                                                    \
            printf("FAIL %s\n", #x);                                                                                   \
            exit(3);                                                                                                   \
        }                                                                                                              \
    } while (0)
