#!/bin/bash
# Standard error that is full, and that nobody reads, holds the run up once, not for every line.
floats 3 1 2 4 >in.f32
mkfifo words
exec 3<>words
# As much as goes in.
timeout 0.5 cat /dev/zero >&3 || true
timeout 7 gpuenv -v -w 2 in.f32 >out.f32 2>&3 || echo "exit $?"
