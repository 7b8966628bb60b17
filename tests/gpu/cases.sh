#!/usr/bin/env bash
# Runs each case of some labs with the lab's reference, and prints a line a case: the SHA-256 of its
# result file, the lab, and the harness's arguments.
#
#   tests/gpu/cases.sh BUILD LIBRARIES [LAB…]
#
# BUILD holds LAB/harness and LAB/reference.ptx, or the two in one program LAB/harness for a host-code lab. The
# libcudart.so.13 in the folder LIBRARIES decides where they run: on a GPU, or on softgpu. Without labs: all that have both files. The seed is fixed,
# so that the lines of two devices can be compared. RECORDED=FILE: what is compared with FILE: arrays that came since it was
# recorded are left out, which its lines "# since: LAB ARRAY…" name.
set -eu
build=$1 libraries=$2
shift 2
cd "$(dirname "$0")/../.."
result=$(mktemp)
trap 'rm -f "$result"' EXIT

# NAME DISTRIBUTION ARGUMENTS… of each case (the specs write params on one line), but for those whose results may come in any
# order.
list_cases() {
    awk '/^hints:|^properties:|^performance:/ { exit }
         function flush() { if (name && !free) print name, distribution, params; name = ""; free = 0 }
         $1 == "-" && $2 == "name:" { flush(); name = $3; distribution = "-"; params = "" }
         $1 == "compare:" && /permutation/ { free = 1 }
         $1 == "distribution:" { distribution = $2 }
         $1 == "params:" {
             sub(/^[^{]*{/, ""); sub(/}.*/, ""); gsub(/: */, "="); gsub(/, */, " --param ")
             params = $0 == "" ? "" : "--param " $0
         }
         END { flush() }' <(sed -n '/^parts:/,$p' "$1")
}

[ $# -gt 0 ] || set -- $(cd labs && echo lab*_*)
for lab; do
    [ -x "$build/$lab/harness" ] || continue
    kernel=
    [ ! -f "$build/$lab/reference.ptx" ] || kernel="--kernel $build/$lab/reference.ptx"
    since=$([ -z "${RECORDED:-}" ] || sed -n "s/^# since: $lab //p" "$RECORDED")
    list_cases "labs/$lab/lab.yaml" | while read -r name distribution params; do
        [ "$distribution" = - ] || params="--distribution $distribution $params"
        # shellcheck disable=SC2086 # the arguments are words
        LD_LIBRARY_PATH=$libraries SOFTGPU_CHECK=none "$build/$lab/harness" $kernel \
            --case "$name" --seed 99 $params --output "$result" >/dev/null
        # shellcheck disable=SC2086
        echo "$(if [ -n "$since" ]; then tests/gpu/without.py "$result" $since; else cat "$result"; fi | sha256sum | cut -d' ' -f1) $lab --case $name $params"
    done
done
