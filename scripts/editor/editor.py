#!/usr/bin/env python3
"""Writes compile_commands.json, .clangd and .vscode/tasks.json of this kit: editor.py CUDA (what `make editor` runs)."""
import glob
import json
import os
import re
import sys

cuda = sys.argv[1]
root = os.getcwd()
ours = os.path.join(root, "scripts/editor/clang")

KERNELS = ["clang++", "-fsyntax-only", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75",
           "--cuda-path=" + cuda, "-nocudalib", "-std=c++17", "-Wno-unknown-cuda-version",
           "-D__CLANG_CUDA_TEXTURE_INTRINSICS_H__", "-Xclang", "-fcuda-allow-variadic-functions",
           "-isystem", ours, "-isystem", os.path.join(cuda, "include/cccl"), "-include", ours + "/launch.h",
           "-include", ours + "/atomics.h"]
if os.path.exists(os.path.join(cuda, "include/device/qualifiers.h")):  # make setup CC_CUDA=clang
    KERNELS = ["clang++", "-fsyntax-only", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_75",
               "--cuda-path=/nowhere", "-nocudainc", "-nocudalib", "-std=c++17", "-Wno-unknown-cuda-version",
               "-Xclang", "-target-sdk-version=11.5", "-isystem", os.path.join(cuda, "include"),
               # Of every architecture, whichever the file is for: clusters are there from compute_90 on.
               "-U__CUDA_ARCH__", "-D__CUDA_ARCH__=900", "-Wno-builtin-macro-redefined", "-include", "cuda_runtime.h"]
C = ["clang", "-fsyntax-only", "-std=gnu11", "-Wall", "-Wextra", "-Wno-psabi", "-D_GNU_SOURCE", "-pthread",
     '-DFENCEPOST_VERSION="editor"', "-isystem", os.path.join(cuda, "include"), "-Icommon", "-Isoftgpu", "-Igrader", "-Itests"]

TASK = {
    "label": "grade this lab",
    "type": "shell",
    # %0A is how a workflow command writes a new line.
    "command": "./grade '${fileDirnameBasename}' --format github | sed 's/%0A/ /g; s/%25/%/g'",
    "group": {"kind": "test", "isDefault": True},
    "presentation": {"reveal": "silent"},
    "problemMatcher": {
        "owner": "fencepost",
        "fileLocation": ["relative", "${workspaceFolder}"],
        "pattern": {"regexp": "^::(error|warning) file=([^,]*),line=(\\d+),title=([^:]*)::(.*)$",
                    "severity": 1, "file": 2, "line": 3, "code": 4, "message": 5},
    },
}


def write(path, value):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(value, f, indent=1)
        f.write("\n")
    print("  WROTE", path)


def commands():
    for pattern, flags in (("labs/*/*.cu", KERNELS), ("solutions/**/*.cu", KERNELS), ("labs/*/*.c", C),
                           ("common/*.c", C), ("softgpu/**/*.c", C), ("grader/**/*.c", C)):
        for file in sorted(glob.glob(pattern, recursive=True)):
            yield {"directory": root, "file": file, "arguments": flags + [file]}


# Also for a file that is not in the list, and for links to one: this kit's list, not one of a folder above it. Headers of
# kernels are read as kernels.
CLANGD = """# Written by make editor; a file without this line is yours, and stays.
CompileFlags:
  CompilationDatabase: %s
---
If:
  PathMatch: .*\\.cuh
CompileFlags:
  Remove: ["-std=*"]
  Add: %s
Diagnostics:
  Suppress: [pp_including_mainfile_in_preamble]
""" % (json.dumps(root), json.dumps(KERNELS[2:]))

write("compile_commands.json", list(commands()))
if os.path.exists(".clangd") and CLANGD.splitlines()[0] not in open(".clangd", encoding="utf-8").read():
    print("  KEPT  .clangd (it is yours)")
else:
    with open(".clangd", "w", encoding="utf-8") as file:
        file.write(CLANGD)
    print("  WROTE .clangd")
tasks = ".vscode/tasks.json"
if os.path.exists(tasks) and not re.search('"owner": "fencepost"', open(tasks, encoding="utf-8").read()):
    print("  KEPT ", tasks, "(it is yours)")
else:
    os.makedirs(".vscode", exist_ok=True)
    write(tasks, {"version": "2.0.0", "tasks": [TASK]})
