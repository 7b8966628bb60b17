#!/usr/bin/env python3
"""lab05's wrong variants over many seeds: each has to get its verdict under every one, and the solution and
its alternatives have to be right and silent. Not part of `make test`: it takes minutes.

    tests/course/lab05_seeds.py [SEEDS]      (default 20; BUILD=DIR)
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BUILD", ROOT / "build"))
LAB = "lab05_streams"
OUT = BUILD / "tests" / "lab05_seeds"
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"


def cases():
    """name -> harness arguments, from lab.yaml's inline forms."""
    found, name = {}, None
    for line in (ROOT / "labs" / LAB / "lab.yaml").read_text().splitlines():
        if m := re.match(r"\s+- name: (\w+)$", line):
            name = m[1]
        elif name and (m := re.match(r"\s+params: \{(.*)\}", line)):
            found[name] = [w for p in m[1].split(", ") for w in ("--param", p.replace(": ", "="))]
        elif name in found and (m := re.match(r"\s+distribution: (\w+)", line)):
            found[name] += ["--distribution", m[1]]
    return found


def build(source):
    program = OUT / source.stem
    subprocess.run([NVCC, "-g", "-lineinfo", "-arch=compute_75", "-cudart", "shared", "-c", "-o",
                    f"{program}.o", source], check=True)
    subprocess.run(["g++", "-pthread", "-o", program, BUILD / LAB / "harness.o", f"{program}.o",
                    BUILD / "lib/libharness.a", BUILD / "lib/libcudart.so.13", "-ldl", "-lm"], check=True)
    return program


def run(program, case, seed):
    """(kinds of errors, the result file's bytes, makespan)"""
    result, findings, counters = (OUT / f"{program.name}.{x}" for x in ("result", "jsonl", "counters"))
    for f in (result, findings, counters):
        f.unlink(missing_ok=True)
    subprocess.run([BUILD / "bin/softgpu", "--remote", "--check", "all", "--seed", str(seed), "--json", findings,
                    program, "--case", case, "--seed", str(seed), "--output", result, *CASES[case]],
                   env={**os.environ, "SOFTGPU_COUNTERS": str(counters)}, timeout=120, capture_output=True)
    lines = findings.read_text().splitlines() if findings.exists() else []
    told = [json.loads(x) for x in lines]
    kinds = {x["kind"] for x in told if x["level"] == "error"}
    span = json.loads(counters.read_text()).get("makespan_ns", 0) if counters.exists() else 0
    return kinds, result.read_bytes() if result.exists() else None, span


def shows(want, got, right):
    kinds, result, span = got
    if want == "wrong-result":
        return result != right[1]
    if want == "property":
        return span > 1.1 * right[2]
    return want in kinds


CASES = cases()
SMALL = [c for c in CASES if not re.search("large|long|hidden", c)]


def main():
    seeds = range(1, 1 + int(sys.argv[1] if len(sys.argv) > 1 else 20))
    OUT.mkdir(parents=True, exist_ok=True)
    solution = build(ROOT / "solutions" / LAB / "kernel.cu")
    right = {}

    def reference(case, seed):
        if (case, seed) not in right:
            right[case, seed] = run(solution, case, seed)
        return right[case, seed]

    bad = 0
    for source in sorted((ROOT / "solutions" / LAB / "wrong").glob("*.cu")):
        head = source.open().readline()
        wants = [w.split() for w in head.split("verdict:")[1].split("|")]
        want, named = wants[0][0], wants[0][wants[0].index("in") + 1] if "in" in wants[0] else None
        program = build(source)
        tried = [named] if named else list(CASES) if want == "property" else SMALL
        case = next((c for c in tried if shows(want, run(program, c, 1), reference(c, 1))), None)
        missed = [s for s in seeds if not case or not shows(want, run(program, case, s), reference(case, s))]
        print(f"{'ok  ' if not missed else 'FAIL'} {source.name}: {want} in {case}", missed or "", flush=True)
        bad += bool(missed)
    for source in sorted((ROOT / "solutions" / LAB / "alternatives").glob("*.cu")) + [None]:
        program = build(source) if source else solution
        wrong = []
        for case in SMALL:
            for s in seeds:
                kinds, result, _ = run(program, case, s)
                if kinds or result is None or result != reference(case, s)[1]:
                    wrong.append((case, s, sorted(kinds)))
        print(f"{'ok  ' if not wrong else 'FAIL'} {program.name}: silent and right", wrong or "", flush=True)
        bad += bool(wrong)
    print(f"{bad} of lab05's files are not as they must be over {len(seeds)} seeds")
    return bad != 0


sys.exit(main())
