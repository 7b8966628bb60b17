#!/bin/sh
# What Triton calls for ptxas under the softgpu command (TRITON_PTXAS_PATH): hands the PTX on as it is, which loads where machine
# code would not. Its --version, by which Triton picks the PTX version and keeps what it has compiled apart from a GPU's, is a name of its own.
input='' output=''
while [ $# -gt 0 ]; do
    case $1 in
    --version) echo "softgpu in the place of ptxas, release 13.0, V13.0" && exit ;;
    -o) output=$2 && shift ;;
    *.ptx) input=$1 ;;
    esac
    shift
done
[ -n "$output" ] && exec cp -- "$input" "$output"
echo "ptxas is softgpu's stand-in for Triton: it takes FILE.ptx -o OUT" >&2
exit 1
