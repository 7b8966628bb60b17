"""The kit's folder and its programs, run so that a notebook can show how far they are and stop them."""
import os
import pty
import re
import shutil
import signal
import subprocess
import threading
from pathlib import Path

NEEDED = ("grade", "softgpu", "labs")


class KitError(Exception):
    """What keeps a cell from being run, in words for its author."""


class Finished:
    """What a program left: exit status and both outputs as text."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err


def is_kit(folder):
    return all((folder / name).exists() for name in NEEDED)


class Kit:
    def __init__(self, root):
        self.root = Path(root).resolve()
        if not is_kit(self.root):
            raise KitError(f"{self.root} is not a kit: it has no {', '.join(NEEDED)}")

    @classmethod
    def find(cls):
        """The kit that FENCEPOST_KIT names, or that the working folder lies in, or beside or below it."""
        named = os.environ.get("FENCEPOST_KIT")
        if named:
            return cls(named)
        here = Path.cwd()
        for folder in (here, *here.parents):
            for candidate in (folder, folder / "fencepost"):
                if is_kit(candidate):
                    return cls(candidate)
        raise KitError("the kit is nowhere here: clone it beside the notebook, or set FENCEPOST_KIT to its folder")

    @property
    def is_built(self):
        return all((self.root / "build" / "bin" / name).exists() for name in ("softgpu", "grade"))

    def build(self, on_line):
        """`make setup`, then `make`, where the kit is not built yet; each line goes to on_line."""
        for words in (["make", "setup"], ["make", "softgpu", "grader"]):
            self._make(words, on_line)

    def build_lab(self, lab, on_line):
        self._make(["make", lab], on_line)

    def _make(self, words, on_line):
        done = run(words, cwd=self.root, on_line=on_line)
        if done.status:
            raise KitError(f"`{' '.join(words)}` failed:\n{(done.out + done.err)[-2000:]}")

    @property
    def softgpu(self):
        return str(self.root / "build" / "bin" / "softgpu")

    @property
    def nvcc(self):
        """The compiler that the kit's Makefile takes: its own, PATH's, or where the toolkit usually lies."""
        for candidate in (self.root / ".cuda/bin/nvcc", shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
            if candidate and Path(candidate).exists():
                return str(candidate)
        raise KitError("no nvcc here: run `make setup` in the kit's folder")

    def grade(self, words, on_cases=None):
        """`./grade WORDS`; on_cases(done, all) is called while cases are decided."""
        cases = re.compile(r"(\d+) of (\d+) cases")

        def on_line(line):
            found = cases.search(line)
            if found and on_cases:
                on_cases(int(found.group(1)), int(found.group(2)))

        return run([str(self.root / "grade"), *words], cwd=self.root, on_line=on_line, terminal=True)


def run(words, cwd=None, on_line=None, terminal=False, on_out=None):
    """
    Runs a program to its end. An interrupt of the cell ends it and all that it has started.

    on_line   called with each piece of stderr that ends with a newline or a carriage return
    terminal  stderr is a terminal: programs say how far they are only there
    on_out    called with each piece of stdout as it comes
    """
    read_end, write_end = pty.openpty() if terminal else os.pipe()
    child = subprocess.Popen(words, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=write_end,
                             start_new_session=True)
    os.close(write_end)
    err = []

    def read_errors():
        piece = b""
        while True:
            try:
                more = os.read(read_end, 65536)
            except OSError:  # a terminal whose last writer has gone
                more = b""
            if not more:
                break
            err.append(more)
            *lines, piece = re.split(rb"[\r\n]+", piece + more)
            for line in lines if on_line else ():
                on_line(line.decode(errors="replace"))
            if terminal and on_line:
                on_line(piece.decode(errors="replace"))

    reader = threading.Thread(target=read_errors, daemon=True)
    reader.start()
    out = []
    try:
        for piece in iter(lambda: child.stdout.read1(65536), b""):
            out.append(piece)
            if on_out:
                on_out(piece.decode(errors="replace"))
        status = child.wait()
    except KeyboardInterrupt:
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        raise
    finally:
        child.stdout.close()
        reader.join(timeout=2)
        os.close(read_end)
    return Finished(status, b"".join(out).decode(errors="replace"), b"".join(err).decode(errors="replace"))
