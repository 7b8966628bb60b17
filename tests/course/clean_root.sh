# A root without a compiler, made of a few of this machine's programs and the libraries that they need; to be sourced.
#
#   clean_root FOLDER PROGRAM…      makes it
#   in_root FOLDER COMMAND…         runs there, with no network and nothing else of this machine; false if that cannot be

clean_root() {
    local root=$1 program path file
    shift
    mkdir -p "$root"/{proc,dev,tmp,etc,usr/bin,usr/lib,usr/lib64}
    ln -sfn usr/bin "$root/bin"
    ln -sfn usr/lib "$root/lib"
    ln -sfn usr/lib64 "$root/lib64"
    printf 'root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n' >"$root/etc/passwd"
    printf 'root:x:0:\n' >"$root/etc/group"
    # The C library is whole: programs that come later may need any part of it.
    for program in "$@" "$(ldconfig -p | awk '/libm\.so\.6 / { print $NF; exit }')" \
        "$(ldconfig -p | awk '/libdl\.so\.2 / { print $NF; exit }')" "$(ldconfig -p | awk '/librt\.so\.1 / { print $NF; exit }')" \
        "$(ldconfig -p | awk '/libpthread\.so\.0 / { print $NF; exit }')"; do
        case $program in /*) path=$program ;; *) path=$(command -v "$program") || return 1 ;; esac
        case $path in *.so*) ;; *) cp -L "$path" "$root/usr/bin/" ;; esac
        for file in $path $(ldd "$path" | grep -o '/[^ ]*'); do
            case $file in
            *ld-linux*) cp -L "$file" "$root/usr/lib64/" ;;
            *.so*) mkdir -p "$root/usr/lib/x86_64-linux-gnu" && cp -L "$file" "$root/usr/lib/x86_64-linux-gnu/" ;;
            esac
        done
    done
}

in_root() {
    local root=$1
    shift
    bwrap --unshare-all --die-with-parent --clearenv --setenv PATH /usr/bin --setenv HOME /tmp --bind "$root" / --proc /proc \
        --dev /dev --chdir / "$@"
}
