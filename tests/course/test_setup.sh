#!/usr/bin/env bash
# Set-up where something is missing: says what, and how to get it. With SETUP_NETWORK=1 it also
# installs NVIDIA's compiler into an empty kit (100 MB) and compiles a lab with it.
set -u
cd "$(dirname "$0")/../.." || exit 1
kit=$(mktemp -d)
trap 'rm -rf "$kit"' EXIT
passed=0 failed=0
check() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $message"; cat "$kit/log"; fi
}
cp -r scripts "$kit"

FENCEPOST_NVCC=kit PIP_INDEX_URL=http://127.0.0.1:9/ bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
check 'no network: does not fail' [ $? -eq 1 ]
check 'no network: does not say what is missing' grep -q 'nvcc is missing' "$kit/log"
check 'no network: does not say what helps' grep -q 'make setup WHEELS=wheels' "$kit/log"
check 'no network: leaves half a compiler' [ ! -e "$kit/.cuda" -a ! -e "$kit/.cuda.part" ]

# An nvcc that is too old is passed over, with a word about it.
mkdir "$kit/bin"
printf '#!/bin/sh\necho "Cuda compilation tools, release 11.8, V11.8.89"\n' >"$kit/bin/nvcc"
chmod +x "$kit/bin/nvcc"
PATH=$kit/bin:$PATH WHEELS=/nonexistent bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
check 'an old nvcc is taken' grep -q 'CUDA 11 is too old' "$kit/log"

# A pip as old as Ubuntu 22.04's, which refuses options that came later: what is asked of it, it knows.
mkdir "$kit/old"
cat >"$kit/old/python3" <<'END'
#!/bin/sh
case "$*" in
*"pip --version") exit ;;
*--root-user-action*) echo "no such option" >&2; exit 2 ;;
*"pip install"*) while [ "$1" != --target ]; do shift; done; mkdir -p "$2/nvidia/cu13/lib" ;;
esac
END
chmod +x "$kit/old/python3"
PATH=$kit/old:$PATH FENCEPOST_NVCC=kit bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
check 'an old pip is asked for what it has not' [ -e "$kit/.cuda/lib/libcudart.so" -o -L "$kit/.cuda/lib/libcudart.so" ]
rm -rf "$kit/.cuda" "$kit/old"

# Unpacked without root, of a library that the system has: the link leads there.
libc=$(ldconfig -p | awk '/libm\.so\.6 / { print $NF; exit }')
mkdir -p "$kit/.deps/root$(dirname "$libc")"
ln -s libm.so.6 "$kit/.deps/root$(dirname "$libc")/libm.so"
ln -s no-such-library.so.1 "$kit/.deps/root$(dirname "$libc")/libnone.so"
(cd "$kit" && . scripts/setup_packages.sh && lead_to_system) >"$kit/log" 2>&1
check 'a library of the system is not found' [ "$kit/.deps/root$(dirname "$libc")/libm.so" -ef "$libc" ]
check 'a link to nothing is changed' [ "$(readlink "$kit/.deps/root$(dirname "$libc")/libnone.so")" = no-such-library.so.1 ]
rm -rf "$kit/.deps"

# From a mirror of Debian's packages, whatever system this is: what a package depends on comes, too; libraries are found where the
# links lead; nothing lies outside, and what is not what the mirror's lists say is not taken.
cp "$kit/scripts/packages.txt" "$kit/packages.kept"
python3 tests/course/mirror.py "$kit/mirror" || exit 1
from_mirror() { # HEADER PACKAGE: what is missing is a header of it
    echo "always header:$1 $2 x-devel x x-devel" >"$kit/scripts/packages.txt"
    MIRROR=file://$kit/mirror LLVM=0 WHEELS=/nonexistent bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
}
from_mirror fence.h fence-dev
deps=$kit/.deps/root
check 'MIRROR: not two packages' grep -q 'unpacking 2 packages' "$kit/log"
check 'MIRROR: no header' [ -e "$deps/usr/include/fence.h" ]
check 'MIRROR: no library where its link leads' [ "$deps/usr/lib/some-linux-gnu/libfence.so" -ef "$deps/usr/lib/some-linux-gnu/libfence.so.1" ]
check 'MIRROR: more than usr' [ "$(ls "$deps")" = usr -a ! -e "$kit/.deps/outside" -a ! -e "$kit/outside" ]
from_mirror fence.h fence-dev
check 'MIRROR: what is there is fetched again' sh -c "! grep -q unpacking '$kit/log'"
from_mirror damaged.h damaged
check 'MIRROR: a damaged package does not fail' grep -q 'not what the mirror' "$kit/log"
check 'MIRROR: a damaged package is unpacked' [ ! -e "$deps/usr/include/damaged.h" ]
from_mirror none.h none-dev
check 'MIRROR: does not say what it lacks' grep -q 'has no package none-dev' "$kit/log"
from_mirror none.h g++
check 'MIRROR: a compiler is taken from it' grep -q "the system's own" "$kit/log"
rm -rf "$kit/.deps"
cp "$kit/packages.kept" "$kit/scripts/packages.txt"

