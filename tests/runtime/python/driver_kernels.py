"""NVRTC and the Driver API from Python, by cuda.bindings: a kernel compiled at run time to PTX. With the argument `race` it lacks its
barrier."""
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
from cuda.bindings import driver, nvrtc

SOURCE = r"""
extern "C" __global__ void reverse(int *out)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    BARRIER
    out[threadIdx.x] = s[63 - threadIdx.x];
}
"""


def ok(result):
    assert result[0].value == 0, result
    return result[1] if len(result) == 2 else result[1:]


race = sys.argv[1:] == ["race"]
program = ok(nvrtc.nvrtcCreateProgram(SOURCE.encode(), b"reverse.cu", 0, [], []))
options = [b"-arch=compute_75", b"-lineinfo", b"-DBARRIER=" if race else b"-DBARRIER=__syncthreads();"]
ok(nvrtc.nvrtcCompileProgram(program, len(options), options))
ptx = b" " * ok(nvrtc.nvrtcGetPTXSize(program))
ok(nvrtc.nvrtcGetPTX(program, ptx))
ok(driver.cuInit(0))
ok(driver.cuCtxSetCurrent(ok(driver.cuDevicePrimaryCtxRetain(ok(driver.cuDeviceGet(0))))))
module = ok(driver.cuModuleLoadData(ptx))
kernel = ok(driver.cuModuleGetFunction(module, b"reverse"))
out = np.zeros(64, dtype=np.int32)
memory = ok(driver.cuMemAlloc(out.nbytes))
argument = np.array([int(memory)], dtype=np.uint64)
pointers = np.array([argument.ctypes.data], dtype=np.uint64)
ok(driver.cuLaunchKernel(kernel, 1, 1, 1, 64, 1, 1, 0, 0, pointers.ctypes.data, 0))
ok(driver.cuMemcpyDtoH(out.ctypes.data, memory, out.nbytes))
ok(driver.cuMemFree(memory))
assert race or (out == np.arange(63, -1, -1)).all()
print("ok")
