#!/bin/bash
# SPDX-License-Identifier: MIT
# A program as a build without libsndfile makes it: without_libsndfile.sh PROGRAM SOURCE_DIR
#
# It says of the formats that need libsndfile that it has none, and reads the golden files. formats.py tries it on files
# of every format. -DGPUENV_SNDFILE=OFF makes such a build.
set -eu

program=$1
source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake -S "$source_dir" -B "$work/build" -DGPUENV_SNDFILE=OFF -DGPUENV_CUDA=OFF -DBUILD_TESTING=OFF \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$work/log"
grep -o 'format/sndfile/[a-z0-9]*\.c' "$work/build/compile_commands.json" | sort -u >"$work/files"
grep -q /missing.c "$work/files"
if grep -E '/(library|source|sink)\.c' "$work/files" || grep 'libsndfile\.so' "$program"; then
    echo "it needs libsndfile"
    exit 1
fi

expect() # WORDS STATUS COMMAND...
{
    local words=$1 due=$2 status=0
    shift 2
    "$@" >"$work/out" 2>"$work/words" || status=$?
    if [ "$status" -ne "$due" ] || ! grep -q -e "$words" "$work/words"; then
        echo "$*: exit $status: $(cat "$work/words")"
        exit 1
    fi
}

printf 'fLaC\0\0\0\42%064d' 0 >"$work/x.flac"
expect 'is a FLAC file, and this gpuenv was built without libsndfile: try ffmpeg' 2 \
    "$program" -w 1 "$work/x.flac"
expect 'without libsndfile' 1 "$program" -w 1 -r 8000 -o "$work/y.flac" /dev/null
expect 'without libsndfile' 1 "$program" -w 1 -r 8000 -T ogg /dev/null
test ! -e "$work/y.flac"
expect '0 frames' 0 "$program" -w 1 -r 8000 -o "$work/y.aiff" /dev/null
/usr/bin/python3 "$source_dir/tests/containers/golden.py" "$program"
