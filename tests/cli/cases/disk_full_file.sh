#!/bin/bash
# A full file system: an error, no partial file, and the older file is unchanged.
mkdir disk
if ! unshare -rm mount -t tmpfs -o size=256k none disk 2>why; then
    echo "no file system of our own here: $(cat why)"
    exit 77
fi
# shellcheck disable=SC2016
unshare -rm bash -eu -c '
    mount -t tmpfs -o size=256k none disk
    echo older >disk/out.f32
    head -c 4M /dev/zero | gpuenv -w 4 -o disk/out.f32 || echo "exit $?"
    ls -A disk
    cat disk/out.f32'
