/**
 * @file compared.h
 * Three answers about small kernels: the model of their litmus texts, `--exhaustive` on their PTX, and the findings of
 * ordinary runs.
 *
 * The first two have the same outcomes. A kernel with an outcome that no interleaving has, with one that never ends, or with a
 * race in some execution, gets a finding under every seed; one without any gets none, and no warning. MODEL_SEEDS=N runs each
 * under N seeds, MODEL_SHOWN=N shows so many that fail, MODEL_JSON=FILE takes the findings.
 */
#ifndef TESTS_MODEL_COMPARED_H
#define TESTS_MODEL_COMPARED_H

#include "litmus_ptx.h"

struct compared_kernel {
    char text[1024], name[32];
    struct litmus litmus;
    enum litmus_layout layout;
};

struct compared_counts {
    int silent, told;   /**< kernels that are right, and others */
    int failed;         /**< kernels about which the answers differ; each is told on stderr */
};

/** Compares the answers about all kernels, as one module, and adds to the counts. */
void compared_all(struct compared_kernel *kernels, int count, struct compared_counts *counts);
/** A number of the environment. */
long compared_setting(const char *name, long otherwise);

#endif
