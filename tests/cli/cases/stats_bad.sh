#!/bin/bash
# The files that a run with --stats leaves where it fails.
# Statistics of the frames read go to a pipe, but a file appears complete or not at all.
echo '{"old"' >old
printf '\0\0\200?+' | gpuenv --emit none --stats old || echo "exit $?"
cat old
printf '\0\0\200?+' | gpuenv --emit none --stats - || echo "exit $?"
floats 1 2 nan 3 | gpuenv --emit none --stats - --nan error || echo "exit $?"
gpuenv --emit none --stats - --stats-every 1 -t u8 /dev/zero | head -c 1
echo
ls -A
