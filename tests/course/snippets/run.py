#!/usr/bin/env python3
"""Every command, snippet and output that README.md, docs, handouts and decks show: read, run, compared.

    run.py KIT WORK NVCC        KIT: a built copy of the kit, in which commands may do what they like

In this order: pages are read, commands run, outputs compared, pieces of specs graded, code is compiled and judged. A
block that no stage has looked at is a fault. What is not run as it stands is in otherwise.txt, with the reason.
"""
import glob
import os
import sys

from cuda import Code
from markdown import Page
from output import console_parts, excerpt_fault, whole_fault
from shell import Listed, Shell
from spec import Specs

HERE = os.path.dirname(os.path.abspath(__file__))
PAGES = ["README.md", "docs/*.md", "docs/findings/*.md", "labs/*/README.md", "slides/*.md", "softgpu/*/README.md",
         "grader/course/new_lab/README.md"]
# What a block of language text may be: nothing in it is typed, compiled or printed by a program.
NO_PROGRAM = ("drawing", "formula", "format")


class Report:
    def __init__(self):
        self.passed, self.faults = 0, {}

    def __call__(self, where, fault):
        if fault:
            self.faults.setdefault(f"{where}: {fault}")
        else:
            self.passed += 1

    def complained_of(self, where):
        return any(fault.startswith(where + ": ") for fault in self.faults)

    def end(self):
        for fault in self.faults:
            print(f"FAIL: {fault}")
        print(f"{self.passed} passed, {len(self.faults)} failed")
        return 1 if self.faults or not self.passed else 0


def read_pages(kit):
    for pattern in PAGES:
        for path in sorted(glob.glob(os.path.join(kit, pattern))):
            with open(path, encoding="utf-8") as file:
                yield Page(os.path.relpath(path, kit), file.read().replace("@LAB@", "lab20"))


def console(block, shell, check):
    """A terminal: what follows '$ COMMAND' is all that it prints. `<!-- runs: COMMAND -->` is the whole of an abridged one."""
    for command, shown in console_parts(block.text):
        real = block.note.get("runs", command)
        status, output = shell.run(real)
        fault = (excerpt_fault(command, real) or
                 (f"{command}: ends with {status}" if status not in (0, 1, 86) else None) or
                 (excerpt_fault if "…" in command else whole_fault)(shown, output))
        check(str(block), fault)
        block.checks += 1


def output_of(block, shell, kit, check):
    """A part of what a command prints, or of a recorded file ('output in', for what needs a GPU)."""
    if "output of" in block.note:
        with shell.solved(block.note.get("with")):
            _, real = shell.run(block.note["output of"])
    elif "output in" in block.note:
        with open(os.path.join(kit, block.note["output in"]), encoding="utf-8") as file:
            real = file.read()
    else:
        check(str(block), "whose output is this? Its note is to say 'output of: COMMAND'")
        return
    check(str(block), excerpt_fault(block.text, real))
    block.checks += 1


def text(block, kit, check):
    if "files" in block.note:
        folder = os.path.join(kit, block.note["files"])
        for word in block.text.split():
            if ("/" in word or word.endswith((".c", ".h"))) and not word.startswith("("):
                check(str(block), None if glob.glob(os.path.join(folder, word)) else f"there is no {word}")
                block.checks += 1
    elif any(name in block.note for name in NO_PROGRAM):
        block.checks += 1
    else:
        check(str(block), f"what is this? Its note is to say one of files, {', '.join(NO_PROGRAM)}")


def main():
    kit, work, nvcc = sys.argv[1:]
    os.environ["NVCC"] = nvcc
    check = Report()
    shell = Shell(kit, Listed(os.path.join(HERE, "otherwise.txt")), check)
    code, specs = Code(kit, work, nvcc, check), Specs(kit, shell, check)
    pages = list(read_pages(kit))
    blocks = [block for page in pages for block in page.blocks]
    for page in pages:
        for fault in page.faults:
            check(page.path, fault)
        for line, command in page.commands:
            shell.line(f"{page.path}:{line}", command)
        for line, option in page.options:
            shell.option(f"{page.path}:{line}", option)
        for block in page.blocks:
            if block.language == "sh":
                shell.block(block)
    for block in blocks:
        if block.language == "console":
            console(block, shell, check)
        elif block.language == "output":
            output_of(block, shell, kit, check)
        elif block.language == "yaml":
            specs.block(block)
        elif "verdicts of" in block.note:
            specs.verdicts(block)
        elif block.language == "c":
            code.c_block(block)
        elif block.language in ("cuda", "litmus") or "in" in block.note:
            code.block(block)
        elif block.language == "text":
            text(block, kit, check)
    specs.check_verdicts()
    code.run()
    for block in blocks:
        if not block.checks and not check.complained_of(str(block)):
            check(str(block), f"a block of language '{block.language}' that nothing has looked at")
    for row in shell.unused():
        check("otherwise.txt", f"no page shows '{row}'")
    sys.exit(check.end())


main()
