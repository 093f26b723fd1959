#!/bin/bash
# --skip and --frames use a part of the input, from a file and from a pipe.
floats 9 1 8 2 7 3 6 4 >in.f32
floats 8 2 7 3 >part.f32
gpuenv -w 2 part.f32 >part.env
gpuenv -w 2 --skip 2 --frames 4 in.f32 | cmp - part.env
gpuenv -w 2 --skip 2 --frames 4 <in.f32 | cmp - part.env
# In a pipe.
# shellcheck disable=SC2002
cat in.f32 | gpuenv -w 2 --skip 2 --frames 4 | cmp - part.env
gpuenv -w 2 -c 2 --skip 1 --frames 2 in.f32 | cmp - <(gpuenv -w 2 -c 2 part.f32)
gpuenv -w 2 --align center --skip 2 --frames 4 in.f32 | cmp - <(gpuenv -w 2 --align center part.f32)
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
