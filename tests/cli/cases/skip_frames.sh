#!/bin/bash
# --skip and --frames at the ends of the input, and how far it is read. Parts from the middle: see tests/oracle.
floats 9 1 8 2 7 3 6 4 >in.f32
# More frames than there are.
gpuenv -w 2 --align causal -q --skip 100 in.f32 | wc -c
gpuenv -w 2 --align causal --skip 6 --frames 100 in.f32 | show
true | gpuenv -w 2 --align causal --skip 100 | wc -c
# An endless input is read no further than requested, and stray bytes after that are not seen.
gpuenv -w 2 --skip 1000 --frames 500 </dev/zero | wc -c
printf '\0\0\200?\0\0\0@xy' | gpuenv -w 1 --frames 2 | show
mkfifo in
exec 3<>in
floats 1 2 3 >&3
timeout 60 gpuenv -w 1 -t f32 --frames 3 <in | show
