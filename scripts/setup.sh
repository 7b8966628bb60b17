#!/usr/bin/env bash
# Makes this machine ready for Fencepost: packages (scripts/packages.txt), then NVIDIA's compiler.
#
#   scripts/setup.sh            (what `make setup` runs; may be repeated, changes nothing when ready)
#   WHEELS=DIR scripts/setup.sh (no network: take NVIDIA's packages from DIR)
#   DOCS=1 NOTEBOOK=1           (also what `make docs slides` and `make notebook` need)
#   LLVM=0                      (not LLVM 19, by which long kernels become machine code; else where the system has it)
#   CC_CUDA=clang               (no NVIDIA software: kernels by clang; CC_CUDA=nvcc goes back; kept until then)
#   CC_CUDA=clang HEADERS=nvidia  (with it, NVIDIA's headers alone, which building softgpu from a clone reads)
#   MIRROR=http://HOST/debian   (no root, and no apt: the libraries from a mirror of Debian's packages, unpacked below .deps/)
#   TESTS=1                     (also what some tests look at the kit with, where the system has it)
#
# As root it installs missing packages, by apt, dnf, pacman or zypper. Without root, where apt is, it unpacks
# them below .deps/ of the kit; elsewhere it prints the one command that installs them. nvcc is taken from
# PATH, from the toolkit's usual folder, or installed without root into .cuda/ of the kit.
set -u
cd "$(dirname "$0")/.." || exit 1

JUPYTER=(setuptools wheel ipykernel jupyter-server nbclient)
# One row a package: the five that make up a compiler for PTX, at one version of the toolkit.
HEADERS_OF=(nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88)
NVIDIA=(nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-nvvm==13.0.88
        nvidia-cuda-runtime==13.0.96 nvidia-cuda-cccl==13.0.85)

say() { printf 'setup: %s\n' "$*"; }
fail() { printf 'setup: %s\n' "$@" >&2; exit 1; }

. scripts/setup_packages.sh

# 13 or newer: cudaLibrary* and libcudart.so.13 come with CUDA 13.
nvcc_major() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p'; }

# fetch_nvidia PACKAGE…: NVIDIA's Python packages into .cuda.part; they share one folder there, nvidia/cu13, laid out as
# a toolkit is.
fetch_nvidia() {
    local source=()
    [ -n "${WHEELS:-}" ] && source=(--no-index --find-links "$WHEELS")
    python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip python3-pip python-pip python3-pip
    python3 -m pip --version >/dev/null 2>&1 || fail "no pip to fetch NVIDIA's packages with." \
        "install python3-pip, or the CUDA toolkit 13 with its bin folder on PATH"
    export PIP_ROOT_USER_ACTION=ignore # an option only of pips from 22.1 on, which Ubuntu 22.04 has not
    mkdir -p .cuda.part 2>/dev/null || fail "cannot write in $PWD"
    python3 -m pip install --quiet --disable-pip-version-check --no-deps --retries 1 --timeout 20 \
        --only-binary :all: "${source[@]}" --target .cuda.part "$@" 2>.setup.log && rm -f .setup.log && return
    tail -n 3 .setup.log >&2
    rm -rf .cuda.part .setup.log
    return 1
}

# Nothing outside .cuda is touched.
install_nvcc() {
    say "no CUDA 13 compiler found: installing NVIDIA's into .cuda (about 100 MB to fetch)"
    if ! fetch_nvidia "${NVIDIA[@]}"; then
        fail "nvcc is missing, and NVIDIA's packages could not be fetched. One of these helps:" \
             "  - connect this machine to the network and run 'make setup' again" \
             "  - install the CUDA toolkit 13 and put its bin folder on PATH" \
             "  - on a connected machine: python3 -m pip download --no-deps -d wheels ${NVIDIA[*]}" \
             "    then here: make setup WHEELS=wheels"
    fi
    rm -rf .cuda
    mv .cuda.part/nvidia/cu13 .cuda && rm -rf .cuda.part || fail "cannot write .cuda in $PWD"
    ln -sfn lib .cuda/lib64
    ln -sfn libcudart.so.13 .cuda/lib/libcudart.so
}

# A virtual environment of the kit's own: Debian's Python takes no packages from pip.
install_jupyter() {
    .venv/bin/python -c 'import jupyter_server, nbclient, setuptools, wheel' 2>/dev/null && return
    say "installing Jupyter into .venv"
    { python3 -m venv .venv && .venv/bin/python -m pip install --quiet --disable-pip-version-check --retries 1 \
          --timeout 20 "${JUPYTER[@]}"; } >.setup.log 2>&1 ||
        { tail -n 3 .setup.log >&2
          fail "Jupyter could not be installed into .venv: check the network, then 'make setup NOTEBOOK=1' again"; }
    rm -f .setup.log
}

# A compiler that starts is not yet one that works: headers, cicc and libdevice must be in place.
try_nvcc() {
    local dir
    dir=$(mktemp -d) || fail "cannot write in ${TMPDIR:-/tmp}"
    printf '#include <cuda/atomic>\nextern "C" __global__ void k(float *x) { *x = sinf(*x); }\n' \
        >"$dir/k.cu"
    printf '#include <cuda_runtime_api.h>\nint main(void) { return cudaSuccess; }\n' >"$dir/h.c"
    "$1" -ptx -lineinfo -arch=compute_75 -o "$dir/k.ptx" "$dir/k.cu" >"$dir/log" 2>&1 &&
        gcc -I"$(dirname "$(dirname "$1")")/include" -c -o "$dir/h.o" "$dir/h.c" >>"$dir/log" 2>&1
    local status=$?
    [ $status -eq 0 ] || head -n 5 "$dir/log" >&2
    rm -rf "$dir"
    return $status
}

