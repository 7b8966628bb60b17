"""A scripted client of the Debug Adapter Protocol."""
import json
import os
import select
import subprocess
import sys
import time

import dap_schema

SECONDS = 60
passed = failed = 0


def check(name, holds, shown=None):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"FAIL {name}: {json.dumps(shown)[:600] if shown is not None else ''}")


def line_of(text, source):
    return next(i for i, line in enumerate(open(source), 1) if text in line)


class Client:
    def __init__(self, *command, files=None):
        if files:
            self.child, self.input, self.output = None, files.fileno(), files.fileno()
            self.files = files
        else:
            self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE)
            self.input, self.output = self.child.stdin.fileno(), self.child.stdout.fileno()
        self.bytes, self.seq, self.events = b"", 0, []

    def raw(self, data):
        try:
            while data:
                data = data[os.write(self.input, data):]
        except BrokenPipeError:
            pass

    def send(self, command, **arguments):
        self.seq += 1
        body = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self.seq

    def keeps_to_schema(self, m):
        wrong = dap_schema.complaint(m)
        if wrong:
            check("a message keeps to the protocol's schema", False, [wrong, m])
        return m

    def receive(self):
        """The next message; None at the end."""
        while True:
            head, found, rest = self.bytes.partition(b"\r\n\r\n")
            if found:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.bytes = rest[length:]
                    return self.keeps_to_schema(json.loads(rest[:length]))
            if not select.select([self.output], [], [], SECONDS)[0]:
                return None
            more = os.read(self.output, 65536)
            if not more:
                return None
            self.bytes += more

    def wait(self, wanted):
        """The first message that is wanted; events are kept on the way."""
        for i, e in enumerate(self.events):
            if wanted(e):
                return self.events.pop(i)
        while True:
            m = self.receive()
            if m is None or wanted(m):
                return m or {}
            if m["type"] == "event":
                self.events.append(m)

    def ask(self, command, **arguments):
        seq = self.send(command, **arguments)
        return self.wait(lambda m: m.get("type") == "response" and m["request_seq"] == seq)

    def event(self, *names):
        return self.wait(lambda m: m.get("type") == "event" and m["event"] in names)

    def stop(self, command, **arguments):
        """Runs, and waits for where it stops."""
        r = self.ask(command, **arguments)
        check(f"{command} is answered", r.get("success"), r)
        return self.event("stopped", "terminated").get("body") or {}

    def top(self, thread):
        frames = self.ask("stackTrace", threadId=thread)["body"]["stackFrames"]
        return frames[0]

    def variables(self, frame, scope):
        for s in self.ask("scopes", frameId=frame)["body"]["scopes"]:
            if s["name"] == scope:
                return {v["name"]: v for v in self.ask("variables", variablesReference=s["variablesReference"])["body"]["variables"]}
        return {}

    def begin(self, path, breakpoints=(), filters=(), **launch):
        """Up to the first stop."""
        r = self.ask("initialize", adapterID="softgpu")
        check("initialize tells what it can", r.get("body", {}).get("supportsStepBack"), r)
        check("initialized", self.event("initialized"))
        r = self.ask("setBreakpoints", source={"path": os.path.abspath(path)}, breakpoints=list(breakpoints))
        check("breakpoints are taken", len(r["body"]["breakpoints"]) == len(breakpoints), r)
        self.ask("setExceptionBreakpoints", filters=list(filters))
        r = self.ask("launch", **launch)
        check("launch", r.get("success"), r)
        return self.stop("configurationDone")

    def end(self, how="disconnect"):
        r = self.ask(how)
        check(how, r.get("success"), r)
        return self.gone()

    def gone(self):
        if self.child is None:
            return 0
        self.child.stdin.close()
        try:
            status = self.child.wait(SECONDS)
        except subprocess.TimeoutExpired:
            self.child.kill()
            status = "still there"
        self.errors = self.child.stderr.read().decode()
        self.child.stdout.close()
        self.child.stderr.close()
        return status


def left(program):
    """Processes of the program; they end when their debugger does, which takes the system a moment."""
    for _ in range(20 * SECONDS):
        found = subprocess.run(["pgrep", "-f", program + " "], stdout=subprocess.PIPE).stdout.decode().split()
        found = [p for p in found if p != str(os.getpid())]
        if not found:
            return []
        time.sleep(0.05)
    return found


def finish():
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed > 0)
