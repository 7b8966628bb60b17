# What a person sees who types WORDS, presses the tabulator key and looks: zsh -f completed.zsh FOLDER WORDS
# An interactive zsh of its own, with the completions of FOLDER, at a terminal of its own.
zmodload zsh/zpty
typed=$2 work=$(mktemp -d)
cat >$work/start <<END
fpath=(${(q)1} \$fpath)
autoload -Uz compinit && compinit -u -d $work/dump
PROMPT= zle_highlight=()
look() { print -r -- "\$BUFFER" >$work/line; exit }
zle -N look
bindkey '^I' complete-word
bindkey '^X' look
END
zpty seen zsh -f -i
zpty -w seen ". $work/start"
zpty -n -w seen "$typed"$'\t\x18'
while zpty -r seen; do :; done >/dev/null 2>&1
cat $work/line
rm -rf $work
