#!/bin/bash
# A report onto the output or the input is an error.
floats 1 2 3 >in.f32
cp in.f32 copy.f32
gpuenv -w 2 --report in.f32 in.f32 || echo "exit $?"
gpuenv -w 2 --report out.f32 -o out.f32 in.f32 || echo "exit $?"
gpuenv -w 2 --report - in.f32 || echo "exit $?"
cmp in.f32 copy.f32
ls
