#!/bin/bash
# Errors with advice: each names what the user typed, and one solution.
try()
{
    gpuenv "$@" >out || echo "exit $?"
}

mkdir recordings
: >empty.wav
head -c 4000 /dev/zero >zeros.f32

try -w 9 zeros.f32 -o x.png
try -w 9 --out-dir out --name '{name}.png' zeros.f32
try -w 9 -T mp3 zeros.f32
try -w 9 recordings
try -w 10ms empty.wav
try -t s16 -w 10ms empty.wav
try -w 9 --mono zeros.f32
try -w 2s -r 1000 zeros.f32
try -w 1e13 zeros.f32
