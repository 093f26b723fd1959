#!/bin/bash
# SPDX-License-Identifier: MIT
# A disk without room for the output: full_disk.sh PROGRAM
#
# One line, exit status 2, and no file is left but an older one, whether the blocks can be reserved or not.
set -eu

program=$1
work=$(mktemp -d)
mounted=
trap '[ -z "$mounted" ] || umount "$work/small"; rm -rf "$work"' EXIT

head -c 8000000 /dev/zero >"$work/in.f32"
mkdir "$work/small"

# check WHY OPTIONS...
check()
{
    local why=$1 status=0
    shift

    "$program" -w 9 "$@" "$work/in.f32" -o "$work/small/out.f32" 2>"$work/words" || status=$?
    if [ "$status" -ne 2 ] || ! grep -q "^gpuenv: $work/small/out.f32: $why\$" "$work/words" ||
        [ "$(wc -l <"$work/words")" -ne 1 ] || [ -n "$(ls -A "$work/small")" ]; then
        echo "$why, $*: status $status"
        cat "$work/words"
        ls -la "$work/small"
        exit 1
    fi
}

# Rows in any order, more than fit into a quarter of the memory, and no room for the rest of them.
check_late()
{
    local why=$1 status=0

    rm -rf "$work/empty"
    mkdir "$work/empty"
    (
        ulimit -v 400000
        TMPDIR=$2 exec "$program" -q --threads 1 -t csv --time 1 --late all --zoom 1h "$work/late.csv" \
            -o "$work/empty/out.csv" 2>"$work/words"
    ) || status=$?
    if [ "$status" -ne 2 ] || [ "$(wc -l <"$work/words")" -ne 1 ] || [ -n "$(ls -A "$2")" ] ||
        [ -n "$(ls -A "$work/empty")" ] ||
        ! grep -q "^gpuenv: $work/late.csv: is put in order, and needs a temporary file in $2: $why: choose another folder by TMPDIR\$" "$work/words"; then
        echo "--late all, $why: status $status"
        cat "$work/words"
        ls -la "$2" "$work/empty"
        exit 1
    fi
}

if [ -z "${GPUENV_FEW-}" ]; then
    numbers=$(printf ',%d' {1..1500})
    printf "%d$numbers\n" {9000..1} >"$work/late.csv"
fi

# A limit on the size of files.
(
    ulimit -f 4000
    check "File too large"
    check "File too large" --threads 1
    check "File too large" --threads 5
    check "File too large" --algorithm lemire
    check "File too large" -q -T csv --threads 1
    check "File too large" -q -T csv --threads 5
    check "File too large" -q -T csv --threads 5 --hop 2
    [ -n "${GPUENV_FEW-}" ] || check_late "File too large" "$work/small"
)
if ! mount -t tmpfs -o size=4m gpuenv-test "$work/small" 2>/dev/null; then
    echo "nothing can be mounted here: only the size of files was limited"
    exit 0
fi
mounted=yes
# From a pipe, with an older file in place.
echo older >"$work/small/out.f32"
status=0
head -c 4M /dev/zero | "$program" -w 4 -o "$work/small/out.f32" 2>"$work/words" || status=$?
[ "$status" -eq 2 ]
grep -q ': No space left on device$' "$work/words"
[ "$(ls -A "$work/small")" = out.f32 ]
[ "$(cat "$work/small/out.f32")" = older ]
rm "$work/small/out.f32"
check "No space left on device"
check "No space left on device" --threads 1
check "No space left on device" --threads 5
check "No space left on device" --algorithm lemire
check "No space left on device" -q -T csv --threads 5
[ -n "${GPUENV_FEW-}" ] || check_late "No space left on device" "$work/small"
