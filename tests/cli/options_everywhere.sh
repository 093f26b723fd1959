#!/bin/sh
# options_everywhere.sh PROGRAM SOURCE
#
# Every option that `PROGRAM --help` prints is known to the program and stands in the man page and
# in all three completions, with the same letter; and these know no other.
set -eu

program=$1
source=$2
name_of_it=${program##*/}
man=$source/man/$name_of_it.1
bash=$source/completions/$name_of_it.bash
zsh=$source/completions/_$name_of_it
fish=$source/completions/$name_of_it.fish

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

long_names() # of standard input, as they are typed
{
    grep -oE -e '(^|[^a-z-])--[a-z][a-z-]*' | sed 's/^[^-]*--/--/' | sort -u
}

compare() # KIND PLACE: what the help knows against what the place knows
{
    if ! diff "$work/help.$1" "$work/$2.$1" >"$work/diff"; then
        echo "$1 options of --help (<) and of $2 (>):"
        grep '^[<>]' "$work/diff"
        failed=1
    fi
}

"$program" --help >"$work/text"

# Names where they are explained or offered. In mdoc a long option is `Fl -name`.
long_names <"$work/text" >"$work/help.long"
sed -n '/^\.It Fl/s/Fl -\([a-z]\)/--\1/gp' "$man" | long_names >"$work/man.long"
sed -n '/local options=/,/"$/p' "$bash" | long_names >"$work/bash.long"
sed "s/^ *'([^)]*)'*//" "$zsh" | long_names >"$work/zsh.long"
sed -n 's/^complete .* -l \([a-z-]*\).*/--\1/p' "$fish" | sort -u >"$work/fish.long"

# Names anywhere else: in examples and in what excludes what.
{
    sed 's/Fl -\([a-z]\)/--\1/g' "$man"
    cat "$bash" "$zsh"
} | long_names | cat - "$work/help.long" | sort -u >"$work/mentions.long"

# Names with their letters. bash offers no letters.
grep -oE -e '-[a-zA-Z], --[a-z-]+' "$work/text" | sort >"$work/help.short"
sed -n 's/^\.It Fl \([a-zA-Z]\) .*Fl -\([a-z-]*\).*/-\1, --\2/p' "$man" |
    sort >"$work/man.short"
sed -n 's/.*{\(-[a-zA-Z]\)+*,\(--[a-z-]*\)=*}.*/\1, \2/p' "$zsh" | sort >"$work/zsh.short"
sed -n 's/^complete .* -s \([a-zA-Z]\) -l \([a-z-]*\).*/-\1, --\2/p' "$fish" |
    sort >"$work/fish.short"

if [ "$(wc -l <"$work/help.long")" -lt 15 ] || [ "$(wc -l <"$work/help.short")" -lt 4 ]; then
    echo "--help names hardly any option"
    failed=1
fi
for place in man bash zsh fish mentions; do
    compare long "$place"
done
for place in man zsh fish; do
    compare short "$place"
done

# An empty value is wrong for some options, and one too many for others; and gpuenv needs -w. So
# nothing runs, and each option can be tried.
while read -r name; do
    words=$("$program" "$name=" 2>&1 </dev/null) || true
    case $words in
    "$name_of_it: $name"*"unknown option"* | *"could be any"* | "")
        echo "the program does not know $name: $words"
        failed=1
        ;;
    esac
done <"$work/help.long"

exit "$failed"
