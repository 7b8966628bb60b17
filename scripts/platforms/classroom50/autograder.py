#!/usr/bin/env python3
"""Grades @SHORT@ for Classroom 50: made by Fencepost's scripts/platform.sh, run once a submission.

The working directory is the student's checkout. The kit lies beside this file, so that nothing of it is in the
checkout; a container that has a built kit says so in FENCEPOST_KIT. Writes ./result.json and ./release-body.md and
ends with 0 where grading ran, whatever the score; with 1 where it did not, which is never a student's zero.
"""
import json
import os
import subprocess
import sys
import tarfile
from pathlib import Path

SHORT, LAB = "@SHORT@", "@LAB@"
HERE = Path(__file__).resolve().parent


def fail(why):
    Path("result.json").unlink(missing_ok=True)
    print("::error::Could not judge, which is not your fault; tell your instructor: " + " ".join(why.split()))
    sys.exit(1)


def built_kit():
    """The folder of a kit in which this lab is built."""
    if os.environ.get("FENCEPOST_KIT"):
        return Path(os.environ["FENCEPOST_KIT"])
    kit = HERE / "kit"
    kit.mkdir(exist_ok=True)
    with tarfile.open(HERE / "kit.tar.gz") as archive:
        for member in archive:
            member.name = "/".join(member.name.split("/")[1:])
            if member.name:
                archive.extract(member, kit)
    for command in (["bash", "scripts/setup.sh"], ["make", SHORT]):
        done = subprocess.run(command, cwd=kit, capture_output=True, text=True)
        if done.returncode:
            fail((done.stderr or done.stdout)[-1000:])
    return kit


def submission():
    """The student's file, where the students' bundle or a repository of one file has it; never through a link."""
    checkout = Path.cwd().resolve()
    for name in (f"labs/{LAB}/kernel.cu", "kernel.cu"):
        path = checkout / name
        if path.is_file() and path.resolve() == path:
            return path
    return None


def body(result):
    """The report that people read; indented, so that no text of a submission is Markdown."""
    text = [f"# {SHORT}: {result['score']}/{result['max-score']}", ""]
    for test in result["tests"]:
        if not test["passed"]:
            text += [f"**{test['test-name']}** ({test['score']}/{test['max-score']})", ""]
            text += ["    " + line for line in test.get("output", "").splitlines()] + [""]
    return "\n".join(text)


def main():
    kit, file = built_kit(), submission()
    missing = HERE / "missing.cu"
    if not file:  # judged like any file that does not compile: nobody else knows what the points are
        missing.write_text(f"#error there is no kernel.cu, nor labs/{LAB}/kernel.cu, in this commit\n")
    done = subprocess.run([str(kit / "grade"), SHORT, "--file", str(file or missing), "--format", "classroom50",
                           "--output", "result.json"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    try:
        result = json.loads(Path("result.json").read_text())
    except (OSError, ValueError):
        result = {}
    if "score" not in result:
        fail(done.stderr)
    Path("release-body.md").write_text(body(result))


main()
