# A lab.yaml without its hidden cases: they, what refers to them by `case:`, and their points are left
# out. An item is a line "- …" and the lines below it that stand further to the right.
function indent(s) { match(s, /^ */); return RLENGTH }
{ line[NR] = $0 }
END {
    for (i = 1; i <= NR; i++) {
        if (line[i] !~ /^ *- /)
            continue
        block = line[i]
        last[i] = i
        for (k = i + 1; k <= NR && (line[k] ~ /^ *$/ || indent(line[k]) > indent(line[i])); k++) {
            block = block "\n" line[k]
            if (line[k] !~ /^ *$/)
                last[i] = k
        }
        if (block ~ /(^|\n) *cases:/)
            continue
        item[i] = block
        if (block ~ /visibility: *hidden/ && match(block, /name: *[a-z0-9_-]+/))
            hidden[substr(block, RSTART + 5, RLENGTH - 5)] = 1
    }
    for (i in item) {
        drop = item[i] ~ /visibility: *hidden/
        for (name in hidden) {
            plain = name
            sub(/^ */, "", plain)
            if (item[i] ~ ("case: *" plain "([ ,}\n]|$)"))
                drop = 1
        }
        if (!drop)
            continue
        if (match(item[i], /[ {]points: *[0-9]+/)) {
            points = substr(item[i], RSTART + 8, RLENGTH - 8)
            if (item[i] !~ /(^|\n) *elements:/) # points for speed come on top
                sum += points
        }
        for (k = i + 0; k <= last[i]; k++)
            gone[k] = 1
    }
    for (i = 1; i <= NR; i++) {
        if (i in gone)
            continue
        if (line[i] ~ /^points: *[0-9]+/) {
            split(line[i], field, /: */)
            print "points: " field[2] - sum (sum ? " # and " sum + 0 " for cases that only your instructor has" : "")
        } else {
            print line[i]
        }
    }
}
