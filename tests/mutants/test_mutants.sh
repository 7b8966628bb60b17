#!/bin/sh
# ./grade dev mutants: a few of lab03's mutants are all caught; cases that are too weak, and wrong
# entries in equivalent.txt, are noticed. `make mutants` runs all mutants of all labs.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
BUILD=$(cd "$root" && cd "${BUILD:-build}" && pwd)
kit=$(mktemp -d "${TMPDIR:-/tmp}/mutants.XXXXXX")
trap 'rm -rf "$kit"' EXIT
mkdir "$kit/labs" "$kit/solutions"
ln -s "$BUILD" "$kit/build"
cp -r "$root/labs/lab03_last_block" "$kit/labs/"
cp -r "$root/solutions/lab03_last_block" "$kit/solutions/"
list=$kit/solutions/lab03_last_block/equivalent.txt
passed=0 failed=0

# try NAME STATUS ARGS… -- TEXT…: the exit status, and texts that must have been printed.
try() {
    name=$1 want=$2 words= why=
    shift 2
    while [ "$1" != -- ]; do
        words="$words $1"
        shift
    done
    shift
    # shellcheck disable=SC2086
    out=$("$BUILD/bin/grade" --root "$kit" dev mutants lab03 $words 2>&1)
    got=$?
    [ "$got" = "$want" ] || why="status $got, not $want"
    for text in "$@"; do
        case $out in
        *"$text"*) ;;
        *) why="$why; lacks: $text" ;;
        esac
    done
    if [ -z "$why" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s: %s\n%s\n' "$name" "$why" "$out"
    fi
}

try "a few mutants of lab03" 0 --slice 7/40 -v -- "caught by" " 0 survived"
first=$out
try "twice the same" 0 --slice 7/40 -v -- "$(echo "$first" | sed '$d')"
try "one case without elements is too weak" 1 --case nothing --slice 0/6 -- " survived" \
    "PTX line" "became"
sed 's/__syncthreads(); \/\/ and.*/__syncthreads(); __syncthreads();/' \
    "$kit/solutions/lab03_last_block/kernel.cu" >"$kit/twice.cu"
try "equivalent.txt is for the solution only" 1 --file "$kit/twice.cu" --case one_block --slice 1/12 \
    -- "twice.cu" " 0 equivalent"
sed -i 's/last = atomicAdd(counter, 1)/last = atomicAdd(counter, 2)/' "$kit/twice.cu"
try "a kernel that is wrong without mutation" 2 --file "$kit/twice.cu" -- "without any mutation" \
    "two_blocks"
try "an unknown case" 2 --case nix -- 'has no case "nix"'

echo "shift-bound block_sums:84:48#1 it is not" >>"$list"
try "a caught mutant is no equivalent" 1 --slice 0/100 -- "is no equivalent: one caught it"
cp "$root/solutions/lab03_last_block/equivalent.txt" "$list"
echo "delete-barrier 1 there is none" >>"$list"
try "an entry for nothing" 1 --slice 7/100 -- 'no mutant is "delete-barrier" there'
echo "shift-bound *  not what this lab is about" >"$list"
try "an operator that is left out" 0 --slice 0/100 --case one -- "shift-bound left out: not what this lab is about"
echo "delete-everything 1 why" >"$list"
try "an unknown operator" 2 -- 'equivalent.txt:1: no operator "delete-everything"'
echo "delete-fence 93" >"$list"
try "an entry without a reason" 2 -- "no reason is given"
echo "delete-fence sum:x:1 why" >"$list"
try "an entry with a broken place" 2 -- "the place must be"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
