# Reads a Containerfile; to be sourced. What it does not know it refuses, so that no line is left out in silence.
#
#   containerfile_lines FILE        one instruction a line, without comments and continued lines
#   containerfile_run FILE CONTEXT FOLDER
#                                   does FROM's successors in the clean root FOLDER (system.sh); FROM itself is the caller's

containerfile_lines() {
    sed -e '/^[[:space:]]*#/d' -e '/^[[:space:]]*$/d' "$1" | sed -e ':a' -e '/\\$/{N;s/[[:space:]]*\\\n[[:space:]]*/ /;ba' -e '}'
}

containerfile_from() { containerfile_lines "$1" | sed -n 's/^FROM *//p'; }

containerfile_run() {
    local file=$1 context=$2 folder=$3 word rest at=/ user=root words target names=() lines line
    mapfile -t lines < <(containerfile_lines "$file")
    for line in "${lines[@]}"; do
        read -r word rest <<<"$line"
        echo "containerfile: $line" | cut -c 1-100
        case $word in
        FROM | CMD) ;;
        WORKDIR) at=$rest; install -d "$folder$at" ;;
        USER) user=$rest ;;
        ENV) names+=("$rest") ;;
        COPY)
            read -ra words <<<"$rest"
            target=${words[-1]}
            [[ $target = /* ]] || target=$at/$target
            unset 'words[-1]'
            mkdir -p "$folder$target"
            for word in "${words[@]}"; do
                # A folder's content is copied, as container tools do; what .gitignore names is no part of a context from a clone.
                if [ -d "$context/$word" ]; then cp -r "$context/$word/." "$folder$target/"
                else cp "$context/$word" "$folder$target/"; fi || return 1
            done
            ;;
        RUN)
            in_system "$folder" "$user" env "${names[@]+"${names[@]}"}" sh -c "cd '$at' && $rest" </dev/null || return 1
            ;;
        *) echo "containerfile: $word is not known to tests/places/containerfile.sh"; return 1 ;;
        esac
    done
}
