#!/usr/bin/env bash
# Makes what a course platform needs to grade one lab: build/PLATFORM/LAB; docs/class.md says where to put it.
#
#   scripts/platform.sh classroom50|prairielearn|autolab NVCC labNN_topic
#
# The parts are templates in scripts/platforms/PLATFORM, in which @WORDS@ stand for what belongs to the lab; the
# kit is the one of scripts/dist.sh. Hidden cases are in it, but for Classroom 50, which serves the bundle to
# anybody who knows its address: there they are left out unless HIDDEN=keep.
set -eu
cd "$(dirname "$0")/.."
platform=$1 nvcc=$2 lab=$3
build=${BUILD:-build}
short=${lab%%_*}
from=scripts/platforms/$platform
out=$build/$platform/$short
kit=$build/dist/fencepost.tar.gz
[ -d "$from" ] || { echo "platform: there is no $from" >&2; exit 1; }

[ "$platform" = classroom50 ] || HIDDEN=keep
HIDDEN=${HIDDEN:-} scripts/dist.sh "$nvcc" "$lab" >/dev/null
rm -rf "$out"
mkdir -p "$out"
title=$(sed -n 's/^title: *//p' "labs/$lab/lab.yaml")
packages=$(awk '$1 == "always" { print $3 }' scripts/packages.txt | xargs)
uuid=$(python3 -c 'import sys, uuid; print(uuid.uuid5(uuid.NAMESPACE_URL, "fencepost:" + sys.argv[1]))' "$lab")

# fill TEMPLATE TARGET
fill() {
    sed -e "s/@LAB@/$lab/g; s/@SHORT@/$short/g; s/@UUID@/$uuid/g; s/@TITLE@/$(printf '%s' "$title" | sed 's/[&/\]/\\&/g')/g" \
        -e "s/@PACKAGES@/$(printf '"%s", ' $packages | sed 's/, $//')/g" "$from/$1" >"$2"
}
# image FOLDER: the kit and how an image with it is built.
image() {
    mkdir -p "$1"
    fill Dockerfile "$1/Dockerfile"
    cp "$kit" "$1/kit.tar.gz"
}
# What the lab gives points for, as the graders' problems: "Part A" 20, … "Properties" 10.
problems() {
    local root=$build/dist/graded
    rm -rf "$root"
    mkdir "$root"
    cp -r "$build/dist/fencepost/labs" "$build/dist/fencepost/solutions" "$root/"
    ln -s "$(cd "$build" && pwd)" "$root/build"
    "$build/bin/grade" --root "$root" "$lab" --format json >"$root/json" || [ $? = 1 ]
    python3 - "$root/json" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
problems = [("Part " + p["id"], p["points"]) for p in r["parts"]]
rest = r["points"] - sum(points for _, points in problems)
for name, points in problems + ([("Properties", rest)] if rest else []):
    print(f"- name: {name}\n  description: ''\n  max_score: {points}.0\n  optional: false")
END
}

case $platform in
classroom50)
    fill autograder.py "$out/autograder.py"
    fill runtime.json "$out/runtime.json"
    cp "$kit" "$out/kit.tar.gz"
    # Classroom 50 fetches the folder as one archive, of at most 10 MiB.
    size=$(tar -C "$out" -czf - . | wc -c)
    [ "$size" -lt 10485760 ] || { echo "platform: $out is $size bytes packed; Classroom 50 takes 10 MiB" >&2; exit 1; }
    [ -z "${HIDDEN:-}" ] || echo "platform: hidden cases are in it, and Classroom 50 serves it publicly" >&2
    ;;
prairielearn)
    mkdir -p "$out/question/tests"
    fill info.json "$out/question/info.json"
    fill question.html "$out/question/question.html"
    fill grade.sh "$out/question/tests/grade.sh"
    chmod +x "$out/question/tests/grade.sh"
    cp "$build/dist/fencepost/labs/$lab/kernel.cu" "$out/question/kernel.cu"
    image "$out/image"
    ;;
autolab)
    mkdir -p "$out/$short" "$out/work/autograde"
    fill autograde-Makefile "$out/$short/autograde-Makefile"
    fill grade.sh "$out/work/autograde/grade.sh"
    tar -C "$out/work" -cf "$out/$short/autograde.tar" autograde
    rm -r "$out/work"
    fill lab.yml "$out/$short/$short.yml"
    problems >"$out/problems"
    sed -i -e "/^problems:/r $out/problems" "$out/$short/$short.yml"
    rm "$out/problems"
    cp "$build/dist/fencepost/labs/$lab/kernel.cu" "$out/$short/"
    tar -C "$out" -cf "$out/$short.tar" "$short"
    image "$out/image"
    ;;
esac
echo "$out"
