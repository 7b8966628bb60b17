#!/usr/bin/env bash
# Does every #include point downward?
#
#   scripts/check_layers.sh [ROOT] [KNOWN]
#
# ROOT/softgpu/layers, grader/layers and common/layers list the rooms of each tree, lowest first. One line
# for each of these: an include that leads up; a file in no room; a room without a file; headers that include
# each other in a circle; two files of one program with the same name, neither of which includes the other; a
# file of more than 400 lines, in the tests, the labs and bench/ as well; a header of more than 160 lines that ten files
# include, or one that brings them another of its own folder of which it uses no name. KNOWN is a list of such lines,
# without the line's number, that are not told.
# Exit status 1 if there was any.
set -u
cd "${1:-.}" || exit 2
known=${2:-/dev/null}
found=$(mktemp) && edges=$(mktemp) && wide=$(mktemp) && trap 'rm -f "$found" "$edges" "$wide"' EXIT
trees=(softgpu grader common)

# "FILE LINE INCLUDED" for each include of a file of ours.
find "${trees[@]}" -name '*.[ch]' -o -name '*.def' | sort | xargs grep -no '^ *# *include "[^"]*"' |
    sed -E 's/^([^:]*):([0-9]+): *# *include "([^"]*)"/\1 \2 \3/' |
    while read -r file line path; do
        for at in "${file%%/*}/$path" "${file%/*}/$path" "softgpu/$path" "common/$path"; do
            [ -f "$at" ] && break
        done
        [ -f "$at" ] && echo "$file $line $at" || echo "$file:$line: includes $path, which is nowhere" >>"$found"
    done >"$edges"

{ find "${trees[@]}" -name '*.[ch]' -o -name '*.def' | sort | sed 's/^/file /'; sed 's/^/include /' "$edges"; } | awk '
    function room(tree, path,    at) { # the longest listed name that the path begins with
        at = path
        sub("^" tree "/", "", at)
        if ((tree, at) in rank)
            return at
        sub(/\.[a-z]+$/, "", at)
        while (!((tree, at) in rank) && sub("/[^/]*$", "", at)) ;
        return (tree, at) in rank ? at : ""
    }
    BEGIN {
        split("softgpu grader common", trees)
        for (t = 1; t <= 3; t++)
            while ((getline line < (trees[t] "/layers")) > 0)
                if (line !~ /^#/ && split(line, word) > 0)
                    rank[trees[t], word[1]] = ++rooms
    }
    { tree = $2; sub("/.*", "", tree); mine = room(tree, $2) }
    $1 == "file" {
        filled[tree, mine] = 1
        if (mine == "")
            print $2 ": is in no room of " tree "/layers"
    }
    $1 == "include" {
        theirs = room(tree, $4)
        filled[tree, theirs] = 1
        if (mine == "" || mine == theirs)
            next
        if (theirs == "")
            print $2 ":" $3 ": includes " $4 ", which is in no room of " tree "/layers"
        else if (rank[tree, theirs] > rank[tree, mine])
            print $2 ":" $3 ": includes " $4 ": " theirs " lies above " mine " in " tree "/layers"
    }
    END {
        for (r in rank)
            if (!(r in filled)) {
                split(r, part, SUBSEP)
                print part[1] "/layers: no file is in the room " part[2]
            }
    }' >>"$found"

# Circles among headers.
awk '$1 ~ /\.h$/ && $3 ~ /\.h$/ { print $1, $3 }' "$edges" | tsort 2>&1 >/dev/null |
    awk '/loop/ { if (names) print "headers include each other in a circle:" names; names = ""; next }
         { sub(/^tsort: /, ""); names = names " " $0 }
         END { if (names) print "headers include each other in a circle:" names }' >>"$found"

# Programs: softgpu with its server and command; the remote client; the grader; the harness library.
{ cat "$edges"; find "${trees[@]}" -name '*.[ch]' -o -name '*.def' | grep -v '/new_lab/' | sort; } |
    awk 'NF == 3 { includes[$1, $3] = 1; next }
         { program = $1; sub("/.*", "", program)
           if ($1 ~ "^softgpu/remote/client/") program = "client"
           folder = $1; sub("/[^/]*$", "", folder)
           name = $1; sub(".*/", "", name); sub(/\..*/, "", name)
           n = ++files[program, name]
           for (i = 1; i < n; i++) {
               other = file[program, name, i]
               if (home[other] != folder && !includes[$1, other] && !includes[other, $1] && !told[program, name, folder]++)
                   print $1 ": " other " has the same name and is another thing"
           }
           file[program, name, n] = $1
           home[$1] = folder }' >>"$found"

find "${trees[@]}" $(ls -d tests labs bench 2>/dev/null) -name '*.[ch]' | sort | xargs wc -l |
    awk '$2 != "total" && $1 > 400 { print $2 ": has " $1 " lines, more than 400" }' >>"$found"

# Wide headers.
sort -u -k1,1 -k3,3 "$edges" | awk '$3 ~ /\.h$/ { print $3 }' | sort | uniq -c | awk '$1 >= 10' >"$wide"
while read -r count header; do
    lines=$(wc -l <"$header")
    [ "$lines" -le 160 ] || echo "$header: has $lines lines and $count files include it: split it by what they need"
done <"$wide" >>"$found"
awk '
    function learn(file,    line, word, n, in_comment, in_enum) { # names[file] = " NAME NAME … ", uses[file] likewise
        names[file] = uses[file] = " "
        while ((getline line < file) > 0) {
            if (in_comment && !sub(/^.*\*\//, "", line))
                continue
            gsub(/\/\*([^*]|\*+[^*\/])*\*+\/|"[^"]*"/, "", line)
            in_comment = sub(/\/\*.*/, "", line)
            if (line ~ /^ *# *include/)
                continue
            in_enum = in_enum || line ~ /enum [a-z_0-9]* *[{]/
            for (n = split(line, word, /[^A-Za-z0-9_]+/); n > 0; n--) {
                uses[file] = uses[file] word[n] " "
                if (in_enum || line ~ /typedef|^extern/ || line ~ "^ *# *define " word[n] || line ~ "^[^ ].*[ *]" word[n] "\\(" ||
                    line ~ "(struct|enum|union) " word[n] " *[{]")
                    names[file] = names[file] word[n] " "
            }
            in_enum = in_enum && line !~ /[}]/
        }
        close(file)
    }
    FILENAME == ARGV[1] { wide[$2] = 1; next }
    ($1 in wide) && $3 ~ /\.h$/ {
        folder = $1
        sub("[^/]*$", "", folder)
        if (index($3, folder) != 1)
            next
        if (!($1 in uses)) learn($1)
        if (!($3 in names)) learn($3)
        used = 0
        for (n = split(names[$3], word, " "); n > 0; n--)
            used += word[n] !~ /^(define|enum|struct|const|static|inline|typedef|extern|void|int|bool|unsigned|char|u?int[0-9]+_t)$/ &&
                    index(uses[$1], " " word[n] " ")
        if (!used)
            print $1 ":" $2 ": includes " $3 ", of which it uses no name: let those include it who do"
    }' "$wide" "$edges" >>"$found"

awk 'FILENAME == ARGV[1] { known[$0] = 1; next }
     { line = $0; sub(/:[0-9]+:/, ":", line) }
     !(line in known) { print; bad = 1 }
     END { exit bad }' "$known" "$found"
