#!/usr/bin/env python3
"""The wrong variants of labs over many seeds: what the verdict of each says has to be found, at its lines, under every
seed of some case. Verdicts that need counters, the reference's results or the program's own word (wrong-result,
not-as-asked, property, cuda-error) are left to `grade dev check`. Not part of `make test`: it takes a minute a lab.
lab05_seeds.py is for lab05.

    tests/course/lab_seeds.py LAB… [--seeds N] [--only PATTERN]     (default 20; BUILD=DIR)
"""
import argparse
import fnmatch
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BUILD", ROOT / "build"))
NVCC = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
NO_FINDING = {"wrong-result", "not-as-asked", "property", "time-limit", "cuda-error"}


class Lab:
    def __init__(self, name):
        self.folder = next((ROOT / "labs").glob(f"{name}*"))
        self.build = BUILD / self.folder.name
        self.out = BUILD / "tests" / "lab_seeds" / self.folder.name
        self.out.mkdir(parents=True, exist_ok=True)
        text = (self.folder / "lab.yaml").read_text()
        self.host = "\ncode: host" in text
        self.arch = self.option(text, "arch", "compute_75")
        self.devices = self.option(text, "devices", "1")
        self.cases, self.schedules = self.read_cases(text)

    @staticmethod
    def option(text, name, otherwise):
        found = re.search(rf"^{name}: *(\w+)", text, re.M)
        return found[1] if found else otherwise

    @staticmethod
    def read_cases(text):
        """name -> harness arguments, and name -> schedules where it says so, from lab.yaml's inline forms."""
        found, schedules, name = {}, {}, None
        for line in text.splitlines():
            if m := re.match(r"\s+- name: (\w+)$", line):
                name = m[1]
            elif name and (m := re.match(r"\s+params: \{(.*)\}", line)):
                found[name] = [w for p in m[1].split(", ") for w in ("--param", p.replace(": ", "="))]
            elif name in found and (m := re.match(r"\s+distribution: (\w+)", line)):
                found[name] += ["--distribution", m[1]]
            elif name and (m := re.match(r"\s+schedules: (\d+)", line)):
                schedules[name] = ["--schedules", m[1]]
        return found, schedules

    def compile(self, source):
        """The command that runs the variant, without the case."""
        product = self.out / source.stem
        options = [NVCC, "-lineinfo", f"-arch={self.arch}", "-o"]
        if not self.host:
            subprocess.run([*options, f"{product}.ptx", "-ptx", source], check=True)
            return [self.build / "harness", "--kernel", f"{product}.ptx"]
        subprocess.run([*options, f"{product}.o", "-g", "-cudart", "shared", "-c", source], check=True)
        subprocess.run(["g++", "-pthread", "-o", product, self.build / "harness.o", f"{product}.o",
                        BUILD / "lib/libharness.a", BUILD / "lib/libcudart.so.13", "-ldl", "-lm"], check=True)
        return [product]

    def findings(self, command, case, seed):
        told = self.out / "findings.jsonl"
        told.unlink(missing_ok=True)
        try:
            subprocess.run([BUILD / "bin/softgpu", "--check", "all", "--devices", self.devices, "--seed", str(seed),
                            "--json", told, "--step-limit", "4000000", *self.schedules.get(case, []), *command,
                            "--case", case, "--seed", str(seed), "--output", self.out / "result", *self.cases[case]],
                           timeout=120, capture_output=True)
        except subprocess.TimeoutExpired:
            pass
        return [json.loads(x) for x in told.read_text().splitlines()] if told.exists() else []


def verdicts(source):
    """[(kind, lines, case or None)] of the variant's first line; @1 is the line that ends in `@1`."""
    text = source.read_text().splitlines()
    marked = {m[1]: i for i, line in enumerate(text, 1) if i > 1 and (m := re.search(r"// .*@(\d)\b", line))}
    for part in text[0].split("verdict:")[1].split("|"):
        words = part.split()
        case = words[words.index("in") + 1] if "in" in words else None
        yield words[0], {marked[w[1:]] for w in words if w[0] == "@"}, case


def shows(wanted, case, findings):
    return any(f["kind"] == kind and lines <= {a.get("line") for a in f.get("accesses", [])}
               for kind, lines, only in wanted if only in (None, case) for f in findings)


def check(lab, source, seeds):
    """Whether the variant is found, and the line to be printed; None: nothing that a finding could say."""
    wanted = list(verdicts(source))
    if wanted[0][0] in NO_FINDING:
        return None
    command = lab.compile(source)
    named = [case for _, _, case in wanted if case]
    case = next((c for c in named or lab.cases if shows(wanted, c, lab.findings(command, c, 1))), None)
    missed = [s for s in seeds if not case or not shows(wanted, case, lab.findings(command, case, s))]
    says = " | ".join(f"{kind} at {sorted(lines)}" if lines else kind for kind, lines, _ in wanted)
    print(f"{'FAIL' if missed else 'ok  '} {source.name}: {says} in {case}", missed or "", flush=True)
    return not missed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("labs", nargs="+")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    good = bad = 0
    for lab in map(Lab, options.labs):
        for source in sorted((ROOT / "solutions" / lab.folder.name / "wrong").glob("*.cu")):
            if fnmatch.fnmatch(source.stem, options.only):
                found = check(lab, source, range(1, 1 + options.seeds))
                good, bad = good + (found is True), bad + (found is False)
    print(f"{good} passed, {bad} failed")
    return bad > 0 or good == 0


sys.exit(main())
