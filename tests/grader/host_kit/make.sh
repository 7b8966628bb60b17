# Makes a kit with one host-code lab (lab91) in a new folder, on this build's softgpu and harness
# library: . host_kit/make.sh; then $KIT is the folder.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/kit/make.sh"
rm -rf "${KIT:?}/labs" "$KIT/solutions" "$KIT/build"
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "$here/../../.cuda/bin/nvcc" 2>/dev/null | head -n 1)
cuda=$(dirname "$(dirname "$(readlink -f "$NVCC")")")
lab=lab91_twice
mkdir -p "$KIT/labs/$lab" "$KIT/solutions/$lab/alternatives" "$KIT/solutions/$lab/wrong" \
    "$KIT/build/$lab" "$KIT/build/bin"
cp -r "$BUILD/lib" "$KIT/build/lib"
cp "$BUILD/bin/softgpu" "$KIT/build/bin/"
cp "$here/host_kit/lab.yaml" "$here/host_kit/kernel.cu" "$KIT/labs/$lab/"
cp "$here/host_kit/solution.cu" "$KIT/solutions/$lab/kernel.cu"
cp "$here/host_kit/wrong/three_times.cu" "$here/host_kit/wrong/crashes.cu" \
    "$here/host_kit/wrong/one_stream.cu" "$KIT/solutions/$lab/wrong/"
${CC:-gcc} -O1 -g -D_GNU_SOURCE -isystem "$cuda/include" -I"$here/../../common" -c \
    -o "$KIT/build/$lab/harness.o" "$here/host_kit/harness.c"
# graded FILE: the grade of one of the kit's files.
graded() { grade lab91 --file "$here/host_kit/$1" -v; }
