"""What the debugger costs: costs.py SOFTGPU PROGRAM, where PROGRAM is costs.cu, compiled with -lineinfo -cudart shared. Opens at the
finding of a launch of 1,000 blocks and in a long one, steps both ways at random places, and tells times and memory. A measurement, no
test: times are wall clock, the least and the most of what was seen."""
import os
import random
import re
import subprocess
import sys
import time

SOFTGPU, PROGRAM = sys.argv[1:3]


class Debugger:
    def __init__(self, *words):
        self.begin = time.time()
        self.child = subprocess.Popen([SOFTGPU, "debug", "--schedules", "1", PROGRAM, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, bufsize=1)

    def ask(self, command):
        """Its output, and the milliseconds that it took."""
        begin, lines = time.time(), []
        self.child.stdin.write(command + "\nwhatis 5\n")
        while (line := self.child.stdout.readline()) and not re.match("type = int$|the program does not run", line):
            lines.append(line)
        return "".join(lines), (time.time() - begin) * 1000

    def memory(self):
        """MiB of the program with its copies; what they share counts once. And how many they are."""
        sizes = []
        for p in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{p}/cmdline", encoding="utf-8") as f:
                    mine = f.read().startswith(PROGRAM + "\0")
                if mine:
                    with open(f"/proc/{p}/smaps_rollup", encoding="utf-8") as f:
                        sizes.append(int(re.search(r"^Pss: +(\d+)", f.read(), re.M).group(1)))
            except (OSError, AttributeError):
                pass
        return sum(sizes) / 1024, len(sizes)

    def end(self):
        self.child.stdin.close()
        self.child.wait()


def place(text):
    found = re.findall(r"place (\d+)", text)
    return int(found[-1]) if found else 0


def measure(title, blocks, n, places):
    d = Debugger(str(blocks), str(n))
    opened = d.ask("run")[0]
    print(f"{title}: open at the finding {(time.time() - d.begin) * 1000:.0f} ms, place {place(opened)}")
    d.ask("catch no findings")
    _, ran = d.ask("continue")
    far, _ = d.ask("info run")
    far = int(re.search(r"of (\d+) so far", far).group(1))
    print(f"  on to the end {ran / 1000:.1f} s, {far} warp instructions; memory {d.memory()[0]:.0f} MiB in {d.memory()[1]} processes")
    times = {"goto": [], "s": [], "si": [], "rsi": [], "rs": [], "rsi again": []}
    chance = random.Random(1)
    for _ in range(places):
        times["goto"].append(d.ask(f"goto {chance.randrange(1, far)}")[1])
        for command in ("s", "si", "rsi", "rs", "rsi again"):
            times[command].append(d.ask(command.split()[0])[1])
    for command, t in times.items():
        t.sort()
        print(f"  {command:10s} {t[0]:7.1f} ms  median {t[len(t) // 2]:7.1f}  most {t[-1]:7.1f}")
    print(f"  memory then {d.memory()[0]:.0f} MiB in {d.memory()[1]} processes")
    d.end()


measure("1,000 blocks", 1000, 256000, 10)
measure("1,000 blocks, 10^8 lane instructions", 1000, 12800000, 10)
