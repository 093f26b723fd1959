#!/bin/bash
# The pipes in which libsndfile 1.2.0 loses frames, and similar ones, as a table of frames in and frames
# out: pipe_cases.sh PROGRAM
#
# A program writes each pipe if one can, otherwise its header is made here; then the same, truncated in the
# middle. All frames are written, byte for byte as with raw float32; if frames are missing that a header has
# promised, there is an error.
#
# cat is used because the tests are about pipes:
# shellcheck disable=SC2002
# shellcheck source=tests/containers/prelude.sh
. "$(dirname "$0")/prelude.sh"

sox -D mono.wav -t s16 mono.s16
"$program" -w 1 --emit max mono.f32 >whole
printf '%-34s %9s %10s %5s\n' "in a pipe" "frames in" "frames out" "exit"

# row NAME STATUS DUE: filters standard input.
row()
{
    local name=$1 due_status=$2 due=$3 status=0
    cat | "$program" -w 1 --emit max >out 2>said || status=$?
    printf '%-34s %9d %10d %5d\n' "$name" "$(($(wc -c <"$due") / 4))" "$(($(wc -c <out) / 4))" \
        "$status"
    [ "$status" -eq "$due_status" ] || complain "$name: exit $status: $(cat said)"
    cmp out "$due" || complain "$name"
}

# The 44 bytes in front of mono.s16, with a size for the data.
wav_header()
{
    printf 'RIFF\377\377\377\377WAVEfmt \20\0\0\0\1\0\1\0\200\273\0\0\0\167\1\0\2\0\20\0data'
    # The size is written as escapes.
    # shellcheck disable=SC2059
    printf "$1"
}

half=20000 # bytes
head -c $((half * 2)) whole >half
for size in '\0\0\0\0' '\0\360\377\177' '\377\377\377\177' '\0\0\0\200' '\377\377\377\377'; do
    (wav_header "$size" && cat mono.s16) | row "WAV, data size $size" 0 whole
    (wav_header "$size" && head -c "$half" mono.s16) | row "the same, half" 0 half
done
sox -D mono.wav -t wav - 2>/dev/null | row "WAV by sox" 0 whole
cat mono.wav | row "WAV that knows its size" 0 whole
head -c $((44 + half)) mono.wav | row "the same, half" 2 half

# by FORMAT OPTION...: the same by ffmpeg, and what it writes to a file.
by()
{
    local format=$1
    shift
    ffmpeg -v error -nostdin -i mono.wav "$@" -f "$format" - | row "$format by ffmpeg $*" 0 whole
    ffmpeg -v error -nostdin -y -i mono.wav "$@" -f "$format" x
    cat x | row "the same, from a file" 0 whole
    head -c $(($(wc -c <x) / 2)) x >part
    "$program" -w 1 --emit max part >partly 2>/dev/null || true
    [ -s partly ] || complain "$format, cut off: nothing"
    cmp -n "$(wc -c <partly)" partly whole || complain "$format, cut off"
    cat part | row "the same, cut off" 2 partly
}

by wav
by wav -rf64 always
by au
by aiff
by caf
# 20000 frames, because ffmpeg counts the padding of a W64 as frames.
mv whole all
head -c 80000 all >whole
sox -D mono.wav even.wav trim 0 20000s
mv even.wav mono.wav
by w64
if [ "$has_sndfile" -eq 0 ]; then
    by flac
    flac -s -c mono.wav 2>/dev/null | row "flac -c" 0 whole
    flac -s -c - <mono.wav | row "flac -c -" 0 whole
    # Lossy: the pipe is compared with the file. Some seconds, because blocks are long.
    sox -D mono.wav long.wav repeat 20
    for type in ogg opus mp3; do
        ffmpeg -v error -nostdin -y -i long.wav "x.$type"
        "$program" -w 1 --emit max "x.$type" >due
        [ "$(wc -c <due)" -eq $((20000 * 21 * 4)) ] || complain "$type: frames"
        cat "x.$type" | row "$type" 0 due
        head -c $(($(wc -c <"x.$type") / 2)) "x.$type" >part
        "$program" -w 1 --emit max part >partly 2>/dev/null || true
        [ -s partly ] || complain "$type, cut off: nothing"
        cat part | row "the same, cut off" 2 partly
    done
fi

flac -s -f -o x.flac mono.wav
flac -s -d -c x.flac | row "flac -d -c" 0 whole

# At most 16 MiB are kept in case libsndfile is needed. A file is read again.
(printf 'RIFF\377\377\377\377WAVEjunk\0\0\0\2' && head -c 33554432 /dev/zero &&
    (wav_header '\377\377\377\377' | tail -c 32) && cat mono.s16) >late.wav
cat late.wav | row "WAV, its fmt chunk after 32 MiB" 2 /dev/null
grep -q ': more than 16777216 bytes before its fmt chunk$' said || complain "$(cat said)"
"$program" -w 1 --emit max late.wav | cmp - all || complain "the same, from a file"

# The purpose:
ffmpeg -v error -nostdin -i x.flac -f wav - | "$program" -w 10ms -t auto -T wav - |
    sox -t wav - -n stat 2>said
printf '%-34s %9d %10d\n' "ffmpeg | gpuenv -w 10ms | sox stat" 20000 \
    "$(($(sed -n 's/^Samples read: *//p' said) / 2))"
grep -q "^Samples read: *$(((20000 - 479) * 2))\$" said || complain "$(cat said)"
exit "$failed"