# clang in nvcc's place: .cuda leads to the kit's driver for clang and its headers, and clang/bin/clang to the compiler.
# What NVIDIA's packages left in .cuda is kept aside.
CLANGS=(clang-19 clang-18 clang-20 clang-17 clang-16 clang-15 clang clang-14)
find_clang() {
    local c
    for c in "${CLANGS[@]}"; do
        PATH=$PATH:$DEPS/usr/bin command -v "$c" && return
    done
    return 1
}
choose_clang() {
    local c found
    if ! found=$(find_clang); then
        for c in clang-19 clang-18 clang-15; do # apt's plain clang is an older one on some systems
            [ "$manager" = apt-get ] && apt-cache policy $c 2>/dev/null | grep -q 'Candidate: [0-9]' && get $c && break
        done
        found=$(find_clang) || { need clang && found=$(find_clang); } || fail "no clang, though it was installed"
    fi
    ln -sfn "$found" clang/bin/clang
    if [ ! -L .cuda/bin ]; then
        [ ! -e .cuda ] || mv .cuda .cuda.nvidia
        mkdir .cuda && ln -s ../clang/bin ../clang/include .cuda/ || fail "cannot write in $PWD"
    fi
    printf 'extern "C" __global__ void k(int *x) { atomicAdd(x, 1); __syncthreads(); __threadfence(); }\n' >.setup.cu
    clang/bin/nvcc -ptx -lineinfo -arch=compute_75 -o .setup.ptx .setup.cu && grep -q 'membar.gl' .setup.ptx
    local status=$?
    rm -f .setup.cu .setup.ptx
    [ $status -eq 0 ] || fail "$found does not compile a one-line kernel (above is what it said)"
    say "ready: kernels by $("$found" --version | sed -n 's/.*\(clang version [0-9.]*\).*/\1/p') ($found), without NVIDIA's software"
    say "the choice is kept; make setup CC_CUDA=nvcc goes back"
    [ "${HEADERS:-}" != nvidia ] || [ -e .cuda.nvidia/include/cuda.h ] || install_headers
    [ -e build/lib/libcudart.so.13 ] || [ -e /usr/local/cuda/include/cuda.h ] || [ -e /usr/include/cuda.h ] || [ -e .cuda.nvidia/include/cuda.h ] ||
        say "softgpu is not built here, and that takes CUDA's headers. The archive of a release has it built; or" \
            "'make setup CC_CUDA=clang HEADERS=nvidia' fetches those headers, 2 MB and no program (docs/clang.md)"
}
# The interface that softgpu's runtime library is written against, where it is built with no toolkit here.
install_headers() {
    say "fetching CUDA's headers from NVIDIA into .cuda.nvidia (2 MB, no compiler)"
    fetch_nvidia "${HEADERS_OF[@]}" || fail "NVIDIA's headers could not be fetched: check the network, or give WHEELS=DIR with ${HEADERS_OF[*]}"
    mkdir .cuda.nvidia && mv .cuda.part/nvidia/cu13/include .cuda.nvidia/ && rm -rf .cuda.part || fail "cannot write .cuda.nvidia in $PWD"
}
leave_clang() {
    [ ! -L .cuda/bin ] || rm -rf .cuda
    rm -f clang/bin/clang
    [ -e .cuda.nvidia/bin/nvcc ] || rm -rf .cuda.nvidia # headers alone
    [ -e .cuda ] || [ ! -e .cuda.nvidia ] || mv .cuda.nvidia .cuda
}

# A release has the kit built: for clang nothing else is needed there.
[ -e build/bin/first_use ] && [ "${CC_CUDA:-}" = clang ] || need always
[ -z "${DOCS:-}" ] || want docs
[ "${LLVM:-}" = 0 ] || (want llvm) 2>/dev/null || say "without LLVM 19: kernels are interpreted"
[ -z "${TESTS:-}" ] || (want tests) || say "without all that tests look with: they say what they skip"
[ -z "${NOTEBOOK:-}" ] || { need notebook && install_jupyter; }

case ${CC_CUDA:-$([ -L .cuda/bin ] && echo clang)} in
clang) choose_clang; exit ;;
nvcc) leave_clang ;;
'') ;;
*) fail "CC_CUDA=$CC_CUDA: clang or nvcc" ;;
esac

nvcc=
# FENCEPOST_NVCC=kit asks for the kit's own compiler even where the system has one (tests do).
for candidate in "$(command -v nvcc)" /usr/local/cuda/bin/nvcc "$PWD/.cuda/bin/nvcc"; do
    [ "${FENCEPOST_NVCC:-}" = kit ] && [ "$candidate" != "$PWD/.cuda/bin/nvcc" ] && continue
    [ -n "$candidate" ] && [ -x "$candidate" ] || continue
    candidate=$(readlink -f "$candidate")
    "$candidate" --version 2>/dev/null | grep -q nvrtc && continue # a release's own, for kernels alone
    if [ "$(nvcc_major "$candidate")" -ge 13 ] 2>/dev/null; then
        nvcc=$candidate
        break
    fi
    major=$(nvcc_major "$candidate")
    say "passing over $candidate: $([ -n "$major" ] && echo "CUDA $major is too old, 13 is needed" || echo "it does not run")"
done
if [ -z "$nvcc" ]; then
    install_nvcc
    nvcc=$PWD/.cuda/bin/nvcc
fi
try_nvcc "$nvcc" || fail "$nvcc does not compile a three-line kernel (above is what it said)"
say "ready: $("$nvcc" --version | sed -n 's/.*release \([0-9.]*\),.*/CUDA \1/p') at $nvcc"
