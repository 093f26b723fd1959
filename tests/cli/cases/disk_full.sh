#!/bin/bash
# /dev/full accepts nothing: one line, whether the failure is early or at the end.
floats 1 2 3 | gpuenv -w 1 >/dev/full || echo "exit $?"
gpuenv -w 1 </dev/zero >/dev/full || echo "exit $?"
floats 1 2 3 | gpuenv -w 1 -o /dev/full || echo "exit $?"
# Without any standard output.
floats 1 2 3 | gpuenv -w 1 >&- || echo "exit $?"
floats 1 2 3 >in.f32
gpuenv -w 1 in.f32 >&- || echo "exit $?"
