#!/bin/bash
# SPDX-License-Identifier: MIT
# A file that is more than raw samples is recognised by its first bytes: its header is never read as samples. An
# explicit type overrides detection.
if ! command -v sox >/dev/null; then
    echo "no sox"
    exit 77
fi
sox -n -r 8000 -b 16 tone.wav synth 0.1 sine 440
sox tone.wav tone.au
sox tone.wav tone.aiff
sox tone.wav -t f32 tone.f32
gpuenv -w 10 -t f32 tone.f32 >right.f32
for file in tone.wav tone.au tone.aiff; do
    gpuenv -w 10 "$file" | cmp - right.f32
    gpuenv -w 10 -t "${file#*.}" "$file" | cmp - right.f32
done
# The header and the user have to agree.
gpuenv -w 10 -c 1 -r 8k tone.wav | cmp - right.f32
# The report and the plan name the formats.
gpuenv -v -w 10 tone.wav -T au:s16 -o x.au --report report.json 2>words
head -n 2 words
grep '_container\|_encoding' report.json
