"""CUDA: every block is compiled, within the context that its note names, and run on softgpu.

`<!-- in: CONTEXT; gets: KIND, KIND -->` before a block, once or more: contexts/CONTEXT has a line SNIPPET, in whose place
the block comes to stand (or SNIPPET 1, SNIPPET 2: threads side by side, between '|', or paragraphs). `line: N` means that line of it only. The findings must be those
kinds; nothing, where there is no `gets`. `wrong-result`: the context's main() ends with 42. `ends: 00 01`: every
execution is enumerated, and these are the digits that the context leaves in the first words of alloc0; `can: 00` has
them among others.
`gets: compile-error TEXT`: it must not compile, with that text in the message.

In a context "// replace: WHAT => BY" says what to read for a pseudo-code word ('…': once, the next one for the next).
A context without main() has a kernel k(int *data), which gets 1024 zeroes, launched as its comment <<<…>>> says.
In docs/findings a block has no context: 'Wrong' gets the page's kind, 'Right' nothing.
"""
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "../../.."))
KEPT_NVCC = ["bash", "-c", 'kept_nvcc "$@"', "kept_nvcc"]  # tests/nvcc.sh has exported it
MAIN = """int main() { int *data; cudaMalloc(&data, 4096); cudaMemset(data, 0, 4096);
    k<<<%s>>>(data); cudaDeviceSynchronize(); return cudaFree(data); }"""


def parts_of(block, text):
    """What SNIPPET 1, SNIPPET 2 … stand for: a litmus test's threads, paragraphs, or columns under a heading."""
    if block.language == "litmus":
        program = re.sub(r"^\w+ +(?:(?:blocks|warps|lanes) +)?(?=\w+ =)", "", text)
        return [part.strip() + ";" for part in program.split("|")]
    if "" in block.lines:
        return block.text.split("\n\n")
    start = re.search(r"\S {3,}(\S)", block.lines[0]).start(1)
    lines = block.lines if ";" in block.lines[0] else [""] + block.lines[1:]
    return ["\n".join(line[:start].rstrip() for line in lines), "\n".join(line[start:] for line in lines)]


def text_for(block, note):
    """`line: N`: only that line of the block is meant, without its number."""
    return re.sub(r"^\d+ ", "", block.lines[int(note["line"]) - 1]) if "line" in note else block.text


def read_as(text, rules):
    for what, by in rules:
        text = text.replace(what, by, 1 if what == "…" else -1)
    return text


def fill(block, context, text):
    """The context with the block in its place; compiler and findings name the block's page and line."""
    path = os.path.join(HERE, "contexts", context)
    source = open(path, encoding="utf-8").read()
    rules = [rule.split(" =>") for rule in re.findall(r"^// replace: (.* =>.*)$", source, re.M)]
    rules = [(what, by.strip()) for what, by in rules]
    parts = parts_of(block, text) if "SNIPPET 2" in source else [text]
    where = os.path.join(os.path.relpath(HERE, ROOT), "contexts", context)
    lines = [f'#line 1 "{where}"']
    for number, line in enumerate(source.split("\n"), 1):
        slot = re.match(r"\s*SNIPPET(?: (\d))?$", line)
        if slot:
            part = (parts + [""] * 4)[int(slot.group(1) or 1) - 1]
            lines += [f'#line {block.line + 1} "{block.page}"', read_as(part, rules), f'#line {number + 1} "{where}"']
        else:
            lines.append("" if line.startswith("// replace:") else line)
    return "\n".join(lines)


