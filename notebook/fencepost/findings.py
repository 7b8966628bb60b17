"""Findings (one JSON object a line, docs/findings.md) as HTML and as text."""
import html
import json

STYLE = """<style>
.fencepost{font-family:system-ui,sans-serif;max-width:62rem;line-height:1.45}
.fencepost .finding{border-left:4px solid #b3261e;padding:.2rem .9rem;margin:.8rem 0}
.fencepost .warning{border-color:#8a5a00}.fencepost .info{border-color:#57606a}.fencepost .silent{border-color:#1a7f37}
.fencepost code,.fencepost pre{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}
.fencepost pre{overflow-x:auto;margin:.4rem 0}.fencepost .dim{opacity:.7}
.fencepost table{border-collapse:collapse;margin:.5rem 0}.fencepost td,.fencepost th{text-align:left;padding:.15rem .9rem .15rem 0;
vertical-align:top;background:none;border:0}.fencepost td.code{white-space:pre;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.9em}
</style>"""


def read(path):
    """The findings in a file, without the lines that are none; None where the file does not end as it must."""
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    if not lines or lines[-1].get("kind") != "end":
        return None
    return [line for line in lines if line["kind"] not in ("end", "outcome")]


def who(access):
    if "block" not in access:
        return f"in {access['stream']}" if "stream" in access else "the host"

    def short(triple):
        return str(triple[0]) if not any(triple[1:]) else f"({','.join(map(str, triple))})"

    return f"block {short(access['block'])}, thread {short(access['thread'])}"


def what(access):
    words = access.get("op", "access")
    if "value" in access:
        words += f" {'sees' if access.get('op') == 'load' else 'value'} {json.dumps(access['value'])}"
    if "missed" in access:
        words += f", not {json.dumps(access['missed'])}"
    return words


def where(access, source):
    """The line's number and its text, where the access is the cell's."""
    line = access.get("line", 0)
    if not line:
        return f"PTX line {access['ptx_line']}" if "ptx_line" in access else access.get("file", "?"), ""
    if access.get("file") != source.name:
        return f"{access.get('file', '?').rsplit('/', 1)[-1]}:{line}", ""
    return f"line {line}", source.line(line)


class Source:
    """The text whose lines findings name."""

    def __init__(self, name, text):
        self.name, self.lines = name, text.splitlines()

    def line(self, number):
        return self.lines[number - 1].strip() if 0 < number <= len(self.lines) else ""


def rows(accesses, source):
    cells = []
    for access in accesses:
        place, text = where(access, source)
        cells.append(f"<tr><td>{html.escape(place)}<td class=code>{html.escape(text)}"
                     f"<td>{html.escape(who(access))}<td>{html.escape(what(access))}")
    return "<table>" + "".join(cells) + "</table>"


def is_readable(kernel):
    """A name as the cell has it, not as the compiler mangled it."""
    return bool(kernel) and not kernel.startswith("_Z")


def one_as_html(finding, source):
    count = finding.get("count", 1)
    parts = [f"<div class='finding {html.escape(finding.get('level', ''))}'><b>{html.escape(finding['kind'])}</b> "
             f"<span class=dim>{html.escape(finding.get('level', ''))}{f', {count} times' if count > 1 else ''}"
             f"{' in ' + html.escape(finding['kernel']) if is_readable(finding.get('kernel')) else ''}</span>",
             f"<div>{html.escape(finding.get('message', ''))}</div>"]
    if finding.get("accesses"):
        parts.append(rows(finding["accesses"], source))
    if finding.get("try"):
        parts.append(f"<div><b>Try:</b> {html.escape(finding['try'])}</div>")
    if finding.get("interleaving"):
        parts.append("<details><summary>A run in which it happens</summary>"
                     + rows(finding["interleaving"], source) + "</details>")
    if finding.get("rule"):
        parts.append(f"<div class=dim>{html.escape(finding['rule'])}</div>")
    return "".join(parts) + "</div>"


def as_html(findings, source):
    body = "".join(one_as_html(f, source) for f in findings)
    return f"{STYLE}<div class=fencepost>{body}</div>"


def as_text(findings, source):
    lines = []
    for finding in findings:
        lines += [f"{finding['kind']} ({finding.get('level', '')})", f"  {finding.get('message', '')}"]
        for access in finding.get("accesses", ()):
            place, text = where(access, source)
            lines.append(f"    {place}  {text}  {who(access)}: {what(access)}")
        if finding.get("try"):
            lines.append(f"  Try: {finding['try']}")
    return "\n".join(lines)
