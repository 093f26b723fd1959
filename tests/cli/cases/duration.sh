#!/bin/bash
# With a rate, a time is a number of frames.
for i in $(seq 1 40); do
    floats "$((i * 7919 % 101))"
done >in.f32

same() # FRAMES-OPTIONS... -- TIME-OPTIONS...
{
    local first=()
    while [ "$1" != -- ]; do
        first+=("$1")
        shift
    done
    shift
    cmp <(gpuenv "${first[@]}" in.f32) <(gpuenv "$@" in.f32) && echo "$*"
}

same -w 10 -- -w 10ms -r 1000
same -w 10 -- -w 10000us -r 1000
same -w 12 -- -w 250us -r 48000
same -w 15 -- -w 1.5s -r 10
same -w 3 --hop 5 -- -w 3 --hop 5ms -r 1000
same -w 3 --skip 4 --frames 9 -- -w 3 --skip 4ms --frames 9ms -r 1000
# Rounded to the nearest frame: 11.025 and 8.82.
same -w 11 -- -w 0.25ms -r 44100
same -w 9 -- -w 0.2ms -r 44100
# Rates that are no decimals are exact: 1.5 and 3.5 frames are halves.
same -w 2 --hop 4 -- -w 90s --hop 210s -r 1/60
same -w 2 --hop 4 -- -t f32 -w 90s --hop 3.5min -r 60s
same -w 2 --skip 4 --frames 9 -- -w 4.5s --skip 10.5s --frames 27s -r 1/3
