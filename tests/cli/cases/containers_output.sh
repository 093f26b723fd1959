#!/bin/bash
# -T and -o: an unsupported output is rejected before anything is written, with the reason.
floats 1 2 3 >in.f32
gpuenv -w 1 in.f32 -o x.wav || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -o x.mp3 || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -T wav:u16 || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -T wav:s16be || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -T wav: || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -T wave || echo "exit $?"
# The length of a redirected file is known; that of a pipe is not.
gpuenv -w 1 -r 8000 -T w64 <in.f32 | wc -c
# cat is used to make pipes:
# shellcheck disable=SC2002
cat in.f32 | gpuenv -w 1 -r 8000 -T w64 | cat
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
head -c 262140 /dev/zero | gpuenv -c 65535 -w 1 -r 8000 -o x.wav || echo "exit $?"
# Raw frames, requested.
gpuenv -w 1 in.f32 -T f32 -o x.raw
wc -c <x.raw
ls
