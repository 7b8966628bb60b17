#!/usr/bin/env python3
"""Debian's libraries below a folder, on any Linux and by any user: part of setup_packages.sh.

    setup_mirror.py MIRROR FOLDER PACKAGE...    MIRROR: the address of any mirror of Debian's packages (its .../debian)

Unpacks these packages of Debian 12 and what they depend on into FOLDER, with /lib and /bin below usr. Nothing else is
touched, nothing is run. What is fetched must have the checksum that the mirror's lists have for it. The C library and
the compiler stay the system's own, so its glibc must be as new as those packages ask for. Status 1, with the reason on
stderr, where that cannot be.
"""
import hashlib
import io
import lzma
import os
import platform
import re
import sys
import tarfile
import urllib.request

SUITE = "bookworm"
GLIBC = (2, 34)  # of whose symbols these packages use none that came later: CONTENTS of a release, built of the same
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
# The system's own, wherever there is a compiler.
SYSTEM = re.compile(r"(libc6|libc-dev|libc6-dev|libgcc-s1|libstdc\+\+6|gcc-.*|dpkg|install-info|debconf.*|perl.*|python3.*)$")
COMPILER = {"gcc", "g++", "make", "libc6-dev"}


def fail(reason):
    sys.exit("setup: " + reason)


def fetch(mirror, path, checksum=None):
    try:
        with urllib.request.urlopen(mirror.rstrip("/") + "/" + path, timeout=60) as answer:
            content = answer.read()
    except (OSError, ValueError) as error:
        fail("{} of {}: {}".format(path, mirror, error))
    if checksum and hashlib.sha256(content).hexdigest() != checksum:
        fail("{} of {} is not what the mirror's lists say: nothing of it is taken".format(path, mirror))
    return content


def packages_of(mirror, architecture):
    """Each package's fields, by its name."""
    release = fetch(mirror, "dists/{}/Release".format(SUITE)).decode()
    path = "main/binary-{}/Packages.xz".format(architecture)
    row = re.search(r"^ ([0-9a-f]{64}) +[0-9]+ " + re.escape(path) + "$", release, re.M)
    if not row:
        fail("{} has no list of packages for {}".format(mirror, architecture))
    text = lzma.decompress(fetch(mirror, "dists/{}/{}".format(SUITE, path), row.group(1))).decode()
    found = {}
    for paragraph in text.split("\n\n"):
        fields = dict(re.findall(r"^([A-Za-z0-9-]+): (.*)$", paragraph, re.M))
        if "Package" in fields:
            found[fields["Package"]] = fields
    return found


def closure(packages, names):
    """These packages and what they depend on, of each alternative the first, without what is the system's."""
    wanted, todo = [], list(names)
    while todo:
        name = todo.pop()
        if name in wanted or SYSTEM.match(name):
            continue
        if name not in packages:
            fail("the mirror has no package {} for {}".format(name, SUITE))
        wanted.append(name)
        fields = packages[name]
        for depends in (fields.get("Pre-Depends", ""), fields.get("Depends", "")):
            todo += [re.match(r"[a-z0-9][a-z0-9.+-]*", d.strip()).group() for d in depends.split(",") if d.strip()]
    return wanted


def data_of(package):
    """The archive of files in a package, which is an archive of ar's."""
    at = 8
    while at < len(package):
        name, size = package[at:at + 16].decode().strip(), int(package[at + 48:at + 58])
        if name.startswith("data.tar"):
            return package[at + 60:at + 60 + size]
        at += 60 + size + size % 2
    fail("a package without files")


def inside(path):
    """Where a file of a package lies below the folder: all is in usr. None: not wanted, or not to be trusted."""
    parts = [p for p in path.split("/") if p not in ("", ".")]
    if parts and parts[0] in ("lib", "lib64", "bin", "sbin"):
        parts.insert(0, "usr")
    return "/".join(parts) if parts[:1] == ["usr"] and ".." not in parts else None


def unpack(package, folder):
    with tarfile.open(fileobj=io.BytesIO(data_of(package))) as files:
        for member in files:
            member.name = inside(member.name)
            if not member.name or not (member.isfile() or member.issym() or member.islnk()):
                continue
            if member.islnk():
                member.linkname = inside(member.linkname)
            elif member.issym() and member.linkname.startswith("/"):
                member.linkname = os.path.relpath(inside(member.linkname) or member.linkname, os.path.dirname(member.name))
            target = os.path.join(folder, member.name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.lexists(target):
                os.remove(target)
            files.extract(member, folder)


def lead_to_libraries(folder, program):
    """A program of this folder finds its libraries here, and leaves no trace of that in what it starts."""
    path = os.path.join(folder, "usr/bin", program)
    loader = next((l for l in ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1") if os.path.exists(l)), None)
    if not os.path.exists(path) or not loader:
        return
    libraries = [os.path.join(folder, "usr/lib", d) for d in os.listdir(os.path.join(folder, "usr/lib")) if d.endswith("-linux-gnu")]
    os.rename(path, path + ".real")
    with open(path, "w") as script:
        script.write("#!/bin/sh\nexec {} --library-path '{}' '{}.real' \"$@\"\n".format(loader, ":".join(libraries), path))
    os.chmod(path, 0o755)


def main():
    mirror, folder, names = sys.argv[1], os.path.abspath(sys.argv[2]), sys.argv[3:]
    lacking = [n for n in names if n in COMPILER]
    if lacking:
        fail("no {} here: a compiler and make are the system's own, ask who runs it".format(", ".join(lacking)))
    libc, version = platform.libc_ver()
    if libc != "glibc" or tuple(int(v) for v in version.split(".")[:2]) < GLIBC:
        fail("Debian's libraries need glibc {}.{} or newer, and this is {} {}".format(*GLIBC, libc or "another C library", version))
    architecture = ARCHITECTURES.get(platform.machine()) or fail("no packages are known for " + platform.machine())
    packages = packages_of(mirror, architecture)
    wanted = closure(packages, names)
    print("setup: unpacking {} packages of Debian's below .deps".format(len(wanted)), flush=True)
    for name in wanted:
        unpack(fetch(mirror, packages[name]["Filename"], packages[name]["SHA256"]), folder)
    if "bubblewrap" in wanted:
        lead_to_libraries(folder, "bwrap")


main()
