#!/bin/bash
# Which frames a window covers, from the definition.
floats 5 1 4 2 3 >in.f32
for width in 2 3; do
    for align in valid causal center; do
        echo "$align $width"
        gpuenv -w "$width" --align "$align" in.f32 | show
    done
done
echo "edge nan"
gpuenv -w 3 --align center --edge nan --emit min in.f32 | od -An -v -t x4 -w20
gpuenv -w 3 --align causal --edge nan --emit min in.f32 | od -An -v -t x4 -w20
