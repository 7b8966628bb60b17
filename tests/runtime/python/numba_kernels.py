"""Numba kernels as programs write them: a sum of matrices, a reduction through shared memory, a histogram by atomics. With the
argument `race` the reduction lacks its barriers."""
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
from numba import cuda, float32, int32

RACE = sys.argv[1:] == ["race"]


@cuda.jit
def add(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = a[i, j] + b[i, j]


@cuda.jit
def total(a, out):
    part = cuda.shared.array(64, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    part[t] = a[i] if i < a.size else 0
    n = 32
    while n > 0:
        if not RACE:
            cuda.syncthreads()
        if t < n:
            part[t] += part[t + n]
        n //= 2
    if t == 0:
        cuda.atomic.add(out, 0, part[0])


@cuda.jit
def histogram(values, bins):
    mine = cuda.shared.array(16, int32)
    t = cuda.threadIdx.x
    if t < 16:
        mine[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.add(mine, values[i] & 15, 1)
    cuda.syncthreads()
    if t < 16:
        cuda.atomic.add(bins, t, mine[t])


a = np.arange(20 * 30, dtype=np.float32).reshape(20, 30)
if not RACE:
    c = np.zeros_like(a)
    add[(2, 2), (16, 16)](a, 2 * a, c)
    assert (c == 3 * a).all()
    values = np.arange(1000, dtype=np.int32) * 7 % 23
    bins = np.zeros(16, dtype=np.int32)
    histogram[4, 64](values, bins)
    assert (bins == np.bincount(values & 15, minlength=16)).all()
out = np.zeros(1, dtype=np.float32)
total[10, 64](a.ravel(), out)
assert RACE or out[0] == a.sum()
print("ok")
