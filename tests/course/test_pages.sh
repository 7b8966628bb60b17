#!/usr/bin/env bash
# What people look at, as a browser shows it: every page of the site, every deck, pictures, a timeline and
# the grader's reports, at a desktop's and a phone's width. Nothing is wider than the screen, no image or
# style sheet is missing, no script fails, no page is empty; no slide is higher than the screen, too small to
# read, or breaks over two sheets of paper, and a deck's keys work; no link of the site is dead. The site
# builds without a warning.
#
# What is not installed is said, and skipped: Doxygen (the site), pandoc (decks), Chromium (looking).
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
. tests/part.sh
AWESOME=/usr/share/doxygen-awesome-css
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $message"
        head -n 8 "$work/log"
    fi
}
has() { command -v "$1" >/dev/null || { echo "SKIP: $1 is not here ('make setup DOCS=1'): $2"; return 1; }; }
pages=()

# ---- the site ----
# Every relative link leads to a file of the site, and to an anchor that is there.
no_dead_links() {
    (cd "$1" && grep -oE '(href|src)="[^"]+"' ./*.html | sed 's/^\.\///; s/:\(href\|src\)="/ /; s/"$//; s/&amp;/\&/g' |
        grep -v ' \(https\?:\|javascript:\|data:\|mailto:\)' | awk '{ print $1, ($2 ~ /^#/ ? $1 $2 : $2) }' |
        sort -u >"$work/links"
     grep -oE '(id|name)="[^"]+"' ./*.html | sed 's/^\.\///; s/:\(id\|name\)="/#/; s/"$//' | sort -u >"$work/anchors"
     find . -type f | sed 's/^\.\///' | sort >"$work/files"
     awk -v files="$work/files" -v anchors="$work/anchors" '
        BEGIN { while ((getline f < files) > 0) there[f] = 1; while ((getline f < anchors) > 0) there[f] = 1 }
        { file = $2; sub(/#.*/, "", file); sub(/\?.*/, "", file) }
        !(file in there) || ($2 ~ /#./ && !($2 in there)) { print $1 " leads to " $2; bad = 1 }
        END { exit bad }' "$work/links")
}
if has doxygen 'the site is not built' && [ -d $AWESOME ]; then
    docs/site.sh "$work/site" $AWESOME >"$work/warnings" 2>&1
    check 'Doxygen warns' [ ! -s "$work/warnings" ]
    head -n 5 "$work/warnings"
    check 'the site has a dead link' no_dead_links "$work/site/docs/html"
    no_tags_as_text() { ! grep -l '&lt;\(tt\|code\|b\|em\)&gt;' "$work"/site/docs/html/*.html; }
    check 'the site shows a tag as text' no_tags_as_text
    # One <details> for each question, with the answer in it.
    answers_fold() {
        local lab
        for lab in labs/*/README.md; do
            [ "$(grep -c '<details>' "$lab")" -eq "$(grep -c '<details>' "$work/site/docs/html/$(basename "${lab%/*}").html")" ] ||
                { echo "$lab"; return 1; }
        done
    }
    check 'answers are not folded as in the handout' answers_fold
    check 'code is not coloured' grep -q 'class="keyword' "$work/site/docs/html/lab03_last_block.html"
    # Everyday one in twenty of the pages that Doxygen makes of sources: they have one form. Chosen by name, so that
    # a new page does not change which others are looked at.
    sample() { python3 -c 'import sys, zlib
for line in sys.stdin:
    if zlib.crc32(line.strip().rsplit("/", 1)[-1].encode()) % int(sys.argv[1]) == 0:
        print(line, end="")' "$1"; }
    mapfile -t site < <(printf '%s\n' "$work"/site/docs/html/*.html)
    mapfile -t written < <(printf '%s\n' "${site[@]}" | grep -vE '/(dir_|struct|union)[^/]*\.html$|_8(c|h|def|sh|cu)(_source)?\.html$')
    mapfile -t made < <(printf '%s\n' "${site[@]}" | grep -vxFf <(printf '%s\n' "${written[@]}") |
        sample $((${FULL:-0} ? 1 : 20)))
    mapfile -t looked_at < <(printf '%s\n' "${written[@]}" "${made[@]}" | part_of)
    pages+=("${looked_at[@]}")
    shows_markdown() { [ -n "$(python3 tests/course/pages/markdown_as_text.py "$@" | tee "$work/shown")" ]; }
    printf '<div class="contents">said *"so"*, with `code`</div><!-- contents -->' >"$work/marks.html"
    check 'Markdown that is shown as text is not found' shows_markdown "$work/marks.html"
    printf '<div class="contents">said <em>"so"</em>, 2 * 3, <code>`x`</code></div><!-- contents -->' >"$work/marks.html"
    none_shown() { ! shows_markdown "$@" || { cat "$work/shown"; false; }; }
    check 'Markdown that is rendered is found' none_shown "$work/marks.html"
    mapfile -t texts < <(printf '%s\n' "${written[@]}" | grep -v '_8md')
    check 'a page shows its Markdown as text' none_shown "${texts[@]}"
    for page in start_here self_study labs findings finding-data-race instructor softgpu ptx_support files \
                lab00_reduction harness_8h machine_8h report_8h; do
        check "the site has no page $page" [ -f "$work/site/docs/html/$page.html" ]
    done
fi

# ---- decks ----
if has pandoc 'decks are not made'; then
    check 'decks are not made' make -s BUILD="$BUILD" slides
    for source in slides/lab*.md; do
        deck=$BUILD/slides/$(basename "$source" .md)
        pages+=("$PWD/$deck.html")
        check "$deck.html: a slide has no address" \
            [ "$(grep -c '<section id="[^"]' "$deck.html")" -eq "$(grep -c '^## ' "$source")" ]
        for pdf in "$deck.pdf" "$deck-notes.pdf"; do
            [ ! -f "$pdf" ] || check "$pdf does not have a sheet for each slide" \
                [ "$(grep -ac '/Type /Page$' "$pdf")" -eq "$(($(grep -c '^## ' "$source") + 1))" ]
        done
    done
fi

# ---- what the programs draw and write ----
report() { # NAME STATUS ARGUMENTS…
    local name=$1 status=$2
    shift 2
    ./grade "$@" --seed 5 --format html --output "$work/$name.html" >/dev/null 2>&1
    check "report $name: exit status is not $status" [ $? -eq "$status" ]
    pages+=("$work/$name.html")
}
mkdir "$work/class"
cp solutions/lab03_last_block/wrong/published_guard.cu "$work/class/a_name_that_is_long_enough_for_a_phone.cu"
cp labs/lab03_last_block/kernel.cu "$work/class/skeleton.cu"
sed '0,/__syncthreads();/s//{ int w; asm volatile("txq.array_size.b32 %0, [%1];" : "=r"(w) : "l"(0LL)); }/' \
    solutions/lab03_last_block/kernel.cu >"$work/class/texture.cu"
echo 'this does not compile' >"$work/class/broken.cu"
cp "$work/class/skeleton.cu" "$work/class/<b>.cu"
report passes 0 lab03 --solution
report fails 1 lab03 --file solutions/lab03_last_block/wrong/published_guard.cu
./grade lab03 --submissions "$work/class" --report "$work/report" --seed 5 >/dev/null 2>&1
check 'a class with one that cannot be judged' [ $? -eq 2 ]
pages+=("$work"/report/index.html "$work"/report/pages/*.html)
check 'the run of the finding is not drawn' grep -q 'class="run two"' "$work/fails.html"
check 'counters have no reference beside them' grep -q '<th class=num>Reference' "$work/passes.html"
check 'could not judge' grep -q 'the query .array_size has no answer' "$work/report/pages/texture.html"
# Each counter that softgpu writes has its sentence.
all_have_sentences() { ! grep '<td class=small></td>' "$work/passes.html"; }
check 'a counter has no sentence' all_have_sentences
for picture in labs/*/*.svg; do
    pages+=("$PWD/$picture")
done
"$BUILD/bin/softgpu" --check none --timeline "$work/timeline.svg" "$BUILD/lab03_last_block/harness" \
    --kernel "$BUILD/lab03_last_block/kernel.ptx" --case one --seed 1 --output "$work/result" \
    --param n=100 --param blocks=2 --param threads=32 --param rounds=1 >"$work/log" 2>&1
check 'a timeline is drawn' grep -q '</svg>' "$work/timeline.svg"
pages+=("$work/timeline.svg")

# ---- looking ----
# Prints a line for each fault, and 'SEEN N'.
look() { # FOLDER PAGE…
    local folder=$1
    shift
    mkdir -p "$folder"
    cp tests/course/pages/load.html "$folder/"
    { echo 'var pages = ['; printf '"file://%s",\n' "$@"; echo '];'; } >"$folder/pages.js"
    chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files \
        --user-data-dir="$folder/profile" --enable-logging=stderr --window-size=1400,1000 \
        --virtual-time-budget=1000000000 --dump-dom "file://$folder/load.html" >"$folder/dom" 2>"$folder/err"
    sed -n 's/^.*\(FAULT file:.*\)/\1/p; s/^.*\(SEEN [0-9][0-9]*\)$/\1/p' "$folder/dom"
    sed -n 's/.*INFO:CONSOLE[^"]*\("Uncaught.*\|"Refused.*\|"Failed.*\)/FAULT script: \1/p' "$folder/err"
}
# The checker's own test: what it must see, beside what it must let pass.
twins() {
    local bad=$work/twins text='Some text, as much as a page has to have at the least.'
    mkdir "$bad"
    echo "<!doctype html><p>$text" >"$bad/good.html"
    echo "<!doctype html><p>$text<pre style='overflow-x:auto'>$(printf 'x%.0s' {1..400})</pre>" >"$bad/good_pre.html"
    echo "<svg xmlns='http://www.w3.org/2000/svg' width='640' height='400'><g/></svg>" >"$bad/good.svg"
    echo "<!doctype html><p>$text<p style='width:600px'>wide" >"$bad/wide.html"
    echo "<!doctype html><p>$text<img src=none.png>" >"$bad/image.html"
    echo "<!doctype html><script>throw new Error('fails')</script><p>$text" >"$bad/script.html"
    echo "<!doctype html><body></body>" >"$bad/empty.html"
    echo "<!doctype html><header id=title-block-header>$text</header><section style='height:900px'>x</section>" >"$bad/slide.html"
    echo "<!doctype html><header id=title-block-header>$text</header><section style='font-size:30px'><code style='font-size:20px'>x</code></section>" >"$bad/small.html"
    echo "<!doctype html><header id=title-block-header>$text</header><section style='font-size:80px'><img width=320 src=good.svg></section>" >"$bad/picture.html"
    echo "<!doctype html><header id=title-block-header style='font-size:80px'>$text</header><section style='font-size:80px'>x<div class=notes style='font-size:9px'>x</div></section>" >"$bad/good_slide.html"
    echo "<!doctype html><header id=title-block-header>$text</header><section><pre style='overflow-x:auto'>$(printf 'x%.0s' {1..400})</pre></section>" >"$bad/code.html"
    echo "<svg xmlns='http://www.w3.org/2000/svg'><g></svg>" >"$bad/broken.svg"
    look "$work/look_twins" "$bad"/*
}
if has chromium 'no page is looked at'; then
    twins >"$work/twins.txt"
    for name in wide.html image.html script.html empty.html slide.html code.html small.html picture.html broken.svg; do
        check "the checker does not see what is wrong with $name" grep -q "FAULT.*/$name" "$work/twins.txt"
    done
    clean() { ! grep "FAULT.*good" "$work/twins.txt"; }
    check 'the checker finds fault with a good page' clean
    if [ -f "$BUILD/slides/lab03_last_block.html" ]; then
        chromium --headless --no-sandbox --disable-gpu --disable-popup-blocking --allow-file-access-from-files \
            --user-data-dir="$work/look_twins/profile" --window-size=1400,1000 --virtual-time-budget=20000 --dump-dom \
            "file://$PWD/tests/course/pages/keys.html?file://$(realpath "$BUILD")/slides/lab03_last_block.html" \
            >"$work/keys" 2>/dev/null
        keys_work() { ! grep -o '\(^\|>\)FAULT.*' "$work/keys" && grep -q '\(^\|>\)PRESSED' "$work/keys"; }
        check "the deck's keys" keys_work
    fi
    look "$work/look" "${pages[@]}" >"$work/faults"
    while read -r line; do
        failed=$((failed + 1))
        echo "FAIL: ${line#FAULT }"
    done < <(grep FAULT "$work/faults" | head -n 40)
    check "not all of ${#pages[@]} pages were seen" grep -qx "SEEN ${#pages[@]}" "$work/faults"
    passed=$((passed + ${#pages[@]}))
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
