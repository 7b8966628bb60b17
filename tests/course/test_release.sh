#!/usr/bin/env bash
# make release: twice the same bytes; checksums, contents, licences; and in a clean root without a compiler ./grade gives
# verdicts. FULL=1 builds the second one from its sources, in another folder.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/course/clean_root.sh
BUILD=$(cd "${BUILD:-build}" && pwd)
here=$PWD
T=$(mktemp -d "${TMPDIR:-/tmp}/release.XXXXXX")
trap 'rm -rf "$T"' EXIT
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
        tail -n 15 <<<"$said"
    fi
}
finish() {
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}
command -v dpkg-query >/dev/null || { echo "no dpkg: a release is made on Debian"; passed=1; finish; }
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc .cuda/bin/nvcc 2>/dev/null | head -n 1)
make -s "$BUILD/obj/release/nvcc" BUILD="$BUILD" >/dev/null
made() { # CLONE: a release from it
    git clone -q "$here" "$T/$1" && cd "$T/$1" || return
    mkdir -p build/obj/release
    if [ "$1" = b ] && [ "${FULL:-0}" != 0 ]; then
        make all build/obj/release/nvcc || return
    else
        cp -r "$BUILD/bin" "$BUILD/lib" "$BUILD"/lab* build/
        cp "$BUILD/obj/release/nvcc" build/obj/release/
    fi
    BUILD=build scripts/release/release.sh 1.2.3 "$nvcc" lab03_last_block lab05_streams
}
archive=fencepost-1.2.3-linux-$(uname -m)
check "a release" "build/release/$archive.tar.gz" made a
check "another" "build/release/$archive.tar.gz" made b
check "the same bytes" "status 0" cmp "$T/a/build/release/$archive.tar.gz" "$T/b/build/release/$archive.tar.gz"
rm -rf "$T/b"
check "its checksum" "$archive.tar.gz: OK" env -C "$T/a/build/release" sha256sum -c SHA256SUMS
root=$T/root
mkdir "$root"
tar -xzf "$T/a/build/release/$archive.tar.gz" -C "$root"
rm -rf "$T/a"
kit=$root/$archive
check "each file's checksum" "status 0" sh -c "cd '$kit' && grep -E '^[0-9a-f]{64}  ' CONTENTS | sha256sum -c --quiet"
check "all files are listed" "status 0" [ "$(grep -cE '^[0-9a-f]{64}  ' "$kit/CONTENTS")" = $(($(find "$kit" -type f | wc -l) - 1)) ]
for library in "$kit"/build/lib/needed/*; do
    check "whose $library is" "source package" grep -A 1 "${library#"$kit"/} " "$kit/CONTENTS"
    package=$(awk -v l="${library#"$kit"/}" '$1 == l { print $2 }' "$kit/CONTENTS")
    check "the licence of $package" "opyright" cat "$kit/licences/$package"
done
check "no solution is in it" "status 1" sh -c "find '$kit/solutions' -name '*.cu' | grep ."
check "no folder of this machine" "status 1" grep -rl "$here/" "$kit"
check "nor of another in which it was built" "status 1" grep -rlE --include='*.ptx' '"/[^"]*/labs/' "$kit/build"
check "what it needs is found beside it" "lib/needed/libcyaml" ldd "$kit/build/bin/grade"

# With clang in place of NVIDIA's compiler: nothing of theirs is there, and first_use has nothing to fetch.
without() { bwrap --dev-bind / / --tmpfs /usr/local env -i HOME="$T" PATH=/usr/bin:/bin "$@"; }
if clang/bin/nvcc --version >/dev/null 2>&1 && without true 2>/dev/null; then
    for file in kernel wrong/published_guard; do cp "solutions/lab03_last_block/$file.cu" "$T/"; done
    check "clang: setup" "without NVIDIA's software" without CC_CUDA=clang "$kit/scripts/setup.sh"
    check "clang: which" "kernels by clang" without "$kit/grade" --version
    check "clang: a right one" "Score 93/93" without "$kit/grade" lab03 --file "$T/kernel.cu"
    check "clang: a wrong one" "published_guard.cu:50   partial[blockIdx.x] = sum;" without "$kit/grade" lab03 --file "$T/published_guard.cu"
    rm -rf "$kit/.cuda" "$kit/clang/bin/clang"
