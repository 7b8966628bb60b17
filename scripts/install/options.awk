# From a program's --help to its manual page or its completion: awk -v name=softgpu -v form=man|bash|zsh|fish.
# -v known="--format=text json;--engine=…" has what the programs themselves say that an option takes, words_of a command for
# what may stand without one. An option's line begins with "  -" and has two spaces before its sentence; deeper lines go on with it.
function roff(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); return s ~ /^[.']/ ? "\\&" s : s }
function quoted(s) { gsub(/'/, "’", s); return s }
BEGIN {
    for (k = split(known, rows, /;/); k; k--) allowed[substr(rows[k], 1, index(rows[k], "=") - 1)] = substr(rows[k], index(rows[k], "=") + 1)
}
/^  -/ {
    line = substr($0, 3)
    at = match(line, /  +/)
    left[++count] = at ? substr(line, 1, at - 1) : line
    says[count] = at ? substr(line, at + RLENGTH) : ""
    next
}
/^   / && count && !ended { sub(/^ +/, ""); says[count] = says[count] " " $0; next }
count { ended = 1; after[++afters] = $0; next }
{ sub(/^usage: |^       /, ""); before[++befores] = $0 }
# Of "--device auto|gpu": the flag, and what it takes.
function flag(i) { split(left[i], words, /[ ,]/); return words[1] }
function takes(i) { return left[i] ~ /^-[^ ,]+ [^-]/ ? substr(left[i], index(left[i], " ") + 1) : "" }
function values(i) {
    if (flag(i) in allowed) return allowed[flag(i)]
    v = takes(i); if (v !~ /^[a-zA-Z]+(\|[a-zA-Z]+)+$/ || v ~ /FILE/) return ""; gsub(/\|/, " ", v); return v
}
END {
    for (i = 1; i <= count; i++)
        if (left[i] ~ /, -/) { # "--help, --version"
            n = split(left[i], both, /, /)
            left[i] = both[1]
            for (k = 2; k <= n; k++) { left[++count] = both[k]; says[count] = says[i] }
        }
    if (form == "man") {
        printf ".TH %s 1 \"\" \"Fencepost %s\"\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.nf\n", toupper(name), version, name, roff(title)
        for (i = 1; i <= befores && before[i] != ""; i++) print roff(before[i])
        print ".fi"
        if (++i < befores) print ".SH DESCRIPTION"
        for (; i <= befores; i++) if (before[i] != "") print roff(before[i])
        print ".SH OPTIONS"
        for (i = 1; i <= count; i++) printf ".TP\n.B %s\n%s\n", roff(left[i]), roff(says[i])
        print ".SH EXIT STATUS"
        for (i = 1; i <= afters; i++) { sub(/^Exit status: /, "", after[i]); if (after[i] != "") print roff(after[i]) }
    } else if (form == "bash") {
        printf "_%s() {\n    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n    case $prev in\n", name
        for (i = 1; i <= count; i++) {
            all = all " " flag(i)
            if (values(i) != "") printf "    %s) COMPREPLY=($(compgen -W \"%s\" -- \"$cur\")); return ;;\n", flag(i), values(i)
        }
        if (words_of != "") words_of = " $(" words_of ")"
        printf "    esac\n    case $cur in\n    -*) COMPREPLY=($(compgen -W \"%s\" -- \"$cur\")) ;;\n", substr(all, 2)
        printf "    *) COMPREPLY=($(compgen -W \"%s\" -- \"$cur\") $(compgen -f -- \"$cur\")) ;;\n    esac\n}\n", words_of
        printf "complete -o filenames -F _%s %s\n", name, name
    } else if (form == "zsh") {
        printf "#compdef %s\n_arguments \\\n", name
        for (i = 1; i <= count; i++) {
            said = quoted(says[i]); gsub(/[\[\]:]/, " ", said)
            v = values(i)
            printf "    '%s[%s]%s' \\\n", flag(i), said, takes(i) == "" ? "" : v != "" ? ":value:(" v ")" : ":value:_files"
        }
        if (words_of != "") words_of = "{ compadd -- $(" words_of "); _files }"
        printf "    '*:file:%s'\n", words_of != "" ? words_of : "_files"
    } else {
        if (words_of != "") printf "complete -c %s -a '(%s)'\n", name, words_of
        for (i = 1; i <= count; i++) {
            v = values(i)
            f = flag(i)
            printf "complete -c %s %s%s -d '%s'\n", name, f ~ /^--/ ? "-l " substr(f, 3) : "-s " substr(f, 2),
                   takes(i) == "" ? "" : v != "" ? " -x -a '" v "'" : " -r", quoted(says[i])
        }
    }
}
