#!/bin/bash
# Only the requested bytes are read from a descriptor that other programs share.
floats 1 2 3 4 5 6 7 8 >in.f32
(
    gpuenv -w 1 --frames 2 --emit max | show
    show
) <in.f32
