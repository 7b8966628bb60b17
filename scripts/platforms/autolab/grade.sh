#!/usr/bin/env bash
# Made by Fencepost's scripts/platform.sh: grades one submission for Autolab. The last line of the output is the
# scores; no scores, rather than zeros, where grading did not run.
kit=${FENCEPOST_KIT:-/opt/fencepost}
none='{"scores": {}}'
if [ ! -f kernel.cu ] || [ -L kernel.cu ]; then
    echo "Hand in one file named kernel.cu."
    echo "$none"
    exit 0
fi
report=$(mktemp) errors=$(mktemp)
"$kit/grade" @SHORT@ --file "$PWD/kernel.cu" --format autolab >"$report" 2>"$errors" </dev/null
case $(tail -n 1 "$report") in
'{"scores": '*) cat "$report" ;;
*)
    echo "Could not judge, which is not your fault; tell your instructor: $(head -n 1 "$errors")"
    echo "$none"
    ;;
esac
rm -f "$report" "$errors"
