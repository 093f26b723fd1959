#!/bin/bash
# Outputs whose lengths are known, or cannot be.
floats 1 2 3 >in.f32
# The length of a redirected file is known.
gpuenv -w 1 -r 8000 -T w64 <in.f32 | wc -c
# The length of an empty file is known.
: >none.f32
gpuenv -w 1 -r 8000 -T w64 none.f32 | wc -c
rm none.f32
# That of a file without a size is not.
if [ -e /proc/uptime ]; then
    gpuenv -w 1 -t txt --shard 1/1 /proc/uptime || echo "exit $?"
else
    echo "gpuenv: /proc/uptime: --shard: " >&2
    echo "exit 2"
fi
gpuenv -w 1 -r 8000 -c 3 in.f32 -T wav --emit min,max,abs,range,mid | wc -c