# Not root and a package missing: the one command.
if [ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null; then
    echo 'always command:no-such-command no-such-package-here no-such-devel - no-such-devel' >>"$kit/scripts/packages.txt"
    chmod -R a+rX "$kit"
    setpriv --reuid 65534 --clear-groups bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'not root: does not fail' [ $? -eq 1 ]
    check 'not root: does not print the command' \
        grep -q 'sudo apt-get install -y --no-install-recommends no-such-package-here' "$kit/log"
    check 'not root: leaves half a folder' [ ! -e "$kit/.deps/packages" ]
    FENCEPOST_MANAGER=dnf setpriv --reuid 65534 --clear-groups bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'not root, dnf: does not print the command' grep -q 'sudo dnf install -y no-such-devel$' "$kit/log"
    check 'not root, dnf: does not say what helps without' grep -q 'make setup MIRROR=' "$kit/log"
    FENCEPOST_MANAGER=zypper setpriv --reuid 65534 --clear-groups bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'not root, zypper: does not print the command' grep -q 'zypper --non-interactive install no-such-devel$' "$kit/log"
    # What pacman has not by any name is done without.
    FENCEPOST_MANAGER=pacman setpriv --reuid 65534 --clear-groups bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'pacman: asks for what it does not have' [ $? -eq 0 ]
fi

# As root on a bare system of another kind, where nothing that the kit is built from is there: what its package manager is asked
# for, once, and nothing more. All of this machine's programs are there but apt's and those.
other=$kit/other
mkdir "$other"
ln -s /usr/bin/* "$other/" 2>/dev/null
rm -f "$other"/apt* "$other"/dpkg* "$other"/{gcc,g++,cc,make,bwrap,dnf,pacman,zypper,id}
printf '#!/bin/sh\necho 0\n' >"$other/id"
chmod +x "$other/id"
sed -i '/no-such/d' "$kit/scripts/packages.txt"
on_other() { # MANAGER STATUS: it ends with this status
    rm -f "$other"/{dnf,pacman,zypper} "$kit/asked"
    printf '#!/bin/sh\necho "${0##*/} $*" >>"%s"\nexit %s\n' "$kit/asked" "$2" >"$other/$1"
    chmod +x "$other/$1"
    env -u MIRROR PATH="$other" LLVM=0 WHEELS=/nonexistent bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    cat "$kit/asked" >>"$kit/log"
}
asked_for() { # COMMAND PACKAGE…: it was asked once, by this command for these and no others, in any order
    local said command=$1
    shift
    said=$(cat "$kit/asked")
    [[ $said = "$command "* ]] && [ "$(tr ' ' '\n' <<<"${said#"$command "}" | sort)" = "$(printf '%s\n' "$@" | sort)" ]
}
on_other dnf 0
check 'dnf: asked for something else' asked_for "dnf install -y" gcc gcc-c++ glibc-devel make libcyaml-devel libyaml-devel jansson-devel \
    elfutils-devel libzstd-devel lz4-devel CUnit-devel libseccomp-devel bubblewrap
on_other pacman 0
check 'pacman: asked for something else' asked_for "pacman -S --needed --noconfirm" gcc glibc make libcyaml libyaml jansson libelf zstd lz4 \
    cunit libseccomp bubblewrap
on_other zypper 0
check 'zypper: asked for something else' asked_for "zypper --non-interactive install" gcc gcc-c++ glibc-devel make libcyaml-devel \
    libyaml-devel libjansson-devel libdw-devel libzstd-devel liblz4-devel cunit-devel libseccomp-devel bubblewrap
for manager in "dnf install -y" "pacman -S --needed --noconfirm" "zypper --non-interactive install"; do
    on_other "${manager%% *}" 1
    check "$manager fails: not said" grep -q "${manager%% *} could not install: .*bubblewrap" "$kit/log"
    check "$manager fails: the command is not told" grep -q "then run: $manager .*bubblewrap" "$kit/log"
    check "$manager fails: setup goes on" sh -c "! grep -q ready '$kit/log'"
done
rm -rf "$other"
check 'packages.txt: a row without a name for each' awk '!/^#/ && NF && NF != 6 { bad = 1; print } END { exit bad }' scripts/packages.txt

# clang in nvcc's place: kept from one setup to the next, NVIDIA's packages aside, until nvcc is asked for.
if clang/bin/nvcc --version >/dev/null 2>&1; then
    mkdir -p "$kit/.cuda/bin" && echo theirs >"$kit/.cuda/bin/nvcc"
    rm -f "$kit/clang/bin/clang" && cp -r clang "$kit/" && rm -f "$kit/clang/bin/clang"
    sed -i '/no-such-command/d' "$kit/scripts/packages.txt"
    for choice in clang ''; do
        CC_CUDA=$choice bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
        check "CC_CUDA=$choice: fails" [ $? -eq 0 ]
        check "CC_CUDA=$choice: not by clang" grep -q 'kernels by clang' "$kit/log"
        check "CC_CUDA=$choice: the compiler is another" [ "$(readlink -f "$kit/.cuda/bin/nvcc")" = "$(readlink -f "$kit")/clang/bin/nvcc" ]
        check "CC_CUDA=$choice: NVIDIA's are lost" grep -q theirs "$kit/.cuda.nvidia/bin/nvcc"
    done
    CC_CUDA=nvcc WHEELS=/nonexistent bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'CC_CUDA=nvcc: NVIDIA'"'"'s do not come back' grep -q theirs "$kit/.cuda/bin/nvcc"
    check 'CC_CUDA=nvcc: the choice stays' [ ! -e "$kit/.cuda.nvidia" -a ! -e "$kit/clang/bin/clang" ]
    rm -rf "$kit/.cuda"

    # With it, NVIDIA's headers alone, for a build of softgpu; they go with the choice.
    mkdir "$kit/headers"
    python3 - "$kit/headers" <<'END'
import sys, zipfile
for name, version, file in (("nvidia_cuda_runtime", "13.0.96", "cuda.h"), ("nvidia_cuda_crt", "13.0.88", "crt/host_defines.h")):
    with zipfile.ZipFile(f"{sys.argv[1]}/{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"nvidia/cu13/include/{file}", "")
        info = f"{name}-{version}.dist-info"
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
END
    CC_CUDA=clang HEADERS=nvidia WHEELS=/nonexistent bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'HEADERS=nvidia where none can be had: does not fail' [ $? -eq 1 ]
    check 'HEADERS=nvidia: does not say what helps' grep -q 'WHEELS=DIR with nvidia-cuda-runtime==' "$kit/log"
    CC_CUDA=clang HEADERS=nvidia WHEELS=$kit/headers bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'HEADERS=nvidia: fails' [ $? -eq 0 ]
    check 'HEADERS=nvidia: no headers' [ -e "$kit/.cuda.nvidia/include/cuda.h" -a -e "$kit/.cuda.nvidia/include/crt/host_defines.h" ]
    check 'HEADERS=nvidia: more than headers' [ "$(ls "$kit/.cuda.nvidia")" = include ]
    CC_CUDA=nvcc FENCEPOST_NVCC=kit WHEELS=/nonexistent bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'CC_CUDA=nvcc: the headers stay' [ ! -e "$kit/.cuda.nvidia" ]
    CC_CUDA=gcc bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'CC_CUDA=gcc is taken' grep -q 'clang or nvcc' "$kit/log"
else
    echo "no clang: setup with it is not tested"
fi

if [ -n "${SETUP_NETWORK:-}" ]; then
    cp scripts/setup.sh "$kit/scripts"
    FENCEPOST_NVCC=kit bash "$kit/scripts/setup.sh" >"$kit/log" 2>&1
    check 'the compiler was not installed' [ $? -eq 0 ]
    "$kit/.cuda/bin/nvcc" -ptx -lineinfo -arch=compute_75 -o "$kit/k.ptx" \
        solutions/lab03_last_block/alternatives/atomic_ref.cu >"$kit/log" 2>&1
    check 'it does not compile a lab' grep -q 'entry sum' "$kit/k.ptx"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
