#!/bin/bash
# SPDX-License-Identifier: MIT
# Diagnostics of the MP3 decoder do not reach standard error. The frames of this damaged file are silence, with other
# bytes between them.
frames()
{
    for _ in 1 2 3 4 5 6; do
        printf '\xff\xfb\x90\x00'
        head -c 413 /dev/zero
    done
}
(
    frames
    head -c 3000 /dev/zero | tr '\0' U
    frames
) >in.mp3
gpuenv -w 1 -T flac -r 1 </dev/null 2>&1 | grep -q libsndfile && exit 77
gpuenv -w 1 in.mp3 >out || echo "exit $?"
