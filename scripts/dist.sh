#!/usr/bin/env bash
# Makes the student bundle: build/dist/fencepost.tar.gz.
#
#   scripts/dist.sh NVCC [LAB…]
#
# What is committed goes into it, not what the working tree happens to hold; where the two differ, that is
# said. A skeleton that earns a point is refused: it would be somebody's solution. The kit must be built.
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
complain() { echo "dist: $*" >&2; }
fail() {
    complain "$@"
    exit 1
}

git rev-parse -q --verify HEAD >/dev/null || fail "this is no git repository with a commit: nothing says what belongs to the kit"
for lab in $labs; do
    [ -d "labs/$lab" ] || fail "there is no labs/$lab"
    for file in "labs/$lab/lab.yaml" "labs/$lab/kernel.cu" "solutions/$lab/kernel.cu"; do
        git cat-file -e "HEAD:$file" 2>/dev/null ||
            fail "$file is not in git: add and commit the lab first (git add labs/$lab solutions/$lab; git commit)"
    done
done
differs=$(git status --porcelain -- Makefile README.md grade clang common grader softgpu docs editors scripts labs solutions)
if [ -n "$differs" ]; then
    complain "the bundle has what is committed; in the working tree these differ:"
    echo "$differs" | sed 's/^/dist:   /' >&2
fi

rm -rf "$build/dist"
mkdir -p "$out/labs" "$out/solutions"
keep() { git archive HEAD -- "$@" | tar -x -C "$out"; }
# The solutions, as committed.
committed=$(mktemp -d)
trap 'rm -rf "$committed"' EXIT
git archive HEAD -- labs solutions docs/draw grader/course | tar -x -C "$committed"
keep Makefile README.md LICENSE VERSION CHANGELOG.md grade clang common grader softgpu docs editors scripts .gitignore .clang-format
rm -f "$out/docs/instructor.md"

for lab in $labs; do
    keep "labs/$lab"
    if [ "${HIDDEN:-}" != keep ]; then
        awk -f scripts/visible.awk "$committed/labs/$lab/lab.yaml" >"$out/labs/$lab/lab.yaml"
        if grep -q 'visibility: *hidden' "$out/labs/$lab/lab.yaml"; then
            echo "dist: labs/$lab/lab.yaml: a hidden case is in it in a form that scripts/visible.awk does not know" >&2
            exit 1
        fi
    fi
    mkdir -p "$out/solutions/$lab"
    arch=$(sed -n 's/^arch: *\([a-z0-9_]*\).*/\1/p' "$committed/labs/$lab/lab.yaml")
    # Compiled where its path says nothing; no -lineinfo.
    work=$(mktemp -d)
    # Without the predictions' letters: where the reference runs, what can be is enumerated, never asked of it.
    sed '/ predictions\[/,/^};/ s/"[yn]*"/"...."/' "$committed/solutions/$lab/kernel.cu" >"$work/reference.cu"
    if grep -q '^code: *host' "$committed/labs/$lab/lab.yaml"; then
        (cd "$work" && "$nvcc" -c -cudart shared -arch="${arch:-compute_75}" -o reference.o reference.cu)
        cp "$work/reference.o" "$out/solutions/$lab/"
    else
        (cd "$work" && "$nvcc" -ptx -arch="${arch:-compute_75}" -o reference.ptx reference.cu)
        cp "$work/reference.ptx" "$out/solutions/$lab/"
    fi
    rm -rf "$work"
done

# Lines of solutions that are theirs alone: long enough, no bare counting loop, and not in what the lab
# gives. Hints and docs, with their pictures, quote some on purpose: at most four; any other file may hold one by chance.
check_bundle() {
    local lines=$build/dist/lines skeletons=$build/dist/skeletons file count allowed leak=
    (cd "$committed" && cat labs/*/*.cu labs/*/*.[ch] docs/draw/*/*.c grader/course/new_lab/*) >"$skeletons"
    find "$committed/solutions" -name '*.cu' -exec cat {} + | sed 's/^[[:space:]]*//; s/[[:space:]]*$//' |
        grep -v '^//' | grep -vE '^for \(\w+ \w+ = \w+; \w+ < \w+; \w+\+\+\) ?\{?$' |
        awk -v given="$skeletons" '
            BEGIN { while ((getline line <given) > 0) all = all line "\n" }
            length > 24 && !index(all, $0)' | sort -u >"$lines"
    [ -s "$lines" ] || { echo "dist: there is nothing to compare with" >&2; exit 1; }
    while IFS= read -r file; do
        count=$(grep -IhoFf "$lines" "$file" | sort -u | wc -l)
        case $file in */lab.yaml | *.md | */docs/*.svg | */docs/draw/*.run) allowed=4 ;; *) allowed=1 ;; esac
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

# Each skeleton of the bundle, judged by the bundle's spec and reference.
check_skeletons() {
    local kit=$committed/kit lab status
    [ -x "$build/bin/grade" ] || fail "the kit is not built, so nothing says that no skeleton is a solution: run make"
    mkdir "$kit"
    cp -r "$out/labs" "$out/solutions" "$kit/"
    ln -s "$(cd "$build" && pwd)" "$kit/build"
    for lab in $labs; do
        status=0
        "$build/bin/grade" --root "$kit" "$lab" --format json --output "$committed/json" 2>"$committed/said" || status=$?
        [ "$status" -lt 2 ] || fail "labs/$lab: the skeleton cannot be judged: $(head -n 1 "$committed/said")"
        grep -q '^ "earned": 0,' "$committed/json" ||
            fail "labs/$lab/kernel.cu, as committed, earns points: a skeleton must earn none (is it a solution?)"
    done
}
check_skeletons

tar -C "$build/dist" -czf "$build/dist/fencepost.tar.gz" fencepost
echo "$build/dist/fencepost.tar.gz"
