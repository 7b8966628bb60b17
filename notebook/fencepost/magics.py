"""The magics: %%cuda, %%lab, %lab, %hint."""
import functools
import html
import re
import shlex
import sys
import tempfile
from pathlib import Path

from IPython.core.magic import Magics as BaseMagics, cell_magic, line_cell_magic, line_magic, magics_class
from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring
from IPython.display import display

from . import findings
from .kit import KitError, run

SILENT = "<div class='finding silent'><b>no findings</b> <span class=dim>under all checks</span></div>"


def show(as_html, as_text, handle=None):
    bundle = {"text/html": as_html, "text/plain": as_text}
    if handle:
        handle.update(bundle, raw=True)
        return handle
    return display(bundle, raw=True, display_id=True)


class Progress:
    """One line that is overwritten: how far something is."""

    def __init__(self, title):
        self.title, self.handle, self.last = title, None, None

    def show(self, words, done=None, of=None):
        if (words, done, of) == self.last:
            return
        self.last = (words, done, of)
        bar = f"<progress value={done} max={of}></progress> " if of else ""
        self.handle = show(f"<div class=fencepost>{bar}{html.escape(self.title)} {html.escape(words)}</div>",
                           f"{self.title} {words}", self.handle)

    def end(self, as_html, as_text):
        show(as_html, as_text, self.handle)


def told(function):
    """A magic whose KitErrors are shown as words, not as a traceback through this package."""
    @functools.wraps(function)
    def with_words(self, *arguments):
        try:
            return function(self, *arguments)
        except KitError as error:
            print(error, file=sys.stderr)
            return None

    return with_words


@magics_class
class Magics(BaseMagics):
    def __init__(self, shell, kit):
        super().__init__(shell)
        self.kit = kit

    def _need_built(self, lab=None):
        progress = Progress("building the kit:")
        if not self.kit.is_built:
            self.kit.build(progress.show)
        if lab:
            self.kit.build_lab(lab, progress.show)
        if progress.handle:
            progress.end("", "")

    @cell_magic
    @told
    def cuda(self, line, cell):
        """%%cuda [--check LIST] [--schedules N] [--seed N] [--arch A] [--remote] [ARGUMENT...]

        Compiles the cell, a program with a main(), with nvcc and runs it on softgpu."""
        options = parse_cuda(line)
        self._need_built()
        with tempfile.TemporaryDirectory(prefix="cell-") as folder:
            folder = Path(folder)
            (folder / "cell.cu").write_text(cell)
            if self._compiles(folder, options):
                self._runs(folder, options, cell)

    def _compiles(self, folder, options):
        words = [self.kit.nvcc, "-g", "-lineinfo", "-cudart", "shared", f"-arch={options.arch}", "-o", "cell", "cell.cu"]
        done = run(words, cwd=folder)
        if done.err or done.out:
            print((done.out + done.err).rstrip(), file=sys.stderr)
        return done.status == 0

    def _runs(self, folder, options, cell):
        words = [self.kit.softgpu, "--json", "findings", "--json-end"]
        for name in ("check", "schedules", "seed"):
            if getattr(options, name) is not None:
                words += [f"--{name}", getattr(options, name)]
        done = run([*words, *(["--remote"] if options.remote else []), "./cell", *options.arguments], cwd=folder,
                   on_out=lambda text: (sys.stdout.write(text), sys.stdout.flush()))
        own, summary = split_summary(done.err)
        if own:
            print(own, end="", file=sys.stderr)
        found = findings.read(folder / "findings")
        source = findings.Source("cell.cu", cell)
        for finding in found or ():
            for access in finding.get("accesses", []) + finding.get("interleaving", []):
                if access.get("file", "").rsplit("/", 1)[-1] == "cell.cu":
                    access["file"] = "cell.cu"
        if found:
            show(findings.as_html(found, source), findings.as_text(found, source))
        elif found is None:
            print(summary or f"the program ended with {done.status}, and its findings are not complete", file=sys.stderr)
        elif options.check != "none":
            show(f"{findings.STYLE}<div class=fencepost>{SILENT}</div>", "no findings, under all checks")
        if done.status not in (0, 86):
            print(f"exit status {done.status}", file=sys.stderr)

    @line_cell_magic
    @told
    def lab(self, line, cell=None):
        """%%lab lab03 [part=B] [case=NAME] [seed=HEX] grades the cell; %lab grades its file again."""
        lab, options = parse_lab(line)
        file = Path.cwd() / f"{lab}_kernel.cu"
        if cell is not None:
            file.write_text(cell)
        elif not file.exists():
            raise KitError(f"{file.name} is not here: grade a cell with %%lab {lab} first")
        self._need_built(lab)
        progress = Progress(f"{lab}:")
        progress.show("compiling")
        with tempfile.TemporaryDirectory(prefix="lab-") as folder:
            report = Path(folder) / "report.html"
            done = self.kit.grade([lab, "--file", str(file), "--format", "html", "--output", str(report), *options],
                                  lambda now, of: progress.show(f"{now} of {of} cases", now, of))
            if not report.exists():
                progress.end("", "")
                raise KitError(clean(done.err + done.out))
            progress.end(*framed(report.read_text(), lab))

    @line_magic
    @told
    def hint(self, line):
        """%hint lab03 opens the next hint for the first thing that fails."""
        lab, options = parse_lab(line)
        self._need_built(lab)
        file = Path.cwd() / f"{lab}_kernel.cu"
        words = ["--file", str(file)] if file.exists() else []
        done = self.kit.grade([lab, *words, "--hint", *options])
        print(clean(done.out + done.err))


