#!/bin/sh
# Installs softgpu, and a grade that finds the kit it is called in, with their manual pages and completions.
#
#   scripts/install/install.sh BUILD VERSION PREFIX     (DESTDIR in the environment comes in front)
set -eu
build=$1 version=$2 to=${DESTDIR:-}$3
here=$(dirname "$0")
home=$to/lib/fencepost
install -d "$home/bin" "$home/lib/remote" "$to/bin" "$to/share/man/man1" "$to/share/zsh/site-functions" \
    "$to/share/bash-completion/completions" "$to/share/fish/vendor_completions.d"
install "$build/bin/softgpu" "$home/bin/softgpu"
for library in libcudart.so.13 libcuda.so.1 libsoftgpu_audit.so; do
    install -m 644 "$build/lib/$library" "$home/lib/"
    install -m 644 "$build/lib/remote/$library" "$home/lib/remote/"
done
ln -sf libcuda.so.1 "$home/lib/libcuda.so"
ln -sf libcuda.so.1 "$home/lib/remote/libcuda.so"
install -m 644 "$build/lib/libnvJitLink.so.13" "$home/lib/"
install "$build/lib/triton_ptxas" "$home/lib/"
ln -sfn ../lib/fencepost/bin/softgpu "$to/bin/softgpu"
install "$here/grade" "$to/bin/grade"

# allowed SENTENCE: the words that a program names when it refuses one.
allowed() { sed -n "s/.*$1//p" | sed 's/(see .*//; s/;.*//; s/\<or\>\|\<and\>//g' | tr -s ',| ' ' ' | sed 's/^ //; s/ $//'; }
known="--format=$("$build/bin/grade" --format '?' 2>&1 | allowed 'allowed: ')
--gradebook=$("$build/bin/grade" --gradebook '?' 2>&1 | allowed 'allowed: ')
--engine=$("$build/bin/softgpu" --engine '?' true 2>&1 | allowed 'it takes ')
--check=all none $("$build/bin/softgpu" --check '?' true 2>&1 | allowed 'some of ')
--dump=tokens module code trace"
# made PROGRAM TITLE WORDS DEVICES: what is made of its --help; WORDS is a command that lists what it can be called with.
made() {
    "$build/bin/$1" --help | tee "$home/help" | awk -v form=man -v name="$1" -v title="$2" -v version="$version" \
        -f "$here/options.awk" >"$to/share/man/man1/$1.1"
    rows=$(printf '%s\n' "$known" "$4" | tr '\n' ';')
    awk -v form=bash -v name="$1" -v words_of="$3" -v known="$rows" -f "$here/options.awk" "$home/help" \
        >"$to/share/bash-completion/completions/$1"
    awk -v form=zsh -v name="$1" -v words_of="$3" -v known="$rows" -f "$here/options.awk" "$home/help" >"$to/share/zsh/site-functions/_$1"
    awk -v form=fish -v name="$1" -v words_of="$3" -v known="$rows" -f "$here/options.awk" "$home/help" >"$to/share/fish/vendor_completions.d/$1.fish"
    rm "$home/help"
}
made softgpu "runs CUDA programs without a GPU" "" "--device=$("$build/bin/softgpu" --devices | awk '{ print $1 }' | xargs)"
made grade "grades labs of the course kit" 'ls labs 2>/dev/null | sed "s/_.*//"' ""
echo "installed below $to"
