#!/bin/bash
# table_manual.sh GPUENV-FACES SOURCE
#
# The manuals list the options of the tables, each in its section, with its letter and the name of its value, and no
# others.
set -eu

faces=$1
source=$2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

differ() # WHAT: TABLE and MANUAL in the directory
{
    if ! diff "$work/table" "$work/manual" >"$work/diff"; then
        echo "$1 in the table (<) and in the manual (>):"
        grep '^[<>]' "$work/diff"
        failed=1
    fi
}

sorted_by_section() # of standard input
{
    awk '/^\.Ss/ { section = $0 } /^\.It Fl/ { print section ": " $0 }' | LC_ALL=C sort
}

for program in gpuenv gpuenv-bench; do
    manual=$source/man/$program.1
    "$faces" "$program" manual >"$work/list"

    sorted_by_section <"$work/list" >"$work/table"
    sed -n '/^\.Sh OPTIONS/,/^\.Sh [^O]/p' "$manual" | sorted_by_section >"$work/manual"
    differ "options of $program"

    # Names in the text: in examples, or in the descriptions of other options. Those of other programs have one dash.
    sed -n 's/.*Fl -\([a-z-]*\).*/--\1/p' "$work/list" | LC_ALL=C sort -u >"$work/table"
    {
        cat "$work/table"
        sed 's/Fl -\([a-z]\)/--\1/g' "$manual" | grep -oE -e '(^|[^a-z-])--[a-z][a-z-]*' |
            sed 's/^[^-]*--/--/'
    } | LC_ALL=C sort -u >"$work/manual"
    differ "names of $program's options"
done

exit "$failed"
