# shellcheck shell=bash
# nvcc for test scripts, from the kit's root: `. tests/nvcc.sh || exit 1` sets `nvcc` to the compiler's own path, and
# makes kept_nvcc, which is nvcc but makes nothing twice: where KEPT names a folder (tests/run.sh, not with FULL=1), what
# it made of the same files with the same arguments is taken from there, its words, too.

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "$PWD/.cuda/bin/nvcc" 2>/dev/null | head -n 1)
[ -n "$nvcc" ] || { echo "no nvcc: run 'make setup'"; return 1; }
nvcc=$(readlink -f "$nvcc")
export nvcc

kept_nvcc() { # ARGUMENT…, one of them a source, two of them -o OUTPUT
    local words=() output='' sources=0 name files draft
    while [ $# -gt 0 ]; do
        case $1 in
        -o) output=$2 && shift ;;
        *.cu) sources=$((sources + 1)) && words+=("$1") ;;
        *) words+=("$1") ;;
        esac
        shift
    done
    if [ ! -d "${KEPT:-}" ] || [ $sources -ne 1 ]; then
        "$nvcc" "${words[@]}" -o "$output"
        return
    fi
    # All files that it reads but the toolkit's; where they lie is in what is made, too.
    files=$(printf '%s\n' "${words[@]}" | grep '^-[ID]\|\.cu$' |
        xargs "${CXX:-g++}" -x c++ -std=c++17 -D__CUDACC__ -M -MG -nostdinc -nostdinc++ 2>/dev/null |
        sed '1s/^[^:]*://; s/\\$//' | tr ' ' '\n' | while read -r file; do [ ! -f "$file" ] || readlink -f "$file"; done | sort -u)
    # shellcheck disable=SC2086 # names without blanks
    name=$KEPT/$({ stat -c %Y "$nvcc"; pwd; printf '%s\n' "${words[@]}"; sha256sum $files; } | sha256sum | cut -d' ' -f1)
    if ! cp "$name" "$output" 2>/dev/null; then
        draft=$name.$BASHPID
        "$nvcc" "${words[@]}" -o "$output" >"$draft.words" 2>&1 || { cat "$draft.words" >&2 && rm "$draft.words" && return 1; }
        cp "$output" "$draft" && mv "$draft.words" "$name.words" && mv "$draft" "$name"
    fi
    cat "$name.words" >&2
    touch "$name" "$name.words" # so that it is not swept
}
export -f kept_nvcc
