# shellcheck shell=bash
# Advice as edits of a source, for the test scripts beside it.

# The advice of a findings file, or of a report (--format json), as edits: LINE before|behind TEXT.
edits() {
    sed -nE 's/.*"(try|suggestion)": ?"([^"]*)".*/\2/p' "$1" | sed -nE '
        s/^(__threadfence[a-z_]*\(\)) after the read of the signal on line ([0-9]+).*/\2 behind \1/p
        s/^(__threadfence[a-z_]*\(\)) behind the loop that polls on line ([0-9]+).*/\2 closing \1/p
        s/^(__threadfence[a-z_]*\(\)) (right )?before the signal on line ([0-9]+).* and behind the loop that polls on line ([0-9]+).*/\3 before \1\n\4 closing \1/p
        s/^(__threadfence[a-z_]*\(\)) right before the signal on line ([0-9]+), .* and after its read on line ([0-9]+).*/\2 before \1\n\3 behind \1/p
        s/^(__threadfence[a-z_]*\(\)) (right )?before the signal on line ([0-9]+).* and right after it.*/\3 before \1\n\3 behind \1/p
        s/^(__threadfence[a-z_]*\(\)) (right )?before the signal on line ([0-9]+).* and right before line ([0-9]+).*/\3 before \1\n\4 before \1/p
        s/^(__threadfence[a-z_]*\(\)) right before line ([0-9]+), and right before line ([0-9]+).*/\2 before \1\n\3 before \1/p
        s/^(__threadfence[a-z_]*\(\)) (in each thread, )?right before line ([0-9]+).*/\3 before \1/p
        s/^(__threadfence[a-z_]*\(\)) right before the signal on line ([0-9]+).*/\2 before \1/p
        s/^(__threadfence\(\)) before the signal on line ([0-9]+) and after its read on line ([0-9]+).*/\2 before \1\n\3 behind \1/p
        s/^(__threadfence[a-z_]*\(\)) (between|after) line ([0-9]+) and [a-z ]*line [0-9]+, and (between|after) line ([0-9]+) and .*/\3 behind \1\n\5 behind \1/p
        s/^(__threadfence[a-z_]*\(\)) (between|after) line ([0-9]+) and .*/\3 behind \1/p
        s/^(__syncthreads\(\)).* between line ([0-9]+) and line [0-9]+.*/\2 behind \1/p
        s/^(__syncthreads\(\)) before line ([0-9]+), reached.*/\2 before \1/p
        s/^(__syncthreads\(\)).* right before line ([0-9]+), reached.*/\2 before \1/p
        s/^(__syncthreads\(\)).* after line [0-9]+ and before (line|the branch on line) ([0-9]+).*/\3 before \1/p
        s/^(__syncthreads\(\)).* after line ([0-9]+), before the (loop comes|threads come) to.*/\2 behind \1/p
        s/^(__syncthreads\(\)).* after the branch that begins on line ([0-9]+), .*/\2 closing \1/p'
}

# Puts them into a source. What stands alone under an if or a loop gets braces; behind a statement is where it ends, and
# closing is behind the braces that it opens, and so comes last: those that other edits bring count.
apply() { # SOURCE <EDITS
    sort -u | awk '{ print ($2 == "closing"), $0 }' | sort -s -n -k1,1 | cut -d ' ' -f 2- | awk '
        FNR == NR { line[FNR] = $0; n = FNR; next }
        {
            at = $1; text = $3 ";"
            if ($2 == "closing") {
                for (depth = opened = 0; at <= n; at++) {
                    depth += gsub(/{/, "{", line[at]) - gsub(/}/, "}", line[at])
                    opened = opened || depth > 0
                    if (opened ? depth == 0 : line[at] ~ /;[ \t]*(\/\/.*)?$/) break
                }
                if (at <= n) sub(/[ \t]*(\/\/.*)?$/, " " text "&", line[at])
            } else if ($2 == "behind") {
                while (at < n && line[at] !~ /[;{}][ \t]*(\/\/.*)?$/) at++
                sub(/[ \t]*(\/\/.*)?$/, " " text "&", line[at])
            } else if (line[at] ~ /;[ \t]*(\/\/.*)?$/ && line[at] !~ /^[ \t]*(const |unsigned |int |bool |auto |return)/) {
                note = match(line[at], /[ \t]*\/\/.*$/) ? substr(line[at], RSTART) : ""
                if (note != "") line[at] = substr(line[at], 1, RSTART - 1)
                line[at] = "{ " text line[at] " }" note
            } else
                line[at] = text " " line[at]
        }
        END { for (i = 1; i <= n; i++) print line[i] }' "$1" - >"$1.new" && mv "$1.new" "$1"
}
