#!/bin/bash
# The report is written last: if that fails, the output is complete and stays.
test -e /dev/full || exit 77
floats 3 1 2 4 >in.f32
gpuenv -w 2 in.f32 -o out.f32 --stats stats --report /dev/full || echo "exit $?"
show <out.f32
wc -l <stats
