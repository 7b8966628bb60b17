#!/usr/bin/env bash
# Which submissions look alike, by Debian's similarity-tester (sim_c++).
#
#   scripts/similar.sh LAB DIR [PERCENT]      DIR as for --submissions; PERCENT: what is not shown, below 50
#
# What the lab gave is taken out first: every line of its skeleton and of what it includes. What is left is compared
# as tokens, whatever the names, the comments and the layout. A list of pairs, the most alike first.
set -u
fail() { printf 'similar: %s\n' "$@" >&2; exit 2; }
lab=${1:-} from=${2:-} least=${3:-50}
cd "$(dirname "$0")/.." || exit 2
skeleton=$(ls labs/"$lab"_*/kernel.cu labs/"$lab"/kernel.cu 2>/dev/null | head -n 1)
[ -n "$skeleton" ] || fail "LAB=$lab: there is no such lab"
[ -d "$from" ] || fail "SUBMISSIONS=$from: there is no such folder"
command -v sim_c++ >/dev/null || fail "sim_c++ is missing; on Debian: apt-get install similarity-tester"
T=$(mktemp -d) || exit 2
trap 'rm -rf "$T"' EXIT
mkdir "$T/s"

# Whole lines of code without comments and white space, so that a moved brace or a new indent does not bring them back.
strip='
    function code(line) { gsub(/\/\/.*|\/\*[^*]*\*\//, "", line); gsub(/[ \t\r]/, "", line); return line }
    FNR == NR { given[code($0)] = 1; next }
    !(code($0) in given)'
count=0
while IFS= read -r -d '' file; do
    name=${file#"$from"/}
    name=${name%.cu}
    name=${name%/kernel}
    case $name in *[!a-zA-Z0-9_.@\ -]* | -*) echo "similar: passed over, for its name: ${name@Q}" >&2; continue ;; esac
    cat "$(dirname "$skeleton")"/*.{cu,h,cuh} 2>/dev/null | awk "$strip" - "$file" >"$T/s/${name// /_}"
    count=$((count + 1))
done < <(find "$from" -maxdepth 2 -type f -size -1025k \( -path "$from/*/kernel.cu" -o -path "$from/*.cu" ! -path "$from/*/*" \) -print0 | sort -z)
[ "$count" -gt 1 ] || fail "$from holds fewer than two submissions (NAME.cu or NAME/kernel.cu)"

(cd "$T/s" && ls | sim_c++ -i -e -p -s -r 16 -t "$least" 2>/dev/null) >"$T/said" ||
    fail "sim_c++ failed: $(tail -n 1 "$T/said")"
echo "$count submissions of $lab; pairs of which $least % or more are alike, without what the lab gave:"
awk '/ consists for [0-9]+ % of .* material$/ { printf "%5d %%  of %s stands in %s\n", $4, $1, $7 }' "$T/said" | sort -k1,1nr -k4,4
echo
echo "This is no verdict. A short exercise has few right answers, and who read the same book writes the same lines."
echo "Look at both files yourself, and talk to both, before you think of anything else."
