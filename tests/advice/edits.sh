# shellcheck shell=bash
# Advice as edits of a source, for the test scripts beside it.

# The advice of a findings file, or of a report (--format json), as edits: LINE before|behind|closing TEXT; LINE between TEXT LINE: see placed(); LINE stores TEXT: a volatile store
# with TEXT before it; LINE device|system|atomic: the scope of what stands there, or one atomic of it.
edits() {
    sed -nE 's/.*"(try|suggestion)": ?"([^"]*)".*/\2/; T; s/\. Also: /\n/g; p' "$1" | sed -nE '
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
        s/^(__threadfence[a-z_]*\(\)) in each thread, between .*: after line ([0-9]+), and before line ([0-9]+).*/\2 behind \1\n\3 before \1/p
        s/^(__syncthreads\(\)).* between line ([0-9]+) and line [0-9]+.*/\2 behind \1/p
        s/^(__syncthreads\(\)) before line ([0-9]+), reached.*/\2 before \1/p
        s/^(__syncthreads\(\)).* right before (line|the branch on line) ([0-9]+), reached.*/\3 before \1/p
        s/^(__syncthreads\(\)).* after line [0-9]+ and before (line|the branch on line) ([0-9]+).*/\3 before \1/p
        s/^(__syncthreads\(\)).* after line ([0-9]+), before the (loop comes|threads come) to.*/\2 behind \1/p
        s/^(__syncthreads\(\)).* after the branch that begins on line ([0-9]+), .*/\2 closing \1/p
        s/^(__syncthreads\(\)) after the loop on line ([0-9]+), reached by all threads, before a thread signals.*/\2 closing \1/p
        s/^(__syncthreads\(\)) after line ([0-9]+), reached by all threads, before a thread signals.*/\2 behind \1/p
        s/^a barrier between line ([0-9]+) and line ([0-9]+) that all threads reach.*/\2 between __syncthreads() \1/p
        s/^line ([0-9]+) writes by a plain store what line ([0-9]+) waits for: .* with (__threadfence[a-z_]*\(\)) before it and .*/\1 stores \3\n\2 closing \3/p
        s/^fence\.proxy\.async \((cuda::ptx::[a-z_]*)\) after line ([0-9]+), .*/\2 behind \1()/p
        s/^(device|system) scope on line ([0-9]+) .*/\2 \1/p
        s/^(device|system) scope on lines ([0-9]+) and ([0-9]+) .*/\2 \1\n\3 \1/p
        s/^an atomic on line ([0-9]+) \(atomicAdd, .*/\1 atomic/p
        s/^let only one thread do line ([0-9]+), or use an atomic .*/\1 atomic/p'
}

# Those that a text alone can follow, by the source as it was: what a macro of several lines stands for has no line of its own, nor have several
# statements of one.
followable() { # SOURCE <EDITS
    awk 'FNR == NR {
            line[FNR] = $0
            if (/^#define [A-Za-z_0-9]+\(.*\\$/ && match($2, /^[A-Za-z_0-9]+/)) several[substr($2, 1, RLENGTH)]
            next
        }
        {
            text = line[$1]
            sub(/\/\/.*/, "", text)
            word = match(text, /[A-Za-z_0-9]+/) ? substr(text, RSTART, RLENGTH) : ""
            if (word in several || (text ~ /;.*;/ && text ~ /[{}]/)) next
            print
        }' "$1" -
}

# Those that change what stands on a line, only where they can: one update, one store, one atomic.
changeable() { # SOURCE <EDITS
    awk 'FNR == NR { line[FNR] = $0; next }
        {
            text = line[$1]
            sub(/[ \t]*\/\/.*/, "", text)
            if ($2 == "atomic" && text !~ /^[ \t]*[^ ;]+( [+]= [^;]+|[+][+]);$/) next
            if ($2 == "stores" && text !~ /^[ \t]*[^ ;=]+ = [^;]+;$/) next
            if ($2 == "device" && text !~ /_block/) next
            if ($2 == "system" && text !~ /atomic[A-Z][A-Za-z]*\(|thread_scope_device/) next
            print
        }' "$1" -
}

# Where a barrier between two lines stands that all threads reach: before the outermost statement in which the second line is and the first is not. None
# where one stands under the else of the other, or threads have left before.
placed() { # SOURCE <EDITS
    awk 'FNR == NR {
            text = line[FNR] = $0
            sub(/[ \t]*\/\/.*/, "", text)
            deep[FNR] = depth - (text ~ /^[ \t]*}/)
            depth += gsub(/{/, "{", text) - gsub(/}/, "}", text)
            next
        }
        $2 != "between" { print; next }
        {
            best = 0
            for (at = $1; at > $4; at--) {
                if (line[at] ~ /^[ \t]*(#|\/\/|$|}|else|case |default:)/ || line[at - 1] ~ /^[ \t]*(for|while|if|else|} else)[^;{]*(;[^;{]*;[^;{]*)?$/) continue
                if (!best || deep[at] < deep[best]) best = at
            }
            apart = best && deep[best] <= deep[$4] && line[best] !~ /\\$/
            for (at = $4 + 1; at <= best; at++) if ((line[at] ~ /^[ \t]*(} )?else/ && deep[at] <= deep[best]) || line[at] ~ /^[^\/]*return;/) apart = 0
            if (apart) print best, "before", $3
        }' "$1" -
}

# Puts them into a source. What stands alone under an if or a loop gets braces; behind a statement is where it ends, behind
# a condition is where it holds, behind the head of a loop is behind the loop, and closing is behind the braces that it opens, and so comes last: those that other edits
# bring count.
apply() { # SOURCE <EDITS
    sort -u | awk '{ print ($2 == "closing") - ($2 ~ /^(stores|device|system|atomic)$/), $0 }' | sort -s -n -k1,1 | cut -d ' ' -f 2- | awk '
        function split_note(at) { # what is before the comment, which goes to `note`
            note = match(line[at], /[ \t]*\/\/.*$/) ? substr(line[at], RSTART) : ""
            return note == "" ? line[at] : substr(line[at], 1, RSTART - 1)
        }
        function add(at, text) { line[at] = split_note(at) " " text note }
        function alone(at) { # the whole of a loop or a branch without braces
            for (at--; at > 1 && line[at] ~ /^[ \t]*(#|\/\/|$)/;) at--
            return line[at] ~ /^[ \t]*(for|while|if|else|} else)[^;{]*(;[^;{]*;[^;{]*)?$/
        }
        function closing(at, text,   depth, opened) {
            for (depth = opened = 0; at <= n; at++) {
                depth += gsub(/{/, "{", line[at]) - gsub(/}/, "}", line[at])
                opened = opened || depth > 0
                if (opened ? depth == 0 : line[at] ~ /;[ \t]*(\/\/.*)?$/) break
            }
            if (at <= n) add(at, text)
        }
        function behind(at, text,   code) {
            code = split_note(at)
            if (code ~ /^[ \t]*{ .* }$/) { # put around it before: in there
                line[at] = substr(code, 1, length(code) - 1) text " }" note
                return
            }
            if (code ~ /^[ \t]*(while|for) .*{$/) {
                closing(at, text)
                return
            }
            if (code ~ /^[ \t]*(__[a-z]+\(\); *)*(} )?(else )?if \(.*\)$/) {
                match(code, /if \(/)
                line[at] = substr(code, 1, RSTART + 2) "(" substr(code, RSTART + 3) " && (" substr(text, 1, length(text) - 1) ", true))" note
                return
            }
            if (alone(at) && code ~ /;$/ && code !~ /^[ \t]*(for|while|if|do|else)/) {
                line[at] = "{ " code " " text " }" note
                return
            }
            while (at < n && line[at] !~ /[;{}][ \t]*(\/\/.*)?$/) at++
            add(at, text)
        }
        function before(at, text,   code) {
            code = split_note(at)
            if (code ~ /^[ \t]*{ .* }$/) {
                sub(/{/, "{ " text, code)
                line[at] = code note
                return
            }
            if (code ~ /;$/ && code !~ /^[ \t]*(const |unsigned |int |bool |auto |return)/)
                line[at] = "{ " text code " }" note
            else
                line[at] = text " " line[at]
        }
        function stores(at, text,   code, equals, target) {
            code = split_note(at)
            equals = index(code, " = ")
            target = substr(code, 1, equals - 1)
            sub(/^[ \t]*/, "", target)
            line[at] = "{ " text " *(volatile __typeof__(" target ") *)&(" target ")" substr(code, equals) " }" note
        }
        function scope(at, wide,   rest) {
            if (wide == "device") {
                gsub(/thread_scope_block/, "thread_scope_device", line[at])
                gsub(/_block\(/, "(", line[at])
                return
            }
            gsub(/thread_scope_device/, "thread_scope_system", line[at])
            rest = line[at]
            line[at] = ""
            while (match(rest, /atomic[A-Z][A-Za-z]*\(/)) {
                line[at] = line[at] substr(rest, 1, RSTART + RLENGTH - 2) "_system("
                rest = substr(rest, RSTART + RLENGTH)
            }
            line[at] = line[at] rest
        }
        function atomic(at,   code, by) {
            code = split_note(at)
            sub(/;[ \t]*$/, "", code)
            by = index(code, " += ")
            line[at] = by ? "atomicAdd(&(" substr(code, 1, by - 1) "), " substr(code, by + 4) ");" note \
                          : "atomicAdd(&(" substr(code, 1, length(code) - 2) "), 1);" note
        }
        FNR == NR { line[FNR] = $0; n = FNR; next }
        $2 == "stores" { stores($1, $3 ";"); next }
        $2 == "device" || $2 == "system" { scope($1, $2); next }
        $2 == "atomic" { atomic($1); next }
        $2 == "closing" { closing($1, $3 ";"); next }
        $2 == "behind" { behind($1, $3 ";"); next }
        { before($1, $3 ";") }
        END { for (i = 1; i <= n; i++) print line[i] }' "$1" - >"$1.new" && mv "$1.new" "$1"
}
