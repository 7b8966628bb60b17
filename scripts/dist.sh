#!/usr/bin/env bash
# Makes the student bundle: build/dist/fencepost.tar.gz.
#
#   scripts/dist.sh NVCC [LAB…]
#
# It holds skeletons, handouts, docs, the grader and softgpu as sources, and of each solution only
# the reference's PTX, or in a host-code lab its object file, without source lines. check_bundle proves that no line of a solution is in it.
# Hidden cases are left out, with their points, unless HIDDEN=keep (an autograder has them).
set -eu
cd "$(dirname "$0")/.."
nvcc=$1
shift
build=${BUILD:-build}
out=$build/dist/fencepost
labs=${*:-$(cd labs && echo lab*_*)}

rm -rf "$build/dist"
mkdir -p "$out/labs" "$out/solutions"
# Files under version control only: nothing that lies about by chance.
keep() { git ls-files -z -- "$@" | xargs -0 -r cp --parents -t "$out" --; }
keep Makefile README.md LICENSE VERSION CHANGELOG.md grade common grader softgpu docs scripts .gitignore .clang-format
rm -f "$out/docs/instructor.md"

for lab in $labs; do
    keep "labs/$lab"
    if [ "${HIDDEN:-}" != keep ]; then
        awk -f scripts/visible.awk "labs/$lab/lab.yaml" >"$out/labs/$lab/lab.yaml"
        if grep -q 'visibility: *hidden' "$out/labs/$lab/lab.yaml"; then
            echo "dist: labs/$lab/lab.yaml: a hidden case is in it in a form that scripts/visible.awk does not know" >&2
            exit 1
        fi
    fi
    mkdir -p "$out/solutions/$lab"
    arch=$(sed -n 's/^arch: *\([a-z0-9_]*\).*/\1/p' "labs/$lab/lab.yaml")
    # Compiled where its path says nothing; no -lineinfo.
    work=$(mktemp -d)
    # Without the predictions' letters: where the reference runs, what can be is enumerated, never asked of it.
    sed '/ predictions\[/,/^};/ s/"[yn]*"/"...."/' "solutions/$lab/kernel.cu" >"$work/reference.cu"
    if grep -q '^code: *host' "labs/$lab/lab.yaml"; then
        (cd "$work" && "$nvcc" -c -cudart shared -arch="${arch:-compute_75}" -o reference.o reference.cu)
        cp "$work/reference.o" "$out/solutions/$lab/"
    else
        (cd "$work" && "$nvcc" -ptx -arch="${arch:-compute_75}" -o reference.ptx reference.cu)
        cp "$work/reference.ptx" "$out/solutions/$lab/"
    fi
    rm -rf "$work"
done

# Lines of solutions that are theirs alone: long enough, no bare counting loop, and not in what the lab
# gives. Hints and docs quote some on purpose: at most four; any other file may hold one by chance.
check_bundle() {
    local lines=$build/dist/lines skeletons=$build/dist/skeletons file count allowed leak=
    cat labs/*/*.cu labs/*/*.[ch] docs/draw/*/*.c grader/course/new_lab/* >"$skeletons"
    find solutions -name '*.cu' -exec cat {} + | sed 's/^[[:space:]]*//; s/[[:space:]]*$//' |
        grep -v '^//' | grep -vE '^for \(\w+ \w+ = \w+; \w+ < \w+; \w+\+\+\) ?\{?$' |
        awk -v given="$skeletons" '
            BEGIN { while ((getline line <given) > 0) all = all line "\n" }
            length > 24 && !index(all, $0)' | sort -u >"$lines"
    [ -s "$lines" ] || { echo "dist: there is nothing to compare with" >&2; exit 1; }
    while IFS= read -r file; do
        count=$(grep -IhoFf "$lines" "$file" | sort -u | wc -l)
        case $file in */lab.yaml | *.md) allowed=4 ;; *) allowed=1 ;; esac
        if [ "$count" -gt "$allowed" ]; then
            echo "dist: $file holds $count lines of a solution" >&2
            grep -IhoFf "$lines" "$file" | sort -u | head -3 >&2
            leak=yes
        fi
    done < <(grep -rIlFf "$lines" "$out")
    if find "$out" -name '*.cu' -path '*solutions*' | grep -q .; then
        echo "dist: a solution's source is in it" >&2
        leak=yes
    fi
    [ -z "$leak" ] || exit 1
    rm -f "$lines" "$skeletons"
}
check_bundle

tar -C "$build/dist" -czf "$build/dist/fencepost.tar.gz" fencepost
echo "$build/dist/fencepost.tar.gz"