else
    echo "no clang, or no bubblewrap: not tested with it"
fi

# first_use, without a network and without gcc.
clean_root "$root" sh dirname readlink mkdir cp rm mv cat ls env || { echo "FAIL: no clean root"; exit 1; }
check "no compiler is there" "status 1" sh -c "ls '$root/usr/bin' | grep -E '^(gcc|cc|g\+\+|clang|nvcc|python)'"
check "no pip: what to do" "Install python3-pip" env -i PATH="$root/usr/bin" "$kit/grade" lab03
check "and a status" "status 2" env -i PATH="$root/usr/bin" "$kit/grade" lab03
check "nothing half made is left" "status 2" ls "$kit/.cuda.part"
cuda=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
rtc=$(ls "$cuda"/lib*/libnvrtc.so.13 2>/dev/null | head -n 1)
if [ -z "$rtc" ] || ! command -v unzip >/dev/null || ! in_root "$root" sh -c true 2>/dev/null; then
    echo "no NVRTC in $cuda, no unzip, or no bubblewrap: the compiler for kernels is not tested"
    finish
fi
# Wheels are zip archives; these have the toolkit's files where NVIDIA's have them.
mkdir -p "$T/wheel/nvidia/cu13/lib" "$T/wheels" "$T/tools"
cp -L "$rtc" "$(dirname "$rtc")"/libnvrtc-builtins.so.13.? "$T/wheel/nvidia/cu13/lib/"
cp -rL "$cuda/include" "$T/wheel/nvidia/cu13/include"
(cd "$T/wheel" && python3 -c 'import glob, os, zipfile
with zipfile.ZipFile("../wheels/it.whl", "w") as wheel:
    for file in filter(os.path.isfile, glob.glob("**", recursive=True)): wheel.write(file)')
rm -rf "$T/wheel"
ln -s "$(command -v unzip)" "$T/tools/"
check "from wheels" "Cuda compilation tools, release 13" env -i PATH="$root/usr/bin:$T/tools" WHEELS="$T/wheels" sh -c \
    "'$kit/build/bin/first_use' '$kit' && '$kit/.cuda/bin/nvcc' --version"
rm -rf "$T/wheels"

# In the clean root: right, wrong, the skeleton, what does not compile, host code.
cp solutions/lab03_last_block/kernel.cu "$kit/right.cu"
cp solutions/lab03_last_block/wrong/published_guard.cu "$kit/wrong.cu"
cp solutions/lab05_streams/kernel.cu "$kit/host.cu"
printf '#include <thread>\n' >"$kit/header.cu"
printf '// one\nint x = nowhere;\n' >"$kit/error.cu"
grade() { in_root "$root" "/$archive/grade" "$@"; }
check "a right one" "Score 93/93" grade lab03 --file "/$archive/right.cu"
check "full marks" "status 0" grade lab03 --file "/$archive/right.cu"
check "a wrong one" "missing-acquire" grade lab03 --file "/$archive/wrong.cu"
check "with its lines" "wrong.cu:50   partial[blockIdx.x] = sum;" grade lab03 --file "/$archive/wrong.cu"
check "the skeleton" "Score 0/93" grade lab03
check "a header that is not there" 'cannot open source file "thread"' grade lab03 --file "/$archive/header.cu"
check "an error's line" 'error.cu:2: error: identifier "nowhere" is undefined' grade lab03 --file "/$archive/error.cu"
check "host code says what it needs" "takes kernels alone" grade lab05 --file "/$archive/host.cu"
check "and is no zero" "status 2" grade lab05 --file "/$archive/host.cu"
check "softgpu" "PTX ISA" in_root "$root" "/$archive/build/bin/softgpu" --version
finish
