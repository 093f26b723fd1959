#!/bin/bash
# --hop keeps outputs 0, H, 2H, ...
floats 1 2 3 4 5 6 7 >in.f32
gpuenv -w 2 --hop 3 --emit max in.f32 | show 1
gpuenv -w 3 --hop 3 in.f32 | show
gpuenv -w 1 --hop 100 in.f32 | show
gpuenv -w 2 --align center --hop 6 in.f32 | show
gpuenv -w 2 --hop 9223372036854775807 in.f32 | show
