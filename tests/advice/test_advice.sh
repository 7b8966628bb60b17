#!/usr/bin/env bash
# Does what a finding advises mend it? The wrong kernels of tests/judge are judged, each advice that says where to put
# a fence or a barrier is put there, and the kernels are judged again, up to three times, as a student would.
#
#   tests/advice/test_advice.sh      ADVICE_FILES='message lock' (names in tests/judge; 'all') instead of the sample
#
# A kernel that got such advice and ends silent counts as mended; nine in ten must. Texts stay on their
# lines, so that line numbers hold from one round to the next. The last line is 'N passed, N failed'.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/advice src=tests/judge
mkdir -p "$out"
. tests/nvcc.sh || exit 1
. tests/advice/edits.sh
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -I"$src" -isystem "${nvcc%/bin/nvcc}/include" -o "$out/judge" "$src"/*.c \
    "$BUILD/lib/libcudart.so.13" -ljansson -Wl,-rpath,'$ORIGIN/../../lib' || exit 1

findings() { # FILE CASE: judges it, leaves its findings in $out/CASE.json
    SOFTGPU_CHECK=all SOFTGPU_SEED=1 SOFTGPU_SCHEDULES=6 SOFTGPU_JSON=$out/$2.json \
        timeout 60 "$out/judge" --launch "$out/$1.ptx" "$out/$1.cu" "$2" >"$out/$2.log" 2>&1
    sed -i '/"level":"info"/d' "$out/$2.json"
}

compiles() { # FILE
    kept_nvcc -ptx -lineinfo -arch="$(sed -n "s|^// arch ||p" "$out/$1.cu" | grep . || echo compute_75)" -I"$src" -o "$out/$1.ptx" "$out/$1.cu"
}

# Puts the edits of all cases into a source, and where that is no program any more, of those cases only that it stays one
# with: a text alone does not know where a statement of several lines ends, or an else its if.
put() { # FILE CASE…
    local file=$1 case
    shift
    cp "$out/$file.cu" "$out/$file.before"
    cat "${@/#/$out/edits.}" | apply "$out/$file.cu"
    compiles "$file" >"$out/put.log" 2>&1 && return
    cp "$out/$file.before" "$out/$file.cu"
    : >"$out/edits"
    for case in "$@"; do
        cat "$out/edits" "$out/edits.$case" | apply "$out/$file.cu"
        if compiles "$file" >"$out/put.log" 2>&1; then
            cat "$out/edits.$case" >>"$out/edits"
        else
            echo "not to be put into the text: $file $case: $(head -n 1 "$out/edits.$case")"
            touched=${touched/ $case /}
        fi
        cp "$out/$file.before" "$out/$file.cu"
    done
    apply "$out/$file.cu" <"$out/edits"
}

advised=0 mended=0
for file in $(names=${ADVICE_FILES:-message grid_barrier resets exclusion barrier}
              [ "$names" = all ] && names=$(basename -s .cu "$src"/*.cu)
              echo "$names"); do
    cp "$src/$file.cu" "$out/$file.cu"
    cases=$(grep -E '^// case: .*expect=.*(data-race|missing|ordering)' "$out/$file.cu" | awk '{ print $3 }')
    touched=""
    for round in 1 2 3 4; do
        compiles "$file" || exit 1
        advice=()
        for case in $cases; do
            findings "$file" "$case"
            edits "$out/$case.json" | followable "$src/$file.cu" | changeable "$out/$file.cu" | placed "$out/$file.cu" >"$out/edits.$case"
            [ -s "$out/edits.$case" ] || continue
            [ "$round" -gt 1 ] || touched+=" $case "
            advice+=("$case")
        done
        { [ ${#advice[@]} -gt 0 ] && [ "$round" -lt 4 ]; } || break
        put "$file" "${advice[@]}"
        cases=$touched
    done
    for case in $touched; do
        advised=$((advised + 1))
        if [ -s "$out/$case.json" ]; then
            echo "not mended: $file $case: $(sed -n 's/.*"message":"\([^"]*\)".*"try":"\([^"]*\)".*/\1 Try: \2/p' "$out/$case.json" | head -n 1)"
        else
            mended=$((mended + 1))
        fi
    done
done
echo "advice that could be followed: $advised kernels, mended: $mended"
[ "$advised" -gt 0 ] && [ $((mended * 10)) -ge $((advised * 9)) ] || { echo "0 passed, 1 failed"; exit 1; }
echo "1 passed, 0 failed"
