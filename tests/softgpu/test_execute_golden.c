/* The golden PTX cases of tests/golden/, as one of softgpu's tests. */
#include "golden/run.c"
