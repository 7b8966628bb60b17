# Part of setup.sh: what is missing of scripts/packages.txt, and getting it.
#
#   need WHEN    everything of these rows must be there; ends setup where it cannot be had
#   want WHEN    what the system's packages have of these rows; the rest is done without

DEPS=$PWD/.deps/root

# The machine's package manager, by its column in the table; empty: none that we know.
manager=
for name in apt-get dnf pacman zypper; do
    command -v "$name" >/dev/null && manager=$name && break
done
# Tests name another.
manager=${FENCEPOST_MANAGER:-$manager}

# MIRROR, a mirror of Debian's packages: the libraries from there, below .deps, whatever system this is.
from_mirror() { [ -n "${MIRROR:-}" ] && [ "${rows:-}" = libraries ]; }

column() {
    from_mirror && echo 3 && return
    case $manager in apt-get) echo 3 ;; dnf) echo 4 ;; pacman) echo 5 ;; zypper) echo 6 ;; *) echo 2 ;; esac
}

# The command that installs packages.
installer() {
    case $manager in
    apt-get) echo "apt-get install -y --no-install-recommends" ;;
    dnf) echo "dnf install -y" ;;
    pacman) echo "pacman -S --needed --noconfirm" ;;
    zypper) echo "zypper --non-interactive install" ;;
    esac
}

# Is what a row of the table asks for there, on the system or below .deps?
is_there() {
    local what=${1#*:}
    case $1 in
    command:*) PATH=$DEPS/usr/bin:$PATH command -v "$what" >/dev/null ;;
    header:*) printf '#include <%s>\n' "$what" | C_INCLUDE_PATH=$DEPS/usr/include:$(echo "$DEPS"/usr/include/*-linux-gnu) \
        gcc -E -xc - >/dev/null 2>&1 ;;
    file:*) compgen -G "$what" >/dev/null || compgen -G "$DEPS$what" >/dev/null ;;
    esac
}

# missing WHEN: the packages of the rows whose thing is not there.
missing() {
    local when what names
    while read -r when what names; do
        [ "$when" = "$1" ] || continue
        is_there "$what" || echo "$when $what $names" | awk -v c="$(column)" '$c != "-" { print $c }'
    done < <(grep -v '^#' scripts/packages.txt) | sort -u
}

# install_packages APT DNF PACMAN ZYPPER: one package, by its names there.
install_packages() {
    case $manager in apt-get) get "$1" ;; dnf) get "$2" ;; pacman) get "$3" ;; zypper) get "$4" ;; *) get "$1" ;; esac
}

need() {
    local list rows=
    case $1 in always | llvm) rows=libraries ;; esac
    mapfile -t list < <(missing "$1")
    [ ${#list[@]} -eq 0 ] || get "${list[@]}"
}

want() {
    local list known=() p rows=
    case $1 in always | llvm) rows=libraries ;; esac
    mapfile -t list < <(missing "$1")
    for p in "${list[@]}"; do
        from_mirror || [ "$manager" != apt-get ] || apt-cache policy "$p" 2>/dev/null | grep -q 'Candidate: [0-9]' && known+=("$p")
    done
    [ ${#known[@]} -eq 0 ] || get "${known[@]}"
}

WITHOUT_ROOT=("without root: 'make setup MIRROR=http://HOST/debian', HOST being any mirror of Debian's packages, unpacks them"
    "below .deps of the kit; or the archive of a release, which needs no compiler, no package and no root (docs/places.md)")

# Installs packages, or says how.
get() {
    if from_mirror; then
        mkdir -p "$DEPS" && python3 scripts/setup_mirror.py "$MIRROR" "$DEPS" "$@" || exit 1
    elif [ -z "$manager" ]; then
        fail "these are missing, and no package manager known here (apt, dnf, pacman, zypper) to ask: $*" \
             "install the like of them, then 'make setup' again; scripts/packages.txt has what other systems call them" \
             "${WITHOUT_ROOT[@]}"
    elif [ "$(id -u)" -eq 0 ]; then
        get_as_root "$@"
    else
        get_without_root "$@"
    fi
}

get_as_root() {
    local install
    install=$(installer)
    say "installing $*"
    { [ "$manager" != apt-get ] || apt-get update -qq; } >.setup.log 2>&1 &&
        DEBIAN_FRONTEND=noninteractive $install "$@" >>.setup.log 2>&1 ||
        { tail -n 5 .setup.log >&2
          fail "$manager could not install: $*" "check the network, then run: $install $*"; }
    rm -f .setup.log
}

# A library that the system has, of which only the headers were missing: the link that came with those leads to it there.
lead_to_system() {
    local link to
    find "$DEPS" -xtype l | while read -r link; do
        to=$(readlink "$link")
        case $to in /*) ;; *) to=$(dirname "${link#"$DEPS"}")/$to ;; esac
        [ ! -e "$to" ] || ln -sfn "$to" "$link"
    done
}

# Anybody may fetch and unpack what the system's lists of packages name; the Makefile looks there too.
get_without_root() {
    local all folder=$PWD/.deps/packages
    if [ "$manager" = apt-get ] && command -v dpkg-deb >/dev/null; then
        mapfile -t all < <(apt-get install -s --no-install-recommends "$@" 2>/dev/null | awk '/^Inst / { print $2 }')
        if [ ${#all[@]} -gt 0 ]; then
            say "not root: unpacking ${#all[@]} packages below .deps"
            mkdir -p "$folder" "$DEPS" && (cd "$folder" && apt-get download "${all[@]}") >.setup.log 2>&1 &&
                for p in "$folder"/*.deb; do dpkg-deb -x "$p" "$DEPS" || exit 1; done &&
                lead_to_system && rm -rf "$folder" .setup.log && return
            tail -n 3 .setup.log >&2
        fi
    fi
    rm -rf "$folder" .setup.log
    fail "missing packages; run this once, then 'make setup' again:" "    sudo $(installer) $*" \
         "${WITHOUT_ROOT[@]}"
}
