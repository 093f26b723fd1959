#!/bin/bash
# The build without libsndfile: without_libsndfile.sh SOURCE_DIR BUILD_DIR GENERATOR
#
# It reads and writes the formats that do not need libsndfile, and says so for the others.
set -eu

source_dir=$1
build_dir=$2
generator=$3
cmake -S "$source_dir" -B "$build_dir" -G "$generator" -DGPUENV_SNDFILE=OFF -DGPUENV_CUDA=OFF \
    -DGPUENV_WERROR=ON -DBUILD_TESTING=OFF -DCMAKE_BUILD_TYPE=Debug
cmake --build "$build_dir" --target gpuenv -j "$(nproc)"
program=$build_dir/src/gpuenv
if ldd "$program" | grep sndfile; then
    echo "it is linked with libsndfile"
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

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
if command -v sox >/dev/null && command -v ffmpeg >/dev/null && command -v flac >/dev/null; then
    /usr/bin/python3 "$source_dir/tests/containers/formats.py" "$program"
    bash "$source_dir/tests/containers/read.sh" "$program"
    bash "$source_dir/tests/containers/write.sh" "$program"
fi
