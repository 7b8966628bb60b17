"""TileLang kernels on PyTorch's tensors, by NVRTC: a sum of vectors, sums of rows by way of shared memory, a product of matrices (tensor
cores). With the argument `race` all threads add to one word by a load and a store."""
import os
import sys
import tempfile

os.environ["TILELANG_CACHE_DIR"] = (cache := tempfile.TemporaryDirectory()).name
import tilelang
import tilelang.language as T
import torch

RACE = sys.argv[1:] == ["race"]
N = 64


@tilelang.jit
def add(n, block):
    @T.prim_func
    def main(a: T.Tensor((n,), "float32"), b: T.Tensor((n,), "float32"), c: T.Tensor((n,), "float32")):
        with T.Kernel(T.ceildiv(n, block), threads=block) as bx:
            for i in T.Parallel(block):
                c[bx * block + i] = a[bx * block + i] + b[bx * block + i]

    return main


@tilelang.jit
def total(n):
    @T.prim_func
    def main(a: T.Tensor((n,), "float32"), out: T.Tensor((1,), "float32")):
        with T.Kernel(1, threads=n):
            for i in T.Parallel(n):
                out[0] = out[0] + a[i]

    return main


@tilelang.jit
def product(n, block):
    @T.prim_func
    def main(a: T.Tensor((n, n), "float16"), b: T.Tensor((n, n), "float16"), c: T.Tensor((n, n), "float32")):
        with T.Kernel(T.ceildiv(n, block), T.ceildiv(n, block), threads=128) as (bx, by):
            a_tile = T.alloc_shared((block, block), "float16")
            b_tile = T.alloc_shared((block, block), "float16")
            sum_tile = T.alloc_fragment((block, block), "float32")
            T.clear(sum_tile)
            for k in T.serial(T.ceildiv(n, block)):
                T.copy(a[by * block, k * block], a_tile)
                T.copy(b[k * block, bx * block], b_tile)
                T.gemm(a_tile, b_tile, sum_tile)
            T.copy(sum_tile, c[by * block, bx * block])

    return main


def on_device(kernel, *inputs, shape):
    out = torch.zeros(shape).cuda()
    kernel(*[x.cuda() for x in inputs], out)
    return out.cpu()


x = torch.arange(N * 4, dtype=torch.float32)
if RACE:
    on_device(total(N), x[:N], shape=(1,))
else:
    assert torch.equal(on_device(add(N * 4, N), x, x, shape=(N * 4,)), x + x)
    a, b = ((torch.arange(N * N) * k % 7 - 3).reshape(N, N).half() for k in (3, 5))
    assert torch.equal(on_device(product(N, 32), a, b, shape=(N, N)), a.float() @ b.float())
    print("ok")
