#!/bin/bash
# SPDX-License-Identifier: MIT
# Where no CUDA device can be used, this is said once, and the processor's flavours run.
gpuenv-bench -s 1000,2000 -w 9 -i 1 >table
if ! grep -q '^skipped: ' table; then
    echo "there is a CUDA device"
    exit 77
fi
grep -c '^skipped: .*: ' table
grep -c '^cpu  ' table
