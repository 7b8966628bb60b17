#!/usr/bin/env bash
# The process that compiles gives way to others. Where they leave it no time at all (here it never answers), a kernel that goes on is compiled
# by one that does not, and one that has been launched once is not.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/compile/machine_code.sh

program=$out/hurried
[ "$program" -nt tests/compile/hurried.cu ] || kept_nvcc -cudart shared -arch=compute_75 -o "$program" tests/compile/hurried.cu
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
mkdir "$dir/lib" "$dir/bin" && cp "$lib"/lib*.so* "$dir/lib"
cat >"$dir/bin/softgpu" <<END
#!/bin/sh
if [ "\$2" = gently ]; then : >"$dir/gentle"; while read -r text; do :; done; exit; fi
: >>"$dir/other"
exec "$build/bin/softgpu" "\$@"
END
chmod +x "$dir/bin/softgpu"

until_it_is() { # until_it_is FILE: there, or a minute has passed
    for _ in $(seq 600); do
        [ -n "$(find "$dir" -path "$1")" ] && return 0
        sleep 0.1
    done
    return 1
}
mkfifo "$dir/lines"
# The first launch is some 1,500 instructions of warps.
SOFTGPU_ENGINE=auto SOFTGPU_HOT=1000+ SOFTGPU_CHECK=none SOFTGPU_SCHEDULES=1 SOFTGPU_CACHE=$dir/kept LD_LIBRARY_PATH=$dir/lib \
    timeout 150 "$program" <"$dir/lines" >"$dir/said" 2>&1 &
exec 3>"$dir/lines"
check "it is begun by a process that gives way" until_it_is "$dir/gentle"
check "which one launch leaves so" test ! -e "$dir/other"
echo >&3
check "when it has gone on, another one compiles it" until_it_is "$dir/kept/*.code"
check "that gives way to nobody" test -e "$dir/other"
echo >&3
wait
check "and all launches are right" test "$(cat "$dir/said")" = "no error"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
