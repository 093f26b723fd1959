#!/bin/bash
# Files written here are read by sox, ffmpeg, flac and gpuenv: write.sh PROGRAM
#
# To a file, to a pipe with a length known in advance, and to a pipe without.
#
# cat is used because the tests are about pipes:
# shellcheck disable=SC2002
# shellcheck source=tests/containers/prelude.sh
. "$(dirname "$0")/prelude.sh"

"$program" -w 480 mono.wav >due.f32
frames=$(($(wc -c <due.f32) / 8))

# check NAME FILE TYPE DUE: three readers return the frames.
check()
{
    local name=$1 file=$2 type=$3 got
    "$program" -t "$type" -w 1 --emit max "$file" >back.f32 || complain "$name: unreadable"
    cmp back.f32 "$4" || complain "$name: gpuenv"
    ffmpeg -v error -nostdin -y -i "$file" -f f32le back.f32 2>words ||
        complain "$name: ffmpeg: $(cat words)"
    cmp back.f32 "$4" || complain "$name: ffmpeg"
    got=$(ffprobe -v error -show_entries stream=sample_rate -of csv=p=0 "$file")
    [ "$got" -eq 48000 ] || complain "$name: rate $got"
    case $type in
    # sox has no reader for these, or one that rounds floats.
    rf64 | w64 | caf) return ;;
    esac
    sox -t "$type" "$file" -t f32 back.f32 2>words || complain "$name: sox: $(cat words)"
    cmp back.f32 "$4" || complain "$name: sox"
}

for type in wav rf64 w64 au aiff caf flac; do
    case $type in
    aiff | flac) [ "$has_sndfile" -eq 0 ] || continue ;;
    esac
    "$program" -w 480 mono.wav -o "x.$type"
    check "$type by name" "x.$type" "$type" due.f32
    "$program" -w 480 mono.wav -T "$type" | cat >y
    check "$type in a pipe" y "$type" due.f32
    "$program" -w 480 mono.wav -T "$type" >z
    cmp z "x.$type" || complain "$type: a redirection is a file"
    case $type in
    rf64 | w64)
        cat mono.f32 | ("$program" -w 480 -r 48000 -T "$type" 2>words || echo "exit $?") |
            grep -q 'exit 1' || complain "$type of unknown length in a pipe"
        grep -q 'not known' words || complain "$type of unknown length: $(cat words)"
        ;;
    *)
        cat mono.f32 | "$program" -w 480 -r 48000 -T "$type" | cat >y
        check "$type of unknown length in a pipe" y "$type" due.f32
        ;;
    esac
done

# Integers: the same as raw integers of that type, in every format.
for kind in s16 s24 s32 u8 s8 f64; do
    "$program" -w 480 -T "$kind" mono.wav | "$program" -w 1 --emit max -t "$kind" -c 2 >due
    for type in wav w64 au aiff caf flac; do
        case "$type $kind" in
        "wav s8" | "w64 s8" | "au u8" | "aiff u8" | "caf u8") continue ;;
        "flac s32" | "flac f64" | "flac u8") continue ;;
        aiff* | flac*) [ "$has_sndfile" -eq 0 ] || continue ;;
        esac
        "$program" -w 480 -T "$type:$kind" -o x mono.wav
        "$program" -w 1 --emit max x | cmp - due || complain "$type:$kind"
        ffmpeg -v error -nostdin -y -i x -c:a pcm_f32le -f f32le y
        cmp y due || complain "$type:$kind, ffmpeg"
    done
done
if [ "$has_sndfile" -eq 0 ]; then
    "$program" -w 480 mono.wav -o x.flac
    flac -s -t x.flac || complain "flac -t"
    "$program" -w 480 mono.wav -T flac | cat >y.flac
    flac -s -t y.flac 2>words || complain "flac -t, pipe: $(cat words)"
    # The length is known in advance, so that flac can store it.
    "$program" -w 480 mono.wav -T flac | flac -s -d -c - | sox -t wav - -t f32 back.f32 ||
        complain "flac -d, pipe"
    [ "$(soxi -s y.flac)" -eq "$frames" ] || complain "flac, pipe: $(soxi -s y.flac) frames"
    [ "$(wc -c <back.f32)" -eq $((frames * 8)) ] || complain "flac -d, pipe: $(wc -c <back.f32)"
    # Vorbis is lossy: the number of frames is right, and the values are close.
    "$program" -w 480 mono.wav -o x.ogg
    cat mono.f32 | "$program" -w 480 -r 48000 -T ogg | cat >y.ogg
    for file in x.ogg y.ogg; do
        got=$(("$(ffmpeg -v error -nostdin -i "$file" -f f32le - | wc -c)" / 8))
        [ "$got" -eq "$frames" ] || complain "$file: $got frames, not $frames"
        "$program" -w 1 --emit max "$file" >back.f32
        sox -m -v 1 -t f32 -r 48k -c 2 due.f32 -v -1 -t f32 -r 48k -c 2 back.f32 -n stat 2>words
        awk '/^Maximum amplitude/ { exit $3 > 0.1 }' words || complain "$file: $(cat words)"
    done
fi

