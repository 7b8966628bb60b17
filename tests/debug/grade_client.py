"""./grade LAB --debug, as an editor calls it: grade_client.py FILE. From the finding of the published guard back to its cause."""
import os
import sys

from dap_client import Client, check, finish, left, line_of

FILE, GRADE = sys.argv[1], os.environ.get("GRADE", "./grade")
c = Client(GRADE, "lab03", "--debug", "--case", "two_blocks", "--seed", "5f3a91c2", "--file", FILE)
s = c.begin(FILE, (), ["findings"])
check("stops at the finding", s.get("description") == "missing-acquire", s)
top = c.top(s["threadId"])
check("at the read, in the student's own file", top["source"]["path"].endswith(FILE) and top["line"] == line_of("// @2", FILE), top)
c.ask("evaluate", expression="other", context="repl")
s = c.event("stopped")["body"]
top = c.top(s["threadId"])
check("back to the write", top["line"] == line_of("// @1", FILE), top)
check("by a block's first thread", c.variables(top["id"], "CUDA")["threadIdx"]["value"].startswith("{x = 0,"))
s = c.stop("reverseContinue", threadId=s["threadId"])
check("and to the beginning", s["reason"] == "entry" or s["reason"] == "step", s)
check("ends well", c.end() == 0, c.errors)
# Other tests run harnesses, too: this one's has the grader's own scratch folder in its command line.
check("nothing is left", not left(f"lab03_last_block/harness .*/run/[^ ]*-{c.child.pid}-[^ ]*"), c.child.pid)
for words, expected in ((["lab03", "lab04", "--debug"], "one lab"), (["lab03", "--debug", "--case", "nothing_such"], "no case")):
    c = Client(GRADE, *words)
    check(f"{words}: status 2 and a line", c.gone() == 2 and expected in c.errors and c.errors.count("\n") == 1, c.errors)
finish()
