#!/bin/bash
# SPDX-License-Identifier: MIT
# SIGKILL in the middle of pieces: killed.sh PROGRAM TIMES
#
# An output of -o is missing, or the older one is there, and there is no temporary file. A redirected output contains a
# correct beginning.
set -eu

program=$1
times=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

head -c 200000000 /dev/urandom >"$work/in.s16"
mkdir "$work/out"
"$program" -t s16 -w 1000 --hop 100 --algorithm lemire "$work/in.s16" >"$work/due"

# kill_after COMMAND...: by SIGKILL, after 0 to 120 ms
kill_after()
{
    "$@" &
    sleep "0.$(printf '%03d' $((RANDOM % 120)))"
    kill -s KILL "$!" 2>/dev/null || true
    { wait "$!" || true; } 2>/dev/null
}

for ((i = 0; i < times; i++)); do
    rm -f "$work/out/"*
    if [ $((i % 2)) -eq 0 ]; then
        echo older >"$work/out/o.f32"
    fi
    kill_after "$program" -t s16 -w 1000 --hop 100 "$work/in.s16" -o "$work/out/o.f32"
    if [ -e "$work/out/o.f32" ] && ! cmp -s "$work/out/o.f32" <(echo older) &&
        ! cmp -s "$work/out/o.f32" "$work/due"; then
        echo "-o: a file that is neither whole nor the older one"
        exit 1
    fi
    # Only on a file system without nameless files may a temporary file be left.
    find "$work/out" -name '.*' -type f >>"$work/left"

    kill_after "$program" -t s16 -w 1000 --hop 100 "$work/in.s16" >"$work/redirected"
    size=$(stat -c %s "$work/redirected")
    if ! cmp -s <(head -c "$size" "$work/due") "$work/redirected"; then
        echo "a redirection: $size bytes that are no right beginning"
        exit 1
    fi
    echo "$size" >>"$work/sizes"
done
# All kinds of moments must have occurred.
echo "redirections: $(sort -un "$work/sizes" | wc -l) different sizes of $times," \
    "files left beside: $(wc -l <"$work/left")"
