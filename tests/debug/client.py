"""Whole sessions: client.py SOFTGPU PROGRAM SOURCE. One line for each thing that does not hold."""
import os
import socket
import subprocess
import sys
import time

import dap_schema
from dap_client import Client, SECONDS, check, finish, left, line_of

SOFTGPU, PROGRAM, SOURCE = sys.argv[1:4]


def debugger(*options):
    return Client(SOFTGPU, "--debug", *options)


def begin(c, number, breakpoints=(), filters=(), **more):
    return c.begin(SOURCE, breakpoints, filters, program=PROGRAM, args=[str(number)], **more)


def whole_session():
    c = debugger()
    line = line_of("out[threadIdx.x] = fibonacci", SOURCE)
    s = begin(c, 7, [{"line": line, "condition": "threadIdx.x == 5"}], ["findings"])
    check("stops at the breakpoint", s.get("reason") == "breakpoint" and s.get("hitBreakpointIds") == [1], s)
    thread = s["threadId"]
    top = c.top(thread)
    check("at its line", top["line"] == line and top["name"] == "recurse" and top["source"]["path"].endswith("ten.cu"), top)
    threads = c.ask("threads")["body"]["threads"]
    check("the thread is listed", any(t["id"] == thread for t in threads), threads)
    check("threads that stand together are one", len(threads) == 1, threads)
    special = c.variables(top["id"], "CUDA")
    check("threadIdx", special.get("threadIdx", {}).get("value", "").startswith("{x = 5"), special)
    buffers = c.variables(top["id"], "Buffers")
    check("buffers", "alloc1" in buffers and buffers["alloc1"]["variablesReference"] > 0, buffers)
    parts = c.ask("variables", variablesReference=buffers["alloc1"]["variablesReference"])["body"]["variables"]
    check("their elements", len(parts) == 256 and parts[3]["name"] == "[3]" and parts[3]["value"] == "0", parts[:4])
    check("registers", any(n.startswith("%r") for n in c.variables(top["id"], "PTX registers")))
    r = c.ask("evaluate", expression="blockDim.x * 2 + alloc1[1]", frameId=top["id"], context="watch")
    check("evaluate", r.get("body", {}).get("result") == "64", r)
    r = c.ask("evaluate", expression="no_such_name", frameId=top["id"])
    check("what is unknown is an error", not r["success"] and "no_such_name" in r["message"], r)
    r = c.ask("readMemory", memoryReference=buffers["alloc0"]["memoryReference"], count=8)
    check("memory", r["body"]["data"] == "AAAAACUAAAA=", r)
    s = c.stop("stepIn", threadId=thread)
    check("step into the call", s["reason"] == "step" and c.top(thread)["name"] == "fibonacci", s)
    check("the stack has both", [f["name"] for f in c.ask("stackTrace", threadId=thread)["body"]["stackFrames"]] ==
          ["fibonacci", "recurse"])
    s = c.stop("stepOut", threadId=thread)
    check("step out", c.top(thread)["name"] == "recurse", s)
    s = c.stop("reverseContinue", threadId=thread)
    check("back to the breakpoint", s["reason"] == "breakpoint" and c.top(thread)["line"] == line, s)
    s = c.stop("next", threadId=thread)
    s = c.stop("stepBack", threadId=thread)
    check("a line, and back", c.top(thread)["line"] == line, c.top(thread))
    s = c.stop("stepIn", threadId=thread, granularity="instruction")
    place = s["description"]
    s = c.stop("stepBack", threadId=thread, granularity="instruction")
    check("an instruction, and back", s["description"] != place, s)
    info = c.ask("dataBreakpointInfo", name="alloc1[5]")["body"]
    check("data can be watched", info["dataId"] and "write" in info["accessTypes"], info)
    c.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"}])
    c.ask("setBreakpoints", source={"path": SOURCE}, breakpoints=[])
    c.ask("setBreakpoints", source={"path": os.path.abspath(SOURCE)}, breakpoints=[])
    s = c.stop("continue", threadId=thread)
    check("stops at the write", s["reason"] == "data breakpoint", s)
    r = c.ask("evaluate", expression="alloc1[5]", context="repl")
    check("before it is done", r["body"]["result"] == "0", r)
    c.ask("setDataBreakpoints", breakpoints=[])
    s = c.stop("continue", threadId=thread)
    check("to the end", s == {} or "exitCode" in s, s)
    check("with its status", c.event("exited")["body"]["exitCode"] == 0)
    out = "".join(e["body"]["output"] for e in c.events if e["event"] == "output" and e["body"]["category"] == "stdout")
    check("and its output, once", out == "no error\n", out)
    check("ends well", c.end() == 0, c.child.returncode)


