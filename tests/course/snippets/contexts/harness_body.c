/* A harness around the calls that the guide shows. */
#include "harness.h"
int main(int argc, char **argv)
{
    SNIPPET
    int *values = harness_malloc(n * sizeof *values);
    harness_download(values, out, n * sizeof *values);
    harness_result(h, "out", RESULT_I32, values, n);
    return harness_close(h);
}
