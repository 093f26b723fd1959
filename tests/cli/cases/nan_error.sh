#!/bin/bash
# --nan error beside other faults. Which frames are written before a NaN, and what is said of it: see tests/oracle.
# The NaN comes before the stray bytes at the end, so it is reported.
printf '\0\0\200?\0\0\300\177xy' | gpuenv -w 1 --nan error >out.f32 || echo "stray: exit $?"
show <out.f32
floats 0 1 2 3 4 nan 6 nan >in.f32
# A header in a pipe has promised more frames: their absence follows from the NaN, and is not reported.
for type in wav w64 au aiff caf npy; do
    gpuenv -w 1 --nan error -r 8 -T "$type" in.f32 | cat >/dev/null
    echo "$type: exit ${PIPESTATUS[0]}"
done
for type in dat json; do
    gpuenv --zoom 2 --nan error -r 8 -T "$type" in.f32 | cat >/dev/null
    echo "$type: exit ${PIPESTATUS[0]}"
done
