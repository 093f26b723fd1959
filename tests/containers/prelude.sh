#!/bin/bash
# Common start of the tests of containers. To be sourced, with the program as the first argument.
#
# Sets program, sound, has_sndfile (0: libsndfile is there) and failed, and changes to a new folder.
# Skips the test if a program is missing.
# The variables are used by the sourcing script:
# shellcheck disable=SC2034
set -eu

program=$(realpath "$1")
for command in sox ffmpeg flac; do
    if ! command -v "$command" >/dev/null; then
        echo "no $command"
        exit 77
    fi
done
sound=/usr/share/sounds/alsa/Front_Left.wav
if [ ! -e "$sound" ]; then
    echo "no sounds: install alsa-utils"
    exit 77
fi
has_sndfile=$("$program" -w 1 -T flac -r 1 </dev/null 2>&1 | grep -c libsndfile || true)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0

complain()
{
    echo "FAILED: $*"
    failed=1
}

# The first 20001 frames of the sound, of 16 bits.
sox -D "$sound" -b 16 mono.wav trim 0 20001s
sox -D mono.wav -t f32 mono.f32
