#!/usr/bin/env bash
# Every command, snippet and output shown in README.md, docs, handouts and decks, by tests/course/snippets/run.py:
# commands in a copy of the kit, code on softgpu, outputs beside what is printed. The copy always lies at the same place,
# so that what nvcc makes there can be kept (tests/nvcc.sh, grader/build/kept.h).
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(cd "${BUILD:-build}" && pwd)
. tests/nvcc.sh || exit 1
work=$BUILD/tests/snippets
mkdir -p "$work" && exec 9>"$work.lock" && flock 9 || exit 1
rm -rf "$work" && mkdir "$work" || exit 1
trap 'rm -rf "$work"' EXIT

kit=$work/kit
mkdir -p "$kit/build" "$work/code"
git ls-files -z --cached --others --exclude-standard | tar --null -T - --ignore-failed-read -cf - | tar -xf - -C "$kit"
[ -d .cuda ] && ln -s "$PWD/.cuda" "$kit/.cuda"
for folder in "$BUILD"/*; do
    case ${folder##*/} in
    tests | docs | slides | dist | sanitize) ;;
    *) cp -a "$folder" "$kit/build/" ;;
    esac
done
# What is built is newer than its sources, also where the copy was made from a fresh checkout.
make -s -C "$kit" all >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
# What the examples name: a class, and a program of the reader's own.
mkdir "$kit/class"
cp "$kit/labs/lab03_last_block/kernel.cu" "$kit/class/ann.cu"
printf 'int main(int, char **) { int *d; return cudaMalloc(&d, 4) || cudaFree(d); }\n' >"$work/code/program.cu"
kept_nvcc -cudart shared -o "$kit/program" "$work/code/program.cu" || exit 1

PYTHONDONTWRITEBYTECODE=1 python3 tests/course/snippets/run.py "$kit" "$work/code" "$nvcc"
