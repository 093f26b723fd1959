#!/bin/bash
# SPDX-License-Identifier: MIT
# Draws the pictures of envelopes in this folder: draw.sh [GPUENV]
#
# The sound of one is a recording in Debian's package alsa-utils; the data of the others are made up. README shows them.
set -eu

gpuenv=$(command -v "${1:-gpuenv}")
gpuenv=$(realpath "$gpuenv")
here=$(realpath "$(dirname "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# A woman says "front, center".
"$gpuenv" /usr/share/sounds/alsa/Front_Center.wav -o "$here/envelope-speech.svg"

# Noise that swells, and another that fades out.
sox -R -n -r 44100 -b 16 left.wav synth 180 pinknoise tremolo 0.05 80
sox -R -n -r 44100 -b 16 right.wav synth 180 brownnoise tremolo 0.13 60 fade t 5 180 60 gain -3
sox -M left.wav right.wav 'A made-up sound of three minutes.wav'
"$gpuenv" -o "$here/envelope-stereo.svg" 'A made-up sound of three minutes.wav'

# A morning of a weather station.
"$gpuenv" "$here/station.csv" -o "$here/station.svg"

# An hour of a radio: SECONDS:DECIBELS of noise, one after the other.
part=10
for noise in 500:-38 420:-16 240:-39 60:-12 700:-38 900:-22 180:-37 60:-12 540:-39; do
    sox -R -n -r 2400 -c 2 -b 8 "$part.wav" synth "${noise%:*}" whitenoise whitenoise gain "${noise#*:}"
    part=$((part + 1))
done
sox ./??.wav -t u8 'A made-up hour.cu8'
"$gpuenv" -r 2400 --zoom 1min --emit rms --db 'A made-up hour.cu8' -o "$here/strength.svg"
