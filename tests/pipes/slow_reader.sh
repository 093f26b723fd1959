#!/bin/bash
# A reader that stalls for a second in the middle loses nothing: slow_reader.sh PROGRAM
set -eu

program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

input()
{
    seq 1 2000000 | head -c 8000000
}
input | "$program" -w 100 -t s16 >"$work/due"
input | "$program" -w 100 -t s16 | {
    dd bs=1000 count=100 iflag=fullblock status=none
    sleep 1
    cat
} | cmp - "$work/due"
# And a reader that is always slow, behind an output that is a FIFO.
mkfifo "$work/fifo"
input | "$program" -w 100 -t s16 -o "$work/fifo" &
{
    for _ in 1 2 3 4; do
        dd bs=1000 count=1000 iflag=fullblock status=none
        sleep 0.1
    done
    cat
} <"$work/fifo" | cmp - "$work/due"
wait "$!"
wc -c <"$work/due"
