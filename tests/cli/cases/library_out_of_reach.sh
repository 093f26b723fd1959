#!/bin/bash
# SPDX-License-Identifier: MIT
# libsndfile is there, but no descriptor is left to load it: the message does not call it missing.
if [ -n "${GPUENV_SANITIZE-}" ]; then
    echo "a sanitizer needs descriptors of its own"
    exit 77
fi
floats 1 2 3 4 >in.f32
gpuenv -w 1 --emit max -r 8000 in.f32 -o in.flac 2>/dev/null || exit 77
(
    exec 3>&- # the caller of the tests may have it open
    ulimit -n 4
    gpuenv -w 1 in.flac || echo "exit $?"
)
