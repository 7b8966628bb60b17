# Clean roots with a whole system in them, as it is where nobody has installed anything; to be sourced.
#
#   system_made SUITE FOLDER        bookworm, trixie, jammy, noble, …: made by mmdebstrap or debootstrap, from the network; the
#                                   reason on stdout and false where it cannot be had. ROOTS=DIR keeps what was fetched there.
#   in_system FOLDER USER COMMAND…  runs there, with the network: as root, or as user 1000 for any other USER
#
# Only root makes such a root: apt installs packages into it as other users.

system_made() {
    local suite=$1 folder=$2 kept=${ROOTS:-$2.kept} tool
    [ "$(id -u)" = 0 ] || { echo "a clean root is made by root only"; return 1; }
    command -v bwrap >/dev/null || { echo "no bubblewrap to run a clean root with"; return 1; }
    mkdir -p "$folder" "$kept"
    if [ ! -e "$kept/$suite.tar" ]; then
        if command -v mmdebstrap >/dev/null; then
            # The root is thrown away: that Debian may lack the keys of Ubuntu is no reason to do without.
            tool=(mmdebstrap --quiet --format=tar --variant=apt --include=ca-certificates
                  --aptopt='Acquire::AllowInsecureRepositories "true"' --aptopt='APT::Get::AllowUnauthenticated "true"')
            case $suite in jammy | noble) tool+=(--components=main,universe) ;; esac
            "${tool[@]}" "$suite" "$kept/$suite.part" >"$kept/$suite.log" 2>&1
        elif command -v debootstrap >/dev/null; then
            debootstrap --variant=minbase --include=ca-certificates "$suite" "$kept/$suite.root" >"$kept/$suite.log" 2>&1 &&
                tar -C "$kept/$suite.root" -cf "$kept/$suite.part" .
        else
            echo "neither mmdebstrap nor debootstrap is here"
            return 1
        fi || { echo "$suite could not be fetched: $(grep -m 1 '^[EW]:' "$kept/$suite.log" || tail -n 1 "$kept/$suite.log")"; return 1; }
        mv "$kept/$suite.part" "$kept/$suite.tar"
    fi
    tar -C "$folder" --exclude='./dev/*' -xf "$kept/$suite.tar"
    # The same for each: a user without rights, and no service started by what is installed.
    echo 'somebody:x:1000:1000:somebody:/home/somebody:/bin/bash' >>"$folder/etc/passwd"
    echo 'somebody:x:1000:' >>"$folder/etc/group"
    install -d -o 1000 -g 1000 "$folder/home/somebody"
    printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
    chmod 755 "$folder/usr/sbin/policy-rc.d"
    touch "$folder/etc/resolv.conf" "$folder/etc/hosts"
    # Whom this machine trusts on the network is trusted there.
    [ ! -e /etc/ssl/certs/ca-certificates.crt ] || cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/"
}

in_system() {
    local folder=$1 user=$2 as=() home=/root
    shift 2
    [ "$user" = root ] || { as=(setpriv --reuid 1000 --regid 1000 --clear-groups) home=/home/somebody; }
    bwrap --die-with-parent --unshare-pid --unshare-ipc --cap-add ALL --clearenv --setenv HOME $home --setenv LC_ALL C.UTF-8 \
        --setenv PATH /usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --setenv DEBIAN_FRONTEND noninteractive \
        --bind "$folder" / --proc /proc --dev /dev \
        --ro-bind "$(readlink -f /etc/resolv.conf)" /etc/resolv.conf --ro-bind /etc/hosts /etc/hosts --chdir / "${as[@]}" "$@"
}
