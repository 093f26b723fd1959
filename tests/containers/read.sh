#!/bin/bash
# What sox, ffmpeg and flac write is read frame for frame: read.sh PROGRAM
#
# Each file is read as a file and from a pipe, and so is what the programs write to a pipe. What is
# lossless gives the bytes that raw float32 of the same sound gives; of what is not, the pipe gives
# the bytes of the file. Every line of the table that is printed says how many frames went in and
# how many came out.
#
# A cat is there because the point is a pipe:
# shellcheck disable=SC2002
# shellcheck source=tests/containers/prelude.sh
. "$(dirname "$0")/prelude.sh"

# A stereo sound of an odd number of frames, of 16 bits, in every width; and its raw float32.
sox -D -M mono.wav "|sox -D mono.wav -p reverse" -b 16 s16.wav
sox -D s16.wav -b 16 -t wav - trim 0 20001s >stereo.wav 2>/dev/null

# line NAME PIPED FILE DUE: reads FILE (or a pipe of it), compares.
line()
{
    local name=$1 piped=$2 file=$3 due=$4 status=0
    if [ "$piped" = pipe ]; then
        cat "$file" | "$program" -w 1 --emit max >out 2>words || status=$?
    else
        "$program" -w 1 --emit max "$file" >out 2>words || status=$?
    fi
    printf '%-28s %-5s %7d frames due, %7d came\n' "$name" "$piped" \
        "$(($(wc -c <"$due") / frame))" "$(($(wc -c <out) / frame))"
    [ "$status" -eq 0 ] || complain "$name, $piped: exit $status: $(cat words)"
    cmp out "$due" || complain "$name, $piped"
}

for channels in mono stereo; do
    frame=4
    [ "$channels" = mono ] || frame=8
    # -0.0 is not what 0 becomes; max over one frame is the frame.
    sox -D "$channels.wav" -t f32 raw.f32
    "$program" -w 1 --emit max -c $((frame / 4)) raw.f32 >due

    # By name, what sox and ffmpeg are told, and the encodings that hold 16 bits.
    while read -r ending bits encoding; do
        case $ending in
        flac) [ "$has_sndfile" -eq 0 ] || continue ;;
        esac
        sox -D "$channels.wav" -b "$bits" -e "$encoding" "x.$ending"
        line "sox $ending $encoding $bits" file "x.$ending" due
        line "sox $ending $encoding $bits" pipe "x.$ending" due
        # sox leaves CAF and W64 broken in a pipe.
        case $ending in
        caf | w64) continue ;;
        esac
        sox -D "$channels.wav" -b "$bits" -e "$encoding" -t "$ending" - 2>/dev/null | cat >y
        line "sox $ending $encoding $bits -" pipe y due
    done <<'END'
wav 16 signed
wav 24 signed
wav 32 signed
wav 32 float
wav 64 float
w64 16 signed
w64 24 signed
aiff 16 signed
aiff 24 signed
aifc 16 signed
au 16 signed
au 24 signed
au 32 float
caf 16 signed
caf 24 signed
flac 16 signed
flac 24 signed
END
    while read -r format codec options; do
        # shellcheck disable=SC2086
        ffmpeg -v error -nostdin -y -i "$channels.wav" -c:a "$codec" $options -f "$format" x
        # ffmpeg counts the padding of a W64 as frames, also when it reads one.
        cp due due_of_x
        if [ "$format" = w64 ]; then
            ffmpeg -v error -nostdin -y -f w64 -i x -f f32le due_of_x
        fi
        line "ffmpeg $format $codec $options" file x due_of_x
        line "ffmpeg $format $codec $options" pipe x due_of_x
        # shellcheck disable=SC2086
        ffmpeg -v error -nostdin -i "$channels.wav" -c:a "$codec" $options -f "$format" - | cat >y
        line "ffmpeg $format $codec $options -" pipe y due
    done <<'END'