def findings():
    c = debugger()
    s = begin(c, 1, (), ["findings"])
    check("stops at the finding", s.get("reason") == "exception" and "orders the two" in s.get("text", ""), s)
    info = c.ask("exceptionInfo", threadId=s["threadId"])
    check("which it tells", info["body"]["exceptionId"] == "data-race", info)
    second = s["threadId"]
    r = c.ask("evaluate", expression="other", context="repl")
    check("the other access can be gone to", r["success"], r)
    s = c.event("stopped")["body"]
    check("and is another thread's", s["reason"] == "data breakpoint" and s["threadId"] != second, s)
    s = c.stop("continue", threadId=second)
    check("on to the finding again", s["reason"] == "exception", s)
    r = c.stop("softgpu/otherAccess")
    check("by a request of its own, too", r["reason"] == "data breakpoint" and r["threadId"] != second, r)
    r = c.ask("softgpu/signal")
    check("no signal: an error, and it stays", not r["success"] and "signal" in r["message"], r)
    check("ends well", c.end("terminate") == 0)

    c = debugger()
    r = begin(c, 1, [{"line": line_of("sum = sum + i;", SOURCE), "condition": "threadIdx.x == 40"}])
    words = c.ask("softgpu/couldRead", threadId=r["threadId"])
    typed = c.ask("evaluate", expression="could", context="repl")
    check("what could be read", words["success"] and "newest, written by block 0 thread 31" in words["body"]["result"] and
          "later in this run" in words["body"]["result"], words)
    check("the console says the same", typed["body"] == words["body"], typed)
    check("without a finding there is no other access", not c.ask("softgpu/otherAccess")["success"])
    c.end()

    c = debugger()
    begin(c, 2, (), ["launches"])
    s = c.stop("reverseContinue", threadId=2)
    check("nothing before the first launch", s["reason"] in ("entry", "step"), s)
    c.end()


def stops():
    """Launches, barriers, operations of streams, any lane of a warp, who reads a word next."""
    c = debugger()
    s = begin(c, 10, (), ["launches"])
    seen = []
    while s.get("reason") == "entry" and len(seen) < 20:
        seen.append(c.top(s["threadId"])["name"])
        s = c.stop("continue", threadId=s["threadId"])
    check("each run of both launches is stopped at", len(seen) >= 2 and set(seen) == {"mapped"}, seen)
    c.end()
    c = debugger()
    s = begin(c, 2, (), ["barriers"])
    check("a barrier", s.get("description", "").startswith("barrier 0"), s)
    check("at its line", c.top(s["threadId"])["line"] == line_of("__syncthreads();", SOURCE), c.top(s["threadId"]))
    c.ask("setExceptionBreakpoints", filters=[])
    r = c.ask("dataBreakpointInfo", name="cache[33]", variablesReference=0)["body"]
    check("shared memory can be watched", r["dataId"] and "read" in r["accessTypes"], r)
    c.ask("setDataBreakpoints", breakpoints=[{"dataId": r["dataId"], "accessType": "read"}])
    s = c.stop("continue", threadId=s["threadId"])
    check("who reads the word next", s["reason"] == "data breakpoint", s)
    special = c.variables(c.top(s["threadId"])["id"], "CUDA")
    check("is its thread", special["threadIdx"]["value"].startswith("{x = 1,"), special)
    c.end()
    c = debugger()
    names, s = [], begin(c, 2, (), ["host"])
    while s.get("reason") == "step" and len(names) < 20:
        names.append(s["description"].split(",")[0])
        s = c.stop("continue", threadId=1)
    check("the host's operations, in order", names[:2] == ["cudaMemcpy", "cudaMemset"] or "cudaMemcpy" in names, names)
    c.end()
    c = debugger()
    s = begin(c, 6, [{"line": line_of("int n = in[threadIdx.x] % 17", SOURCE), "condition": "threadIdx.x / warpSize == 2"}])
    special = c.variables(c.top(s["threadId"])["id"], "CUDA")
    check("any lane of warp 2", special["threadIdx"]["value"].startswith("{x = 64,"), special)
    c.end()


def trail():
    """From the guard's finding to the other access, the signal, the last write."""
    c = debugger()
    s = begin(c, 4, (), ["findings"])
    while s.get("reason") == "exception" and s["description"] != "missing-acquire":
        s = c.stop("continue", threadId=s["threadId"])
    check("the guard's finding", s.get("description") == "missing-acquire", s)
    info = c.ask("exceptionInfo", threadId=s["threadId"])["body"]
    check("with its text", "does not acquire" in info["description"], info)
    for request, mark in (("otherAccess", "out[blockIdx.x] = in[blockIdx.x]"), ("signal", "last = atomicInc"),
                          ("lastWrite", "out[blockIdx.x] = in[blockIdx.x]")):
        r = c.stop("softgpu/" + request)
        check(f"{request}: back at its line", c.top(r["threadId"])["line"] == line_of(mark, SOURCE), c.top(r["threadId"]))
        r = c.stop("continue", threadId=r["threadId"])
        check(f"{request}: and on to the finding", r["reason"] == "exception", r)
    check("ends well", c.end() == 0)
    check("nothing is left", not left(PROGRAM), left(PROGRAM))


