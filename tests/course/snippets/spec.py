"""YAML: a piece of a lab's spec is put into that lab, and the grader reads and uses it.

`<!-- in: labs/LAB/lab.yaml; grade: ARGUMENTS; earns: POINTS -->`: a case goes into the spec's last part, any other key
takes the place of the lab's. Then ./grade ARGUMENTS has to judge, and to give so many points.
"""
import json
import os
import re


def points_in(text):
    return sum(int(n) for n in re.findall(r"\bpoints: (\d+)", text))


def with_piece(spec, piece):
    head, _, rest = spec.partition("\nparts:")
    total = int(re.search(r"^points: (\d+)", head, re.M).group(1))
    if piece.startswith("- "):
        place = spec.rindex("    cases:\n") + len("    cases:\n")
        spec = spec[:place] + "".join(f"      {line}\n" for line in piece.split("\n")) + spec[place:]
    else:
        key = piece.split(":")[0]
        old = re.search(rf"^{key}:.*\n(?:(?: .*|#.*)?\n)*", spec, re.M)
        if old:
            total -= points_in(old.group(0))
            spec = spec.replace(old.group(0), "", 1)
        spec += "\n" + piece + "\n"
    return re.sub(r"^points: \d+", f"points: {total + points_in(piece)}", spec, count=1, flags=re.M)


class Specs:
    def __init__(self, kit, shell, check):
        self.kit, self.shell, self.check, self.lines = kit, shell, check, []

    def block(self, block):
        for key in ("in", "grade", "earns"):
            if key not in block.note:
                self.check(str(block), f"a piece of a spec: its note has no '{key}:'")
                return
        path = os.path.join(self.kit, block.note["in"])
        spec = open(path, encoding="utf-8").read()
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(with_piece(spec, block.text))
            self.check(str(block), self.fault_of(block.note))
        finally:
            with open(path, "w", encoding="utf-8") as file:
                file.write(spec)
        block.checks += 1

    def fault_of(self, note):
        record = os.path.join(self.kit, "build/snippet.json")
        status, output = self.shell.run(f"./grade {note['grade']} --format json --output {record}")
        if status not in (0, 1):
            return f"./grade {note['grade']}: ends with {status}\n{output}"
        with open(record, encoding="utf-8") as file:
            earned = json.load(file)["earned"]
        return None if earned == int(note["earns"]) else f"./grade {note['grade']}: earns {earned}, not {note['earns']}"

    def verdicts(self, block):
        """Comments that tell a wrong variant's verdict: `<!-- verdicts of: LAB -->`, a lab of `./grade dev new`."""
        for line in block.lines:
            if line.startswith("// verdict:"):
                self.lines.append((block, line))
                block.checks += 1

    def check_verdicts(self):
        """Each is put on top of a wrong variant; `dev check` has to understand it, whether it holds or not."""
        folder = os.path.join(self.kit, "solutions/lab20_mine/wrong")
        with open(os.path.join(folder, "no_bounds.cu"), encoding="utf-8") as file:
            body = [line for line in file.read().split("\n") if not line.startswith("// verdict:")]
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        for number, (_, line) in enumerate(self.lines):
            with open(os.path.join(folder, f"verdict_{number}.cu"), "w", encoding="utf-8") as file:
                file.write("\n".join([line] + body + ["// @1", "// @2"]) + "\n")
        _, output = self.shell.run("make lab20 && ./grade dev check lab20")
        said = " ".join(output.split())
        for number, (block, line) in enumerate(self.lines):
            found = re.search(rf"verdict_{number}\.cu (\S+) \S+ s (.*?)(?=solutions/|\d+ files:)", said)
            fault = ("was not checked" if not found or found.group(1) not in ("ok", "FAIL") else
                     found.group(2) if "the line" in found.group(2) else None)
            self.check(str(block), fault and f"{line}: {fault}")
