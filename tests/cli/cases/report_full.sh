#!/bin/bash
# The report is written last: if that fails, the output and the statistics do not appear, and older ones are as before.
test -e /dev/full || exit 77
floats 3 1 2 4 >in.f32
gpuenv -w 2 in.f32 -o out.f32 --stats stats --report /dev/full || echo "exit $?"
ls
echo old >out.f32
gpuenv -w 2 in.f32 -o out.f32 --stats stats --report /dev/full || echo "exit $?"
cat out.f32
ls
