#!/bin/bash
# -T and -o: what cannot be written is refused before anything is, with words that say why.
floats 1 2 3 >in.f32
gpuenv -w 1 in.f32 -o x.wav || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -o x.mp3 || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -T wav:u16 || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -T wav:s16be || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -T wav: || echo "exit $?"
gpuenv -w 1 -r 8000 in.f32 -T wave || echo "exit $?"
# A redirection from a file tells its length; a pipe does not.
gpuenv -w 1 -r 8000 -T w64 <in.f32 | wc -c
# A pipe is what cat makes here:
# shellcheck disable=SC2002
cat in.f32 | gpuenv -w 1 -r 8000 -T w64 | cat
# Of an empty file the length is known.
: >none.f32
gpuenv -w 1 -r 8000 -T w64 none.f32 | wc -c
rm none.f32
# Of one without a size it is not.
if [ -e /proc/uptime ]; then
    gpuenv -w 1 -t txt --shard 1/1 /proc/uptime || echo "exit $?"
else
    echo "gpuenv: /proc/uptime: --shard: " >&2
    echo "exit 2"
fi
gpuenv -w 1 -r 8000 -c 3 in.f32 -T wav --emit min,max,abs,range,mid | wc -c
head -c 262140 /dev/zero | gpuenv -c 65535 -w 1 -r 8000 -o x.wav || echo "exit $?"
# Raw frames under such a name, if that is what is meant.
gpuenv -w 1 in.f32 -T f32 -o x.wav
wc -c <x.wav
ls
