#!/bin/bash
# SPDX-License-Identifier: MIT
# Output that needs a temporary file, which cannot be created.
if ! command -v flac >/dev/null || gpuenv -w 1 -T flac 2>&1 </dev/null | grep -q libsndfile; then
    echo "no flac, or no libsndfile"
    exit 77
fi
head -c 400000 /dev/urandom >noise.s16
flac -s --force-raw-format --endian=little --sign=signed --channels=1 --bps=16 \
    --sample-rate=8000 noise.s16
gpuenv -t s16 -r 8000 -w 10 noise.s16 >right.f32
# cat is used to make pipes:
# shellcheck disable=SC2002
cat noise.flac | gpuenv -w 10 | cmp - right.f32
# shellcheck disable=SC2002
cat noise.flac | TMPDIR=/nowhere gpuenv -w 10 | wc -c
# shellcheck disable=SC2002
cat noise.flac | (ulimit -f 8 && TMPDIR=$PWD gpuenv -w 10) | wc -c
ls
