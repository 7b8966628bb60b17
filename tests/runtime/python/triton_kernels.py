"""Triton kernels as programs write them, without PyTorch: a masked sum of vectors, a reduction by atomics, a product of matrices
(tensor cores), a softmax of rows. With the argument `race` a kernel adds to one word by a load and a store."""
import os
import sys
import tempfile

import numpy as np

os.environ["TRITON_CACHE_DIR"] = (cache := tempfile.TemporaryDirectory()).name
os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"
import triton
import triton.language as tl
from cuda.bindings import driver

RACE = sys.argv[1:] == ["race"]


def of(answer):
    assert answer[0] == driver.CUresult.CUDA_SUCCESS, answer
    return answer[1] if len(answer) > 1 else None


class Array:
    """What Triton asks of an argument: its address and its type."""

    def __init__(self, host):
        self.host, self.dtype = np.ascontiguousarray(host), host.dtype.name
        self.address = int(of(driver.cuMemAlloc(host.nbytes)))
        of(driver.cuMemcpyHtoD(self.address, self.host.ctypes.data, host.nbytes))

    def data_ptr(self):
        return self.address

    def numpy(self):
        of(driver.cuMemcpyDtoH(self.host.ctypes.data, self.address, self.host.nbytes))
        of(driver.cuMemFree(self.address))
        return self.host


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr, ATOMIC: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x + i, mask=i < n, other=0), axis=0)
    if ATOMIC:
        tl.atomic_add(out, part)
    else:
        tl.store(out, tl.load(out) + part)


@triton.jit
def product(a, b, c, N: tl.constexpr, K: tl.constexpr, BLOCK: tl.constexpr, STEP: tl.constexpr):
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None]
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)[None, :]
    k = tl.arange(0, STEP)
    sums = tl.zeros((BLOCK, BLOCK), tl.float32)
    for at in range(0, K, STEP):
        sums += tl.dot(tl.load(a + row * K + at + k[None, :]), tl.load(b + (at + k[:, None]) * N + column))
    tl.store(c + row * N + column, sums)


@triton.jit
def softmax(x, out, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    values = tl.load(x + tl.program_id(0) * WIDTH + i, mask=i < WIDTH, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + tl.program_id(0) * WIDTH + i, powers / tl.sum(powers, axis=0), mask=i < WIDTH)


of(driver.cuInit(0))
of(driver.cuCtxSetCurrent(of(driver.cuDevicePrimaryCtxRetain(of(driver.cuDeviceGet(0))))))
numbers = np.random.default_rng(1)
x = numbers.integers(0, 9, 1000).astype(np.float32)
X, out = Array(x), Array(np.zeros(1, np.float32))
total[(4,)](X, out, 1000, BLOCK=256, ATOMIC=not RACE)
assert out.numpy()[0] == x.sum() or RACE
if not RACE:
    sums = Array(np.zeros_like(x))
    add[(4,)](X, X, sums, 1000, BLOCK=256)
    assert (sums.numpy() == 2 * x).all()
    a, b = numbers.random((64, 128)).astype(np.float16), numbers.random((128, 64)).astype(np.float16)
    A, B, C = Array(a), Array(b), Array(np.zeros((64, 64), np.float32))
    product[(1, 1)](A, B, C, N=64, K=128, BLOCK=64, STEP=32)
    assert np.allclose(C.numpy(), a.astype(np.float32) @ b.astype(np.float32), rtol=1e-4)
    rows = numbers.random((5, 100)).astype(np.float32)
    R, S = Array(rows), Array(np.zeros_like(rows))
    softmax[(5,)](R, S, WIDTH=100, BLOCK=128)
    powers = np.exp(rows - rows.max(1, keepdims=True))
    assert np.allclose(S.numpy(), powers / powers.sum(1, keepdims=True), rtol=1e-5)
    [array.numpy() for array in (A, B, R)]
X.numpy()
print("ok")
