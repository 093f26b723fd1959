#!/bin/bash
# One output channel for each value, all of an input channel together, in the order asked for.
floats -5 1 2 8 3 -4 >in.f32
gpuenv -w 3 -c 2 in.f32 | show 4
gpuenv -w 3 -c 2 --emit max,min in.f32 | show 4
gpuenv -w 3 -c 2 --emit mid,abs,range in.f32 | show 6
gpuenv -w 3 -c 1 --emit range in.f32 | show 1
gpuenv -w 2 -c 3 --emit min,max,abs,range,mid in.f32 | show 15
