#!/bin/bash
# libsndfile is there, but there is no descriptor left to load it by: that is not told as if it were
# missing.
if [ -n "${GPUENV_SANITIZE-}" ]; then
    echo "a sanitizer needs descriptors of its own"
    exit 77
fi
floats 1 2 3 4 >in.f32
gpuenv -w 1 --emit max -r 8000 in.f32 -o in.flac 2>/dev/null || exit 77
(
    exec 3>&- # whoever runs the tests may have it open
    ulimit -n 4
    gpuenv -w 1 in.flac || echo "exit $?"
)
