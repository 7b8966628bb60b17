"""Commands: each is run in a copy of the kit, or checked as otherwise.txt says.

A command that fails, one with an option or a target that is not there, and a row of the list that no page needs
are faults. ./grade may end with 1 (a lab that is not solved), softgpu with 86 (a finding).
"""
import contextlib
import os
import re
import shlex
import subprocess

ALLOWED = {"./grade": (0, 1), "build/bin/softgpu": (0, 86), "softgpu": (0, 86)}
WRITES = re.compile(r"--(?:output|timeline|csv|json) (\S+)")
PLACEHOLDER = re.compile(r"(?<![\w/-])(?:[A-Z]{2,}\b(?!=)|labNN|K\.cu|I/N|…)")


class Listed:
    def __init__(self, path):
        self.rows, self.values, self.used = {}, [], set()
        for line in open(path, encoding="utf-8"):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            if " => " in line:
                self.values.append([part.strip() for part in line.split(" => ")])
                continue
            command, how, reason = [part.strip() for part in line.split(" | ")]
            self.rows[command] = (how, reason)

    def row(self, command):
        self.used.add(command)
        return self.rows[command]


class Shell:
    """`kit`: the copy's folder. `check` is called with (where, what is wrong or None)."""

    def __init__(self, kit, listed, check):
        self.kit, self.listed, self.check, self.seen, self.ran, self.faults = kit, listed, check, {}, {}, {}
        self.state, self.visit = None, 0 # the file that stands for a lab's kernel.cu, and how often one did
        self.environment = {k: v for k, v in os.environ.items() if k not in ("BUILD", "MAKEFLAGS", "MAKELEVEL", "MFLAGS")}

    def run(self, command, seconds=300):
        """Status, and what was printed. A grade with a seed that writes no file is the same each time, and is run once."""
        if not command.startswith("./grade") or "--seed" not in command or WRITES.search(command):
            return self.run_now(command, seconds)
        if (command, self.state) not in self.ran:
            self.ran[command, self.state] = self.run_now(command, seconds)
        return self.ran[command, self.state]

    def run_now(self, command, seconds):
        try:
            done = subprocess.run(["bash", "-c", command], cwd=self.kit, env=self.environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
        except subprocess.TimeoutExpired:
            return 124, f"not done in {seconds} s"
        return done.returncode, done.stdout.decode("utf-8", "replace")

    def block(self, block):
        """A block of language sh: a command a line, or over several that end with a backslash."""
        with self.solved(block.note.get("with")):
            for line in block.text.replace("\\\n", " ").split("\n"):
                line = re.sub(r"(^|\s+)# .*", "", line).strip()
                if line:
                    self.line(str(block), line)
                    block.checks += 1

    @contextlib.contextmanager
    def solved(self, path):
        """While it lasts, that file (without its @1 markers) is the lab's kernel.cu, as if a student had written it."""
        if not path:
            yield
            return
        target = os.path.join(self.kit, "labs", path.split("/")[1], "kernel.cu")
        with open(target, encoding="utf-8") as file:
            before = file.read()
        with open(os.path.join(self.kit, path), encoding="utf-8") as file:
            source = re.sub(r" // @\d$", "", file.read(), flags=re.M)
        try:
            with open(target, "w", encoding="utf-8") as file:
                file.write(source)
            self.state, self.visit = path, self.visit + 1
            yield
        finally:
            self.state = None
            with open(target, "w", encoding="utf-8") as file:
                file.write(before)

    def option(self, where, text):
        """An option in running text: one of our programs takes it, or the list says whose it is."""
        if text in self.listed.rows:
            self.listed.row(text)
        else:
            name = text.split()[0].split("=")[0]
            self.check(where, None if name in self.options() else f"no program takes {name}")

    def key(self, command):
        return command, self.visit if self.state else 0

    def line(self, where, line):
        """Commands joined by &&, each once."""
        for command in line.split(" && "):
            command = " ".join(command.split())
            if self.key(command) not in self.seen:
                self.seen[self.key(command)] = self.fault_of(command)
            fault = self.seen[self.key(command)]
            self.check(where, fault and f"{command}: {fault}")

    def fault_of(self, command):
        if command in self.listed.rows:
            how, _ = self.listed.row(command)
            return self.listed_fault(command, how)
        return self.run_fault(self.filled(command))

    def filled(self, command):
        """Optional parts are given, and placeholders have a value."""
        command = re.sub(r"\[([^]]*)\]", r"\1", command)
        for name, value in self.listed.values:
            command = re.sub(rf"(?<![\w./-]){re.escape(name)}(?![\w/=])", value, command)
        return command

    def run_fault(self, command):
        """Of several rows that run the same, one does."""
        if self.key(command) not in self.faults:
            self.faults[self.key(command)] = self.new_run_fault(command)
        return self.faults[self.key(command)]

    def new_run_fault(self, command):
        left = PLACEHOLDER.search(command)
        if left:
            return f"what is {left.group(0)}?"
        words = [w for w in command.split() if not re.match(r"[A-Z_]+=", w)]
        if words[0] == "nvcc":
            return self.nvcc_fault(command)
        ran = re.sub(r"^softgpu ", "build/bin/softgpu ", command)
        if words[0] == "softgpu" and not re.search(r" \./program| --instructions", command):
            ran += " ./program"
        for path in WRITES.findall(ran):
            if path != "/dev/null" and os.path.exists(os.path.join(self.kit, path)):
                os.remove(os.path.join(self.kit, path))
        status, output = self.run(ran)
        if status not in ALLOWED.get(words[0], (0,)):
            return f"ends with {status}:\n{output[-600:]}"
        for path in WRITES.findall(ran):
            if not os.path.exists(os.path.join(self.kit, path)):
                return f"did not write {path}"
        return None

    def nvcc_fault(self, command):
        """A mention of options: does nvcc take them?"""
        options = shlex.split(command)[1:]
        if options[-1].endswith("="):
            options[-1] += "compute_75"
        words = " ".join(shlex.quote(word) for word in options)
        status, output = self.run(f"{self.environment['NVCC']} --dryrun {words} -x cu /dev/null")
        return None if status == 0 else output

    def listed_fault(self, command, how):
        word, _, rest = how.partition(" ")
        if word == "target" or (word == "full" and os.environ.get("FULL", "0") == "0"):
            return self.target_fault(command)
        if word == "full":
            return self.run_fault(command)
        if word == "run":
            return self.run_fault(rest)
        if word == "with":
            with self.solved(rest):
                made = re.search(r"build/lab\w+/(?:program|kernel\.ptx)", command) # of the lab's kernel.cu, by name alone
                made = made.group(0) if made else rest.split("/")[1][:5]
                return self.run_fault(f"make {made}") or self.run_fault(self.filled(command))
        if word == "syntax":
            status, output = self.run(f"bash -n {command}")
            return None if status == 0 else output
        if word == "test":
            path, _, text = rest.partition(": ")
            path = os.path.join(self.kit, path)
            if not os.path.exists(path) or text not in open(path, encoding="utf-8").read():
                return f"{rest} is not there"
            return self.options_fault(command)
        return f"otherwise.txt: what is '{how}'?"

    def options_fault(self, command):
        if not command.startswith("./grade "):
            return None
        unknown = [o for o in re.findall(r" (--?[a-z-]+)", command) if o not in self.options()]
        return f"no option {unknown[0]}" if unknown else None

    def options(self):
        """What the grader, softgpu and harnesses take."""
        if not hasattr(self, "known"):
            shown = "".join(self.run(program + " --help")[1] for program in
                            ("./grade", "build/bin/softgpu", "build/lab03_last_block/harness"))
            shown += self.run("grep -ho '\"--[a-z-]*' common/*.c")[1]
            self.known = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", shown))
        return self.known

    def target_fault(self, command):
        """make's own database: -n would run what is marked with a +."""
        makefile = open(os.path.join(self.kit, "Makefile"), encoding="utf-8").read()
        for word in command.split()[1:]:
            name, is_variable, _ = word.partition("=")
            if is_variable and f"$({name})" not in makefile:
                return f"the Makefile does not know {name}"
            if not is_variable and not re.search(rf"^{re.escape(name)}:", self.database(), re.M):
                return f"there is no target {name}"
        return None

    def database(self):
        if not hasattr(self, "targets"):
            self.targets = self.run("make -pq help")[1]
        return self.targets

    def unused(self):
        return [row for row in self.listed.rows if row not in self.listed.used]
