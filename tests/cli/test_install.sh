#!/usr/bin/env bash
# make install: the programs work from there, and the manual pages and completions have every option.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(readlink -f "${BUILD:-build}")
T=$(mktemp -d "${TMPDIR:-/tmp}/install.XXXXXX")
trap 'rm -rf "$T"' EXIT
unset "${!SOFTGPU_@}"
. tests/nvcc.sh || exit 1
passed=0 failed=0
# check NAME WANT COMMAND…: the command prints WANT; its status comes last.
check() {
    local name=$1 want=$2 said
    shift 2
    said=$("$@" 2>&1; echo "status $?")
    if grep -qF -- "$want" <<<"$said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: expected \"$want\""
        tail -n 12 <<<"$said"
    fi
}
check "it installs" "status 0" env DESTDIR="$T/a root" scripts/install/install.sh "$BUILD" 1.2.3 /usr
at="$T/a root/usr"
check "nothing of the build's folder is in it" "status 1" grep -rlI "$BUILD" "$at"
check "softgpu" "PTX ISA" env PATH="$at/bin:$PATH" softgpu --version
kept_nvcc -arch=compute_75 -cudart shared -o "$T/race" tests/cli/race.cu
check "a program" "status 86" env -C "$T" PATH="$at/bin:$PATH" softgpu race
check "its device in a process of its own" "status 86" env -C "$T" PATH="$at/bin:$PATH" softgpu --remote race
check "grade in a kit" "fencepost grade" env -C labs/lab03_last_block PATH="$at/bin:$PATH" grade --version
check "grade elsewhere" "no kit here" env -C / PATH="$at/bin:$PATH" grade lab03

for program in softgpu grade; do
    page=$at/share/man/man1/$program.1
    check "the page of $program" ".TH ${program^^} 1 \"\" \"Fencepost 1.2.3\"" cat "$page"
    if command -v groff >/dev/null; then
        check "$program's page is right" "nothing" sh -c "groff -ww -man -Kutf8 -Tutf8 '$page' 2>&1 >/dev/null | grep . || echo nothing"
    fi
    for option in $("$BUILD/bin/$program" --help | grep -o '^  --[a-z-]*'); do
        check "$program.1 has $option" "${option//-/\\-}" cat "$page"
        check "bash: $program $option" "$option" cat "$at/share/bash-completion/completions/$program"
        check "zsh: $program $option" "'${option}[" cat "$at/share/zsh/site-functions/_$program"
        check "fish: $program $option" "-l ${option#--} " cat "$at/share/fish/vendor_completions.d/$program.fish"
    done
    for shell in zsh fish; do
        command -v $shell >/dev/null || continue
        check "$shell reads its completion" "status 0" $shell -n "$at"/share/$shell/*/*$program*
    done
done
# Each shell really completes: what bash offers for the last word; what fish offers; the line that zsh makes of what was typed.
in_bash() {
    # shellcheck disable=SC2016
    bash -c 'source "$0/$1"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "_$1"
        echo "${COMPREPLY[@]}"' "$at/share/bash-completion/completions" $1
}
in_fish() { fish --no-config -c 'set -p fish_complete_path $argv[1]; complete -C $argv[2]' "$at/share/fish/vendor_completions.d" "$1"; }
in_zsh() { zsh -f tests/cli/completed.zsh "$at/share/zsh/site-functions" "$1"; }
for shell in bash zsh fish; do
    if ! command -v $shell >/dev/null; then
        echo "no $shell: its completion is not tried"
        continue
    fi
    while IFS='|' read -r typed want; do
        check "$shell: $typed" "$want" env -u FENCEPOST_ROOT HOME="$T" PATH="$at/bin:$PATH" bash -c "$(declare -f in_$shell); at='$at'; in_$shell '$typed'"
    done <<'END'
grade --sched|--schedules
grade --color n|never
grade --format sa|sarif
grade --gradebook m|moodle
grade lab03|lab03
softgpu --device h10|h100
softgpu --engine int|interpret
softgpu --check div|divergence
softgpu --dump mod|module
softgpu VERS|VERSION
END
done
check "the Makefile calls it" "scripts/install/install.sh" grep install/install.sh Makefile
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
