#!/bin/bash
# Samples that float32 does not hold, where the output does not either: a warning names one that does, once. Where digits
# are kept, and where nothing is said: tests/oracle/precision.py.
doubles 0.1 0.30000000000000004 -0.7 >in.f64
gpuenv -w 1 in.f64 | wc -c
gpuenv -w 1 -t f64 <in.f64 | wc -c
gpuenv -w 1 in.f64 -o x.raw
gpuenv -w 1 -T wav -r 10 in.f64 | wc -c
gpuenv -w 1 -r 10 in.f64 -o x.aiff
gpuenv -w 1 --emit min -T wav:f64 -r 10 in.f64 -o x.wav
gpuenv -w 1 x.wav | wc -c
printf '\1\2\3\4\5\6\7\10' >in.s64
gpuenv -w 1 in.s64 | wc -c
cp in.s64 other.s64
gpuenv -w 1 --jobs 1 --out-dir out in.s64 other.s64
ls out
