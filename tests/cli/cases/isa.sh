#!/bin/bash
# Every instruction set of this build gives the same bytes.
for i in $(seq 1 500); do
    echo "$((i * 7919 % 1009 - 500))"
done | xargs floats >in.f32
gpuenv -w 33 in.f32 >right.f32
gpuenv -w 33 --isa scalar in.f32 | cmp - right.f32
for isa in sse4 avx2 avx512 neon; do
    if gpuenv -w 33 --isa "$isa" in.f32 >out.f32 2>words; then
        cmp out.f32 right.f32
    else
        grep -q "^gpuenv: .*--isa.*: " words || echo "$isa: $(cat words)"
    fi
done
# The largest chunk is limited by memory.
gpuenv -w 33 --chunk 1073741824 in.f32 | cmp - right.f32
gpuenv -w 33 --chunk 1073741824 <in.f32 | cmp - right.f32
for threads in 1 2 7; do
    gpuenv -w 33 --threads "$threads" in.f32 | cmp - right.f32
done
