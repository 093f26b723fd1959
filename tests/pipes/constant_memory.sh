#!/bin/bash
# SPDX-License-Identifier: MIT
# Memory does not grow with the stream: constant_memory.sh PROGRAM GIGABYTES
#
# So many GB, and a tenth of them, through a window of a million frames: all frames come out, in less than 64 MiB, and
# the long stream needs no more than the short one.
set -eu

program=$1
gigabytes=$2
width=1000000
limit=65536 # KiB

if [ ! -x /usr/bin/time ]; then
    echo "no /usr/bin/time"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

peak() # BYTES: the most memory in use, in KiB
{
    local bytes=$1 out
    out=$(head -c "$bytes" /dev/zero |
        /usr/bin/time -f %M -o "$work/peak" "$program" -w "$width" | wc -c)
    if [ "$out" -ne $(((bytes / 4 - width + 1) * 8)) ]; then
        echo "$bytes bytes in, $out out" >&2
        exit 1
    fi
    tail -n 1 "$work/peak"
}

long=$((gigabytes * 1000000000))
short_peak=$(peak $((long / 10)))
long_peak=$(peak "$long")
echo "peak of $((long / 10)) bytes: $short_peak KiB; of $long bytes: $long_peak KiB"
if [ "$long_peak" -gt "$limit" ]; then
    echo "that is over $limit KiB"
    exit 1
fi
# Thread stacks vary, and so does whether the kernel finds a huge page: one and a few small ones are not growth.
if [ "$long_peak" -gt $((short_peak + short_peak / 20 + 512 + 2048)) ]; then
    echo "it grows"
    exit 1
fi
