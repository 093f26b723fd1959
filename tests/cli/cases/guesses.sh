#!/bin/bash
# A named file that nothing speaks for is an error; of standard input nothing has to. A warning says that a raw type was
# given for what begins like a container.
floats 1 2 3 >rec
cp rec rec.1
cp rec rec.f32
for file in rec rec.1; do
    gpuenv -w 3 "$file" || echo "exit $?"
done
for ending in raw bin pcm dat iq wav ac3; do
    cp rec "rec.$ending"
    gpuenv -w 3 "rec.$ending" 2>/dev/null || echo "$ending $?"
done
gpuenv -w 3 rec.wav || echo "exit $?"
gpuenv -w 3 rec.ac3 || echo "exit $?"
gpuenv -w 3 <(cat rec) 2>/dev/null || echo "exit $?"
# in a batch alone
gpuenv -w 3 --out-dir out --jobs 1 rec.1 rec.f32 || echo "exit $?"
ls out
# what says enough
gpuenv -w 3 -t f32 rec | show
gpuenv -w 3 -t f32 rec.raw | show
gpuenv -w 3 -t f32 <(cat rec) | show
gpuenv -w 3 rec.f32 | show
gpuenv -w 3 <rec | show
gpuenv -w 3 /dev/stdin <rec | show
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
