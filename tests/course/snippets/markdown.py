"""The fenced blocks and the commands in running text of a page."""
import re

# A block whose first word is one of these is something to type.
COMMAND = re.compile(r"^(?:[A-Z_]+=\S+ )?(?:make|\./grade|build/bin/\w+|softgpu|nvcc|apt-get|git|sbatch)(?: |$)")
OPTION = re.compile(r"^--[a-z][a-z-]+")
NOTE = re.compile(r"^ *<!-- (.*) -->$")
FENCE = re.compile(r"^( *)```(\S*)$")
INDENTED = re.compile(r"^ {4}\S")


class Block:
    """A fenced block: `notes` are the comments on the lines before it, as mappings ("in: x; gets: y"); `note` is the first."""

    def __init__(self, page, line, section, language, notes, lines):
        self.page, self.line, self.section = page, line, section
        self.language, self.notes, self.lines = language, notes, lines
        self.note = notes[0] if notes else {}
        self.text = "\n".join(lines)
        self.checks = 0

    def __str__(self):
        return f"{self.page}:{self.line}"


def notes_before(lines, n):
    """Those on the lines right before line n."""
    notes = []
    while n and NOTE.match(lines[n - 1]):
        n -= 1
        parts = [part.partition(": ") for part in NOTE.match(lines[n]).group(1).split("; ")]
        notes.insert(0, {key.strip(): value.strip() for key, _, value in parts})
    return notes


class Page:
    """`blocks`, `commands` and `options` [(line, text)], and `faults`: what no reader of Markdown would take for a block."""

    def __init__(self, path, text):
        self.path, self.blocks, self.commands, self.options, self.faults = path, [], [], [], []
        lines, prose, n = text.split("\n"), [], 0
        in_list, section = False, ""
        while n < len(lines):
            line, fence = lines[n], FENCE.match(lines[n])
            if not fence:
                section = line.lstrip("# ") if line.startswith("#") else section
                if line and not line.startswith(" "):
                    in_list = re.match(r"[-*] |\d+\. ", line) is not None
                if INDENTED.match(line) and not in_list and (n == 0 or not lines[n - 1]):
                    self.faults.append(f"{path}:{n + 1}: an indented block: fence it and name its language")
                prose.append(line)
                n += 1
                continue
            start, indent, body = n, len(fence.group(1)), []
            n += 1
            while n < len(lines) and lines[n].strip() != "```":
                body.append(lines[n][indent:])
                n += 1
            if n == len(lines):
                self.faults.append(f"{path}:{start + 1}: a block without an end")
            if not fence.group(2):
                self.faults.append(f"{path}:{start + 1}: a block without a language")
            self.blocks.append(Block(path, start + 1, section, fence.group(2), notes_before(lines, start), body))
            prose += [""] * (n - start + 1)
            n += 1
        self._spans("\n".join(prose))

    def _spans(self, prose):
        for span in re.finditer(r"(?<!`)`([^`]+)`(?!`)", prose):
            text = " ".join(span.group(1).split())
            line = prose.count("\n", 0, span.start()) + 1
            if COMMAND.match(text) and text not in ("softgpu", "nvcc", "git"):
                self.commands.append((line, text))
            elif OPTION.match(text):
                self.options.append((line, text))
