#!/bin/bash
# -T: another raw type for the output. Integers clip, with a warning that counts.
floats 0 0.5 -1 -0.25 >in.f32
gpuenv -w 1 --emit min -T f64 in.f32 | od -An -v -t f8 -w64 | tr -s ' '
gpuenv -w 1 --emit min -T f32be in.f32 | od -An -v -t x1 -w64
gpuenv -w 1 --emit min -T s8 in.f32 | od -An -v -t d1 -w64 | tr -s ' '
gpuenv -w 1 --emit min -T u8 in.f32 | od -An -v -t u1 -w64 | tr -s ' '
gpuenv -w 1 --emit min -T s16 in.f32 | od -An -v -t d2 -w64 | tr -s ' '
gpuenv -w 1 --emit min -T s16be in.f32 | od -An -v -t x1 -w64
gpuenv -w 1 --emit min -T u16 in.f32 | od -An -v -t u2 -w64 | tr -s ' '
gpuenv -w 1 --emit min -T s24 in.f32 | od -An -v -t x1 -w64
gpuenv -w 1 --emit min -T s32 in.f32 | od -An -v -t d4 -w64 | tr -s ' '
gpuenv -w 1 --emit min -T u32le in.f32 | od -An -v -t u4 -w64 | tr -s ' '
floats 1 -1.5 0.25 7 | gpuenv -w 1 --emit min -T s16 | od -An -v -t d2 -w64 | tr -s ' '
gpuenv -w 1 --emit min -T s64be in.f32 | od -An -v -t x1 -w64
gpuenv -w 1 --emit min -T u64 in.f32 | od -An -v -t u8 -w64 | tr -s ' '
floats 1 -1.5 0.25 7 | gpuenv -w 1 --emit min -T u64 --counts | od -An -v -t u8 -w64 | tr -s ' '
gpuenv -w 1 -T cs16 in.f32 || echo "exit $?"
gpuenv -w 1 -o x.cs16 in.f32 || echo "exit $?"
# Other programs' endings are not those of raw frames.
for ending in parquet html htm jsonl xlsx H5 mat pkl mov; do
    gpuenv -w 1 -o "x.$ending" in.f32 || echo "exit $?"
    test ! -e "x.$ending"
done
gpuenv -w 1 -T f32 -o x.html in.f32
wc -c <x.html
gpuenv -w 1 -T html in.f32 || echo "exit $?"
