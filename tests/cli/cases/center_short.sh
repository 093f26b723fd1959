#!/bin/bash
# A centered window that is much longer than the stream: no time is spent on empty windows.
floats 3 1 2 >in.f32
for hop in 1 2 1000000; do
    timeout 60 gpuenv -w 900000000 --align center --hop "$hop" --emit max -t f32 in.f32 | show
    timeout 60 gpuenv -w 900000000 --align center --hop "$hop" --emit max --algorithm lemire \
        -t f32 in.f32 | show
done
gpuenv -w 2 --hop 9223372036854775807 in.f32 | show
