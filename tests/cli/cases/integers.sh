#!/bin/bash
# Integers of 64 bits: whole in s64 and u64, and rounded once elsewhere.
# 2^53 + 1, -2, the lowest and the highest
printf '\1\0\0\0\0\0\40\0\376\377\377\377\377\377\377\377\0\0\0\0\0\0\0\200\377\377\377\377\377\377\377\177' >in.s64
pairs() # TYPE
{
    od -An -v -t "$1" -w16 | xargs -n 2
}
for words in "" "--algorithm lemire" --counts; do
    # shellcheck disable=SC2086
    gpuenv -w 2 -T s64 $words in.s64 | pairs d8
done
gpuenv -w 1 --emit min -T s64be in.s64 | od -An -v -t x1 -w8
echo --- u64
gpuenv -w 1 -T u64 in.s64 | pairs u8
gpuenv -w 1 -T u64 --counts in.s64 | pairs u8
gpuenv -w 1 --emit max -t u64 -T u64 in.s64 | cmp - in.s64
gpuenv -w 2 -t u64 -T u64 --counts in.s64 | pairs u8
gpuenv -w 2 -t u64 -T s64 --counts in.s64 | pairs d8
echo --- narrower
gpuenv -w 1 -T s32 in.s64 | od -An -v -t d4 -w8 | xargs -n 2
gpuenv -w 1 -T u32 --counts in.s64 | od -An -v -t u4 -w8 | xargs -n 2
gpuenv -w 1 -T f64 --counts in.s64 | od -An -v -t f8 -w16 | xargs -n 2
echo --- other values
gpuenv -w 2 -T s64 --emit max,mid --counts in.s64 | pairs d8
gpuenv -w 2 -T f64 --emit range,mid --counts in.s64 | od -An -v -t f8 -w16 | xargs -n 2
gpuenv -w 2 -T s64 --align forward --edge nan in.s64 | pairs d8
