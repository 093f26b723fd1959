#!/bin/bash
# SPDX-License-Identifier: MIT
# The same with a limit on this process.
if [ -n "${GPUENV_SANITIZE-}" ]; then
    echo "a sanitizer needs all addresses"
    exit 77
fi
ulimit -v 400000
floats 1 2 3 >in.f32
gpuenv -w 200000000 in.f32 || echo "exit $?"
# A window that fits.
gpuenv -w 2 in.f32 | show
# Threads need little memory.
ulimit -v 30000
head -c 20000000 /dev/zero | gpuenv -w 3 --threads 2 | wc -c
