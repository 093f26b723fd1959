#!/bin/bash
# SPDX-License-Identifier: MIT
# A full standard error that is never read delays the run once, not for every line.
floats 3 1 2 4 >in.f32
mkfifo words
exec 3<>words
# As much as fits.
dd if=/dev/zero of=words bs=4096 oflag=nonblock conv=notrunc status=none 2>/dev/null || true
timeout 14 gpuenv -v -w 2 in.f32 >out.f32 2>&3 || echo "exit $?"
