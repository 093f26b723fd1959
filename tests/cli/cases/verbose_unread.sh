#!/bin/bash
# SPDX-License-Identifier: MIT
# A full standard error that is never read delays the run once, not for every line.
floats 3 1 2 4 >in.f32
mkfifo words
exec 3<>words
# As much as fits.
timeout 0.5 cat /dev/zero >&3 || true
timeout 7 gpuenv -v -w 2 in.f32 >out.f32 2>&3 || echo "exit $?"
