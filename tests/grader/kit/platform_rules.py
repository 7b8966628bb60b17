#!/usr/bin/env python3
"""Judges a result file by the rules that a platform publishes for it: platform_rules.py PLATFORM FILE.

Prints "SCORE OF": what the platform would take as the score, and the most.
"""
import csv
import json
import os
import re
import sys

UTC = re.compile(r"\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\dZ")


def natural(n):
    return type(n) is int and n >= 0


def classroom50(text):
    """schemas/result-v1.schema.json of Classroom 50, and what its collector checks besides. The runner stamps
    owner, assignment_type and graded_at."""
    r = json.loads(text)
    needed = {"schema", "classroom", "assignment", "submission", "commit", "release", "review", "datetime",
              "score", "max-score", "tests"}
    stamped = {"assignment_type", "owner", "graded_at", "submitted_by"}
    assert needed <= set(r) <= needed | stamped, set(r) ^ needed
    assert r["schema"] == "classroom50/result/v1"
    assert all(r[k] and isinstance(r[k], str) for k in needed - {"score", "max-score", "tests"})
    assert r["submission"].startswith("submit/") and UTC.fullmatch(r["datetime"])
    assert natural(r["score"]) and natural(r["max-score"]) and r["score"] <= r["max-score"]
    for t in r["tests"]:
        assert t["test-name"] and isinstance(t["test-name"], str) and type(t["passed"]) is bool
        assert natural(t["score"]) and natural(t["max-score"]) and t["score"] <= t["max-score"]
    assert r["score"] == sum(t["score"] for t in r["tests"])
    assert r["max-score"] == sum(t["max-score"] for t in r["tests"])
    return r["score"], r["max-score"]


def prairielearn(text):
    """docs/externalGrading.md of PrairieLearn: at most 1 MB; a score from 0 to 1 unless not gradable."""
    assert len(text.encode()) < 1 << 20
    r = json.loads(text)
    if r.get("gradable") is False:
        errors = r["format_errors"]
        assert errors and (isinstance(errors, str) or all(isinstance(e, str) for e in errors))
        return "invalid", ""
    assert type(r["score"]) is float and 0 <= r["score"] <= 1
    for t in r["tests"]:
        assert t["name"] and 0 <= t["points"] <= t["max_points"]
        assert all(isinstance(t.get(k, ""), str) for k in ("message", "output", "description"))
    most = sum(t["max_points"] for t in r["tests"])
    assert abs(r["score"] * most - sum(t["points"] for t in r["tests"])) < 1e-9
    return round(r["score"] * most), most


def autolab(text):
    """docs/lab.md of Autolab: the last line of the output is JSON with a number for each problem."""
    last = json.loads(text.rstrip("\n").split("\n")[-1])
    assert set(last) <= {"scores", "scoreboard"}
    assert all(isinstance(n, (int, float)) for n in last["scores"].values())
    return sum(last["scores"].values()) if last["scores"] else "none", ",".join(last["scores"])


def sarif(text):
    """SARIF 2.1.0, and what code scanning needs: a place below the checkout and a line from 1 on. With SARIF_SCHEMA=FILE
    also judged by the published schema (of OASIS), by the package jsonschema."""
    r = json.loads(text)
    if os.environ.get("SARIF_SCHEMA"):
        import jsonschema
        with open(os.environ["SARIF_SCHEMA"], encoding="utf-8") as file:
            jsonschema.Draft4Validator(json.load(file), format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER).validate(r)
    assert r["version"] == "2.1.0" and "sarif" in r["$schema"]
    run, = r["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert run["tool"]["driver"]["name"] and len(rules) == len(set(rules))
    places = []
    for result in run["results"]:
        assert result["ruleId"] in rules and result["message"]["text"]
        assert result["level"] in ("none", "note", "warning", "error")
        for place in result["locations"] + result.get("relatedLocations", []):
            physical = place["physicalLocation"]
            assert physical["region"]["startLine"] >= 1
            assert re.fullmatch(r"[A-Za-z0-9./_~%:-]+", physical["artifactLocation"]["uri"])
        first = result["locations"][0]["physicalLocation"]
        places.append("%s:%s:%d" % (result["ruleId"], first["artifactLocation"]["uri"], first["region"]["startLine"]))
    assert len(places) == len({(p, r["message"]["text"]) for p, r in zip(places, run["results"])})
    return len(places), " ".join(places)


def github(text):
    """Workflow commands: one line each, properties before "::", nothing raw that would start another."""
    kinds = []
    for line in text.splitlines():
        m = re.fullmatch(r"::(error|warning|notice) ((?:[a-z]+=[^,:]*,?)+)::(.+)", line)
        assert m, line
        kinds.append(m[1])
    assert kinds and kinds[-1] == "notice"
    return kinds.count("error"), kinds.count("warning")


def canvas(text):
    """Canvas' importer: Student and ID first, Section last before the assignments, then Points Possible."""
    rows = list(csv.reader(text.splitlines()))
    assert rows[0][:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"] and len(rows[0]) == 6
    assert "Points Possible" in rows[1][0] and all(len(r) == 6 for r in rows)
    assert all(r[3] and r[5].isdigit() for r in rows[2:])
    return " ".join("%s=%s" % (r[3], r[5]) for r in rows[2:]), rows[1][5]


def moodle(text):
    """Moodle's importer: a header line, then who and the grade; an empty grade would erase one."""
    rows = list(csv.reader(text.splitlines()))
    assert rows[0][0] == "username" and len(rows[0]) == 2
    assert all(len(r) == 2 and r[0] and r[1].isdigit() for r in rows[1:])
    return " ".join("%s=%s" % tuple(r) for r in rows[1:]), rows[0][1]


with open(sys.argv[2], newline="", encoding="utf-8") as f:
    print(*globals()[sys.argv[1]](f.read()))
