#!/bin/bash
# SPDX-License-Identifier: MIT
# Runs one case of the command line: run.sh PROGRAM CASE.sh
#
# A case is a bash script. It runs in an empty directory, without input, with the program on PATH by its name and the
# helpers of bin/. Beside it are
#   CASE.stdout   its exact standard output; without this file it is not compared
#   CASE.stderr   its standard error: a glob for each line; without this file there must be none
#   CASE.exit     its exit status; without this file 0
# A case that cannot run on this machine exits with 77.
set -eu

program=$(realpath "$1")
script=$(realpath "$2")
helpers=$(realpath "$(dirname "$0")/bin")
name=${script%.sh}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/here"
ln -s "$program" "$work/bin/${program##*/}"

# What hangs says how far it came, before ctest ends it without a word.
status=0
(
    cd "$work/here"
    PATH=$work/bin:$helpers:$PATH LC_ALL=C exec timeout "$((${GPUENV_SECONDS-240} * 9 / 10))" bash -eu "$script"
) </dev/null >"$work/stdout" 2>"$work/stderr" || status=$?

if [ "$status" -eq 77 ]; then
    cat "$work/stdout" "$work/stderr"
    exit 77
fi

failed=0

expected=0
if [ -e "$name.exit" ]; then
    expected=$(cat "$name.exit")
fi
if [ "$status" -ne "$expected" ]; then
    echo "exit status $status, not $expected"
    failed=1
fi

if [ -e "$name.stdout" ] && ! diff -a -u "$name.stdout" "$work/stdout"; then
    failed=1
fi

touch "$work/globs"
if [ -e "$name.stderr" ]; then
    cp "$name.stderr" "$work/globs"
fi
mapfile -t globs <"$work/globs"
mapfile -t lines < <(tr -d '\0' <"$work/stderr")
if [ "${#globs[@]}" -ne "${#lines[@]}" ]; then
    echo "standard error: ${#lines[@]} lines, not ${#globs[@]}"
    failed=1
fi
for i in "${!lines[@]}"; do
    glob=${globs[i]-}
    # The glob is not quoted, because it is a pattern.
    # shellcheck disable=SC2053
    if [[ ${lines[i]} != $glob ]]; then
        printf 'standard error, line %d: %s\n         does not match: %s\n' \
            "$((i + 1))" "${lines[i]}" "$glob"
        failed=1
    fi
done

if [ "$failed" -ne 0 ]; then
    echo "--- stdout"
    cat -v "$work/stdout"
    echo "--- stderr"
    cat -v "$work/stderr"
fi
exit "$failed"
