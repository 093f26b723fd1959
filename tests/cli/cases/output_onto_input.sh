#!/bin/bash
# Output onto the input is an error, under any name, and the input is unchanged.
floats 3 1 2 >in.f32
ln in.f32 hard
ln -s in.f32 soft
gpuenv -w 2 -o in.f32 in.f32 || echo "exit $?"
gpuenv -w 2 -o ./in.f32 in.f32 || echo "exit $?"
gpuenv -w 2 -o hard in.f32 || echo "exit $?"
gpuenv -w 2 -o soft in.f32 || echo "exit $?"
# shellcheck disable=SC2094
gpuenv -w 2 -o in.f32 <in.f32 || echo "exit $?"
# shellcheck disable=SC2094
gpuenv -w 2 in.f32 >>in.f32 || echo "exit $?"
show 1 <in.f32
# Devices may be the same.
gpuenv -q -w 1 </dev/null >/dev/null
