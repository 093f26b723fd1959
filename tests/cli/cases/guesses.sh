#!/bin/bash
# A named file that nothing speaks for is read as raw float32 frames, and a warning says so; another says that a raw type
# was given for what begins like a container.
floats 1 2 3 >rec
cp rec rec.1
cp rec rec.f32
gpuenv -w 3 rec | show
gpuenv -w 3 --out-dir out --jobs 1 rec rec.1 2>warnings
wc -l <warnings >&2
# what silences it, or what says enough
gpuenv -w 3 -t f32 rec | show
gpuenv -q -w 3 rec | show
gpuenv -w 3 rec.f32 | show
gpuenv -w 3 <rec | show
gpuenv -w 3 <(cat rec) | show
: >empty
gpuenv -w 3 -q empty
echo --- containers >&2
gpuenv -w 1 --emit max -T wav -r 10 rec.f32 -o x.wav
cp x.wav y.wav
gpuenv -w 1 -t u8 x.wav | wc -c
gpuenv -w 1 -t u8 <x.wav | wc -c
# shellcheck disable=SC2002
cat x.wav | gpuenv -w 1 -t u8 | wc -c
gpuenv -w 1 -t u8 --pick 1 --out-dir out --jobs 1 x.wav y.wav 2>warnings
wc -l <warnings >&2
gpuenv -q -w 1 -t u8 x.wav | wc -c
gpuenv -w 1 -t u8 --skip 44 x.wav | wc -c
gpuenv -w 1 --emit max x.wav | cmp - rec.f32
