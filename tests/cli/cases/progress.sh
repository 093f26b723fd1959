#!/bin/bash
# SPDX-License-Identifier: MIT
# Progress must be requested if standard error is not a terminal.
head -c 400000 /dev/zero | gpuenv -w 2 --no-progress | wc -c
mkfifo in
gpuenv -w 2 --progress <in 2>words | wc -c &
exec 3>in
floats 1 2 3 >&3
for _ in $(seq 1 3000); do
    [ ! -s words ] || break
    sleep 0.01
done
exec 3>&-
wait
test -s words || echo "no progress"
grep -v '^gpuenv: ' words || true
# No output for a terminal, because there is none.
grep -c $'\033\|\r' words || true
