#!/bin/bash
# SPDX-License-Identifier: MIT
# Frames are neither written to a terminal nor read from one, unless forced. Skipped where no terminal can be made.
script -qec true /dev/null >/dev/null 2>&1 || exit 77
floats 1 2 3 >in.f32
script -qec 'gpuenv -w 1 in.f32 2>errors' /dev/null >typescript || echo "exit $?"
cat errors >&2
tr -d '\r' <typescript
script -qec 'timeout --foreground 20 gpuenv -w 1 -o out.f32 2>errors' /dev/null >/dev/null || echo "exit $?"
cat errors >&2
# Forced, 24 bytes pass through the terminal.
script -qec 'gpuenv -w 1 --force in.f32' /dev/null >typescript
wc -c <typescript
# -o and --help do not depend on a terminal.
script -qec 'gpuenv -w 1 -o out.f32 in.f32' /dev/null >/dev/null
show <out.f32
script -qec 'gpuenv --help' /dev/null | grep -c -i '^usage'
# No progress among the lines of an output on the same terminal; otherwise, and if requested, there is.
mkfifo in also
slowly()
{
    floats 1 2 3
    for _ in $(seq 1000); do
        ! grep -q 'frames (' progress || break
        sleep 0.1
    done
    sleep 0.2
}
touch progress
slowly >in &
slowly >also &
script -qec 'gpuenv -w 1 -t f32 -o out.f32 <also' /dev/null </dev/null >progress &
script -qec 'gpuenv -w 1 -t f32 -T csv <in' /dev/null </dev/null | grep -c 'frames (' || true
wait
grep -c 'frames (' progress
