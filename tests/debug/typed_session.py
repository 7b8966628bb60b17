"""softgpu debug as somebody types it on a terminal: typed_session.py SOFTGPU PROGRAM LONG… One line for each thing that does not
hold. LONG… is a program with a kernel that runs for long."""
import ctypes
import os
import pty
import re
import select
import sys

SECONDS = 60
passed = failed = 0


class Terminal:
    def __init__(self, *words):
        self.child, self.fd = pty.fork()
        if self.child == 0:
            os.environ["TERM"] = "xterm"
            os.execv(words[0], words)
        self.rest = ""

    def until(self, pattern, seconds=SECONDS):
        """What comes up to there; nothing where it does not come."""
        while not re.search(pattern, self.rest):
            if not select.select([self.fd], [], [], seconds)[0]:
                return ""
            try:
                data = os.read(self.fd, 4096)
            except OSError:
                data = b""
            if not data:
                return ""
            self.rest += data.decode(errors="replace")
        end = re.search(pattern, self.rest).end()
        text, self.rest = self.rest[:end], self.rest[end:]
        return text

    def type(self, text, pattern=r"\(softgpu\) $"):
        os.write(self.fd, text.encode())
        return self.until(pattern)


def check(what, holds, *more):
    global passed, failed
    passed, failed = passed + bool(holds), failed + (not holds)
    if not holds:
        print("FAIL", what, *more)


def leave(t):
    os.write(t.fd, b"q\n")
    t.until(r"\0never\0") # to the end, which a terminal shows when its last user is gone
    os.close(t.fd)
    _, status = os.waitpid(t.child, 0)
    check("quit", status == 0, status)


def loads(name):
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


t = Terminal(sys.argv[1], "debug", sys.argv[2])
check("a prompt", t.until(r"\(softgpu\) $"))
check("Ctrl-C at the prompt leaves it there", t.type("\x03help until\n", r"not one before[^\n]*\n"))
check("a breakpoint", "Breakpoint 1 at structs" in t.type("b structs thread 3\n", r"Breakpoint 1 at.*\n"))
check("run", t.type("r\n", r"Breakpoint 1, block 0 thread 3.*\n"))
check("an empty line repeats", t.type("stepi\n", r"place \d+") and t.type("\n", r"place \d+"))
if loads("libedit.so.2") or loads("libedit.so.0"):
    check("a command is completed", t.type("ptyp\t mine\n", r"type = node \{"))
    check("a variable is completed", t.type("p mi\t.key\n", r"mine\.key = "))
    check("a topic is completed", t.type("info regi\t\n", r"%rd?\d+"))
    check("the line before comes back", t.type("p 6 * 7\n", r"= 42") and t.type("\x1b[A\n", r"= 42"))

leave(t)

t = Terminal(sys.argv[1], "debug", *sys.argv[3:])
t.until(r"\(softgpu\) $")
check("the program's words come up", t.type("r\n", r"it begins\r\n")) # before that, Ctrl-C could still drop the line
for i in range(2 * SECONDS): # the first may come before there is anything to stop
    os.write(t.fd, b"\x03")
    stopped = t.until(r"Interrupted, block \d+ thread \d+", 0.5)
    if stopped:
        break
check("Ctrl-C stops a kernel", stopped)
check("and leaves a prompt", t.until(r"\(softgpu\) $") and t.type("info threads\n", r"can run|runs"))
leave(t)
print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