def places():
    """A breakpoint on a line without code moves to the next one that has some; a good line stays."""
    comment = line_of("// compiled to nothing", SOURCE)
    code, host = line_of("*out = 7", SOURCE), line_of("cudaMemcpy(in, first", SOURCE)
    last = sum(1 for _ in open(SOURCE))
    c = debugger()
    c.ask("initialize")
    asked = [{"line": comment}, {"line": code}, {"line": last + 1000}]
    r = c.ask("setBreakpoints", source={"path": os.path.abspath(SOURCE)}, breakpoints=asked)
    early = r["body"]["breakpoints"]
    check("nothing is loaded: all wait", [b["verified"] for b in early] == [False] * 3 and early[0]["message"], r)
    r = c.ask("setFunctionBreakpoints", breakpoints=[{"name": "spin"}, {"name": "no_such_function"}])
    names = r["body"]["breakpoints"]
    check("so do functions", [b["verified"] for b in names] == [False] * 2, r)
    c.ask("setExceptionBreakpoints", filters=[])
    c.ask("launch", program=PROGRAM, args=["5"])
    s = c.stop("configurationDone")
    told = {}
    for e in c.events:
        if e["event"] == "breakpoint":
            check("they are said to have changed", e["body"]["reason"] == "changed", e)
            told[e["body"]["breakpoint"]["id"]] = e["body"]["breakpoint"]
    moved, stays, far = (told.get(b["id"], {}) for b in early)
    check("the comment's has moved", moved.get("verified") and moved["line"] == code and str(comment) in moved["message"], told)
    check("the good one stays", stays.get("verified") and stays["line"] == code and "message" not in stays, told)
    check("one past the end does not stand", far.get("verified") is False and "no code" in far["message"], told)
    check("the function is found", told.get(names[0]["id"], {}).get("verified") is True, told)
    check("the other is not", told.get(names[1]["id"], {}).get("verified") is not True, told)
    check("stops at the function", s["reason"] == "breakpoint" and s["hitBreakpointIds"] == [names[0]["id"]], s)
    c.ask("setFunctionBreakpoints", breakpoints=[])
    r = c.ask("setBreakpoints", source={"path": os.path.abspath(SOURCE)}, breakpoints=[{"line": comment}])
    now = r["body"]["breakpoints"][0]
    check("asked where it stops, the answer knows", now["verified"] and now["line"] == code, r)
    s = c.stop("continue", threadId=s["threadId"])
    check("and there it stops", s["reason"] == "breakpoint" and c.top(s["threadId"])["line"] == code, s)
    r = c.ask("setBreakpoints", source={"path": os.path.abspath(SOURCE)}, breakpoints=[{"line": host}])
    check("host code without -g: a line behind it, or none", r["body"]["breakpoints"][0]["verified"] is False, r)
    r = c.ask("setBreakpoints", source={"path": "/nowhere/else.cu"}, breakpoints=[{"line": 3}])
    check("a file that is in nothing", r["body"]["breakpoints"][0]["verified"] is False, r)
    check("ends well", c.end() == 0)


def running():
    """Hears while the program runs; the client may go."""
    c = debugger()
    c.ask("initialize")
    c.ask("launch", program=PROGRAM, args=["11"])
    c.send("configurationDone")
    r = c.ask("stackTrace", threadId=2)
    check("not while it runs", not r["success"] and "runs" in r["message"], r)
    check("threads are", c.ask("threads")["success"])
    r = c.ask("setBreakpoints", source={"path": os.path.abspath(SOURCE)}, breakpoints=[{"line": line_of("busy += i ^", SOURCE)}])
    check("breakpoints can be set", r["success"], r)
    s = c.event("stopped")["body"]
    check("and are stopped at", s["reason"] == "breakpoint", s)
    c.ask("setBreakpoints", source={"path": os.path.abspath(SOURCE)}, breakpoints=[])
    c.ask("continue", threadId=s["threadId"])
    check("pause", c.ask("pause", threadId=1)["success"])
    s = c.event("stopped")["body"]
    check("pauses", s["reason"] == "pause", s)
    check("a line of the kernel", c.top(s["threadId"])["line"] > 0)
    c.ask("continue", threadId=s["threadId"])
    c.child.stdin.close()  # gone
    c.child.stdin = open(os.devnull, "wb")
    status = c.gone()
    check("a client that vanishes ends all", status == 0 and not left(PROGRAM), [status, left(PROGRAM)])

    c = debugger()
    c.ask("initialize")
    c.ask("launch", program=PROGRAM, args=["11"])
    c.ask("configurationDone")
    c.child.kill()
    c.gone()
    check("so does a debugger that is killed", not left(PROGRAM), left(PROGRAM))


