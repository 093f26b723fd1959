#!/bin/bash
# A named pipe that one run reads and writes would wait for its other end forever.
mkfifo pipe
ln -s pipe link
timeout 5 gpuenv -w 3 pipe -o pipe || echo "exit $?"
timeout 5 gpuenv -w 3 pipe -o link || echo "exit $?"
timeout 5 gpuenv -w 3 pipe -o out.f32 --report link || echo "exit $?"
timeout 5 gpuenv --emit none pipe --stats link || echo "exit $?"
timeout 5 gpuenv -w 3 -o pipe <>pipe || echo "exit $?"
ls