wav pcm_s16le
wav pcm_s24le
wav pcm_f32le
wav pcm_f64le
wav pcm_s16le -rf64 always
wav pcm_s24le -rf64 always
w64 pcm_s16le
w64 pcm_s24le
w64 pcm_f32le
aiff pcm_s16be
aiff pcm_s24be
au pcm_s16be
au pcm_f32be
caf pcm_s16be
caf pcm_s24le
caf pcm_f32le
END
    if [ "$has_sndfile" -eq 0 ]; then
        flac -s -f -o x.flac "$channels.wav"
        line "flac" file x.flac due
        line "flac" pipe x.flac due
        flac -s -c "$channels.wav" | cat >y
        line "flac -" pipe y due
        flac -s -c - <"$channels.wav" | cat >y
        line "flac - -" pipe y due
    fi
    flac -s -f -o x.flac "$channels.wav"
    flac -s -d -c x.flac | cat >y
    line "flac -d -" pipe y due
done

# Codecs inside WAV and the lossy ones: the pipe as the file.
if [ "$has_sndfile" -eq 0 ]; then
    frame=4
    for kind in "wav -e a-law" "wav -e u-law" "wav -e ms-adpcm" "wav -e ima-adpcm" \
        "wav -e gsm-full-rate" "au -e u-law" "ogg" "mp3" "voc" "sph" "8svx"; do
        options=${kind#* }
        [ "$options" != "$kind" ] || options=
        # shellcheck disable=SC2086
        sox -D mono.wav $options "x.${kind%% *}" 2>/dev/null
        "$program" -w 1 --emit max "x.${kind%% *}" >due || complain "$kind"
        "$program" -w 1 --emit max <"x.${kind%% *}" | cmp - due || complain "$kind, file"
        cat "x.${kind%% *}" | "$program" -w 1 --emit max | cmp - due || complain "$kind, pipe"
        frames=$(soxi -s "x.${kind%% *}")
        printf '%-28s both  %7d frames due, %7d came\n' "$kind" "$frames" \
            "$(($(wc -c <due) / 4))"
        case $kind in
        # What a last block is filled up with, sox cuts off in its own way. It cannot count a VOC.
        mp3 | voc | *adpcm* | *gsm*) ;;
        *) [ "$(($(wc -c <due) / 4))" -eq "$frames" ] || complain "$kind: frames" ;;
        esac
    done
    ffmpeg -v error -nostdin -y -i mono.wav -b:a 64k x.opus
    "$program" -w 1 x.opus >due
    cat x.opus | "$program" -w 1 | cmp - due || complain "opus, pipe"
fi

# Containers that hardly anybody has any more, and that hold all 16 bits.
if [ "$has_sndfile" -eq 0 ]; then
    frame=4
    "$program" -w 1 --emit max mono.f32 >due
    for ending in paf fap pvf ircam avr; do
        sox -D mono.wav -b 16 "x.$ending" 2>/dev/null
        line "$ending" file "x.$ending" due
        line "$ending" pipe "x.$ending" due
    done
    sox -D mono.wav -b 16 -B x.ircam 2>/dev/null
    line "ircam, big-endian" file x.ircam due
    {
        printf 'dns.\30\0\0\0\102\234\0\0\3\0\0\0\200\273\0\0\1\0\0\0'
        sox -D mono.wav -t s16 -
    } >x.au
    line "au, little-endian" file x.au due
    line "au, little-endian" pipe x.au due
fi

# --counts takes the numbers as they are, of the width that the file has.
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

# --skip and --frames are those of raw frames, on files and in pipes.
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

# A duration takes the header's rate.
"$program" -w 480 mono.wav >due
"$program" -w 10ms mono.wav | cmp - due || complain "-w 10ms"
"$program" -w 10ms -c 1 -r 48k mono.wav | cmp - due || complain "-c and -r that agree"
exit "$failed"
