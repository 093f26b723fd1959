#!/bin/bash
# The output does not depend on the size of a chunk.
for i in $(seq 1 300); do
    echo "$((i * 7919 % 1009))"
done | xargs floats >in.f32
gpuenv -w 17 in.f32 >whole.f32
wc -c <whole.f32
for chunk in 1 2 16 17 18 299 300 301 1000000; do
    gpuenv -w 17 --chunk "$chunk" in.f32 | cmp - whole.f32
    gpuenv -w 17 --chunk "$chunk" <in.f32 | cmp - whole.f32
done
gpuenv -w 17 --chunk 1 --algorithm lemire in.f32 | cmp - whole.f32
# The largest chunk is limited by memory.
gpuenv -w 17 --chunk 1073741824 in.f32 | cmp - whole.f32
gpuenv -w 17 --chunk 1073741824 <in.f32 | cmp - whole.f32
