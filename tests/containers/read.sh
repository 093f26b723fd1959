#!/bin/bash
# Options work on the files of sox and flac as on raw frames: read.sh PROGRAM
#
# formats.py tests that the frames of all writers are read.
#
# cat is used because the tests are about pipes:
# shellcheck disable=SC2002
# shellcheck source=tests/containers/prelude.sh
. "$(dirname "$0")/prelude.sh"

# --counts takes integers of the file's width as they are.
for bits in 16 24; do
    sox -D mono.wav -b "$bits" x.wav
    sox -D x.wav x.aiff
    sox -D x.wav x.flac
    sox -D x.wav -t "s$bits" raw
    "$program" -w 5 --counts -t "s$bits" raw >due
    for file in x.wav x.aiff x.flac; do
        [ "$file $has_sndfile" != "x.flac 1" ] || continue
        "$program" -w 5 --counts "$file" | cmp - due || complain "$file --counts, $bits bits"
    done
done

# --skip and --frames work as on raw frames, on files and in pipes.
cp mono.f32 raw.f32
sox -D mono.wav x.aiff
sox -D mono.wav x.w64
sox -D mono.wav x.flac
sox -D mono.wav x.ogg
for file in mono.wav x.aiff x.w64 x.flac x.ogg; do
    case $file in
    *.flac | *.ogg) [ "$has_sndfile" -eq 0 ] || continue ;;
    esac
    for part in "--skip 1" "--skip 12345" "--skip 100 --frames 7000" "--frames 0" "--skip 20001" \
        "--skip 30000"; do
        input=raw.f32
        if [ "$file" = x.ogg ]; then
            "$program" -w 1 --emit max x.ogg >ogg.f32
            input=ogg.f32
        fi
        # shellcheck disable=SC2086
        "$program" -q -w 20 $part "$input" >due
        # shellcheck disable=SC2086
        "$program" -q -w 20 $part "$file" >out || complain "$file $part: exit $?"
        cmp out due || complain "$file $part"
        # shellcheck disable=SC2086
        cat "$file" | "$program" -q -w 20 $part >out || complain "$file $part, pipe: exit $?"
        cmp out due || complain "$file $part, pipe"
    done
done

# A duration uses the header's rate.
"$program" -w 480 mono.wav >due
"$program" -w 10ms mono.wav | cmp - due || complain "-w 10ms"
"$program" -w 10ms -c 1 -r 48k mono.wav | cmp - due || complain "-c and -r that agree"
exit "$failed"
