#!/usr/bin/env bash
# Makes build/release/fencepost-VERSION-linux-MACHINE.tar.gz: the student bundle with the kit built, for machines without
# a compiler, and SHA256SUMS beside it.
#
#   scripts/release/release.sh VERSION NVCC [LAB…]
#
# The same commit, compilers and libraries give the same bytes: nothing of the build's time, folder or user is in it. CONTENTS
# in the archive lists what is from whom under which licence; licences/ has the texts.
set -eu
cd "$(dirname "$0")/../.."
version=$1 nvcc=$2
shift 2
build=${BUILD:-build}
fail() { echo "release: $*" >&2; exit 1; }
export LC_ALL=C SOURCE_DATE_EPOCH
command -v dpkg-query >/dev/null || fail "says whose the libraries are by dpkg: it is made on Debian or Ubuntu"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
scripts/dist.sh "$nvcc" "$@" >/dev/null
rm -rf "$build/release"
name=fencepost-$version-linux-$(uname -m)
to=$build/release/$name
mkdir -p "$build/release"
mv "$build/dist/fencepost" "$to"

# What was built: programs, libraries, and of each lab its harness and skeleton.
mkdir -p "$to/build/bin" "$to/build/lib/remote" "$to/build/lib/needed"
cp "$build/bin/grade" "$build/bin/softgpu" "$to/build/bin/"
cp "$build/obj/release/nvcc" "$to/build/bin/nvcc-kernels"
cp scripts/release/first_use "$to/build/bin/"
for library in libcudart.so.13 libcuda.so.1 libsoftgpu_audit.so; do
    cp "$build/lib/$library" "$to/build/lib/"
    cp "$build/lib/remote/$library" "$to/build/lib/remote/"
done
ln -sf libcuda.so.1 "$to/build/lib/libcuda.so"
ln -sf libcuda.so.1 "$to/build/lib/remote/libcuda.so"
cp "$build/lib/libnvJitLink.so.13" "$build/lib/triton_ptxas" "$to/build/lib/"
cp "$build/lib/libharness.a" "$to/build/lib/"
for lab in "$to"/labs/*; do
    lab=${lab##*/}
    mkdir -p "$to/build/$lab"
    for file in harness harness.o kernel.ptx original.ptx; do
        [ ! -e "$build/$lab/$file" ] || cp "$build/$lab/$file" "$to/build/$lab/"
    done
done

# The libraries that they need and a machine may lack; the C library is the machine's.
mkdir "$to/licences"
cp LICENSE "$to/licences/fencepost"
list=$(mktemp)
trap 'rm -f "$list"' EXIT
{
    ldd "$to/build/bin/grade" "$to/build/bin/softgpu" "$to/build/lib/libcudart.so.13" | awk '$2 == "=>" && $3 ~ /^\// { print $1, $3 }'
    # What NVRTC needs.
    for library in libstdc++.so.6 libgcc_s.so.1; do echo "$library $(${CC:-gcc} -print-file-name=$library)"; done
} | grep -vE '^(libc|libm|libdl|libpthread|librt)\.so' | sort -u -k 1,1 |
    while read -r library path; do
        real=$(readlink -f "$path")
        cp "$real" "$to/build/lib/needed/$library"
        # The package's files may be known by the path before or after /usr was merged.
        package=$(dpkg-query -S "$real" 2>/dev/null || dpkg-query -S "${real#/usr}" 2>/dev/null || dpkg-query -S "*/$library") ||
            fail "no package has $path"
        package=${package%%[:,]*}
        cp "/usr/share/doc/$package/copyright" "$to/licences/$package"
        echo "$library $package $(dpkg-query -W -f '${Version} ${source:Package} ${source:Version}\n' "$package" | head -n 1)"
    done >"$list"

# The libraries' licences by name, for CONTENTS; their whole texts are in licences/.
licence_of() {
    case $1 in
    libjansson4 | libyaml-0-2) echo MIT ;;
    libcyaml1) echo ISC ;;
    libzstd1) echo BSD-3-Clause ;;
    liblz4-1) echo BSD-2-Clause ;;
    zlib1g) echo Zlib ;;
    libbz2-1.0) echo bzip2-1.0.6 ;;
    liblzma5) echo "public domain" ;;
    libstdc++6 | libgcc-s1) echo "GPL-3.0-or-later with GCC-exception-3.1" ;;
    libseccomp2) echo LGPL-2.1-only ;;
    libdw1 | libelf1 | libdw1t64 | libelf1t64) echo "LGPL-3.0-or-later or GPL-2.0-or-later" ;;
    *) fail "whose licence is $1's? Look into its copyright file and add it to scripts/release/release.sh" ;;
    esac
}

# Nothing of this machine's folders: debug information, and build IDs, which are made of it.
find "$to/build" -type f \( -path '*/bin/*' -o -name '*.so*' -o -name harness -o -name '*.o' -o -name '*.a' \) ! -name first_use \
    ! -path '*/needed/*' -exec strip --strip-debug --enable-deterministic-archives --remove-section=.note.gnu.build-id {} +
find "$to/build" -name '*.ptx' -exec sed -i 's|^\(\t\.file\t[0-9]* "\)/[^"]*/\(labs/\)|\1\2|' {} +
# A host-code lab's reference has the name of a temporary file of nvcc's among its symbols.
find "$to/solutions" -name reference.o -exec strip --strip-unneeded {} +
! grep -rlF "$PWD/" "$to" | grep . || fail "these name the folder in which they were built"

glibc=$(find "$to/build" -type f \( -path '*/bin/*' -o -name '*.so*' -o -name harness \) -exec objdump -T {} + 2>/dev/null |
    grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
{
    echo "fencepost $version, built for Linux on $(uname -m); needs a C library of ${glibc/_/ } or newer."
    echo "Made from commit $(git rev-parse HEAD)."
    echo
    printf '%-44s %-34s %s\n' "what" "from" "licence"
    printf '%-44s %-34s %s\n' "everything but what follows" "Fencepost $version" "Apache-2.0; handouts and docs also CC-BY-4.0"
    while read -r library package number source source_number; do
        printf '%-44s %-34s %s\n' "build/lib/needed/$library" "$package $number" "$(licence_of "$package")"
        echo "    source: Debian source package $source $source_number"
    done <"$list"
    echo
    echo "The libraries are used by dynamic linking, unchanged: other builds of them may be put in their place. licences/ has all texts."
    echo "Not in it: NVIDIA's compiler, which ./grade fetches when it is first called, under NVIDIA's licence."
    echo
    echo "Files, with their SHA-256:"
    (cd "$to" && find . -type f ! -name CONTENTS -print0 | sort -z | xargs -0 sha256sum)
} >"$to/CONTENTS"

find "$to" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
tar --sort=name --format=gnu --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$build/release" -cf - "$name" |
    gzip -n9 >"$to.tar.gz"
(cd "$build/release" && sha256sum "$name.tar.gz" >SHA256SUMS)
echo "$to.tar.gz"
