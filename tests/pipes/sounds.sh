#!/bin/bash
# Real sounds through sox and ffmpeg, mono and stereo: sounds.sh PROGRAM
#
# The engine gives the bytes of Lemire's algorithm, the counts are right, and the extremes are those of sox.
set -eu

program=$1
for command in sox ffmpeg; do
    if ! command -v "$command" >/dev/null; then
        echo "no $command"
        exit 77
    fi
done
shopt -s nullglob
sounds=(/usr/share/sounds/alsa/*.wav /usr/share/sounds/freedesktop/stereo/*.oga)
if [ "${#sounds[@]}" -eq 0 ]; then
    echo "no sounds: install alsa-utils and sound-theme-freedesktop"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain()
{
    echo "FAILED: $*"
    failed=1
}

same() # WHAT OPTIONS...: engine and reference over $work/in
{
    local what=$1
    shift
    "$program" "$@" <"$work/in" >"$work/engine"
    "$program" "$@" --algorithm lemire <"$work/in" >"$work/lemire"
    cmp "$work/engine" "$work/lemire" || complain "$what: $*"
}

count=$(sox -n -t f32 - synth 10 sine 440 | "$program" -w 512 | wc -c)
[ "$count" -eq $(((480000 - 511) * 8)) ] || complain "ten seconds of sine: $count bytes"

# One sound of each kind in every way, the others in one way, to save time.
at=0
for sound in "${sounds[@]}"; do
    at=$((at + 1))
    for channels in 1 2; do
        sox "$sound" -c "$channels" -t f32 "$work/in"
        width=$((1 + at * 97 % 2000))
        same "$sound" -w "$width" -c "$channels" -q
    done
    [ $((at % 8)) -eq 1 ] || continue

    for channels in 1 2; do
        ffmpeg -v error -nostdin -i "$sound" -ac "$channels" -f f32le -y "$work/in"
        same "$sound" -w 512 -c "$channels" --align center -q
        ffmpeg -v error -nostdin -i "$sound" -ac "$channels" -f s16le -y "$work/in"
        same "$sound" -w 48 --hop 48 -c "$channels" -t s16le --emit max,min -q
    done

    # 16 bits to float32 is exact, so both ways give the same bytes.
    sox -D "$sound" -c 1 -b 16 "$work/mono.wav"
    sox -D "$work/mono.wav" -t s16 - | "$program" -w 100 -t s16 >"$work/from_s16"
    sox -D "$work/mono.wav" -t f32 - | "$program" -w 100 >"$work/from_f32"
    ffmpeg -v error -nostdin -i "$work/mono.wav" -f f32le - </dev/null |
        "$program" -w 100 >"$work/from_ffmpeg"
    cmp "$work/from_s16" "$work/from_f32" || complain "$sound: s16 and f32"
    cmp "$work/from_s16" "$work/from_ffmpeg" || complain "$sound: sox and ffmpeg"

    # One window over all of it: its extremes.
    frames=$(soxi -s "$work/mono.wav")
    sox "$work/mono.wav" -n stats 2>"$work/stats"
    sox -D "$work/mono.wav" -t f32 - | "$program" -w "$frames" |
        od -An -v -t f4 -w8 >"$work/extremes"
    awk -v name="$sound" '
        NR == FNR && /^Min level/ { least = $3 }
        NR == FNR && /^Max level/ { most = $3 }
        NR != FNR { lines++; a = $1 - least; b = $2 - most }
        END {
            if (lines != 1 || a * a > 1e-12 || b * b > 1e-12) {
                print name ": " lines " windows, off by " a " and " b
                exit 1
            }
        }' "$work/stats" "$work/extremes" || complain "$sound: sox stats"
done

# Types as written by sox and ffmpeg, compared with their own float32.
sound=${sounds[0]}
for type in s8 u8 s16 u16 s24 u24; do
    for order in -L -B; do
        sox -D "$sound" -c 1 "$order" -t "$type" "$work/in"
        rate=$(soxi -r "$sound")
        sox -D -r "$rate" -c 1 "$order" -t "$type" "$work/in" -t f32 - |
            "$program" -w 33 >"$work/due"
        "$program" -w 33 -t "$type" "$order" "$work/in" | cmp - "$work/due" ||
            complain "sox $type $order"
    done
done
for type in u8 s16le s16be s24le s24be s32le s32be f32be f64le f64be; do
    ffmpeg -v error -nostdin -i "$sound" -ac 1 -f "$type" -y "$work/in"
    rate=$(soxi -r "$sound")
    ffmpeg -v error -nostdin -f "$type" -ar "$rate" -ac 1 -i "$work/in" -f f32le -y "$work/f32"
    "$program" -w 33 "$work/f32" >"$work/due"
    "$program" -w 33 -t "$type" "$work/in" | cmp - "$work/due" || complain "ffmpeg $type"
done

echo "${#sounds[@]} sounds"
exit "$failed"
