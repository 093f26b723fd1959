#!/bin/bash
# Errors of --stats, and the files that a failed run leaves.
floats 1 2 3 4 >in.f32
gpuenv --emit none --stats - --stats-every 1s -t f32 || echo "exit $?"
gpuenv --emit none --stats nowhere/x in.f32 || echo "exit $?"
# Under any name.
gpuenv --emit none --stats ./in.f32 in.f32 || echo "exit $?"
gpuenv -w 2 --stats ./out -o out in.f32 || echo "exit $?"
gpuenv -w 2 --stats ./r --report r -o out in.f32 || echo "exit $?"
# shellcheck disable=SC2094
gpuenv -w 2 --stats out in.f32 >out || echo "exit $?"
rm out
# Statistics of the frames read go to a pipe, but a file appears complete or not at all.
echo '{"old"' >old
printf '\0\0\200?+' | gpuenv --emit none --stats old || echo "exit $?"
cat old
printf '\0\0\200?+' | gpuenv --emit none --stats - || echo "exit $?"
floats 1 2 nan 3 | gpuenv --emit none --stats - --nan error || echo "exit $?"
gpuenv --emit none --stats /dev/full in.f32 || echo "exit $?"
gpuenv -w 2 -o frames --stats /dev/full in.f32 || echo "exit $?"
gpuenv --emit none --stats - --stats-every 1 -t u8 /dev/zero | head -c 1
echo
ls -A