def bad_input():
    for name, data in {"no length": b"Hello: 5\r\n\r\nhello", "no number": b"Content-Length: x\r\n\r\n",
                       "negative": b"Content-Length: -5\r\n\r\n", "too long": b"Content-Length: 99999999\r\n\r\n{}",
                       "far too long": b"Content-Length: 99999999999999999999999\r\n\r\n{}", "no header": b"x" * 9000}.items():
        c = debugger()
        c.raw(data)
        status = c.gone()
        check(f"{name}: status 2 and one line", status == 2 and c.errors.count("\n") == 1, [status, c.errors])
    c = debugger()
    for body in (b"not json", b"[1, 2]", b'{"type": "request"', b"\xff\xfe", b"", b'{"seq": "x", "type": 5, "command": []}'):
        c.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    deep = b"[" * 100000
    c.raw(b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
    r = c.ask("initialize")
    check("goes on behind what is no JSON", r.get("success") and len([e for e in c.events if e["event"] == "output"]) >= 5, r)
    for command, arguments in (("no_such", {}), ("launch", {}), ("launch", {"program": 5}), ("continue", {}), ("evaluate", {}),
                               ("setBreakpoints", {"breakpoints": 3}), ("launch", {"program": PROGRAM, "args": [1]})):
        r = c.ask(command, **arguments)
        check(f"{command} {arguments} is an error", r.get("success") is False and r.get("message"), r)
    check("initialize without arguments", c.ask("setFunctionBreakpoints")["success"])
    c.ask("launch", program=PROGRAM, args=["2"])
    s = c.stop("configurationDone")
    c.end()
    c = debugger()
    s = begin(c, 2, [{"line": line_of("out[blockIdx.x] = cache[0]", SOURCE)}])
    for command, arguments in (("stackTrace", {"threadId": 10 ** 15}), ("stackTrace", {"threadId": -3}),
                               ("scopes", {"frameId": 10 ** 12}), ("variables", {"variablesReference": -1}),
                               ("evaluate", {"expression": "(" * 5000}), ("evaluate", {"expression": "1 +" * 5000 + "1"}),
                               ("evaluate", {"expression": "cache[-99999999]"}), ("evaluate", {"expression": "*(int *)8"}),
                               ("readMemory", {"memoryReference": "0x10", "count": 10 ** 12}),
                               ("readMemory", {"memoryReference": "x", "count": -4}),
                               ("setDataBreakpoints", {"breakpoints": [{"dataId": "nonsense"}]}),
                               ("next", {"threadId": 10 ** 15})):
        r = c.ask(command, **arguments)
        check(f"{command} {str(arguments)[:60]} is answered", "success" in r, r)
    check("and all is well", c.ask("threads")["success"])
    check("ends well", c.end() == 0)
    check("nothing is left", not left(PROGRAM), left(PROGRAM))


def without_terminal():
    """An input that is a file, as a script or a job in a queue has it, ends the session where it ends."""
    with open(os.devnull, encoding="utf-8") as nothing:
        done = subprocess.run([SOFTGPU, "--debug", PROGRAM], stdin=nothing, stdout=subprocess.PIPE, timeout=SECONDS, check=False)
    check("an input that ends at once: so does it", done.returncode == 0, done)


def local_socket():
    path = os.path.join(os.path.dirname(PROGRAM), "dap.socket")
    server = subprocess.Popen([SOFTGPU, f"--debug={path}", PROGRAM, "8"])
    files = socket.socket(socket.AF_UNIX)
    for _ in range(50 * SECONDS):
        try:
            files.connect(path)
            break
        except OSError:
            time.sleep(0.02)
    c = Client(files=files)
    c.ask("initialize")
    c.ask("launch", stopOnEntry=True)  # the program that the command line names
    s = c.stop("configurationDone")
    check("a session on a socket", s["reason"] == "entry" and c.top(s["threadId"])["name"] == "shuffle", s)
    c.ask("disconnect")
    files.close()
    check("ends with it", server.wait(SECONDS) == 0 and not os.path.exists(path))


for scenario in (whole_session, findings, stops, trail, places, running, bad_input, without_terminal, local_socket):
    scenario()
print("" if dap_schema.known() else "note: the protocol's schema is not here (debugpy), messages are not held against it")
finish()
