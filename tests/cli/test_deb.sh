#!/usr/bin/env bash
# make deb: twice the same bytes, what it names as its dependencies is what its programs load, no fault for lintian, and
# in a clean root dpkg installs it and softgpu judges a program there.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/course/clean_root.sh
BUILD=$(readlink -f "${BUILD:-build}")
T=$(mktemp -d "${TMPDIR:-/tmp}/deb.XXXXXX")
trap 'rm -rf "$T"' EXIT
unset "${!SOFTGPU_@}"
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
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}
command -v dpkg-shlibdeps >/dev/null || { echo "no dpkg-dev: a package is made on Debian"; passed=1; finish; }
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc .cuda/bin/nvcc 2>/dev/null | head -n 1)
made() { # COPY: the build in another folder
    mkdir -p "$T/$1/lib/remote"
    cp -r "$BUILD/bin" "$T/$1/"
    cp "$BUILD"/lib/*.so* "$BUILD/lib/triton_ptxas" "$T/$1/lib/" && cp "$BUILD"/lib/remote/*.so* "$T/$1/lib/remote/"
    scripts/install/deb.sh "$T/$1" 1.2.3-dev
}
arch=$(dpkg --print-architecture)
package=deb/fencepost_1.2.3~dev_$arch.deb
check "a package" "$package" made a
check "another" "$package" made b
check "the same bytes" "status 0" cmp "$T/a/$package" "$T/b/$package"
check "the Makefile makes it" "install/deb.sh" grep install/deb.sh Makefile
for word in "./usr/bin/softgpu -> ../lib/fencepost/bin/softgpu" ./usr/bin/grade ./usr/share/man/man1/softgpu.1.gz \
    ./usr/share/man/man1/grade.1.gz ./usr/share/bash-completion/completions/softgpu ./usr/share/zsh/vendor-completions/_grade \
    ./usr/share/fish/vendor_completions.d/grade.fish ./usr/share/doc/fencepost/copyright root/root; do
    check "it holds $word" "$word" dpkg-deb -c "$T/a/$package"
done
check "no folder of this machine" "status 1" grep -rl "$PWD" "$T/a/deb/root/usr"
depends=$(dpkg-deb -f "$T/a/$package" Depends)
for path in $(ldd "$T"/a/deb/root/usr/lib/fencepost/bin/softgpu "$T"/a/deb/root/usr/lib/fencepost/lib/libcudart.so.13 |
    awk '$2 == "=>" { print $3 }' | grep -v '/lib\(z\|bz2\|lzma\)\.' | sort -u); do # those three are libdw's
    # The package's files may be known by the path before or after /usr was merged.
    library=${path##*/} owner=$(dpkg-query -S "$path" 2>/dev/null || dpkg-query -S "/usr$path" 2>/dev/null || dpkg-query -S "${path#/usr}")
    owner=${owner%%[:,]*}
    check "it depends on $library's package" "$owner (" echo "$depends"
done
check "it depends on the C library" "libc6 (" echo "$depends"
if command -v lintian >/dev/null; then
    check "lintian finds no error" "nothing" sh -c "lintian --allow-root --fail-on none '$T/a/$package' 2>&1 | grep '^E:' || echo nothing"
else
    echo "no lintian: not asked"
fi

root=$T/root
"$nvcc" -arch=compute_75 -cudart shared -o "$T/race" tests/cli/race.cu
clean_root "$root" sh dirname ls "$T/race" "$T/a/deb/root/usr/lib/fencepost/bin/softgpu" || { echo "FAIL: no clean root"; exit 1; }
rm -f "$root"/usr/lib/*/libcudart* "$root/usr/bin/softgpu"
if ! in_root "$root" sh -c true 2>/dev/null; then
    echo "no bubblewrap that works here: the package is not installed"
    finish
fi
mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
# The libraries came without packages, so dpkg cannot know that they are there; the checks above compare them.
install=(dpkg --root="$root" --force-depends --log=/dev/null -i "$T/a/$package")
[ "$(id -u)" = 0 ] || install=(fakeroot "${install[@]}")
check "dpkg installs it" "Setting up fencepost" "${install[@]}"
check "and knows it" "ii  fencepost" dpkg --root="$root" -l fencepost
check "no compiler is there" "status 1" sh -c "ls '$root/usr/bin' | grep -E '^(gcc|cc|clang|nvcc)'"
check "softgpu --version" "PTX ISA" in_root "$root" softgpu --version
check "a program with a race" "data-race" in_root "$root" softgpu /usr/bin/race
check "and its status" "status 86" in_root "$root" softgpu /usr/bin/race
check "one that is right" "status 0" in_root "$root" softgpu --check none /usr/bin/race
check "grade says where to go" "no kit here" in_root "$root" grade lab03
remove=(dpkg --root="$root" --force-depends --log=/dev/null --purge fencepost)
[ "$(id -u)" = 0 ] || remove=(fakeroot "${remove[@]}")
check "dpkg removes it" "status 0" "${remove[@]}"
check "and nothing stays" "status 2" ls "$root/usr/lib/fencepost"
finish
