#!/usr/bin/env bash
# The extension for VS Code: packed, whole, and of one mind with the adapter. ./grade LAB --debug as an editor calls it
# (GRADE: another command for it; SANITIZED=1: labs with host code are left out, tests/sanitize.sh says why).
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
python=python3 # with the protocol's schema, where that is (tests/debug/dap_schema.py)
[ -x .venv/bin/python ] && python=.venv/bin/python
passed=0 failed=0
note() { # STATUS NAME
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $2"; fi
}
make -s vsix BUILD="$BUILD" >/dev/null
note $? 'make vsix'
python3 - "$BUILD/fencepost.vsix" <<'P'
import json, re, sys, zipfile
from xml.dom import minidom
with zipfile.ZipFile(sys.argv[1]) as z:
    assert z.testzip() is None
    names = set(z.namelist())
    package = json.loads(z.read("extension/package.json"))
    for name in ("[Content_Types].xml", "extension.vsixmanifest"):
        minidom.parseString(z.read(name))
    manifest = z.read("extension.vsixmanifest").decode()
assert "extension/" + package["main"][2:] in names
version = open("VERSION").read().strip().split("-")[0]
assert package["version"] == version and f'Version="{version}"' in manifest
debugger = package["contributes"]["debuggers"][0]
taken = set(re.findall(r'"(\w+)"', "".join(open(f"softgpu/debug/dap/{f}").read() for f in ("starting.c",))))
for member in debugger["configurationAttributes"]["launch"]["properties"]:
    assert member in taken or member in ("lab", "case", "file"), member
assert all(f"| `{m}" in open("docs/debugger.md").read() or f"`{m}`" in open("docs/debugger.md").read()
           for m in debugger["configurationAttributes"]["launch"]["properties"])
pattern = package["contributes"]["problemMatchers"][0]["pattern"]
line = "::error file=labs/lab03_last_block/kernel.cu,line=52,title=missing-acquire::Block 7 may not see"
found = re.match(pattern["regexp"], line)
assert found and found.group(pattern["file"]).endswith("kernel.cu") and found.group(pattern["line"]) == "52"
P
note $? 'the extension'
if command -v node >/dev/null; then
    node --check editors/vscode/extension.js
    note $? 'extension.js'
fi
result=$(PYTHONDONTWRITEBYTECODE=1 "$python" tests/debug/grade_client.py solutions/lab03_last_block/wrong/published_guard.cu 2>&1)
echo "$result" | grep -v ' passed, '
counts=$(echo "$result" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* }))
# Each lab's solution opens, runs and ends, and leaves nothing behind.
commands=$(mktemp)
printf 'catch no findings\nr\ninfo run\nc\nq\n' >"$commands"
for lab in labs/lab*_*; do
    [ "${SANITIZED:-0}" = 0 ] || ! grep -q '^code: *host' "$lab/lab.yaml" || continue
    words=$(FENCEPOST_COMMANDS=$commands timeout 100 "${GRADE:-./grade}" "${lab#labs/}" --debug --solution --seed 1 2>&1 </dev/null)
    note $? "${lab#labs/}: status"
    note "$(grep -q '^The program is at its end' <<<"$words" && grep -q '^place [1-9]' <<<"$words" && grep -q 'ended with status 0' <<<"$words"; echo $?)" \
        "${lab#labs/}: $words"
done
rm "$commands"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ -n "$counts" ]
