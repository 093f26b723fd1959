#!/bin/bash
# --nan error: everything before the NaN is written, then its frame and channel are named.
floats 0 1 2 3 4 nan 6 nan >in.f32
for align in valid causal center; do
    gpuenv -w 3 --nan error --align "$align" in.f32 >out.f32 || echo "$align: exit $?"
    show <out.f32
done
# Frame 2, the second channel; the sequential reference reports the same.
floats 0 10 1 11 2 nan >stereo.f32
gpuenv -w 2 -c 2 --nan error stereo.f32 >out.f32 || echo "stereo: exit $?"
show 4 <out.f32
gpuenv -w 2 -c 2 --nan error --algorithm lemire stereo.f32 >lemire.f32 || echo "lemire: exit $?"
cmp out.f32 lemire.f32
# No NaN.
floats 1 2 | gpuenv -w 2 --nan error | show
# The NaN comes before the stray bytes at the end, so it is reported.
printf '\0\0\200?\0\0\300\177xy' | gpuenv -w 1 --nan error >out.f32 || echo "stray: exit $?"
show <out.f32
# A header in a pipe has promised more frames: their absence follows from the NaN, and is not reported.
for type in wav w64 au aiff caf npy; do
    gpuenv -w 1 --nan error -r 8 -T "$type" in.f32 | cat >/dev/null
    echo "$type: exit ${PIPESTATUS[0]}"
done
for type in dat json; do
    gpuenv --zoom 2 --nan error -r 8 -T "$type" in.f32 | cat >/dev/null
    echo "$type: exit ${PIPESTATUS[0]}"
done
