#!/bin/bash
# Commands as new users type them, as data: each says what is wrong, and what to type instead. `cat` gives standard
# error; the status is printed.
floats 1 2 3 >in.f32
cp in.f32 rec
gpuenv -w 1 --emit max -T wav -r 48000 in.f32 -o in.wav
printf '\0\0\0\040ftypM4A ' >in.mp4
while IFS= read -r command; do
    echo "$command" >&2
    status=0
    bash -c "$command" </dev/null >out || status=$?
    echo "$status $command"
done <<'END'
gpuenv
gpuenv in.wav
gpuenv nosuch.wav
gpuenv in.mp4
gpuenv help
gpuenv in.wav -o x.png
gpuenv in.wav -T png
gpuenv in.wav --stats -
gpuenv in.wav out.wav
gpuenv -w 10 ms
gpuenv -w 10 ms in.wav
gpuenv -r 2.4 M -w 3 in.f32
gpuenv -w 3 -f s16le in.f32
gpuenv -version
gpuenv -w 3 -ar 48000 in.f32
gpuenv -i in.wav
gpuenv -w 3 -j4 in.f32
gpuenv -w 3 --fs 48000 in.f32
gpuenv -w 3 --output-dir out in.f32
gpuenv -w 3 --emit avg in.f32
gpuenv -w 3 rec
gpuenv -w 3 -t f32 rec
gpuenv -w 3 -T s16 in.f32 -o x.wav
gpuenv -w 3 -T f32 in.f32 -o x.flac
gpuenv -w 3 -T f32 in.f32 -o x.dat
gpuenv -w 3 -r 48kHz in.f32
gpuenv -w 3 -r 2.4MHz -t fc32 -T f32 /dev/null
gpuenv -w 1 -r 1 -T spans --level above:-20dBFS in.f32
gpuenv in.wav -o x.svg --size 800X600
gpuenv -w 1hour -r 1 in.f32 -q
gpuenv -w 3 --emit 'min, max' --align centre in.f32
END
