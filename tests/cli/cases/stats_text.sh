#!/bin/bash
# SPDX-License-Identifier: MIT
# --stats-format text: a table for people.
floats 0 0.5 -1 nan 0.25 2000 >in.f32
gpuenv --emit none --stats - --stats-format text -c 2 -r 8 in.f32
echo --- blocks
floats 1 1 nan | gpuenv -t f32 --emit none --stats - --stats-format text --stats-every 2
echo --- both channels have the least of both, which is not the first of equals
floats 0 0.5 1 1 -0 1 | gpuenv -t f32 -c 2 --emit none --stats - --stats-format text | sed -n '5p;7p'
echo --- at a rate of next to nothing
floats 1 1 | gpuenv --emit none --stats - --stats-format text -r 1e-9 | tail -n 2
echo --- beside frames, and nothing at all
gpuenv -w 1 --stats out.txt --stats-format text </dev/null 2>/dev/null && cat out.txt
