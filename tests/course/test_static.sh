#!/usr/bin/env bash
# What only its own file uses is static: the build's objects of softgpu/ and grader/ say who defines and who uses. What a
# test uses may be seen, and what programs see (softgpu/runtime/api.def). And an instruction is known by its row: only
# execute/bind.c writes which function runs it, and nobody compares that, nor a command of the debugger's by its function.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

find softgpu grader -name '*.c' | sed "s|\(.*\)\.c$|$BUILD/obj/\1.o|" | while read -r object; do
    [ -f "$object" ] && echo "$object"
done | xargs nm -gA >"$work/symbols"
[ -s "$work/symbols" ] || { echo "no objects in $BUILD/obj: run make"; exit 1; }
grep -ohw '[A-Za-z_][A-Za-z0-9_]*' "$BUILD/obj/softgpu/runtime/libcudart.map" >"$work/seen"
find tests labs \( -name '*.c' -o -name '*.h' \) -print0 | xargs -0 grep -ohw '[A-Za-z_][A-Za-z0-9_]*' | sort -u >>"$work/seen"

awk -v build="$BUILD/obj/" '
    FILENAME == ARGV[1] { used[$1] = 1; next }
    $(NF - 1) == "U" || $(NF - 1) == "w" { used[$NF] = 1; next }
    $NF !~ /^(main|(target_)?cu[A-Z].*|(__)?nvJitLink.*|la_(version|objopen|objsearch))$/ { file[$NF] = substr($1, length(build) + 1); sub(/\.o:.*/, ".c", file[$NF]) }
    END { for (name in file) if (!(name in used)) print file[name] ": only this file uses " name ": make it static" }' \
    "$work/seen" "$work/symbols" | sort >"$work/found"
{
    grep -rnE '\b(in|insn|first|second)->(run|body) *(=[^=]|[=!]=)' softgpu --include='*.[ch]' | grep -v '^softgpu/execute/bind\.c:'
    grep -rnE '[=!]= *&?(op|do|on|decode)_[a-z]' softgpu --include='*.[ch]'
} | sed 's/$/  <- asks what something is by the function that runs it/' >>"$work/found"
cat "$work/found"
[ ! -s "$work/found" ] && echo '1 passed, 0 failed'