# No frames: a file that the others can read. For an empty AIFF, even its own, sox reports a missing chunk
# of samples; w64 and npy are not tested with sox and ffmpeg.
for type in wav rf64 w64 au aiff aiff:s16 aiff:f64 caf flac flac:s16 ogg npy; do
    case $type in
    aiff* | flac* | ogg*) [ "$has_sndfile" -eq 0 ] || continue ;;
    esac
    file=empty.${type%:*}
    "$program" -q -w 480 -r 44100 -c 3 --emit max -T "$type" -o "$file" </dev/null ||
        complain "empty $type"
    "$program" -w 480 "$file" >out 2>words || complain "empty $type, gpuenv: $(cat words)"
    [ ! -s out ] || complain "empty $type: frames"
    grep -q 'the input has 0 frames' words || complain "empty $type: $(cat words)"
    case $type in
    rf64 | w64 | npy) continue ;;
    aiff*) ;;
    *)
        [ "$(soxi -s "$file") $(soxi -c "$file") $(soxi -r "$file")" = "0 3 44100" ] ||
            complain "empty $type, sox"
        ;;
    esac
    ffmpeg -v error -nostdin -y -i "$file" -f f32le out 2>words ||
        complain "empty $type, ffmpeg: $(cat words)"
    [ ! -s out ] || complain "empty $type, ffmpeg: frames"
    "$program" -q -w 480 -r 44100 -c 3 --emit max -T "$type" </dev/null | cat >piped
    "$program" -q -w 1 piped >out || complain "empty $type in a pipe"
    [ ! -s out ] || complain "empty $type in a pipe: frames"
    case $type in
    flac*) flac -s -t "$file" 2>words || complain "empty $type: $(cat words)" ;;
    esac
done

# Vorbis reports its limits late, and without frames not at all.
if [ "$has_sndfile" -eq 0 ]; then
    for input in /dev/null due.f32; do
        status=0
        "$program" -q -w 1 -r 655350 -T ogg -o fast.ogg "$input" 2>words || status=$?
        [ "$status" -eq 2 ] || complain "ogg at 655350 Hz: exit $status"
        grep -q 'its rate would be 655350 Hz, and ogg holds 200000 Hz at most' words ||
            complain "ogg at 655350 Hz: $(cat words)"
        [ ! -e fast.ogg ] || complain "ogg at 655350 Hz: a file"
    done
fi

# More channels, or a higher rate, than the format can hold.
if [ "$has_sndfile" -eq 0 ]; then
    refused()
    {
        local words=$1 status=0
        shift
        "$program" -w 1 -t s16 "$@" -o refused.x mono.f32 2>said || status=$?
        [ "$status" -eq 2 ] || complain "$*: exit $status"
        [ "$(cat said)" = "gpuenv: refused.x: $words" ] || complain "$*: $(cat said)"
        [ ! -e refused.x ] || complain "$*: a file"
    }
    refused 'flac cannot hold 18 channels of s24le at 48000 Hz' -T flac -c 9 -r 48000
    refused 'libsndfile cannot write 600 channels at 48000 Hz as ogg' -T ogg -c 300 -r 48000
    refused 'its rate would be 4294967295 Hz, and flac holds 655350 Hz at most: write wav or caf' -T flac -r 4294967295
    refused 'its rate would be 655351 Hz, and flac holds 655350 Hz at most: write wav or caf' -T flac -r 655351
    refused 'its rate would be 200001 Hz, and ogg holds 200000 Hz at most: write wav or caf' -T ogg -r 200001
fi

# Clipped samples are counted.
printf '\0\0\200\77\0\0\0\300\0\0\0\77' >loud.f32
"$program" -w 1 --emit max -r 8000 -T wav:s16 loud.f32 -o x.wav 2>words
grep -q ': 2 values clipped$' words || complain "clipping: $(cat words)"
[ "$(tail -c 6 x.wav | od -An -t d2 | xargs)" = "32767 -32768 16384" ] || complain "clipped to"

# Channels are inputs times emits; the rate is divided by the hop.
sox -D -M mono.wav mono.wav -b 16 stereo.wav
"$program" -w 100 --hop 10 --emit min,max,range stereo.wav -o x.wav
[ "$(soxi -c x.wav) $(soxi -r x.wav)" = "6 4800" ] || complain "channels and rate"

# The purpose of the pipe.
flac -s -f -o x.flac mono.wav
ffmpeg -v error -nostdin -i x.flac -f wav - | "$program" -w 10ms -t auto -T wav - |
    sox -t wav - -n stat 2>words
grep -q "^Samples read: *$((frames * 2))\$" words || complain "ffmpeg | gpuenv | sox: $(cat words)"
for type in wav au caf; do
    "$program" -w 10ms mono.wav -T "$type" | ffmpeg -v error -i - -f f32le - | cmp - due.f32 ||
        complain "$type to ffmpeg"
    cat mono.f32 | "$program" -r 48k -w 10ms -T "$type" | ffmpeg -v error -i - -f f32le - |
        cmp - due.f32 || complain "$type of unknown length to ffmpeg"
done

# In append mode the header cannot be filled in at the end: it says that the length is unknown.
echo -n >appended
cat mono.f32 | "$program" -w 480 -r 48000 -T wav >>appended
check "appended" appended wav due.f32
exit "$failed"
