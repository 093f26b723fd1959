#!/bin/bash
# -v prints the plan and the result, to standard error: the frames are the same.
floats 3 1 2 4 >in.f32
gpuenv -v -w 2 in.f32 2>words | cmp - <(gpuenv -w 2 in.f32)
test "$(wc -l <words)" -ge 2
grep -v '^gpuenv: ' words || true
grep -q 'cpu' words || echo "no engine"
grep -q 'bottleneck\|busy' words || echo "no word on who was busy"
