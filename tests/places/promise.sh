#!/usr/bin/env bash
# The two commands in a clean place, timed: by hand, for the table in docs/places.md.
#
#   tests/places/promise.sh SYSTEM PLACE…    SYSTEM: bookworm, trixie, jammy, noble, …
#     clone      as root: what a fresh machine has, and git and make; setup fetches the rest
#     user       without root: git, gcc, make and pip are there, no more
#     strange    the same, and neither apt nor dpkg, as on another distribution; MIRROR=http://HOST/debian is where the libraries come from
#     release    no compiler: python3-pip alone; the archive of this kit's build/release (make release)
#     deb        the package of this kit's build/deb (make deb), by apt
#
# NOTEBOOK=1: in clone and user also the wheel, lab03's notebook, run, a cell that is run and one that is graded. Each step
# is a line: seconds, seconds of CPU, what was seen. ROOTS=DIR keeps what was fetched of the system, WHEELS=DIR has NVIDIA's packages.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/places/system.sh
system=$1
shift
T=$(mktemp -d "${TMPDIR:-/tmp}/promise.XXXXXX")
chmod 755 "$T"
trap 'rm -rf "$T"' EXIT
git clone -q . "$T/source" && chmod -R a+rX "$T/source"
failed=0
# step NAME WANT COMMAND…: timed inside the place, so that the CPU is its own; its last line that is not blank is shown.
step() {
    local name=$1 want=$2 said seconds
    shift 2
    said=$("$@" 2>&1 | tee "$T/said" | tail -n 40)
    seconds=$(sed -n 's/^took //p' <<<"$said" | tail -n 1)
    if grep -qF -- "$want" "$T/said"; then
        printf '%-9s %-9s %-28s %s  %s\n' "$system" "$place" "$name" "$seconds" "$want"
    else
        failed=1
        printf '%-9s %-9s %-28s %s  FAIL, no "%s":\n' "$system" "$place" "$name" "$seconds" "$want"
        grep -v '^took ' <<<"$said" | tail -n 12
    fi
}
timed() { # USER COMMAND: in the place
    in_system "$T/$place" "$1" bash -c "cd ${at:-/}; TIMEFORMAT='took %R s, %U + %S s of CPU'; time { $2; }"
}
quiet_get() { in_system "$T/$place" root sh -c "apt-get -qq update && apt-get -qq install -y --no-install-recommends $*" >"$T/got" 2>&1 || tail -n 3 "$T/got"; }
kit_for() { # USER FOLDER
    cp -r "$T/source" "$T/$place$2" && { [ "$1" = root ] || chown -R 1000:1000 "$T/$place$2"; }
    [ -z "${WHEELS:-}" ] || cp -r "$WHEELS" "$T/$place/wheels"
}
notebook() {
    step "make setup NOTEBOOK=1" "setup: ready" timed $user "make setup NOTEBOOK=1 $wheels"
    step "make notebook" "notebook is built" timed $user "make notebook && echo notebook is built"
    step "pip install of the wheel" "took" timed $user ".venv/bin/pip install -q build/notebook/*.whl"
    step "lab03's notebook, run" "lab03: 0" timed $user \
        ".venv/bin/jupyter execute build/notebook/lab03_last_block.ipynb --inplace; cat build/notebook/lab03_last_block.ipynb"
    cells >"$T/$place$at/cells.ipynb" && chmod a+rw "$T/$place$at/cells.ipynb"
    step "a cell that is run" "data-race" timed $user ".venv/bin/jupyter execute cells.ipynb --inplace; cat cells.ipynb"
    step "a cell that is graded" "lab03: $points of $points" timed $user "cat cells.ipynb"
}
# A program that runs, with a race in it, and the lab's solution, graded.
cells() {
    python3 - tests/cli/race.cu solutions/lab03_last_block/kernel.cu <<'END'
import json, sys
program, solution = (open(name).read() for name in sys.argv[1:])
cells = ["%load_ext fencepost", "%%cuda\n" + program, "%%lab lab03\n" + solution]
print(json.dumps({"cells": [{"cell_type": "code", "id": f"cell-{i}", "metadata": {}, "execution_count": None, "outputs": [], "source": text}
                            for i, text in enumerate(cells)],
                  "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}}, "nbformat": 4, "nbformat_minor": 5}))
END
}
wheels=${WHEELS:+WHEELS=/wheels}
points=$(sed -n 's/^points: *\([0-9]*\).*/\1/p' labs/lab03_last_block/lab.yaml)

for place in "$@"; do
    reason=$(system_made "$system" "$T/$place") || { echo "$system: skipped, $reason"; exit 1; }
    at='/'
    case $place in
    clone | user | strange)
        user=root at=/root/kit more=
        if [ "$place" != clone ]; then
            user=somebody at=/home/somebody/kit
            quiet_get git make gcc g++ libc6-dev python3-pip ${NOTEBOOK:+python3-venv}
            if [ "$place" = strange ]; then
                rm -rf "$T/$place"/usr/bin/{apt,dpkg}* "$T/$place"/var/lib/{apt,dpkg}
                more="MIRROR=${MIRROR:?a mirror of Debian\'s packages}"
            fi
        else
            quiet_get git make
        fi
        kit_for $user $at
        step "make setup" "setup: ready" timed $user "make setup $wheels $more"
        step "make lab03" "lab03 is built" timed $user "make lab03 && echo lab03 is built"
        step "first verdict" "Part A" timed $user "./grade lab03"
        step "a right answer" "Score $points/$points" timed $user "./grade lab03 --file solutions/lab03_last_block/kernel.cu"
        step "a wrong one" "missing-acquire" timed $user "./grade lab03 --file solutions/lab03_last_block/wrong/published_guard.cu"
        [ -z "${NOTEBOOK:-}" ] || notebook
        ;;
    release)
        archive=$(ls build/release/*.tar.gz) && name=$(basename "$archive" .tar.gz)
        quiet_get python3-pip
        cp "$archive" "$T/$place/home/somebody/"
        [ -z "${WHEELS:-}" ] || cp -r "$WHEELS" "$T/$place/wheels"
        at=/home/somebody
        step "unpack, fetch, first verdict" "Part A" timed somebody "tar -xf $name.tar.gz && $wheels $name/grade lab03"
        step "the next" "Part A" timed somebody "$name/grade lab03"
        points=$(sed -n 's/^points: *\([0-9]*\).*/\1/p' "$T/$place/home/somebody/$name/labs/lab03_last_block/lab.yaml") # of the student bundle
        cp solutions/lab03_last_block/kernel.cu "$T/$place/home/somebody/right.cu"
        cp solutions/lab03_last_block/wrong/published_guard.cu "$T/$place/home/somebody/wrong.cu"
        step "a right answer" "Score $points/$points" timed somebody "$name/grade lab03 --file right.cu"
        step "a wrong one" "missing-acquire" timed somebody "$name/grade lab03 --file wrong.cu"
        ;;
    deb)
        cp build/deb/*.deb "$T/$place/kit.deb"
        . tests/nvcc.sh && "$nvcc" -arch=compute_75 -cudart shared -o "$T/$place/home/somebody/race" tests/cli/race.cu
        at=/home/somebody
        step "apt install" "Setting up fencepost" timed root "apt-get -qq update && apt-get -qq install -y --no-install-recommends /kit.deb"
        step "a program's first finding" "data-race" timed somebody "softgpu race"
        ;;
    *) echo "$place: clone, user, release or deb"; exit 2 ;;
    esac
    rm -rf "${T:?}/$place"
done
exit $failed
