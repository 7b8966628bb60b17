"""CuPy as programs use it: arrays, its own generated kernels, a RawKernel, sums and sorts by CUB and Thrust, streams, a graph.
With the argument `race` a kernel lacks its barrier."""
import sys

import cupy as cp
import numpy as np

RACE = sys.argv[1:] == ["race"]

reverse = cp.RawKernel(
    r"""
extern "C" __global__ void reverse(const float *in, float *out)
{
    __shared__ float tile[64];
    int t = threadIdx.x, base = blockIdx.x * 64;
    tile[t] = in[base + t];
"""
    + ("" if RACE else "    __syncthreads();\n")
    + """
    out[base + t] = tile[63 - t];
}""",
    "reverse",
)
h = np.random.default_rng(1).random(640).astype(np.float32)
a = cp.asarray(h)
out = cp.empty_like(a)
reverse((10,), (64,), (a, out))
assert RACE or (cp.asnumpy(out).reshape(10, 64) == h.reshape(10, 64)[:, ::-1]).all()
if not RACE:
    assert np.allclose(cp.asnumpy(a * 2 + cp.sin(a)), h * 2 + np.sin(h), rtol=1e-5)
    square = cp.ElementwiseKernel("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y)", "square")
    assert np.allclose(cp.asnumpy(square(a, a + 1)), 1)
    norm = cp.ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm")
    assert np.allclose(float(norm(a)), np.linalg.norm(h), rtol=1e-5)
    assert np.allclose(float(a.sum()), h.sum(), rtol=1e-5)
    assert np.allclose(cp.asnumpy(cp.cumsum(a)), np.cumsum(h), rtol=1e-4)
    assert (cp.asnumpy(cp.sort(a)) == np.sort(h)).all()
    assert (cp.asnumpy(cp.unique(cp.array([3, 1, 1, 2]))) == [1, 2, 3]).all()
    stream = cp.cuda.Stream(non_blocking=True)
    with stream:
        stream.begin_capture()
        reverse((10,), (64,), (out, a))
        graph = stream.end_capture()
    cp.cuda.Device().synchronize()
    graph.launch(stream)
    stream.synchronize()
    assert (cp.asnumpy(a) == h).all()
print("ok")
