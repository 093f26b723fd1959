#!/bin/bash
# A file that is more than raw samples is known by its first bytes: it is read, or refused
# with words that say what to do; its header never passes for samples.
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
    status=0
    gpuenv -w 10 "$file" >out.f32 2>words || status=$?
    case $status in
    0) cmp out.f32 right.f32 ;;
    2) test ! -s out.f32 && grep -q "^gpuenv: $file: .*sox" words ;;
    *) echo "$file: exit $status" ;;
    esac
done
# The type that was named is taken at its word.
gpuenv -w 1 -t s16 tone.wav | wc -c