@magic_arguments()
@argument("--check", help="all, none, or checkers separated by commas")
@argument("--schedules", help="runs of each launch")
@argument("--seed", help="fixes every choice of a run")
@argument("--arch", default="compute_75", help="what nvcc compiles for")
@argument("--remote", action="store_true", help="the device in a process of its own")
@argument("arguments", nargs="*", help="the program's")
def cuda_arguments():
    """What stands after %%cuda."""


def parse_cuda(line):
    return parse_argstring(cuda_arguments, line)


def parse_lab(line):
    """'lab03 part=B' as the lab's name and the grader's options."""
    words = shlex.split(line)
    if not words or not re.fullmatch(r"lab\d\d", words[0]):
        raise KitError("which lab? Say %%lab lab03, or %%lab lab03 part=B")
    options = []
    for word in words[1:]:
        name, _, value = word.partition("=")
        flag = {"part": "--case", "case": "--case", "seed": "--seed"}.get(name)
        if not flag or not value:
            raise KitError(f"\"{word}\" is none of part=B, case=NAME, seed=HEX")
        options += [flag, value]
    return words[0], options


def split_summary(text):
    """stderr as the program's own text and softgpu's, which is a line "softgpu: …" and those indented below it."""
    own, summary, inside = [], [], False
    for line in text.splitlines(keepends=True):
        inside = line.startswith("softgpu: ") or (inside and line.startswith("  "))
        (summary if inside else own).append(line)
    return "".join(own), "".join(summary)


def clean(text):
    """Terminal output without its carriage returns and escapes."""
    return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", re.sub(r"[^\n]*\r(?!\n)", "", text).replace("\r", "")).strip()


def framed(page, lab):
    """The grader's page in a frame of its own, whose styles stay there, and its first words as text."""
    score = re.search(r'class=score[^>]*>(.*?)</', page, re.S)
    words = re.sub(r"<[^>]*>", "", score.group(1)).strip() if score else "see the report"
    frame = (f'<iframe sandbox srcdoc="{html.escape(page, quote=True)}" '
             f'style="width:100%;height:34rem;border:1px solid #8884;border-radius:6px" title="{lab}"></iframe>')
    return frame, f"{lab}: {words}"
