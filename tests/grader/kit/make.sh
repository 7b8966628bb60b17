# Makes a kit with one stand-in lab (lab90) in a new folder: . kit/make.sh; then $KIT is the folder,
# and `graded WORDS…` writes a kernel with these fake_ variables and grades it.
here=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "$here/../.." && cd "${BUILD:-build}" && pwd)
KIT=$(mktemp -d "${TMPDIR:-/tmp}/kit.XXXXXX")
chmod 755 "$KIT" # for jobs that are other users
trap 'chmod -R u+w "$KIT"; rm -rf "$KIT"' EXIT
lab=lab90_stand_in
mkdir -p "$KIT/labs/$lab" "$KIT/solutions/$lab/alternatives" "$KIT/solutions/$lab/wrong" \
    "$KIT/build/$lab" "$KIT/build/lib"
cp "$here/kit/lab.yaml" "$here/kit/kernel.cu" "$KIT/labs/$lab/"
sed '/fake_wrong/d; s/TODO //' "$here/kit/kernel.cu" >"$KIT/solutions/$lab/kernel.cu"
${CC:-gcc} -O1 -o "$KIT/build/$lab/harness" "$here"/kit/*.c
echo "not a library: the stand-in uses no device" >"$KIT/build/lib/libcudart.so.13"

# seconds N: a run's time limit from here on: short for what is to reach it, long enough for a busy machine otherwise.
seconds() {
    sed -i "s/^limits: {seconds: [0-9]*,/limits: {seconds: $1,/" "$KIT/labs/$lab/lab.yaml"
}
# grade ARGS…: the grader on the kit; stdout and stderr in $out, status in $rc.
grade() {
    rc=0
    out=$("$BUILD/bin/grade" --root "$KIT" "$@" 2>&1) || rc=$?
}
# graded WORD…: the grade of a kernel with these variables.
graded() {
    sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$KIT/k.cu"
    for word in "$@"; do
        echo "__device__ int fake_$word = 1;" >>"$KIT/k.cu"
    done
    grade lab90 --file "$KIT/k.cu" -v
}
failures=0
tests=0
# expect NAME STATUS TEXT…: the last grade's status, and texts that it must have printed.
expect() {
    tests=$((tests + 1))
    name=$1 want=$2
    shift 2
    why=
    [ "$rc" = "$want" ] || why="status $rc, expected $want"
    for text in "$@"; do
        case $out in
        *"$text"*) ;;
        *) why="$why; lacks: $text" ;;
        esac
    done
    if [ -n "$why" ]; then
        failures=$((failures + 1))
        printf 'FAIL %s: %s\n%s\n' "$name" "$why" "$out"
    fi
}
# refuse NAME TEXT: the last grade must not have printed it.
refuse() {
    tests=$((tests + 1))
    case $out in
    *"$2"*)
        failures=$((failures + 1))
        printf 'FAIL %s: must not print %s\n%s\n' "$1" "$2" "$out"
        ;;
    esac
}
finish() {
    echo "$((tests - failures)) passed, $failures failed"
    [ "$failures" = 0 ]
}
