#!/bin/bash
# Draws the pictures of envelopes in this folder: draw.sh [GPUENV]
#
# The sound of one is a recording in Debian's package alsa-utils; the data of the others are made up.
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

# Twelve days of a weather station, a row a minute; the barometer stood still for half a day.
awk 'BEGIN {
    srand(1)
    print "time,pressure (hPa),temperature (°C)"
    for (i = 0; i < 12 * 1440; i++) {
        slow = 8 * sin(i / 2200) + 1.5 * sin(i / 229.2)
        value = sprintf("%.2f", 1003 + slow + rand() - 0.5)
        warmth = sprintf("%.1f", 8 + 4 * sin(i / 229.2) + 2 * sin(i / 3000) + rand())
        print 1763596800 + 60 * i "," (i > 9000 && i < 9720 ? "" : value) "," warmth
    }
}' >'A made-up weather station.csv'
"$gpuenv" --time time --zoom 10min --nan omit -o "$here/envelope-sensor.svg" \
    'A made-up weather station.csv'
