#!/usr/bin/env bash
# Makes BUILD/deb/fencepost_VERSION_ARCH.deb: what make install puts below /usr, as a Debian package. The same build
# gives the same bytes.
#
#   scripts/install/deb.sh BUILD VERSION      (DEBFULLNAME and DEBEMAIL in the environment say who makes it)
#
# What it depends on is what dpkg-shlibdeps finds, so it is for the Debian or Ubuntu on which it is made, and newer ones.
set -eu
cd "$(dirname "$0")/../.."
build=$(cd "$1" && pwd)
version=${2/-/\~} # 0.3.0-dev comes before 0.3.0
fail() { echo "deb: $*" >&2; exit 1; }
command -v dpkg-shlibdeps >/dev/null || fail "dpkg-shlibdeps is missing: apt-get install dpkg-dev"
export LC_ALL=C SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y VERSION)}
umask 022
rm -rf "$build/deb"
root=$build/deb/root
mkdir -p "$root/DEBIAN" "$root/usr/share/doc/fencepost"
DESTDIR=$root scripts/install/install.sh "$build" "$2" /usr >/dev/null
find "$root/usr/lib" -type f \( -path '*/bin/*' -o -name '*.so*' \) -exec strip --strip-unneeded --remove-section=.comment {} +
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root"/usr/share/zsh/site-functions/* "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
gzip -n9 "$root"/usr/share/man/man1/*.1

who="${DEBFULLNAME:-Fencepost developers} <${DEBEMAIL:-fencepost@lists.invalid}>"
year=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y)
cat >"$root/usr/share/doc/fencepost/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Fencepost

Files: *
Copyright: $year the Fencepost developers
License: Apache-2.0
 On Debian systems the whole text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
END
cat <<END | gzip -n9 >"$root/usr/share/doc/fencepost/changelog.gz"
fencepost ($version) unstable; urgency=medium

  * Built from this version of the kit; its CHANGELOG.md says what is new.

 -- $who  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END

# dpkg-shlibdeps wants a source package's folder to stand in.
mkdir -p "$build/deb/source/debian"
printf 'Source: fencepost\n\nPackage: fencepost\nArchitecture: any\n' >"$build/deb/source/debian/control"
mapfile -t files < <(find "$root/usr/lib" -type f \( -path '*/bin/*' -o -name '*.so*' \))
depends=$(cd "$build/deb/source" && dpkg-shlibdeps -O "${files[@]/#/-e}" | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || fail "dpkg-shlibdeps found nothing"
cat >"$root/DEBIAN/control" <<END
Package: fencepost
Version: $version
Architecture: $(dpkg --print-architecture)
Maintainer: $who
Installed-Size: $(find "$root/usr" -type f -printf '%s\n' | awk '{ n += int(($1 + 1023) / 1024) } END { print n }')
Depends: $depends
Suggests: gcc, make, bubblewrap, libllvm19
Section: devel
Priority: optional
Description: runs CUDA programs without a GPU, and shows their races
 softgpu is a software GPU: it runs programs built with NVIDIA's nvcc, whose
 kernels it executes under the PTX memory model. Each data race, missing
 fence, divergent barrier and bad access is shown with the two lines, the
 two threads and a run in which it bites.
 .
 grade is the grader of the course kit in whose folder it is called.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
deb=$build/deb/fencepost_${version}_$(dpkg --print-architecture).deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$deb" >/dev/null
rm -rf "$build/deb/source"
echo "$deb"