class Code:
    def __init__(self, kit, work, nvcc, check):
        self.kit, self.work, self.nvcc, self.check, self.fragments = kit, work, nvcc, check, []

    def block(self, block):
        notes = block.notes or [{}]
        if block.page.startswith("docs/findings/"):
            kind = os.path.basename(block.page)[:-3]
            notes = [{"gets": {"Wrong": kind, "Right": ""}.get(block.section, "?")}]
        for note in notes:
            if "in" in note:
                source = fill(block, note["in"], text_for(block, note))
            elif "main(" in block.text or "__global__ void k(" in block.text:
                source = f'#line {block.line + 1} "{block.page}"\n' + block.text
            else:
                self.check(str(block), "a part of a program: name its context")
                continue
            self.fragments.append((block, note, source))

    def c_block(self, block):
        """A part of a harness: compiled and linked as one, and run with the context's kernel."""
        if "in" not in block.note or "kernel" not in block.note:
            self.check(str(block), "a part of a harness: its note has to say 'in: CONTEXT; kernel: CONTEXT'")
            return
        harness, kernel = os.path.join(self.work, "harness"), os.path.join(self.work, "kernel.ptx")
        with open(harness + ".c", "w", encoding="utf-8") as file:
            file.write(fill(block, block.note["in"], block.text))
        toolkit = os.path.dirname(os.path.dirname(os.path.realpath(self.nvcc)))
        commands = [["gcc", "-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-isystem", toolkit + "/include", "-I",
                     "common", "-o", harness, harness + ".c", "build/lib/libharness.a", "build/lib/libcudart.so.13", "-ldl", "-lm"],
                    KEPT_NVCC + ["-ptx", "-o", kernel, os.path.join(HERE, "contexts", block.note["kernel"])],
                    ["build/bin/softgpu", "--check", "all", harness, "--kernel", kernel, "--case", "x", "--seed", "1", "--output",
                     os.path.join(self.work, "result"), "--param", "n=100"]]
        for command in commands:
            done = subprocess.run(command, cwd=self.kit, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.check(str(block), None if done.returncode == 0 else done.stdout)
            block.checks += 1

    def run(self):
        whole = [f for f in self.fragments if not f[1].get("gets", "").startswith("compile-error")]
        for block, note, source in self.fragments:
            if (block, note, source) not in whole:
                self.must_not_compile(block, note, source)
        program, fault = self.build("snippets", whole)
        if fault:
            self.check("all code in one program", fault)
        for number, (block, note, source) in enumerate(whole):
            block.checks += 1
            if program:
                self.check(str(block), self.verdict_fault(program, number, note, source))

    def build(self, name, fragments):
        """All in one program, each in a namespace: one call of nvcc."""
        heads, bodies = {"#include <cassert>", "#include <cstdio>", "#include <cstdlib>"}, []
        for number, (block, _, source) in enumerate(fragments):
            lines = source.split("\n")
            heads.update(line for line in lines if line.startswith("#include <"))
            body = "\n".join("" if line.startswith("#include <") else line for line in lines)
            if "main(" not in body:
                launch = re.search(r"// <<<(.*)>>>", body)
                body += "\n" + MAIN % (launch.group(1) if launch else "1, 32")
            bodies.append(f"namespace n_{number} {{\n{body}\n}}")
        choose = "\n".join(f"case {number}: return n_{number}::main();" for number in range(len(fragments)))
        path = os.path.join(self.work, name + ".cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(sorted(heads) + bodies))
            file.write(f"\nint main(int, char **argv) {{ switch (atoi(argv[1])) {{ {choose} }} return 3; }}\n")
        program = os.path.join(self.work, name)
        done = self.compile(["-g", "-lineinfo", "-cudart", "shared", "-o", program, path])
        return (program, None) if done.returncode == 0 else (None, "\n".join(done.stdout.split("\n")[:6]))

    def compile(self, arguments):
        return subprocess.run(KEPT_NVCC + ["-w", "-arch=compute_90", "-I" + self.kit] + arguments, cwd=self.kit, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def must_not_compile(self, block, note, source):
        path = os.path.join(self.work, "refused.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        done = self.compile(["-ptx", "-o", os.path.join(self.work, "refused.ptx"), path])
        text = note["gets"].partition(" ")[2]
        fault = ("compiles" if done.returncode == 0 else
                 None if text in done.stdout else f"the compiler does not say '{text}':\n{done.stdout}")
        self.check(str(block), fault)
        block.checks += 1

    def verdict_fault(self, program, number, note, source):
        findings = os.path.join(self.work, "findings")
        if os.path.exists(findings):
            os.remove(findings)
        outcomes = note.get("ends") or note.get("can")
        how = (["--exhaustive"] if outcomes else
               ["--check", "all", "--schedules", "4", "--step-limit", "2000000"])
        if "cudaSetDevice(1)" in source:
            how += ["--devices", "2"]
        done = subprocess.run([os.path.join(self.kit, "build/bin/softgpu")] + how + ["--json", findings, program, str(number)],
                              text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        lines = [json.loads(line) for line in open(findings, encoding="utf-8")] if os.path.exists(findings) else []
        if outcomes:
            digits = len(outcomes.split()[0])
            got = {"".join(map(str, line["memory"]["alloc0"][:digits])) for line in lines if line["kind"] == "outcome"}
            wanted = set(outcomes.split())
            got = got & wanted if "can" in note else got
        else:
            got = {line["kind"] for line in lines} | ({"wrong-result"} if done.returncode == 42 else set())
            wanted = set(re.findall(r"[a-z-]+", note.get("gets", "").replace("nothing", "")))
        if got == wanted:
            return None
        return f"gets {', '.join(sorted(got)) or 'nothing'}, not {', '.join(sorted(wanted)) or 'nothing'}\n{done.stdout[-1500:]}"
