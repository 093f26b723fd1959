#!/bin/bash
# For a header with whole rates only, a warning tells the rate that it says, once.
head -c 400000 /dev/zero >in.s16
rate_of_wav()
{
    od -An -t u4 -j 60 -N 4 "$1" | xargs
}
gpuenv -t s16 -r 22050 --zoom 1min in.s16 -o out.wav
rate_of_wav out.wav
gpuenv -t s16 -r 22050 --zoom 512 in.s16 -o out.wav
rate_of_wav out.wav
for type in au aiff w64; do
    gpuenv -t s16 -r 8001 --hop 2 -w 2 -T "$type" in.s16 | wc -c
done
for rate in 0.1 4e9; do
    gpuenv -t s16 -r "$rate" --zoom 100000 -T json in.s16
    gpuenv -t s16 -r "$rate" --zoom 100000 -T dat in.s16 | od -An -t u4 -j 8 -N 4 | xargs
done
echo --- no header, any rate, or the rate as it is
for type in f32 npy csv svg caf; do
    gpuenv -t s16 -r 22050 --zoom 1min -T "$type" in.s16 | cat >/dev/null
done
gpuenv -t s16 -r 44100 -w 1 --hop 441 in.s16 -o out.wav
gpuenv -t s16 -r 44.1k --zoom 512 -T json in.s16 | cat >/dev/null
gpuenv -q -t s16 -r 22050 --zoom 512 in.s16 -o out.wav
echo --- once for a batch
cp in.s16 other.s16
gpuenv -t s16 -r 22050 --zoom 512 -T wav --jobs 1 --out-dir out in.s16 other.s16
ls out
