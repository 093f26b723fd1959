#!/bin/bash
# -T: integers clip, with a warning that counts; and what cannot be written. tests/oracle/oracle.py has every type.
floats 1 -1.5 0.25 7 >in.f32
gpuenv -w 1 --emit min -T s16 in.f32 | od -An -v -t d2 -w64 | tr -s ' '
gpuenv -w 1 --emit min -T u64 --counts in.f32 | od -An -v -t u8 -w64 | tr -s ' '
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
