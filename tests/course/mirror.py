"""A mirror of Debian's packages in small, for test_setup.sh: FOLDER gets dists/ and pool/ with fence-dev and fence1.

fence1 lies in /lib, fence-dev has a link to it by its whole path, as some of Debian's have; fence1 also has a file that
would lie outside the folder, and one outside usr.
"""
import hashlib
import io
import lzma
import os
import sys
import tarfile

ROOT = sys.argv[1]
ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64"}[os.uname().machine]
HEADER, LIBRARY = "usr/include/fence.h", "lib/some-linux-gnu/libfence.so.1"


def written(path, content):
    os.makedirs(os.path.dirname(os.path.join(ROOT, path)), exist_ok=True)
    with open(os.path.join(ROOT, path), "wb") as file:
        file.write(content)


def package(files, links):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:xz") as archive:
        for name in files:
            member = tarfile.TarInfo("./" + name)
            member.size = 1
            archive.addfile(member, io.BytesIO(b"\n"))
        for name, to in links:
            member = tarfile.TarInfo("./" + name)
            member.type, member.linkname = tarfile.SYMTYPE, to
            archive.addfile(member)
    made = b"!<arch>\n"
    for name, content in (("debian-binary", b"2.0\n"), ("control.tar.xz", b"odd"), ("data.tar.xz", data.getvalue())):
        made += b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (name.encode(), 0, 0, 0, b"100644", len(content)) + content + b"\n" * (len(content) % 2)
    return made


lists = ""
for name, depends, files, links in (
        ("fence-dev", "fence1 (= 1) | other, libc6 (>= 2.3)", [HEADER], [("usr/lib/some-linux-gnu/libfence.so", "/" + LIBRARY)]),
        ("fence1", "libc6", [LIBRARY, "usr/../../outside", "etc/fence"], []),
        ("damaged", "", ["usr/include/damaged.h"], [])):
    content = package(files, links)
    path = "pool/{}.deb".format(name)
    written(path, content)
    sum_of = hashlib.sha256(content if name != "damaged" else b"").hexdigest()
    lists += "Package: {}\nDepends: {}\nFilename: {}\nSHA256: {}\n\n".format(name, depends, path, sum_of)
packages = lzma.compress(lists.encode())
path = "main/binary-{}/Packages.xz".format(ARCHITECTURE)
written("dists/bookworm/" + path, packages)
written("dists/bookworm/Release", "Suite: oldstable\nSHA256:\n {} {} {}\n".format(
    hashlib.sha256(packages).hexdigest(), len(packages), path).encode())
